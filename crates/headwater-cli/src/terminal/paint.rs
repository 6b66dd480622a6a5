//! A document for reading: passages in the colour of their origin, new text plain, and a legend.
//!
//! Colour is never the only sign: every passage begins with the number of its origin in the legend, in brackets.

use std::collections::HashMap;
use std::ops::Range;

use anstyle::{Ansi256Color, Effects, Style};

use super::numbers::{count, percent};
use super::wrap::Wrap;

/// Colours that can be told apart on dark and on light ground.
const COLOURS: [u8; 12] = [33, 166, 35, 162, 136, 99, 37, 160, 64, 127, 94, 69];

/// How colours differ when they come again: there are no more that can be told apart, but there are other ways to look.
const EFFECTS: [Effects; 6] = [
    Effects::new(),
    Effects::UNDERLINE,
    Effects::BOLD,
    Effects::INVERT,
    Effects::UNDERLINE.insert(Effects::BOLD),
    Effects::INVERT.insert(Effects::BOLD),
];

/// How many origins of one document look different.
const LOOKS: usize = COLOURS.len() * EFFECTS.len();

/// Longer lines than this are hard to read, however wide the terminal.
const WIDTH: usize = 100;

/// How wide a page in the terminal is.
pub(crate) fn page_width() -> usize {
    terminal_size::terminal_size().map_or(WIDTH, |(width, _)| usize::from(width.0).clamp(40, WIDTH))
}

/// The look of the passages with this number: a colour and, where all colours have been, something beside it.
pub(crate) fn colour(number: usize) -> Style {
    let colour = Ansi256Color(COLOURS[number % COLOURS.len()]);
    Style::new().fg_color(Some(colour.into())).effects(EFFECTS[number / COLOURS.len() % EFFECTS.len()])
}

/// Origins that keep their colour from one document to the next; later ones share colours.
const REMEMBERED: usize = 4096;

/// One document, as far as it is shown.
pub(crate) struct Story<'a> {
    pub(crate) id: &'a str,
    pub(crate) time: Option<String>,
    pub(crate) url: Option<&'a str>,
    pub(crate) text: &'a str,
    pub(crate) tokens: usize,
    /// None where it is too short for anybody to tell.
    pub(crate) novelty: Option<f64>,
    pub(crate) verdict: String,
    /// In the order of the text, without overlap.
    pub(crate) passages: &'a [Passage],
    /// What the passages' numbers stand for.
    pub(crate) sources: &'a [Source],
}

/// A passage that has an origin.
pub(crate) struct Passage {
    pub(crate) bytes: Range<usize>,
    /// Its index among the sources.
    pub(crate) source: usize,
}

/// An origin, as the legend shows it.
pub(crate) struct Source {
    pub(crate) document: u32,
    pub(crate) id: String,
    pub(crate) time: Option<String>,
    pub(crate) url: Option<String>,
    pub(crate) tokens: usize,
    /// What its passages rest on, where that is to be shown.
    pub(crate) evidence: Option<String>,
}

/// Paints documents one after the other; an origin has the same colour in all of them, as far as there are colours.
pub(crate) struct Painter {
    colour: bool,
    width: usize,
    colours: HashMap<u32, usize>,
}

impl Painter {
    pub(crate) fn new(colour: bool, width: usize) -> Self {
        Painter { colour, width, colours: HashMap::new() }
    }

    pub(crate) fn paint(&mut self, story: &Story<'_>) -> String {
        let styles = self.styles(story.sources);
        let mut page = self.head(story);
        page += &self.body(story, &styles);
        if !story.sources.is_empty() {
            page.push('\n');
        }
        for (at, source) in story.sources.iter().enumerate() {
            page += &self.legend(at, source, styles[at]);
        }
        page.push('\n');
        page
    }

    fn head(&self, story: &Story<'_>) -> String {
        let bold = self.style(Style::new().bold());
        let faint = self.style(Style::new().dimmed());
        let rule = "─".repeat(self.width);
        let mut head = format!("{faint}{rule}{faint:#}\n{bold}{}{bold:#}", plain(story.id));
        for part in story.time.as_deref().into_iter().chain(story.url) {
            head += &format!("  {faint}{}{faint:#}", plain(part));
        }
        let tokens = count(story.tokens as u64);
        let novelty = story.novelty.map_or_else(String::new, |novelty| format!(", {} new", percent(novelty)));
        head + &format!("\n{faint}{tokens} tokens{novelty}; {}{faint:#}\n\n", plain(&story.verdict))
    }

    fn body(&self, story: &Story<'_>, styles: &[Style]) -> String {
        let mut wrap = Wrap::new(self.width.saturating_sub(4), "    ");
        let mut behind = 0;
        for passage in story.passages {
            wrap.text(&story.text[behind..passage.bytes.start]);
            let style = styles[passage.source];
            wrap.begin(style);
            wrap.text(&format!("[{}: ", passage.source + 1));
            wrap.text(&story.text[passage.bytes.clone()]);
            wrap.text("]");
            wrap.end();
            behind = passage.bytes.end;
        }
        wrap.text(&story.text[behind..]);
        wrap.finish()
    }

    fn legend(&self, at: usize, source: &Source, style: Style) -> String {
        let faint = self.style(Style::new().dimmed());
        let mut line = format!("  {style}[{}] {}{style:#}", at + 1, plain(&source.id));
        for part in source.time.iter().chain(&source.url) {
            line += &format!("  {}", plain(part));
        }
        line += &format!("  {faint}{} tokens{faint:#}", count(source.tokens as u64));
        if let Some(evidence) = &source.evidence {
            line += &format!("  {faint}{evidence}{faint:#}");
        }
        line + "\n"
    }

    /// A look for each source: its own colour from before, unless another source of this document has it. A plain colour as long as
    /// there is one: few documents have more than a dozen sources.
    fn styles(&mut self, sources: &[Source]) -> Vec<Style> {
        let mut used = [false; LOOKS];
        let mut styles = Vec::with_capacity(sources.len());
        for source in sources {
            let next = self.colours.len();
            let mut colour = match self.colours.get(&source.document) {
                Some(&colour) => colour,
                None if next < REMEMBERED => *self.colours.entry(source.document).or_insert(next % COLOURS.len()),
                None => source.document as usize % COLOURS.len(),
            };
            if used[colour] {
                colour = (0..LOOKS).find(|&free| !used[free]).unwrap_or(colour);
            }
            used[colour] = true;
            styles.push(self.style(self::colour(colour)));
        }
        styles
    }

    fn style(&self, style: Style) -> Style {
        if self.colour { style } else { Style::new() }
    }
}

/// A name without anything that could steer the terminal.
pub(crate) fn plain(name: &str) -> String {
    name.chars().map(|character| if character.is_control() { ' ' } else { character }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(document: u32, id: &str) -> Source {
        Source { document, id: id.into(), time: Some("2024-03-04".into()), url: None, tokens: 9, evidence: None }
    }

    fn paint(painter: &mut Painter, sources: &[Source], passages: &[Passage]) -> String {
        painter.paint(&Story {
            id: "copy",
            time: None,
            url: Some("https://c.example"),
            text: "They say: water runs down. And so\nit does.",
            tokens: 9,
            novelty: Some(0.5),
            verdict: "mostly from a".into(),
            passages,
            sources,
        })
    }

    #[test]
    fn without_colour_brackets_and_numbers_tell_it_all() {
        let passages = [Passage { bytes: 10..25, source: 0 }, Passage { bytes: 34..36, source: 1 }];
        let page = paint(&mut Painter::new(false, 30), &[source(0, "a"), source(1, "b")], &passages);
        let expected = "──────────────────────────────\ncopy  https://c.example\n\
            9 tokens, 50 % new; mostly from a\n\n    \
            They say: [1: water runs\n    down]. And so\n    [2: it] does.\n\n  \
            [1] a  2024-03-04  9 tokens\n  [2] b  2024-03-04  9 tokens\n\n";
        assert_eq!(page, expected);
    }

    #[test]
    fn an_origin_keeps_its_colour_and_shares_it_with_no_other_in_one_document() {
        let mut painter = Painter::new(true, 80);
        let first = painter.styles(&[source(7, "a"), source(8, "b")]);
        let again = painter.styles(&[source(8, "b"), source(7, "a")]);
        assert_eq!((first[0], first[1]), (again[1], again[0]));
        let many: Vec<_> = (100..112).map(|document| source(document, "x")).collect();
        let styles = painter.styles(&many);
        let all: std::collections::HashSet<_> = styles.iter().map(|style| style.render().to_string()).collect();
        assert_eq!(all.len(), COLOURS.len());
        assert!(styles.iter().all(|style| style.get_effects().is_plain()), "plain colours as long as there are some");
    }

    #[test]
    fn dozens_of_origins_in_one_document_look_different() {
        let mut painter = Painter::new(true, 80);
        // Some of them have had the same colour as others in documents before.
        for number in 0..40 {
            painter.styles(&[source(number, "x")]);
        }
        let many: Vec<_> = (0..LOOKS as u32 + 3).map(|document| source(document, "x")).collect();
        let styles = painter.styles(&many);
        let looks = |styles: &[Style]| {
            let all: std::collections::HashSet<_> = styles.iter().map(|style| style.render().to_string()).collect();
            all.len()
        };
        assert_eq!(looks(&styles[..LOOKS]), LOOKS);
        assert!(styles[..COLOURS.len()].iter().all(|style| style.get_effects().is_plain()));
        // Shared passages of two documents are numbered, and have the look of their number.
        assert_eq!(looks(&(0..LOOKS).map(colour).collect::<Vec<_>>()), LOOKS);
    }
}

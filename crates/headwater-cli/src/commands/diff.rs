//! `headwater diff A B`: two documents side by side, shared passages in the same colour.

use std::io::Write;
use std::ops::Range;

use anstyle::Style;
use headwater::Document;
use headwater::coderivative::{SharedPassage, moved, shared_passages};
use headwater::text::Tokens;
use headwater_io::write::Output;
use headwater_io::{Event, Inputs, read};
use headwater_report::diff::{DiffPage, Passage, Side};
use serde::Serialize;

use crate::args::{DiffArgs, DiffForm};
use crate::failure::Failure;
use crate::interrupt;
use crate::terminal::{Part, colour, columns, count, page_width, percent, plain};

pub(crate) fn diff(args: &DiffArgs) -> Result<(), Failure> {
    let form = args.output.form().map_err(Failure::Usage)?;
    let documents = if args.input.is_given() { named(args)? } else { files(args)? };
    let comparison = Comparison::new(documents, args)?;
    let mut out = Output::create(args.output.target())?;
    match form {
        DiffForm::Json => {
            serde_json::to_writer(&mut out, &comparison.answer()).map_err(Failure::run)?;
            writeln!(out)?;
        }
        DiffForm::Html => comparison.page().write(&mut out)?,
        DiffForm::Text => comparison.write_text(args.output.colour(), &mut out)?,
    }
    Ok(out.finish()?)
}

/// The two documents with these ids, wherever in the inputs they are.
fn named(args: &DiffArgs) -> Result<[Document; 2], Failure> {
    let inputs = args.input.open().map_err(Failure::run)?;
    let mut found = [None, None];
    each(args, &inputs, |document| {
        for (place, wanted) in found.iter_mut().zip([&args.a, &args.b]) {
            if place.is_none() && document.id == *wanted {
                *place = Some(document.clone());
            }
        }
    })?;
    let [a, b] = found;
    let missing =
        |id: &str| Failure::run(format_args!("no document has the id {id:?}; `headwater inspect` shows what there is"));
    Ok([a.ok_or_else(|| missing(&args.a))?, b.ok_or_else(|| missing(&args.b))?])
}

/// The one document of each of two files.
fn files(args: &DiffArgs) -> Result<[Document; 2], Failure> {
    let only = |path: &str| {
        let inputs = Inputs::open(&[path]).map_err(Failure::run)?;
        let (mut first, mut documents) = (None, 0);
        each(args, &inputs, |document| {
            documents += 1;
            first.get_or_insert(document);
        })?;
        first.filter(|_| documents == 1).ok_or_else(|| {
            Failure::run(format_args!(
                "{path} holds {} documents; name two of them: headwater diff ID ID {path}",
                count(documents)
            ))
        })
    };
    Ok([only(&args.a)?, only(&args.b)?])
}

fn each(args: &DiffArgs, inputs: &Inputs, mut take: impl FnMut(Document)) -> Result<(), Failure> {
    read(
        inputs,
        &args.input.options(),
        |document: Document| document,
        |event| {
            interrupt::check()?;
            match event {
                Event::Document(document) => take(document),
                Event::Problem(problem) if args.input.strict => return Err(Failure::run(problem)),
                Event::Problem(problem) => eprintln!("{problem}"),
            }
            Ok::<(), Failure>(())
        },
    )?;
    Ok(())
}

/// Two documents and what they share.
struct Comparison {
    documents: [Document; 2],
    tokens: [Tokens; 2],
    passages: Vec<SharedPassage>,
    moved: Vec<bool>,
}

/// A part of a text, and the passage it belongs to.
struct Stretch {
    bytes: Range<usize>,
    passage: Option<usize>,
}

#[derive(Serialize)]
struct Answer<'a> {
    a: AnswerSide<'a>,
    b: AnswerSide<'a>,
    passages: Vec<AnswerPassage>,
}

#[derive(Serialize)]
struct AnswerSide<'a> {
    id: &'a str,
    tokens: usize,
    shared_tokens: usize,
}

#[derive(Serialize)]
struct AnswerPassage {
    a: Offsets,
    b: Offsets,
    tokens: usize,
    moved: bool,
}

#[derive(Serialize)]
struct Offsets {
    start: usize,
    end: usize,
}

impl Comparison {
    fn new(documents: [Document; 2], args: &DiffArgs) -> Result<Self, Failure> {
        let mut tokens = [Tokens::new(), Tokens::new()];
        for (tokens, document) in tokens.iter_mut().zip(&documents) {
            tokens.read(&document.text, args.tokens.tokens).map_err(Failure::run)?;
        }
        let passages = shared_passages(tokens[0].hashes(), tokens[1].hashes(), args.tokens.shingle.into());
        let moved = moved(&passages);
        Ok(Comparison { documents, tokens, passages, moved })
    }

    fn range(&self, side: usize, passage: usize) -> Range<usize> {
        let SharedPassage { a, b } = &self.passages[passage];
        let range = if side == 0 { a } else { b };
        range.start as usize..range.end as usize
    }

    fn bytes(&self, side: usize, tokens: &Range<usize>) -> Range<usize> {
        self.tokens[side].span(tokens.start).start..self.tokens[side].span(tokens.end - 1).end
    }

    /// For each token the passage that it is shown in: the longest that has it.
    fn owners(&self, side: usize) -> Vec<Option<usize>> {
        let mut owners: Vec<Option<usize>> = vec![None; self.tokens[side].len()];
        let mut longest_first: Vec<usize> = (0..self.passages.len()).collect();
        longest_first.sort_by_key(|&at| (std::cmp::Reverse(self.passages[at].a.len()), at));
        for passage in longest_first {
            for owner in &mut owners[self.range(side, passage)] {
                owner.get_or_insert(passage);
            }
        }
        owners
    }

    /// The whole text of one side in order.
    fn stretches(&self, side: usize) -> Vec<Stretch> {
        let (mut stretches, mut behind) = (Vec::new(), 0);
        let owners = self.owners(side);
        let mut at = 0;
        for run in owners.chunk_by(|one, next| one == next) {
            if let Some(passage) = run[0] {
                let bytes = self.bytes(side, &(at..at + run.len()));
                stretches.push(Stretch { bytes: behind..bytes.start, passage: None });
                behind = bytes.end;
                stretches.push(Stretch { bytes, passage: Some(passage) });
            }
            at += run.len();
        }
        stretches.push(Stretch { bytes: behind..self.documents[side].text.len(), passage: None });
        stretches.retain(|stretch| !stretch.bytes.is_empty());
        stretches
    }

    fn shared(&self, side: usize) -> usize {
        self.owners(side).iter().flatten().count()
    }

    fn answer(&self) -> Answer<'_> {
        let side = |side: usize| AnswerSide {
            id: &self.documents[side].id,
            tokens: self.tokens[side].len(),
            shared_tokens: self.shared(side),
        };
        let offsets = |side: usize, passage: usize| {
            let Range { start, end } = self.bytes(side, &self.range(side, passage));
            Offsets { start, end }
        };
        let passages = (0..self.passages.len()).map(|at| AnswerPassage {
            a: offsets(0, at),
            b: offsets(1, at),
            tokens: self.passages[at].a.len(),
            moved: self.moved[at],
        });
        Answer { a: side(0), b: side(1), passages: passages.collect() }
    }

    fn page(&self) -> DiffPage {
        let side = |side: usize| {
            let Document { id, time, url, text } = &self.documents[side];
            let piece = |stretch: Stretch| {
                (text[stretch.bytes].to_owned(), stretch.passage.map_or(-1, |passage| passage as i64))
            };
            Side {
                id: id.clone(),
                time: time.as_ref().map(ToString::to_string),
                url: url.clone(),
                tokens: self.tokens[side].len(),
                shared: self.shared(side),
                pieces: self.stretches(side).into_iter().map(piece).collect(),
            }
        };
        let passage = |(passage, &moved): (&SharedPassage, &bool)| Passage { tokens: passage.a.len(), moved };
        DiffPage { sides: [side(0), side(1)], passages: self.passages.iter().zip(&self.moved).map(passage).collect() }
    }

    /// Two columns. What stayed in order stands on the same height; between such passages each side has its own.
    fn write_text(&self, painted: bool, out: &mut Output) -> std::io::Result<()> {
        let width = (page_width() - 3) / 2;
        let heading = |side: usize| {
            let Document { id, time, .. } = &self.documents[side];
            let parts = [Some(plain(id)), time.as_ref().map(|time| plain(&time.to_string()))];
            let name = parts.into_iter().flatten().collect::<Vec<_>>().join("  ");
            let tokens = self.tokens[side].len();
            let share = percent(self.shared(side) as f64 / tokens.max(1) as f64);
            format!("{name}\n\n{} tokens, {share} also in the other", count(tokens as u64))
        };
        let bold = if painted { Style::new().bold() } else { Style::new() };
        let (left, right) = (heading(0), heading(1));
        let head = |text| [Part { text, style: bold }];
        for line in columns(&head(&left), &head(&right), width) {
            writeln!(out, "{line}")?;
        }
        writeln!(out, "{}", "─".repeat(2 * width + 3))?;
        let sides = [self.painted(0, painted), self.painted(1, painted)];
        let mut at = [0, 0];
        let mut write = |to: [usize; 2]| {
            let shown = |side: usize| sides[side][at[side]..to[side]].iter().flat_map(Shown::parts).collect::<Vec<_>>();
            let lines = columns(&shown(0), &shown(1), width);
            at = to;
            lines.iter().try_for_each(|line| writeln!(out, "{line}"))
        };
        for meeting in meetings(&sides) {
            write(meeting)?;
            write(meeting.map(|stretch| stretch + 1))?;
        }
        write([sides[0].len(), sides[1].len()])
    }

    fn painted(&self, side: usize, painted: bool) -> Vec<Shown<'_>> {
        let text = &self.documents[side].text;
        let show = |stretch: Stretch| {
            let style = match stretch.passage {
                Some(passage) if painted => colour(passage),
                _ => Style::new(),
            };
            let mark = stretch.passage.map(|at| format!("[{}{}: ", at + 1, if self.moved[at] { "↕" } else { "" }));
            let stays = stretch.passage.filter(|&at| !self.moved[at]);
            Shown { text: &text[stretch.bytes], mark, style, stays }
        };
        self.stretches(side).into_iter().map(show).collect()
    }
}

/// Where on both sides the passages begin that stand in the same order: these are shown on the same height.
fn meetings(sides: &[Vec<Shown<'_>>; 2]) -> Vec<[usize; 2]> {
    let mut places = std::collections::HashMap::new();
    for (at, shown) in sides[1].iter().enumerate() {
        if let Some(passage) = shown.stays {
            places.entry(passage).or_insert(at);
        }
    }
    let mut meetings: Vec<[usize; 2]> = Vec::new();
    for (at, shown) in sides[0].iter().enumerate() {
        // A passage of which a longer one has taken a part can have several stretches: the first counts.
        if let Some(there) = shown.stays.and_then(|passage| places.remove(&passage))
            && meetings.last().is_none_or(|last| last[1] < there)
        {
            meetings.push([at, there]);
        }
    }
    meetings
}

/// A stretch as the terminal shows it.
struct Shown<'a> {
    text: &'a str,
    mark: Option<String>,
    style: Style,
    /// The passage, if it stands in the same order on both sides.
    stays: Option<usize>,
}

impl Shown<'_> {
    fn parts(&self) -> Vec<Part<'_>> {
        let style = self.style;
        match &self.mark {
            Some(mark) => vec![Part { text: mark, style }, Part { text: self.text, style }, Part { text: "]", style }],
            None => vec![Part { text: self.text, style }],
        }
    }
}

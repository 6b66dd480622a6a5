//! Articles: running text of made-up words between English function words, and what editors do to it.

use super::super::draw::{self, Draw, unit};
use super::super::words::{spell, word};
use super::PageSettings;
use crate::text::{mix, sentences};

/// How lengths of articles spread.
const SPREAD: f64 = 0.4;
const LEAST_WORDS: f64 = 40.0;

/// Words that an article is about, and how often one of its words is one of them.
const TOPIC: u64 = 40;
const ON_TOPIC: f64 = 0.4;

/// How often a page has the article as it was delivered.
const UNEDITED: f64 = 0.5;

const DETERMINERS: [&str; 10] = ["the", "the", "the", "the", "a", "a", "its", "this", "every", "their"];
const AUXILIARIES: [&str; 10] =
    ["is", "was", "has been", "will be", "had", "has", "would be", "is not", "was to be", "can be"];
const PREPOSITIONS: [&str; 10] = ["in", "on", "at", "for", "with", "by", "from", "under", "after", "of"];
const JOINTS: [&str; 6] = [", and", ", but", " that", " because", ", which", " while"];

/// An article as sentences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Article {
    pub(super) sentences: Vec<String>,
}

impl Article {
    /// A given text.
    pub(super) fn of(text: &str) -> Self {
        let sentences = sentences(text).into_iter().map(|range| text[range].trim().to_owned());
        Article { sentences: sentences.filter(|sentence| !sentence.is_empty()).collect() }
    }

    /// The article of this number.
    pub(super) fn invent(settings: &PageSettings, number: u64) -> Self {
        let mut draw = Draw::new(settings.seed, number, draw::ARTICLE);
        let words = draw.log_normal(settings.words, SPREAD).max(LEAST_WORDS) as usize;
        let mut writer = Writer { topic: draw.number(), draw };
        let (mut sentences, mut written) = (Vec::new(), 0);
        while written < words {
            let sentence = writer.sentence();
            written += sentence.split(' ').count();
            sentences.push(sentence);
        }
        Article { sentences }
    }

    /// The article as one page has it: shortened from its end, words replaced, a lead of the site's own; or as it was delivered.
    pub(super) fn edited(&self, settings: &PageSettings, draw: &mut Draw) -> Article {
        if draw.chance(UNEDITED) || self.sentences.is_empty() {
            return self.clone();
        }
        let kept = (self.sentences.len() as f64 * (0.4 + 0.6 * draw.unit())).ceil() as usize;
        let mut writer = Writer { topic: draw.number(), draw: Draw::new(draw.number(), 0, draw::ARTICLE) };
        let mut sentences: Vec<String> = (0..draw.below(3)).map(|_| writer.sentence()).collect();
        for sentence in &self.sentences[..kept] {
            // Nothing is left of an article without its first sentence.
            if sentences.len() > 2 && draw.chance(0.04) {
                continue;
            }
            sentences.push(replaced(sentence, settings.edits, draw));
        }
        Article { sentences }
    }

    /// What addresses call it.
    pub(super) fn slug(&self) -> String {
        let letters = self.sentences.first().map_or("", String::as_str);
        let words = letters.split(|letter: char| !letter.is_ascii_alphabetic()).filter(|word| word.len() > 3);
        words.take(4).map(str::to_ascii_lowercase).collect::<Vec<_>>().join("-")
    }
}

/// The sentence with some of its words replaced.
fn replaced(sentence: &str, edits: f64, draw: &mut Draw) -> String {
    let words = sentence.split(' ').map(|old| if draw.chance(edits) { content(draw) } else { old.to_owned() });
    words.collect::<Vec<_>>().join(" ")
}

/// A headline: content words only, as headlines are written.
pub(super) fn headline(draw: &mut Draw) -> String {
    let words: Vec<String> = (0..4 + draw.below(5)).map(|_| content(draw)).collect();
    capitalised(&words.join(" "))
}

/// Any word that says something.
pub(super) fn content(draw: &mut Draw) -> String {
    // Two syllables at least: shorter made-up words could be function words of some language.
    spell(word(draw.unit()) as usize + 400)
}

pub(super) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

struct Writer {
    topic: u64,
    draw: Draw,
}

impl Writer {
    fn sentence(&mut self) -> String {
        let mut text = self.clause();
        while text.len() < 160 && self.draw.chance(0.45) {
            text += JOINTS[self.draw.below(JOINTS.len() as u64) as usize];
            text.push(' ');
            text += &self.clause();
        }
        capitalised(&text) + "."
    }

    fn clause(&mut self) -> String {
        let mut parts = vec![self.noun_phrase(), self.pick(&AUXILIARIES), self.word()];
        for _ in 0..self.draw.below(3) {
            parts.push(self.pick(&PREPOSITIONS));
            parts.push(self.noun_phrase());
        }
        parts.join(" ")
    }

    fn noun_phrase(&mut self) -> String {
        let mut parts = Vec::new();
        if self.draw.chance(0.8) {
            parts.push(self.pick(&DETERMINERS));
        }
        if self.draw.chance(0.35) {
            parts.push(self.word());
        }
        parts.push(self.word());
        parts.join(" ")
    }

    fn pick(&mut self, words: &[&str]) -> String {
        words[self.draw.below(words.len() as u64) as usize].to_owned()
    }

    fn word(&mut self) -> String {
        if self.draw.chance(ON_TOPIC) {
            let rank = self.draw.zipf(TOPIC, 0.8);
            return spell(word(unit(mix(self.topic ^ rank))) as usize + 400);
        }
        content(&mut self.draw)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::neardup::{Method, Scratch, Settings, Signer};

    #[test]
    fn articles_are_running_text_and_headlines_are_not() {
        let signer = Signer::new(&Settings::new(Method::SpotSigs));
        let spots = |text: &str| signer.sign(text, &mut Scratch::default()).unwrap().features.len();
        let article = Article::invent(&PageSettings::default(), 3).sentences.join(" ");
        let words = article.split(' ').count();
        assert!(words >= LEAST_WORDS as usize);
        assert!((words / 12..words / 3).contains(&spots(&article)), "{} of {words}", spots(&article));
        let mut draw = Draw::new(1, 2, 3);
        // Now and then a made-up word is a function word of some language.
        let headlines: Vec<String> = (0..50).map(|_| headline(&mut draw)).collect();
        assert!(spots(&headlines.join(" ")) < 10, "{}", spots(&headlines.join(" ")));
    }

    #[test]
    fn editors_cut_from_the_end_and_keep_most() {
        let settings = PageSettings::default();
        let article = Article::invent(&settings, 5);
        let mut draw = Draw::new(1, 2, 3);
        let (mut same, mut shared) = (0, 0);
        for _ in 0..200 {
            let edited = article.edited(&settings, &mut draw);
            same += usize::from(edited == article);
            shared += edited.sentences.iter().filter(|sentence| article.sentences.contains(sentence)).count();
        }
        assert!((70..130).contains(&same), "{same}");
        assert!(shared * 2 > article.sentences.len() * 200, "{shared}");
    }
}

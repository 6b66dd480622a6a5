//! DO, TF and ssr of a tracer on a collection, as in section 3 of the paper.

use headwater::origin::{Algorithm, ExactIndex, InOrder, Prepared, Preparer, Report, Score, Settings, Tracer, Truth};
use headwater::text::mix;

use crate::collection::Line;

/// Documents shorter than this take no part (section 3.1).
pub const LEAST_TOKENS: usize = 45;
/// Tokens in a shingle.
pub const K: usize = 8;
/// The paper's memory sizes as percentages of all distinct shingles at 14 bytes each (Table 2, blogs).
pub const SHARES: [f64; 8] = [34.2, 13.7, 6.8, 3.3, 1.4, 0.7, 0.3, 0.1];

/// How texts are cut into tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Words {
    /// As Headwater reads them.
    Ours,
    /// Runs of alphanumeric characters in any script: the reading of the prototype, and of the independent exact results.
    Plain,
}

/// What is asked of a collection.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// How its texts are read.
    pub words: Words,
    /// How many documents are queries; a tenth of all where it is not said.
    pub queries: Option<usize>,
}

/// A collection with the truth about its queries: the last documents that have a dominant origin.
pub struct Exam {
    /// The documents that take part.
    pub documents: Vec<Line>,
    /// Different shingles in all of them.
    pub distinct: usize,
    /// For each document the truth, if it is a query.
    pub truths: Vec<Option<Truth>>,
    /// Facts about the whole, for comparison with the paper's Table 1.
    pub facts: Facts,
    words: Words,
}

/// The paper's Table 1 for a collection.
#[derive(Default)]
pub struct Facts {
    /// Shingles in all documents.
    pub shingles: usize,
    /// … of which an earlier document had so many.
    pub copied: usize,
    /// Documents with a dominant origin.
    pub dominated: usize,
    /// … that are their own.
    pub own: usize,
    /// Queries.
    pub queries: usize,
}

impl Exam {
    /// Works out the truth. Every `variant` puts another letter before every word, so that all hashes differ: which
    /// shingles of a text that thousands of documents share happen to be selected moves the scores by several points.
    pub fn new(lines: &[Line], variant: u8, terms: Terms) -> Self {
        let preparer = Tracer::new(Settings::default()).expect("the default is valid").preparer();
        let mut index = ExactIndex::new();
        let mut facts = Facts::default();
        let mut documents = Vec::new();
        let mut truths = Vec::new();
        let mut prepared = Prepared::default();
        for line in lines {
            let line = Line { id: line.id.clone(), text: reworded(&line.text, variant) };
            prepare(&preparer, terms.words, &line.text, &mut prepared);
            let tokens = prepared.tokens().len();
            if tokens < LEAST_TOKENS {
                continue;
            }
            let mut truth = Truth::default();
            index.observe(tokens, &prepared.fingerprints(), K, 0, &InOrder, &mut truth);
            facts.shingles += prepared.shingles();
            facts.copied += truth.copied();
            facts.dominated += usize::from(truth.dominance.dominant.is_some());
            facts.own += usize::from(truth.dominance.dominant == Some(truth.document));
            truth.origins = Vec::new();
            documents.push(line);
            truths.push(Some(truth));
        }
        let mut left = terms.queries.unwrap_or(documents.len() / 10).min(facts.dominated);
        facts.queries = left;
        for truth in truths.iter_mut().rev() {
            let query = left > 0 && truth.as_ref().is_some_and(|truth| truth.dominance.dominant.is_some());
            left -= usize::from(query);
            truth.take_if(|_| !query);
        }
        Exam { documents, distinct: index.distinct(), truths, facts, words: terms.words }
    }

    /// The bytes that a share of the distinct shingles is, at 14 bytes each.
    pub fn bytes(&self, share: f64) -> usize {
        (share / 100.0 * self.distinct as f64 * 14.0) as usize
    }

    /// Prepares all documents for an algorithm once, to be used for every memory size.
    pub fn prepare(&self, algorithm: Algorithm) -> Vec<Prepared> {
        let settings = Settings { k: K, algorithm, ..Settings::default() };
        let preparer = Tracer::new(settings).expect("the settings are valid").preparer();
        let prepare = |line: &Line| {
            let mut prepared = Prepared::default();
            prepare(&preparer, self.words, &line.text, &mut prepared);
            prepared
        };
        self.documents.iter().map(prepare).collect()
    }

    /// Runs the stream through a tracer.
    pub fn run(&self, prepared: &[Prepared], algorithm: Algorithm, bytes: usize) -> Score {
        let settings = Settings { k: K, memory: bytes, algorithm, ..Settings::default() };
        let mut tracer = Tracer::new(settings).expect("the settings are valid");
        let mut report = Report::default();
        let mut score = Score::default();
        for (prepared, truth) in prepared.iter().zip(&self.truths) {
            tracer.observe_into(prepared, 0, &InOrder, &mut report);
            score.count(prepared.shingles(), report.selected);
            if let Some(truth) = truth {
                score.add(&report, truth);
            }
        }
        score
    }
}

/// Reads a text in the one way or the other.
pub fn prepare(preparer: &Preparer, words: Words, text: &str, prepared: &mut Prepared) {
    match words {
        Words::Ours => preparer.prepare_into(text, prepared).expect("a document of the collections fits"),
        Words::Plain => {
            let words = text.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty());
            let hash = |word: &str| word.to_lowercase().bytes().fold(1, |hash, byte| mix(hash ^ u64::from(byte)));
            preparer.prepare_hashes(&words.map(hash).collect::<Vec<u64>>(), prepared);
        }
    }
}

fn reworded(text: &str, variant: u8) -> String {
    let mut out = String::with_capacity(text.len() * 5 / 4);
    let mut inside = variant == 0;
    for character in text.chars() {
        if character.is_alphanumeric() && !inside {
            out.push(char::from(b'a' + variant));
        }
        inside = variant == 0 || character.is_alphanumeric();
        out.push(character);
    }
    out
}

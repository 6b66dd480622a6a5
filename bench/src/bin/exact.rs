//! Ample memory and every shingle, on every document of every collection that has an independent exact result: is the
//! exact index what that says, and is the tracer the exact index, to the last token?
//!
//! `exact [--plain] [COLLECTION…]`, where `--plain` reads words as the independent index did, so that every document can be compared
//! with it.

use std::collections::HashMap;
use std::error::Error;
use std::ops::AddAssign;

use headwater::origin::{
    Algorithm, Estimation, Eviction, ExactIndex, InOrder, Paper, Prepared, Report, Settings, Tracer, Truth,
};
use headwater::select::Selection;
use headwater::text::{Reading, Tokens};
use headwater_bench::collection::{self, Exact};
use headwater_bench::quality::{self, Words};

const COLLECTIONS: [&str; 10] =
    ["articles", "blogs", "clough", "debdocs", "gitlist", "licences", "multiling", "nasty", "pkgdocs", "rfc"];
const K: usize = 8;
const AMPLE: usize = 1 << 30;

/// Why a document can have other tokens than the independent index, which counts runs of alphanumeric characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// It cannot.
    Plain,
    /// A mark or a joiner stands inside a word, which we do not cut there.
    Marked,
    /// A script without spaces, of which each letter is a token for us.
    Unspaced,
}

/// Documents, and those of them on which two results differ.
#[derive(Clone, Copy, Default)]
struct Count {
    documents: usize,
    other_tokens: usize,
    other_figures: usize,
}

impl AddAssign for Count {
    fn add_assign(&mut self, other: Self) {
        self.documents += other.documents;
        self.other_tokens += other.other_tokens;
        self.other_figures += other.other_figures;
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut names: Vec<String> = std::env::args().skip(1).collect();
    let all = names.len();
    names.retain(|name| name != "--plain");
    let words = if names.len() < all { Words::Plain } else { Words::Ours };
    if names.is_empty() {
        names = COLLECTIONS.map(str::to_owned).to_vec();
    }
    println!(
        "| | documents | tokens | tokens that the tracer labels otherwise | documents that it reports otherwise \
         | plain: all, other tokens, other figures | with marks inside words: all, other tokens, other figures \
         | without spaces: all, other tokens, other figures |"
    );
    println!("| --- |{}", " --- |".repeat(7));
    for name in names {
        check(&name, words)?;
    }
    Ok(())
}

fn check(name: &str, words: Words) -> Result<(), Box<dyn Error>> {
    let documents = collection::read(name)?;
    let expected = collection::exact(name, &documents)?;
    let paper =
        Paper { select: Selection::All, evict: Eviction::Lru, estimate: Estimation::NoBridging, ..Paper::default() };
    let mut tracer =
        Tracer::new(Settings { k: K, memory: AMPLE, algorithm: Algorithm::Paper(paper), ..Settings::default() })?;
    let preparer = tracer.preparer();
    let mut kinds = Kinds::default();
    let mut index = ExactIndex::new();
    let (mut truth, mut prepared, mut report) = (Truth::default(), Prepared::default(), Report::default());
    let (mut tokens, mut other_labels, mut other_reports) = (0, 0, 0);
    let mut counts = [Count::default(); 3];
    for (document, Exact { figures: expected, leader: expected_leader }) in documents.iter().zip(&expected) {
        quality::prepare(&preparer, words, &document.text, &mut prepared);
        let length = prepared.tokens().len();
        index.observe(length, &prepared.fingerprints(), K, 0, &InOrder, &mut truth);
        tracer.observe_into(&prepared, 0, &InOrder, &mut report);
        tokens += length;
        other_labels += (0..length).filter(|&at| report.is_fresh(at) != truth.fresh[at]).count();
        other_reports += usize::from(!is_truth(&report, &truth, prepared.shingles()));

        let found = [length, prepared.shingles(), truth.copied(), truth.most as usize].map(|count| count.to_string());
        let leader = &documents[truth.dominance.most_copied as usize].id;
        let alike = leader == expected_leader;
        let kind = if words == Words::Plain { Kind::Plain } else { kinds.of(&document.text)? };
        let count = Count {
            documents: 1,
            other_tokens: usize::from(found[0] != expected[0]),
            other_figures: usize::from(!alike || found != *expected),
        };
        counts[kind as usize] += count;
        if kind != Kind::Unspaced && (count.other_tokens, count.other_figures) != (0, 0) {
            eprintln!(
                "{name}: {} ({kind:?}): {found:?} {leader}, expected {expected:?} {expected_leader}",
                document.id
            );
        }
    }
    let [plain, marked, unspaced] = counts;
    println!(
        "| {name} | {} | {tokens} | {other_labels} | {other_reports} | {}, {}, {} | {}, {}, {} | {}, {}, {} |",
        documents.len(),
        plain.documents,
        plain.other_tokens,
        plain.other_figures,
        marked.documents,
        marked.other_tokens,
        marked.other_figures,
        unspaced.documents,
        unspaced.other_tokens,
        unspaced.other_figures
    );
    Ok(())
}

/// Whether origin, dominance and the number of copied shingles are those of the exact index.
fn is_truth(report: &Report, truth: &Truth, shingles: usize) -> bool {
    let copied: f64 = report.shares[1..].iter().map(|share| share.shingles).sum();
    report.most_copied == truth.dominance.most_copied
        && (shingles == 0 || report.dominant == truth.dominance.dominant)
        && copied as usize == truth.copied()
}

/// Tells what in a text is read otherwise, by how our own reading treats each of its characters.
#[derive(Default)]
struct Kinds {
    known: HashMap<char, Kind>,
    tokens: Tokens,
}

impl Kinds {
    fn of(&mut self, text: &str) -> Result<Kind, Box<dyn Error>> {
        let mut kind = Kind::Plain;
        for character in text.chars().filter(|character| !character.is_ascii()) {
            match self.of_character(character)? {
                Kind::Unspaced => return Ok(Kind::Unspaced),
                Kind::Marked => kind = Kind::Marked,
                Kind::Plain => {}
            }
        }
        Ok(kind)
    }

    fn of_character(&mut self, character: char) -> Result<Kind, Box<dyn Error>> {
        if let Some(&kind) = self.known.get(&character) {
            return Ok(kind);
        }
        let mut count = |text: String| -> Result<usize, Box<dyn Error>> {
            self.tokens.read(&text, Reading::Words)?;
            Ok(self.tokens.len())
        };
        let kind = match character.is_alphanumeric() {
            true if count(format!("{character}{character}"))? == 2 => Kind::Unspaced,
            false if count(format!("a{character}a"))? == 1 => Kind::Marked,
            _ => Kind::Plain,
        };
        self.known.insert(character, kind);
        Ok(kind)
    }
}

//! What `inspect` learns about the documents themselves, in memory that does not grow with them.

use std::collections::BTreeMap;

use headwater::Document;
use headwater::text::Tokens;
use headwater_io::Problem;

/// Characters at the start of a document from which its script and language are told.
const TELLING: usize = 1000;

/// Language is told for every document up to this many, then for one in [`EVERY`]: telling takes longer than reading.
const ALL: u64 = 1000;
const EVERY: u64 = 16;

/// Kinds of problems that are told apart; the rest is counted together.
const KINDS: usize = 50;

/// What one document shows, told on a worker.
pub(super) struct Look {
    tokens: u64,
    shingles: u64,
    bytes: u64,
    has_url: bool,
    script: Option<whatlang::Script>,
    /// The beginning of the text, for telling the language of a sample.
    beginning: String,
}

impl Look {
    pub(super) fn at(document: &Document, tokens: &Tokens, k: usize) -> Self {
        let end = document.text.char_indices().nth(TELLING).map_or(document.text.len(), |(at, _)| at);
        let beginning = document.text[..end].to_owned();
        Look {
            tokens: tokens.len() as u64,
            shingles: (tokens.len() + 1).saturating_sub(k) as u64,
            bytes: document.text.len() as u64,
            has_url: document.url.is_some(),
            script: whatlang::detect_script(&beginning),
            beginning,
        }
    }
}

/// What all documents show together.
#[derive(Default)]
pub(super) struct Findings {
    pub(super) k: usize,
    pub(super) documents: u64,
    pub(super) bytes: u64,
    pub(super) tokens: u64,
    pub(super) shingles: u64,
    pub(super) empty: u64,
    /// Documents with fewer tokens than a shingle has.
    pub(super) too_short: u64,
    pub(super) shortest: u64,
    pub(super) longest: u64,
    pub(super) with_url: u64,
    /// Documents by the power of two that their number of tokens lies below.
    pub(super) lengths: BTreeMap<u32, u64>,
    pub(super) scripts: BTreeMap<&'static str, u64>,
    pub(super) languages: BTreeMap<&'static str, u64>,
    /// Documents whose language was asked for.
    pub(super) sampled: u64,
    /// Problems by kind, each with the first of it.
    pub(super) problems: BTreeMap<String, (u64, String)>,
}

impl Findings {
    pub(super) fn new(k: usize) -> Self {
        Findings { k, shortest: u64::MAX, ..Findings::default() }
    }

    pub(super) fn add(&mut self, look: &Look) {
        self.documents += 1;
        self.bytes += look.bytes;
        self.tokens += look.tokens;
        self.shingles += look.shingles;
        self.empty += u64::from(look.tokens == 0);
        self.too_short += u64::from(look.shingles == 0);
        self.shortest = self.shortest.min(look.tokens);
        self.longest = self.longest.max(look.tokens);
        self.with_url += u64::from(look.has_url);
        *self.lengths.entry(u64::BITS - look.tokens.leading_zeros()).or_default() += 1;
        *self.scripts.entry(look.script.map_or("none", |script| script.name())).or_default() += 1;
        if self.documents <= ALL || self.documents.is_multiple_of(EVERY) {
            self.sampled += 1;
            let told = whatlang::detect(&look.beginning).filter(whatlang::Info::is_reliable);
            *self.languages.entry(told.map_or("not sure", |told| told.lang().eng_name())).or_default() += 1;
        }
    }

    pub(super) fn add_problem(&mut self, problem: &Problem) {
        let kind = kind(&problem.what);
        let kind =
            if self.problems.len() >= KINDS && !self.problems.contains_key(&kind) { "others".into() } else { kind };
        self.problems.entry(kind).or_insert_with(|| (0, problem.to_string())).0 += 1;
    }
}

/// A problem without what differs from one record to the next: numbers and quoted parts.
fn kind(what: &str) -> String {
    let mut kind = String::with_capacity(what.len());
    let mut quoted = false;
    for character in what.chars() {
        match character {
            '"' => {
                quoted = !quoted;
                kind.push_str(if quoted { "\"…" } else { "\"" });
            }
            _ if quoted => {}
            '0'..='9' => {
                if !kind.ends_with('N') {
                    kind.push('N');
                }
            }
            _ => kind.push(character),
        }
    }
    kind
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_of_one_kind_are_counted_together() {
        assert_eq!(kind("field \"time\" is \"tomorrow\", which is no time"), "field \"…\" is \"…\", which is no time");
        assert_eq!(kind("text of 123 bytes is longer than 64"), "text of N bytes is longer than N");
    }
}

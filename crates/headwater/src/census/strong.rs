//! Whether a search engine has a document: by a strong query, its rarest words all at once (the slides, "Checking if a page is in the
//! index").

use super::engine::{Engine, EngineError, Hit};
use super::identity::address;
use super::lexicon::Lexicon;
use crate::text::{Reading, Tokens, fingerprints};

/// How a document is looked for.
#[derive(Clone, Copy, Debug)]
pub struct StrongQuery {
    /// How many of its rarest words are required.
    pub words: usize,
    /// How many results are looked at.
    pub results: usize,
    /// The share of shingles from which on a result counts as the document.
    pub threshold: f64,
    /// Tokens in a shingle.
    pub shingle: usize,
}

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// The document, by its address or its text.
    Same,
    /// A near-duplicate of it.
    Near,
    /// Neither.
    Nothing,
}

impl Default for StrongQuery {
    /// The slides' eight words, and their 80 %.
    fn default() -> Self {
        StrongQuery { words: 8, results: 10, threshold: 0.8, shingle: 8 }
    }
}

impl StrongQuery {
    /// All results for a document's rarest words that are the document or a near-duplicate of it.
    pub fn alike(&self, engine: &mut impl Engine, words: &[String], text: &str) -> Result<Vec<Hit>, EngineError> {
        let mut alike = Vec::new();
        for hit in self.search(engine, words)? {
            let other = engine.fetch(&hit)?;
            if other == text || resemblance(text, &other, self.shingle) >= self.threshold {
                alike.push(hit);
            }
        }
        Ok(alike)
    }

    /// Looks for a document. `known_at` is where it was found elsewhere.
    pub fn find(
        &self,
        engine: &mut impl Engine,
        lexicon: &Lexicon,
        known_at: &str,
        text: &str,
    ) -> Result<Found, EngineError> {
        let hits = self.search(engine, &lexicon.rarest(text, self.words))?;
        if hits.iter().any(|hit| address(&hit.address) == address(known_at)) {
            return Ok(Found::Same);
        }
        let mut found = Found::Nothing;
        for hit in &hits {
            let other = engine.fetch(hit)?;
            if other == text {
                return Ok(Found::Same);
            }
            if resemblance(text, &other, self.shingle) >= self.threshold {
                found = Found::Near;
            }
        }
        Ok(found)
    }

    fn search(&self, engine: &mut impl Engine, words: &[String]) -> Result<Vec<Hit>, EngineError> {
        if words.is_empty() {
            return Ok(Vec::new());
        }
        engine.search(&words.iter().map(String::as_str).collect::<Vec<_>>(), self.results)
    }
}

/// The share of their shingles that two texts have in common, of all that either has (Broder 1997). A text with fewer tokens than a
/// shingle is one shingle.
pub fn resemblance(one: &str, other: &str, shingle: usize) -> f64 {
    let set = |text: &str| {
        let (mut tokens, mut shingles) = (Tokens::new(), Vec::new());
        if tokens.read(text, Reading::Words).is_ok() && !tokens.is_empty() {
            fingerprints(tokens.hashes(), shingle.min(tokens.len()), &mut shingles);
        }
        shingles.sort_unstable();
        shingles.dedup();
        shingles
    };
    let (one, other) = (set(one), set(other));
    let common = one.iter().filter(|shingle| other.binary_search(shingle).is_ok()).count();
    let all = one.len() + other.len() - common;
    if all == 0 { 1.0 } else { common as f64 / all as f64 }
}

#[cfg(test)]
mod tests {
    use super::super::toy::Toy;
    use super::*;

    #[test]
    fn resemblance_is_the_jaccard_of_shingles() {
        let check = |one: &str, other: &str, expected: f64| {
            assert!((resemblance(one, other, 4) - expected).abs() < 1e-12, "{one} / {other}");
        };
        check("a rose is a rose is a rose", "a rose is a rose", 2.0 / 3.0);
        check("one two", "one two", 1.0);
        check("one two", "one two three", 0.0);
        check("", "", 1.0);
        check("", "one", 0.0);
    }

    #[test]
    fn documents_copies_and_strangers() {
        let text =
            "masons repairing the drained weir have uncovered a slate river gauge older than any the town knew of";
        let mut lexicon = Lexicon::new();
        for filler in ["the town of the river", "a river and a weir have the masons", text] {
            lexicon.add(filler);
        }
        let strong = StrongQuery { shingle: 2, ..StrongQuery::default() };
        let find =
            |held: &[(&str, &str)]| strong.find(&mut Toy::new(held), &lexicon, "https://a.example/1", text).unwrap();
        assert_eq!(find(&[("http://a.example/1/", text)]), Found::Same);
        assert_eq!(find(&[("https://b.example/copy", text)]), Found::Same);
        assert_eq!(find(&[("https://b.example/edited", &text.replace("knew of", "knew about"))]), Found::Near);
        assert_eq!(find(&[("https://b.example/2", "the baths are closed until the water is back")]), Found::Nothing);
        assert_eq!(find(&[]), Found::Nothing);
        let edited = text.replace("knew of", "knew about");
        let mut held = Toy::new(&[("a", text), ("b", "slate"), ("c", &edited)]);
        let alike = strong.alike(&mut held, &lexicon.rarest(text, 8), text).unwrap();
        assert_eq!(alike.iter().map(|hit| hit.address.as_str()).collect::<Vec<_>>(), ["a", "c"]);
        assert_eq!(strong.find(&mut Toy::new(&[("x", "y")]), &lexicon, "z", "…").unwrap(), Found::Nothing);
    }
}

//! An engine for tests: a list, scanned.

use super::engine::{Engine, EngineError, Hit, Trouble};
use super::lexicon::words;

pub(super) struct Toy {
    documents: Vec<(String, String, Vec<String>)>,
    /// Every so many searches one fails; 0 for never.
    pub(super) fails_every: usize,
    searches: usize,
}

impl Toy {
    pub(super) fn new(documents: &[(&str, &str)]) -> Self {
        let document = |&(address, text): &(&str, &str)| (address.to_owned(), text.to_owned(), words(text));
        Toy { documents: documents.iter().map(document).collect(), fails_every: 0, searches: 0 }
    }
}

impl Engine for Toy {
    fn search(&mut self, asked: &[&str], limit: usize) -> Result<Vec<Hit>, EngineError> {
        self.searches += 1;
        if self.fails_every > 0 && self.searches.is_multiple_of(self.fails_every) {
            return Err(EngineError::new(Trouble::Silence, "no answer in time"));
        }
        let has =
            |words: &[String]| asked.iter().all(|word| words.binary_search_by(|have| have.as_str().cmp(word)).is_ok());
        let found = self.documents.iter().filter(|(.., words)| has(words)).take(limit);
        Ok(found.map(|(address, ..)| Hit { address: address.clone(), text: None }).collect())
    }

    fn fetch(&mut self, hit: &Hit) -> Result<String, EngineError> {
        let found = self.documents.iter().find(|(address, ..)| *address == hit.address);
        found.map(|(_, text, _)| text.clone()).ok_or_else(|| EngineError::new(Trouble::Refusal, "not there"))
    }
}

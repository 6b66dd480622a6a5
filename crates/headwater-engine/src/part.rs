//! An engine over some documents of an index, with the faults of real ones.

use std::collections::HashMap;

use headwater::census::{Engine, EngineError, Hit, Random, Trouble, words};
use headwater::text::mix;

use crate::index::Index;

/// A search engine that has these documents of an index.
pub struct Part<'i> {
    index: &'i Index,
    /// Whether each document is there; all are where there is nothing.
    members: Option<&'i [bool]>,
    faults: Faults,
    random: Random,
}

/// What an engine does not do as one would wish: the slides' "issues" and biases.
#[derive(Clone, Copy, Debug)]
pub struct Faults {
    /// Which results come first.
    pub ranking: Ranking,
    /// At most so many results of one host.
    pub per_host: Option<usize>,
    /// Of longer queries, only so many words are looked at.
    pub most_words: Option<usize>,
    /// The share of searches that are not answered in time.
    pub failing: f64,
}

/// Which results come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ranking {
    /// In an order that has nothing to do with the documents.
    Neutral,
    /// Those that came first: as popular pages do, whatever is asked.
    EarliestFirst,
}

impl Default for Faults {
    fn default() -> Self {
        Faults { ranking: Ranking::Neutral, per_host: None, most_words: None, failing: 0.0 }
    }
}

impl<'i> Part<'i> {
    /// An engine with all documents of the index.
    pub fn all(index: &'i Index, faults: Faults) -> Self {
        Part { index, members: None, faults, random: Random::new(0) }
    }

    /// An engine with those documents for which `members` says so.
    pub fn of(index: &'i Index, members: &'i [bool], faults: Faults) -> Self {
        assert_eq!(members.len(), index.len(), "every document is there or not");
        Part { members: Some(members), ..Part::all(index, faults) }
    }
}

impl Engine for Part<'_> {
    fn search(&mut self, words: &[&str], limit: usize) -> Result<Vec<Hit>, EngineError> {
        let Faults { ranking, per_host, most_words, failing } = self.faults;
        if failing > 0.0 && self.random.chance(failing) {
            return Err(EngineError::new(Trouble::Silence, "no answer in time"));
        }
        let words = &words[..words.len().min(most_words.unwrap_or(usize::MAX))];
        let found =
            self.index.with_all(words).map_err(|error| EngineError::new(Trouble::Refusal, error.to_string()))?;
        let is_member = |number: &u32| self.members.is_none_or(|members| members[*number as usize]);
        let mut found: Vec<u32> = found.into_iter().filter(is_member).collect();
        let rank = |number: &u32| match ranking {
            Ranking::Neutral => mix(u64::from(*number)),
            Ranking::EarliestFirst => u64::from(*number),
        };
        found.sort_by_key(rank);
        if let Some(most) = per_host {
            let mut of_host: HashMap<&str, usize> = HashMap::new();
            found.retain(|&number| match &self.index.documents[number as usize].host {
                None => true,
                Some(host) => {
                    let count = of_host.entry(host).or_default();
                    *count += 1;
                    *count <= most
                }
            });
        }
        found.truncate(limit);
        let hit = |number: u32| Hit { address: self.index.address(number).to_owned(), text: None };
        Ok(found.into_iter().map(hit).collect())
    }

    fn fetch(&mut self, hit: &Hit) -> Result<String, EngineError> {
        let unknown = || EngineError::new(Trouble::Refusal, format!("{}: no result of this engine", hit.address));
        let number = self.index.number(&hit.address).ok_or_else(unknown)?;
        self.index.text(number).map_err(|error| EngineError::new(Trouble::Refusal, error.to_string()))
    }

    fn has(&mut self, hit: &Hit, asked: &[String]) -> Result<bool, EngineError> {
        // The index has looked already, unless it did not look at all words.
        if self.faults.most_words.is_none_or(|most| asked.len() <= most) {
            return Ok(true);
        }
        let held = words(&self.fetch(hit)?);
        Ok(asked.iter().all(|word| held.binary_search(word).is_ok()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Indexer;
    use headwater::Document;

    fn index(truncate: Option<usize>) -> Index {
        let mut indexer = Indexer::new(truncate).unwrap();
        for (number, text) in
            ["The weir, drained", "a weir and a SLATE gauge", "slate", "вода weir 水路"].iter().enumerate()
        {
            let url = Some(format!("https://host{}.example/{number}", number / 2));
            indexer.push(&Document { id: number.to_string(), time: None, url, text: (*text).into() }).unwrap();
        }
        indexer.finish().unwrap()
    }

    fn found(engine: &mut Part<'_>, words: &[&str], limit: usize) -> Vec<String> {
        let hits = engine.search(words, limit).unwrap();
        let mut texts: Vec<String> = hits.iter().map(|hit| engine.fetch(hit).unwrap()).collect();
        texts.sort_unstable();
        texts
    }

    #[test]
    fn all_words_are_required() {
        let index = index(None);
        let mut engine = Part::all(&index, Faults::default());
        let mut check =
            |words: &[&str], expected: &[&str]| assert_eq!(found(&mut engine, words, 10), expected, "{words:?}");
        check(&["weir", "slate"], &["a weir and a SLATE gauge"]);
        check(&["slate"], &["a weir and a SLATE gauge", "slate"]);
        check(&["вода", "水"], &["вода weir 水路"]);
        check(&["weir", "nothing"], &[]);
        check(&[], &[]);
        assert!(engine.fetch(&Hit { address: "elsewhere".into(), text: None }).is_err());
    }

    #[test]
    fn parts_and_faults() {
        let index = index(None);
        let members = [true, false, true, true];
        assert_eq!(found(&mut Part::of(&index, &members, Faults::default()), &["slate"], 10), ["slate"]);
        let faults = Faults { per_host: Some(1), ..Faults::default() };
        assert_eq!(found(&mut Part::all(&index, faults), &["weir"], 10).len(), 2);
        let faults = Faults { ranking: Ranking::EarliestFirst, ..Faults::default() };
        assert_eq!(found(&mut Part::all(&index, faults), &["slate"], 1), ["a weir and a SLATE gauge"]);
        let faults = Faults { most_words: Some(1), ..Faults::default() };
        let mut engine = Part::all(&index, faults);
        assert_eq!(found(&mut engine, &["slate", "weir"], 10).len(), 2);
        let hits = engine.search(&["slate", "weir"], 10).unwrap();
        let asked = ["slate", "weir"].map(String::from);
        let verified: Vec<bool> = hits.iter().map(|hit| engine.has(hit, &asked).unwrap()).collect();
        assert_eq!(verified.iter().filter(|has| **has).count(), 1);
        let faults = Faults { failing: 1.0, ..Faults::default() };
        assert_eq!(Part::all(&index, faults).search(&["slate"], 1).unwrap_err().kind, Trouble::Silence);
    }

    #[test]
    fn only_the_beginning_is_indexed_where_that_is_asked() {
        let index = index(Some(7));
        let mut engine = Part::all(&index, Faults::default());
        assert_eq!(found(&mut engine, &["slate"], 10), ["slate"]);
        assert_eq!(found(&mut engine, &["weir"], 10).len(), 1);
    }
}

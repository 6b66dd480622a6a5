//! A collection that can only be searched.

use std::fmt;

use super::lexicon::words;

/// A search box: words and a limit go in, a list of results comes out, and nothing else is known. What is behind a result can be
/// looked at, as anyone can download a page.
pub trait Engine {
    /// The first results that have all these words, at most `limit`.
    fn search(&mut self, words: &[&str], limit: usize) -> Result<Vec<Hit>, EngineError>;

    /// The text behind a result.
    fn fetch(&mut self, hit: &Hit) -> Result<String, EngineError>;

    /// Whether a result has all these words, which were searched for. Not every engine keeps its word, so that the text is looked at.
    fn has(&mut self, hit: &Hit, asked: &[String]) -> Result<bool, EngineError> {
        let held = words(&self.fetch(hit)?);
        Ok(asked.iter().all(|word| held.binary_search(word).is_ok()))
    }
}

/// A result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Where the document is, or what it is called.
    pub address: String,
    /// Its text, where the engine sends it along.
    pub text: Option<String>,
}

/// A question that was not answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineError {
    /// What went wrong.
    pub kind: Trouble,
    /// In words, for people.
    pub what: String,
}

/// What can go wrong with an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Trouble {
    /// No answer in time.
    Silence,
    /// An answer that makes no sense.
    Nonsense,
    /// The engine or the way to it said no.
    Refusal,
}

impl EngineError {
    /// An error of this kind.
    pub fn new(kind: Trouble, what: impl Into<String>) -> Self {
        EngineError { kind, what: what.into() }
    }
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for EngineError {}

impl<E: Engine + ?Sized> Engine for Box<E> {
    fn search(&mut self, words: &[&str], limit: usize) -> Result<Vec<Hit>, EngineError> {
        (**self).search(words, limit)
    }

    fn fetch(&mut self, hit: &Hit) -> Result<String, EngineError> {
        (**self).fetch(hit)
    }

    fn has(&mut self, hit: &Hit, asked: &[String]) -> Result<bool, EngineError> {
        (**self).has(hit, asked)
    }
}

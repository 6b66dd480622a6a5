//! Words, and in how many documents each is: what random queries are made of, and what tells the rare words of a document.

use std::collections::{HashMap, HashSet};

use crate::text::{Reading, Tokens};

/// Words with the number of documents that have them.
#[derive(Clone, Debug, Default)]
pub struct Lexicon {
    counts: HashMap<Box<str>, u32>,
    documents: u32,
}

/// The words that random queries are made of, each as likely as any other.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    words: Vec<Box<str>>,
    known: HashSet<Box<str>>,
}

impl Lexicon {
    /// No words yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the words of a document.
    pub fn add(&mut self, text: &str) {
        self.documents += 1;
        for word in words(text) {
            *self.counts.entry(word.into()).or_default() += 1;
        }
    }

    /// How many documents were added.
    pub fn documents(&self) -> u32 {
        self.documents
    }

    /// In how many of them a word is.
    pub fn count(&self, word: &str) -> u32 {
        self.counts.get(word).copied().unwrap_or(0)
    }

    /// The `most` rarest words of a text, rarest first; ties in the order of the alphabet.
    pub fn rarest(&self, text: &str, most: usize) -> Vec<String> {
        let mut words: Vec<(u32, String)> = words(text).into_iter().map(|word| (self.count(&word), word)).collect();
        words.sort_unstable();
        words.truncate(most);
        words.into_iter().map(|(_, word)| word).collect()
    }

    /// Words for queries of two in a collection of so many documents, of which an engine gives `limit` results.
    ///
    /// Two words that are each in √(limit · documents) documents have about `limit` results where words fall independently; Bharat and
    /// Broder too left out words that are more common, and those that are too rare. Words from a little more than that down to a quarter
    /// of it are also the ones of which documents have about as many as others, so that the weights of draws differ less
    /// than with rarer words too (`bench/record/2026-11-16-census.md` has what was tried).
    pub fn vocabulary(&self, documents: u64, limit: usize) -> Vocabulary {
        let scale = documents as f64 / f64::from(self.documents.max(1));
        let most = 1.4 * (limit as f64 * documents as f64).sqrt() / scale;
        // In a small collection nothing is too common.
        let least = (most / 4.0).min(f64::from(self.documents) / 8.0).max(1.0);
        let suits = |count: u32| (least..=most.max(1.0)).contains(&f64::from(count));
        Vocabulary::new(self.counts.iter().filter(|&(_, &count)| suits(count)).map(|(word, _)| word.as_ref()))
    }
}

impl Vocabulary {
    /// These words, each once.
    pub fn new<'w>(words: impl Iterator<Item = &'w str>) -> Self {
        let known: HashSet<Box<str>> = words.map(Into::into).collect();
        let mut words: Vec<Box<str>> = known.iter().cloned().collect();
        // The order of a set is not the same twice.
        words.sort_unstable();
        Vocabulary { words, known }
    }

    /// How many words there are.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The word with this number.
    pub fn word(&self, number: usize) -> &str {
        &self.words[number]
    }

    /// The words of a text that are in the vocabulary.
    pub fn of(&self, text: &str) -> Vec<String> {
        words(text).into_iter().filter(|word| self.known.contains(word.as_str())).collect()
    }
}

/// The different words of a text as engines know them: in lower case, in the order of the alphabet.
pub fn words(text: &str) -> Vec<String> {
    let mut tokens = Tokens::new();
    // A text beyond 4 GiB is no document of anybody.
    if tokens.read(text, Reading::Words).is_err() {
        return Vec::new();
    }
    let mut words: Vec<String> = (0..tokens.len()).map(|at| text[tokens.span(at)].to_lowercase()).collect();
    words.sort_unstable();
    words.dedup();
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_words_come_first() {
        let mut lexicon = Lexicon::new();
        for text in ["the weir", "the Weir of slate", "the gauge of slate", "the"] {
            lexicon.add(text);
        }
        assert_eq!(
            (lexicon.documents(), lexicon.count("the"), lexicon.count("weir"), lexicon.count("x")),
            (4, 4, 2, 0)
        );
        assert_eq!(lexicon.rarest("The gauge, the weir; the SLATE!", 3), ["gauge", "slate", "weir"]);
        assert_eq!(lexicon.rarest("", 3), [""; 0]);
    }

    #[test]
    fn vocabularies_are_neither_common_nor_rare() {
        let mut lexicon = Lexicon::new();
        for number in 0..400 {
            lexicon.add(&format!("all seldom{} some{} one{number}", number / 100, number / 40));
        }
        // 1.4 · √(10 · 400) = 89 documents and a quarter of it.
        let vocabulary = lexicon.vocabulary(400, 10);
        assert_eq!(vocabulary.len(), 10);
        assert_eq!(vocabulary.of("all some7 seldom1 some3 one5"), ["some3", "some7"]);
        assert_eq!(vocabulary.word(0), "some0");
    }
}

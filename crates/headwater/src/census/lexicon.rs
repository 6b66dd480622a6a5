//! Words, and in how many documents each is: what random queries are made of, and what tells the rare words of a document.

use std::collections::HashMap;

use super::random::Random;
use super::vocabulary::Vocabulary;
use crate::text::{Reading, Tokens};

/// Documents that are kept to take queries from: enough that one more makes no difference, and few enough to stay in memory.
const KEPT: usize = 10_000;

/// Words with the number of documents that have them, and a random sample of those documents.
#[derive(Clone, Debug)]
pub struct Lexicon {
    numbers: HashMap<Box<str>, u32>,
    counts: Vec<u32>,
    documents: u32,
    /// The words of some documents, each as likely as any other (Vitter's algorithm R, 1985).
    kept: Vec<Box<[u32]>>,
    random: Random,
}

impl Default for Lexicon {
    fn default() -> Self {
        Lexicon { numbers: HashMap::new(), counts: Vec::new(), documents: 0, kept: Vec::new(), random: Random::new(0) }
    }
}

impl Lexicon {
    /// No words yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the words of a document.
    pub fn add(&mut self, text: &str) {
        self.documents += 1;
        let mut own = Vec::new();
        for word in words(text) {
            let next = self.counts.len() as u32;
            let number = *self.numbers.entry(word.into()).or_insert(next);
            if number == next {
                self.counts.push(0);
            }
            self.counts[number as usize] += 1;
            own.push(number);
        }
        if self.kept.len() < KEPT {
            self.kept.push(own.into());
        } else if let Some(kept) = self.kept.get_mut(self.random.below(self.documents as usize)) {
            *kept = own.into();
        }
    }

    /// How many documents were added.
    pub fn documents(&self) -> u32 {
        self.documents
    }

    /// In how many of them a word is.
    pub fn count(&self, word: &str) -> u32 {
        self.numbers.get(word).map_or(0, |&number| self.counts[number as usize])
    }

    /// The `most` rarest words of a text, rarest first; ties in the order of the alphabet.
    pub fn rarest(&self, text: &str, most: usize) -> Vec<String> {
        let mut words: Vec<(u32, String)> = words(text).into_iter().map(|word| (self.count(&word), word)).collect();
        words.sort_unstable();
        words.truncate(most);
        words.into_iter().map(|(_, word)| word).collect()
    }

    /// Words for queries of two in a collection of so many documents, of which an engine gives `limit` results; and the documents that
    /// queries are taken from.
    ///
    /// Two words that are each in √(limit · documents) documents have about `limit` results where words fall independently; Bharat and
    /// Broder too left out words that are more common, and those that are too rare. From that down to a tenth of it
    /// was best of the bands that were tried on four collections (`bench/record/2026-11-16-census.md`).
    pub fn vocabulary(&self, documents: u64, limit: usize) -> Vocabulary {
        let scale = documents as f64 / f64::from(self.documents.max(1));
        let most = (limit as f64 * documents as f64).sqrt() / scale;
        // In a small collection nothing is too common.
        let least = (most / 10.0).min(f64::from(self.documents) / 8.0).max(1.0);
        let suits = |number: u32| (least..=most.max(1.0)).contains(&f64::from(self.counts[number as usize]));
        let chosen = self.numbers.iter().filter(|&(_, &number)| suits(number));
        let mut vocabulary = Vocabulary::new(chosen.map(|(word, _)| word.as_ref()));
        let mut numbers = vec![None; self.counts.len()];
        for (word, &number) in &self.numbers {
            numbers[number as usize] = vocabulary.number(word);
        }
        for document in &self.kept {
            vocabulary.add(document.iter().filter_map(|&word| numbers[word as usize]).collect());
        }
        vocabulary
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
        // √(10 · 400) = 63 documents and a tenth of it.
        let vocabulary = lexicon.vocabulary(400, 10);
        assert_eq!(vocabulary.len(), 10);
        let found: Vec<&str> =
            vocabulary.of("all some7 seldom1 some3 one5").into_iter().map(|at| vocabulary.word(at)).collect();
        assert_eq!(found, ["some3", "some7"]);
        assert_eq!(vocabulary.word(0), "some0");
    }

    #[test]
    fn of_many_documents_some_are_kept_all_alike() {
        let mut lexicon = Lexicon::new();
        (0..3 * KEPT).for_each(|number| lexicon.add(&format!("w{}", number / KEPT)));
        assert_eq!(lexicon.kept.len(), KEPT);
        for third in 0..3 {
            let number = lexicon.numbers[format!("w{third}").as_str()];
            let kept = lexicon.kept.iter().filter(|words| words.contains(&number)).count();
            assert!((KEPT / 3).abs_diff(kept) < KEPT / 20, "{third}: {kept}");
        }
    }
}

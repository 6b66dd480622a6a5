//! The words that random queries are made of, and the documents that queries are taken from.

use std::collections::HashMap;

use super::lexicon::words;
use super::random::Random;

/// Words, and documents that have them.
///
/// Two random words are hardly ever in one short document, and nearly always in a long one. A query of two words of a random
/// *document* is as likely to be of a short one as of a long one, and its probability is known: so does the guided draw of
/// [`RandomQueries`](super::RandomQueries) choose.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    words: Vec<Box<str>>,
    numbers: HashMap<Box<str>, u32>,
    /// The words of each document that has two at least, ascending.
    documents: Vec<Box<[u32]>>,
    /// The documents that have each word, ascending.
    postings: Vec<Vec<u32>>,
}

/// Two words, ascending.
pub(super) type Pair = [u32; 2];

impl Vocabulary {
    /// These words, each once, and no documents.
    pub fn new<'w>(words: impl Iterator<Item = &'w str>) -> Self {
        let mut words: Vec<Box<str>> = words.map(Into::into).collect();
        words.sort_unstable();
        words.dedup();
        let numbers = words.iter().cloned().zip(0..).collect();
        let postings = vec![Vec::new(); words.len()];
        Vocabulary { words, numbers, documents: Vec::new(), postings }
    }

    /// Adds a document to take queries from, by the numbers of its words.
    pub fn add(&mut self, mut words: Vec<u32>) {
        words.sort_unstable();
        words.dedup();
        if words.len() < 2 {
            return;
        }
        let number = self.documents.len() as u32;
        words.iter().for_each(|&word| self.postings[word as usize].push(number));
        self.documents.push(words.into());
    }

    /// How many words there are.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// How many documents there are to take queries from.
    pub fn documents(&self) -> usize {
        self.documents.len()
    }

    /// The word with this number.
    pub fn word(&self, number: u32) -> &str {
        &self.words[number as usize]
    }

    /// The number of a word.
    pub fn number(&self, word: &str) -> Option<u32> {
        self.numbers.get(word).copied()
    }

    /// The words of a text that are in the vocabulary, by number, ascending.
    pub fn of(&self, text: &str) -> Vec<u32> {
        // Words and numbers are in the same order.
        words(text).iter().filter_map(|word| self.number(word)).collect()
    }

    /// Two words of a random document; none where there is no document.
    pub(super) fn query(&self, random: &mut Random) -> Option<Pair> {
        if self.documents.is_empty() {
            return None;
        }
        Some(any_pair(&self.documents[random.below(self.documents.len())], random))
    }

    /// In how many documents two words are, each document counted as its part of its own queries: what it does for the
    /// probability of this one, times all documents.
    pub(super) fn parts(&self, pair: Pair) -> f64 {
        let [mut one, mut other] = pair.map(|word| self.postings[word as usize].as_slice());
        let mut parts = 0.0;
        while let ([a, rest @ ..], [b, others @ ..]) = (one, other) {
            if a == b {
                parts += 1.0 / queries(&self.documents[*a as usize]);
            }
            one = if a <= b { rest } else { one };
            other = if b <= a { others } else { other };
        }
        parts
    }
}

/// How many queries of two words there are of these.
pub(super) fn queries(words: &[u32]) -> f64 {
    words.len() as f64 * (words.len() as f64 - 1.0) / 2.0
}

/// Two of these words, of which there must be two.
pub(super) fn any_pair(words: &[u32], random: &mut Random) -> Pair {
    let first = random.below(words.len());
    let second = random.below(words.len() - 1);
    let second = if second >= first { second + 1 } else { second };
    [words[first.min(second)], words[first.max(second)]]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a query is asked with is what it is counted with.
    #[test]
    fn the_parts_of_a_query_are_its_probability() {
        let mut vocabulary = Vocabulary::new(["a", "b", "c", "d", "a"].into_iter());
        for text in ["a b", "b a x", "a b c d", "c", "b c d"] {
            let words = vocabulary.of(text);
            vocabulary.add(words);
        }
        assert_eq!((vocabulary.len(), vocabulary.documents()), (4, 4));
        assert!((vocabulary.parts([0, 1]) - (1.0 + 1.0 + 1.0 / 6.0)).abs() < 1e-12);
        let mut random = Random::new(1);
        let (mut asked, rounds) = (HashMap::<Pair, u32>::new(), 40_000);
        (0..rounds).for_each(|_| *asked.entry(vocabulary.query(&mut random).unwrap()).or_default() += 1);
        for one in 0..4 {
            for other in one + 1..4 {
                let expected = vocabulary.parts([one, other]) / 4.0;
                let found = f64::from(asked.get(&[one, other]).copied().unwrap_or(0)) / f64::from(rounds);
                assert!((found - expected).abs() < 0.01, "{one} {other}: {found} {expected}");
            }
        }
        assert_eq!(Vocabulary::default().query(&mut random), None);
    }
}

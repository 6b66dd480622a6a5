//! Antecedents for any language or domain, from a collection itself: its most frequent short tokens.

use std::collections::HashMap;

use super::vocabulary::Vocabulary;
use crate::text::Tokens;

/// How often each short token occurs. Counts of several parts of a collection can be merged.
#[derive(Clone, Debug, Default)]
pub struct TokenCounts {
    counts: HashMap<u64, u32>,
}

/// Function words are short in every language that separates its words; longer ones are topics.
const LONGEST: usize = 5;

/// How many of the most frequent tokens are antecedents, and how many more are stop words: about as many as English has.
const ANTECEDENTS: usize = 16;
const STOP_WORDS: usize = 100;

/// Counts are cut down to this many when they grow past twice as many: a function word is never among the rare ones.
const KEPT: usize = 1 << 16;

impl TokenCounts {
    /// Nothing counted yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts the tokens of one text.
    pub fn add(&mut self, text: &str, tokens: &Tokens) {
        for (at, &hash) in tokens.hashes().iter().enumerate() {
            let word = &text[tokens.span(at)];
            // Numbers are as short and as frequent as function words in tables and lists.
            if word.chars().take(LONGEST + 1).count() <= LONGEST && !word.chars().any(char::is_numeric) {
                *self.counts.entry(hash).or_default() += 1;
            }
        }
        self.bound();
    }

    /// Adds what was counted elsewhere.
    pub fn merge(&mut self, other: &TokenCounts) {
        for (&hash, &count) in &other.counts {
            let sum = self.counts.entry(hash).or_default();
            *sum = sum.saturating_add(count);
        }
        self.bound();
    }

    /// The most frequent tokens as antecedents, the next ones as stop words.
    pub fn vocabulary(&self) -> Vocabulary {
        let ranked = self.ranked();
        let antecedents = ranked.len().min(ANTECEDENTS);
        let stop_words = ranked.len().min(ANTECEDENTS + STOP_WORDS);
        Vocabulary::hashed(&ranked[..antecedents], &ranked[antecedents..stop_words])
    }

    fn ranked(&self) -> Vec<u64> {
        let mut ranked: Vec<(u32, u64)> = self.counts.iter().map(|(&hash, &count)| (count, hash)).collect();
        ranked.sort_unstable_by_key(|&(count, hash)| (std::cmp::Reverse(count), hash));
        ranked.into_iter().map(|(_, hash)| hash).collect()
    }

    fn bound(&mut self) {
        if self.counts.len() > 2 * KEPT {
            let ranked = self.ranked();
            for hash in &ranked[KEPT..] {
                self.counts.remove(hash);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::spots::Spots;
    use super::*;
    use crate::text::Reading;

    #[test]
    fn frequent_short_words_become_antecedents_and_numbers_do_not() {
        let text = "ta vesi on 1 kylm ja ta jõgi on 1 lai ja ta vana sild on 1 madal";
        let mut tokens = Tokens::new();
        tokens.read(text, Reading::Words).unwrap();
        let mut counts = TokenCounts::new();
        counts.add(text, &tokens);
        let mut twice = counts.clone();
        twice.merge(&counts);
        let one = tokens.hashes()[3];
        assert!(!twice.counts.contains_key(&one), "a number");
        let ranked = twice.ranked();
        let mut leaders = [ranked[0], ranked[1]];
        leaders.sort_unstable();
        let mut expected = [tokens.hashes()[0], tokens.hashes()[2]];
        expected.sort_unstable();
        assert_eq!(leaders, expected, "`ta` and `on` are most frequent");
        let spots = Spots::new(twice.vocabulary());
        let mut found = Vec::new();
        spots.read(tokens.hashes(), &mut Vec::new(), &mut found);
        assert!(found.is_empty() || found.len() < tokens.len());
    }

    #[test]
    fn counts_do_not_grow_without_bound() {
        let mut counts = TokenCounts::new();
        for hash in 0..3 * KEPT as u64 {
            counts.counts.insert(hash, if hash == 7 { 2 } else { 1 });
        }
        counts.bound();
        assert_eq!(counts.counts.len(), KEPT);
        assert!(counts.counts.contains_key(&7));
    }
}

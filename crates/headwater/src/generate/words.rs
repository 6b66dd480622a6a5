//! A made-up language: words by Zipf and Mandelbrot's law, in sentences and paragraphs.

use std::ops::Range;

use super::plant::{MARK, Token};

/// Different words.
pub(super) const VOCABULARY: f64 = 60_000.0;

/// Mandelbrot's shift: without it single words would be so frequent that eight in a row repeat by chance.
const SHIFT: f64 = 5.0;

const ONSETS: [&str; 16] = ["b", "d", "f", "g", "h", "k", "l", "m", "n", "p", "r", "s", "t", "v", "w", "st"];
const VOWELS: [&str; 5] = ["a", "e", "i", "o", "u"];

/// One in so many words ends a sentence, and one in so many sentences a paragraph.
const SENTENCE: u64 = 14;
const PARAGRAPH: u64 = 6;

/// Every word, spelled.
#[derive(Debug)]
pub(super) struct Lexicon {
    words: Vec<String>,
}

impl Lexicon {
    pub(super) fn new() -> Self {
        Lexicon { words: (0..VOCABULARY as usize).map(spell).collect() }
    }

    /// The text of a post's tokens, and where each of them stands.
    pub(super) fn write(&self, number: u64, tokens: &[Token]) -> (String, Vec<Range<usize>>) {
        let mut text = String::with_capacity(tokens.len() * 7);
        let mut spans = Vec::with_capacity(tokens.len());
        let mut begins = true;
        let mark = number.to_string();
        for (at, token) in tokens.iter().enumerate() {
            let word = if token.word == MARK { &mark } else { &self.words[token.word as usize] };
            let start = text.len();
            if begins {
                text.extend(word.chars().next().map(|letter| letter.to_ascii_uppercase()));
                text.push_str(&word[1..]);
            } else {
                text.push_str(word);
            }
            spans.push(start..text.len());
            begins = token.manner.is_multiple_of(SENTENCE);
            let is_last = at + 1 == tokens.len();
            text.push_str(match (begins || is_last, is_last) {
                (true, true) => ".",
                (true, false) if (token.manner / SENTENCE).is_multiple_of(PARAGRAPH) => ".\n\n",
                (true, false) => ". ",
                (false, _) => " ",
            });
        }
        (text, spans)
    }
}

/// The word that a number from 0 to 1 stands for.
pub(super) fn word(unit: f64) -> u32 {
    let rank = SHIFT * ((VOCABULARY + SHIFT) / SHIFT).powf(unit) - SHIFT;
    (rank as u32).min(VOCABULARY as u32 - 1)
}

/// Syllables, as digits of the rank: every word is another, and the frequent ones are short.
pub(super) fn spell(rank: usize) -> String {
    let mut word = String::new();
    let mut rest = rank;
    loop {
        let syllable = rest % (ONSETS.len() * VOWELS.len());
        word.push_str(ONSETS[syllable / VOWELS.len()]);
        word.push_str(VOWELS[syllable % VOWELS.len()]);
        rest /= ONSETS.len() * VOWELS.len();
        if rest == 0 {
            return word;
        }
        rest -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_word_is_another() {
        let lexicon = Lexicon::new();
        assert_eq!(lexicon.words.iter().collect::<HashSet<_>>().len(), lexicon.words.len());
        assert_eq!((word(0.0), word(0.999_999_999_999)), (0, VOCABULARY as u32 - 1));
    }
}

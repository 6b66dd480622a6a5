//! The usual ways to cut a text into words; each gives their number.

use unicode_segmentation::UnicodeSegmentation;

/// Character by character.
pub fn chars(text: &str) -> u64 {
    let (mut number, mut inside) = (0, false);
    for character in text.chars() {
        let is_word = character.is_alphanumeric();
        number += u64::from(is_word && !inside);
        inside = is_word;
    }
    number
}

/// A lower-case copy, cut at what is no letter or digit.
pub fn lowercase_split(text: &str) -> u64 {
    text.to_lowercase().split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty()).count()
        as u64
}

/// A class for every byte.
pub fn byte_table(text: &str) -> u64 {
    const WORD: [bool; 256] = {
        let mut table = [false; 256];
        let mut byte = 0;
        while byte < 256 {
            table[byte] = (byte as u8).is_ascii_alphanumeric() || byte >= 128;
            byte += 1;
        }
        table
    };
    let (mut number, mut inside) = (0, false);
    for byte in text.bytes() {
        let is_word = WORD[usize::from(byte)];
        number += u64::from(is_word & !inside);
        inside = is_word;
    }
    number
}

/// Unicode's rules, by the crate that everybody uses.
pub fn unicode_words(text: &str) -> u64 {
    text.unicode_words().count() as u64
}

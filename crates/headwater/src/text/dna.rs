//! Nucleotides: each letter of the IUPAC code is a token, whatever its case; uracil counts as thymine.

use super::hash;
use super::token::Tokens;

pub(super) fn read(text: &str, tokens: &mut Tokens) {
    for (at, byte) in text.bytes().enumerate() {
        let nucleotide = match byte.to_ascii_lowercase() {
            b'u' => 't',
            letter @ (b'a' | b'c' | b'g' | b't' | b'n' | b'r' | b'y' | b's' | b'w' | b'k' | b'm' | b'b' | b'd'
            | b'h' | b'v') => char::from(letter),
            _ => continue,
        };
        tokens.push(hash::character(nucleotide), at as u32, at as u32 + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Reading, Tokens};

    #[test]
    fn letters_of_the_code_only() {
        let read = |text: &str| {
            let mut tokens = Tokens::new();
            tokens.read(text, Reading::Dna).unwrap();
            tokens
        };
        assert_eq!(read("ACGU\n 1 ryn-*é").hashes(), read("acgtRYN").hashes());
        assert_eq!(read("AC\nGT").span(2), 3..4);
    }
}

//! Tokens: maximal runs of alphanumeric characters, case-folded, each with its byte span.

use std::fmt;
use std::ops::Range;

use super::mix;

/// How a text is cut into tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reading {
    /// Runs of alphanumeric characters, case-folded; the origin paper's reading.
    #[default]
    Words,
}

/// The tokens of one text: a hash and a byte span each. Reuse one value for many texts.
#[derive(Clone, Debug, Default)]
pub struct Tokens {
    hashes: Vec<u64>,
    starts: Vec<u32>,
    ends: Vec<u32>,
}

/// A text of more than 4 GiB, which byte spans of 32 bits cannot describe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextTooLong {
    /// Its length in bytes.
    pub bytes: usize,
}

impl fmt::Display for TextTooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the text has {} bytes; at most {} can be read as one document", self.bytes, u32::MAX)
    }
}

impl std::error::Error for TextTooLong {}

impl Tokens {
    /// No tokens yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Replaces the tokens by those of `text`.
    pub fn read(&mut self, text: &str, _reading: Reading) -> Result<(), TextTooLong> {
        self.hashes.clear();
        self.starts.clear();
        self.ends.clear();
        if u32::try_from(text.len()).is_err() {
            return Err(TextTooLong { bytes: text.len() });
        }
        let mut start = None;
        let mut hash = 0u64;
        for (at, character) in text.char_indices().chain([(text.len(), ' ')]) {
            if character.is_alphanumeric() {
                start.get_or_insert(at);
                for folded in character.to_lowercase() {
                    hash = mix(hash ^ u64::from(u32::from(folded)));
                }
            } else if let Some(from) = start.take() {
                self.hashes.push(hash);
                self.starts.push(from as u32);
                self.ends.push(at as u32);
                hash = 0;
            }
        }
        Ok(())
    }

    /// How many tokens there are.
    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }

    /// The hash of each token, in order.
    pub fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    /// The bytes of the text that the token at `position` covers.
    pub fn span(&self, position: usize) -> Range<usize> {
        self.starts[position] as usize..self.ends[position] as usize
    }
}

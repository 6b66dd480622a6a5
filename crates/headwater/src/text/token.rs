//! The tokens of one text, and the ways to read it.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use super::{chars, code, dna, words};

/// How a text is cut into tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Reading {
    /// Maximal runs of alphanumeric characters, case-folded: the origin paper's reading, and the default. In scripts that
    /// are written without spaces, each letter.
    #[default]
    Words,
    /// Each alphanumeric character, case-folded: finds reuse across word boundaries and in words run together.
    Chars,
    /// Identifiers, numbers, and each operator or bracket, in their own case: for source code, whatever its layout.
    Code,
    /// Nucleotides, one letter each: for sequences as in FASTA files. Use a larger `k` with it.
    Dna,
}

impl Reading {
    /// Every reading, in the order in which help lists them.
    pub const ALL: [Reading; 4] = [Reading::Words, Reading::Chars, Reading::Code, Reading::Dna];

    /// The name under which users choose it.
    pub fn name(self) -> &'static str {
        match self {
            Reading::Words => "words",
            Reading::Chars => "chars",
            Reading::Code => "code",
            Reading::Dna => "dna",
        }
    }
}

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Reading {
    type Err = UnknownReading;

    fn from_str(name: &str) -> Result<Self, UnknownReading> {
        Reading::ALL.into_iter().find(|reading| reading.name() == name).ok_or_else(|| UnknownReading(name.into()))
    }
}

/// A name that is none of the readings'.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownReading(String);

impl fmt::Display for UnknownReading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}' is no way to read tokens; choose words, chars, code or dna", self.0)
    }
}

impl std::error::Error for UnknownReading {}

/// The tokens of one text: a hash and a byte span each. Reuse one value for many texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tokens {
    hashes: Vec<u64>,
    spans: Vec<(u32, u32)>,
}

impl Tokens {
    /// No tokens yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Replaces the tokens by those of `text`.
    ///
    /// Hashes are the same on every machine and in every version: they are kept on disk.
    pub fn read(&mut self, text: &str, reading: Reading) -> Result<(), TextTooLong> {
        self.hashes.clear();
        self.spans.clear();
        if u32::try_from(text.len()).is_err() {
            return Err(TextTooLong { bytes: text.len() });
        }
        // With what stands between them, most words take more bytes than that. Growing would copy what is there, which is of no use any more.
        let most = text.len() / 6;
        if self.hashes.capacity().min(self.spans.capacity()) < most {
            *self = Tokens { hashes: Vec::with_capacity(most), spans: Vec::with_capacity(most) };
        }
        match reading {
            Reading::Words => words::read(text, self),
            Reading::Chars => chars::read(text, self),
            Reading::Code => code::read(text, self),
            Reading::Dna => dna::read(text, self),
        }
        Ok(())
    }

    /// Replaces the tokens by those with these hashes, whose text is not at hand: the span of each is its position.
    pub fn take(&mut self, hashes: &[u64]) {
        self.hashes.clear();
        self.hashes.extend_from_slice(hashes);
        self.spans.clear();
        self.spans.extend((0..hashes.len() as u32).map(|at| (at, at + 1)));
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
        let (start, end) = self.spans[position];
        start as usize..end as usize
    }

    /// Bytes that are allocated for them.
    pub(crate) fn memory(&self) -> usize {
        self.hashes.capacity() * size_of::<u64>() + self.spans.capacity() * size_of::<(u32, u32)>()
    }

    #[inline]
    pub(super) fn push(&mut self, hash: u64, start: u32, end: u32) {
        self.hashes.push(hash);
        self.spans.push((start, end));
    }

    /// Adds tokens of `width` bytes each, one behind the other from `start` on.
    #[inline]
    pub(super) fn extend_side_by_side(&mut self, hashes: impl ExactSizeIterator<Item = u64>, start: u32, width: u32) {
        let starts = (0..hashes.len() as u32).map(|at| start + at * width);
        self.spans.extend(starts.map(|start| (start, start + width)));
        self.hashes.extend(hashes);
    }

    /// Takes the last token off again and gives its span.
    pub(super) fn pop(&mut self) -> Option<(u32, u32)> {
        self.hashes.pop()?;
        self.spans.pop()
    }

    /// Adds the tokens with these hashes and spans.
    #[inline]
    pub(super) fn extend(&mut self, hashes: &[u64], starts: &[u32], ends: &[u32]) {
        self.hashes.extend_from_slice(hashes);
        self.spans.extend(starts.iter().copied().zip(ends.iter().copied()));
    }
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

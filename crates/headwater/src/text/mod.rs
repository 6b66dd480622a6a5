//! From text to numbers: tokens with their byte spans, token hashes, and fingerprints of k-shingles.
//!
//! ```
//! use headwater::text::{Reading, Tokens, fingerprints};
//!
//! let mut tokens = Tokens::new();
//! tokens.read("The river — the RIVER!", Reading::Words)?;
//! assert_eq!(tokens.len(), 4);
//! assert_eq!(tokens.hashes()[1], tokens.hashes()[3]); // case and punctuation do not count
//! assert_eq!(tokens.span(3), 18..23);
//!
//! let mut shingles = Vec::new();
//! fingerprints(tokens.hashes(), 3, &mut shingles);
//! assert_eq!(shingles.len(), 2);
//! # Ok::<(), headwater::text::TextTooLong>(())
//! ```

mod character;
mod chars;
#[rustfmt::skip]
mod classes;
mod code;
mod dna;
mod hash;
mod runs;
mod sentence;
mod shingle;
mod token;
mod words;

pub use sentence::sentences;
pub use shingle::fingerprints;
pub(crate) use shingle::sums;
pub use token::{Reading, TextTooLong, Tokens, UnknownReading};

/// A bijective scrambler of 64-bit numbers (the finaliser of splitmix64): equal inputs give equal
/// outputs on every machine, and every output bit depends on every input bit.
#[inline]
pub fn mix(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// Which of `parts` equal parts of the range of all numbers `number` lies in: its leading bits, for any number of parts.
#[inline]
pub fn part(number: u64, parts: usize) -> usize {
    ((u128::from(number) * parts as u128) >> 64) as usize
}

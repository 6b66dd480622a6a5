//! How strongly two documents belong together: the four functions of section 6.2, by the paper's names, and one of our own.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// A scoring function. A document counts its words; a chunk that a document has several times counts once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Score {
    /// The number of chunks that both have.
    S1,
    /// … over the length of the shorter document.
    S2,
    /// … over the mean of both lengths.
    S3,
    /// Each chunk that both have counts 1/f, where f documents of the collection have it; over the mean of both lengths.
    #[default]
    S4,
    /// Our own: each chunk that both have counts 1/(f−1), so that what only these two have counts whole; over the length of
    /// the longer document.
    S5,
}

/// One whole chunk. Sums of weights are whole numbers of this unit's parts, so that they do not depend on the order of
/// addition. Positions have 32 bits, so no document has more than 2³² different chunks, and their sum fits into 64.
pub(super) const UNIT: u64 = 1 << 32;

/// What rounding of weights can take from a score that stands exactly on the threshold, and more: each loses less than one
/// part, and a sum of weights that are not whole is divided by at least as many words as it has chunks.
const SLACK: f64 = 1e-9;

impl Score {
    /// Every score, in order.
    pub const ALL: [Score; 5] = [Score::S1, Score::S2, Score::S3, Score::S4, Score::S5];

    /// Its name, the paper's for the first four.
    pub fn name(self) -> &'static str {
        match self {
            Score::S1 => "S1",
            Score::S2 => "S2",
            Score::S3 => "S3",
            Score::S4 => "S4",
            Score::S5 => "S5",
        }
    }

    /// What a chunk that so many documents have adds to a sum.
    #[inline]
    pub(super) fn weight(self, documents: u32) -> u64 {
        match self {
            Score::S1 | Score::S2 | Score::S3 => UNIT,
            Score::S4 => UNIT / u64::from(documents.max(1)),
            Score::S5 => UNIT / u64::from(documents.max(2) - 1),
        }
    }

    /// The score of two documents of these lengths whose shared chunks have this sum.
    pub(super) fn value(self, sum: u64, one: u32, other: u32) -> f64 {
        sum as f64 / UNIT as f64 / self.norm(one, other)
    }

    /// What sums are divided by.
    fn norm(self, one: u32, other: u32) -> f64 {
        let (one, other) = (f64::from(one), f64::from(other));
        match self {
            Score::S1 => 1.0,
            Score::S2 => one.min(other),
            Score::S3 | Score::S4 => (one + other) / 2.0,
            Score::S5 => one.max(other),
        }
    }

    /// The sum that two documents of these lengths need at least to reach a threshold.
    #[inline]
    pub(super) fn needed(self, threshold: f64, one: u32, other: u32) -> u64 {
        // A negative number becomes zero: then nothing is needed.
        ((threshold - SLACK * threshold.abs().max(1.0)) * self.norm(one, other) * UNIT as f64).ceil() as u64
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Score {
    type Err = UnknownScore;

    fn from_str(name: &str) -> Result<Self, UnknownScore> {
        Score::ALL
            .into_iter()
            .find(|score| score.name().eq_ignore_ascii_case(name))
            .ok_or_else(|| UnknownScore(name.into()))
    }
}

/// A name that is no score's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownScore(String);

impl fmt::Display for UnknownScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}' is no score; choose S1, S2, S3, S4 or S5", self.0)
    }
}

impl Error for UnknownScore {}

//! What to look for near-duplicates by.

use std::fmt;
use std::str::FromStr;

use super::bands::Bands;
use super::features::Features;
use super::idf::IdfRange;
use super::languages::Language;
use super::measure::{Bound, Measure, OutOfRange};
use super::minhash::Hashing;
use super::spots::Spots;
use super::vocabulary::Vocabulary;
use crate::text::Reading;

/// The methods of the paper's comparison, by its names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// Spot signatures, joined exactly.
    SpotSigs,
    /// Shingles, joined exactly.
    Shingles,
    /// Shingles, candidates by MinHash and bands.
    MinHash,
    /// Spot signatures, candidates by MinHash and bands.
    LshS,
    /// One hash of all words of middling frequency.
    IMatch,
    /// One hash of all spot signatures of middling frequency.
    IMatchS,
}

/// How to look for near-duplicates.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Which method.
    pub method: Method,
    /// How texts are cut into tokens.
    pub reading: Reading,
    /// Tokens in a shingle.
    pub k: usize,
    /// Whether a shingle counts as often as it occurs. Spot signatures always do.
    pub repeats: bool,
    /// What a spot is.
    pub spots: Spots,
    /// How likeness is measured; sketches estimate Jaccard, whatever is then verified.
    pub measure: Measure,
    /// The least likeness that counts.
    pub threshold: f64,
    /// Which features count, by how many documents have them. I-Match always has a range.
    pub idf: Option<IdfRange>,
    /// Entries in a sketch.
    pub permutations: usize,
    /// How sketches are made.
    pub hashing: Hashing,
    /// Bands of a sketch; by default chosen from the threshold.
    pub bands: Option<Bands>,
    /// Whether candidates are compared exactly, or by their sketches alone.
    pub verify: bool,
}

impl Method {
    /// Every method, in the order in which help lists them.
    pub const ALL: [Method; 6] =
        [Method::SpotSigs, Method::Shingles, Method::MinHash, Method::LshS, Method::IMatch, Method::IMatchS];

    /// The name under which users choose it.
    pub fn name(self) -> &'static str {
        match self {
            Method::SpotSigs => "spotsigs",
            Method::Shingles => "shingles",
            Method::MinHash => "minhash",
            Method::LshS => "lsh-s",
            Method::IMatch => "imatch",
            Method::IMatchS => "imatch-s",
        }
    }

    /// Whether it compares spot signatures.
    pub fn uses_spots(self) -> bool {
        matches!(self, Method::SpotSigs | Method::LshS | Method::IMatchS)
    }

    /// Whether it finds candidates by sketches.
    pub fn uses_sketches(self) -> bool {
        matches!(self, Method::MinHash | Method::LshS)
    }

    /// Whether it hashes all that the IDF filter leaves.
    pub fn is_imatch(self) -> bool {
        matches!(self, Method::IMatch | Method::IMatchS)
    }
}

impl Settings {
    /// A method with everything else as we found it best.
    pub fn new(method: Method) -> Self {
        Settings {
            method,
            reading: Reading::Words,
            k: if method == Method::IMatch { 1 } else { 8 },
            repeats: false,
            spots: Spots::new(Vocabulary::of(&Language::ALL)),
            measure: Measure::Jaccard,
            threshold: if method.uses_spots() { 0.44 } else { 0.5 },
            idf: method.is_imatch().then_some(IdfRange::I_MATCH),
            permutations: 128,
            hashing: Hashing::Classic,
            bands: None,
            verify: true,
        }
    }

    /// What of a text is compared.
    pub fn features(&self) -> Features {
        if self.method.uses_spots() {
            Features::Spots(self.spots.clone())
        } else {
            Features::Shingles { k: self.k, repeats: self.repeats }
        }
    }

    /// Whether two documents that share a feature hardly do so by chance: true of several words in a row.
    pub(super) fn is_telling(&self) -> bool {
        !self.method.uses_spots() && self.reading == Reading::Words && self.k >= FEWEST_TELLING
    }

    /// The likeness that counts, or why these settings cannot be used.
    pub fn bound(&self) -> Result<Bound, InvalidSettings> {
        if self.method.uses_sketches() {
            if !(1..=MOST_PERMUTATIONS).contains(&self.permutations) {
                return Err(InvalidSettings::Permutations(self.permutations));
            }
            if let Some(bands) = self.bands
                && (bands.count == 0 || bands.rows == 0 || bands.count.saturating_mul(bands.rows) > self.permutations)
            {
                return Err(InvalidSettings::Bands(bands, self.permutations));
            }
        }
        if self.k == 0 {
            return Err(InvalidSettings::NoTokens);
        }
        if self.spots.chain == 0 || self.spots.distance == 0 {
            return Err(InvalidSettings::NoChain);
        }
        Bound::new(self.measure, self.threshold).map_err(InvalidSettings::Threshold)
    }
}

/// Fewer words in a row stand in documents that have nothing to do with each other.
const FEWEST_TELLING: usize = 5;

/// More would only make sketches larger than most texts.
const MOST_PERMUTATIONS: usize = 1 << 14;

/// Why settings cannot be used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum InvalidSettings {
    /// The threshold is outside 0 to 1.
    Threshold(OutOfRange),
    /// A sketch of so many entries.
    Permutations(usize),
    /// Bands that a sketch of so many entries cannot be cut into.
    Bands(Bands, usize),
    /// Shingles of no tokens.
    NoTokens,
    /// Spots without words, or without a step to the next one.
    NoChain,
    /// More than memory holds, by a method that does not compare exactly.
    NotOnShelf,
}

impl fmt::Display for InvalidSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InvalidSettings::Threshold(error) => error.fmt(f),
            InvalidSettings::Permutations(count) => {
                write!(f, "a sketch cannot have {count} entries; choose 1 to {MOST_PERMUTATIONS}, as a rule 128")
            }
            InvalidSettings::Bands(bands, entries) => write!(
                f,
                "{} bands of {} rows cannot be cut from a sketch of {entries} entries",
                bands.count, bands.rows
            ),
            InvalidSettings::NoTokens => f.write_str("a shingle needs at least one token"),
            InvalidSettings::NoChain => {
                f.write_str("a spot needs a chain of at least one word and a distance of at least 1")
            }
            InvalidSettings::NotOnShelf => f.write_str(
                "only spotsigs and shingles, without an IDF range, can be told how much memory to take; choose one of them",
            ),
        }
    }
}

impl std::error::Error for InvalidSettings {}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Method {
    type Err = UnknownMethod;

    fn from_str(name: &str) -> Result<Self, UnknownMethod> {
        Method::ALL.into_iter().find(|method| method.name() == name).ok_or_else(|| UnknownMethod(name.into()))
    }
}

/// A name that is none of the methods'.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownMethod(String);

impl fmt::Display for UnknownMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Method::ALL.map(Method::name).join(", ");
        write!(f, "'{}' is no method; known are {names}", self.0)
    }
}

impl std::error::Error for UnknownMethod {}

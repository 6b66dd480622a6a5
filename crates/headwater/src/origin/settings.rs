//! What a tracer is to do, checked in one place.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use crate::select::Selection;
use crate::text::Reading;

/// The least memory that a table makes sense with: a few buckets.
const LEAST_MEMORY: usize = 1024;

/// The paper's entries take up to so many bytes.
const LARGEST_ENTRY: usize = 18;

/// All choices of a tracer; the default is the best that we have measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Tokens in a shingle, 1 to 255.
    pub k: usize,
    /// Bytes that the table may take, at least 1 KiB.
    pub memory: usize,
    /// How texts are cut into tokens.
    pub reading: Reading,
    /// How origins are found.
    pub algorithm: Algorithm,
    /// Makes random eviction repeatable.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { k: 8, memory: 256 << 20, reading: Reading::default(), algorithm: Algorithm::Headwater, seed: 0 }
    }
}

/// How origins are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// Our own: with the same memory at least as good as the paper's best nearly everywhere that we measured, mostly far better.
    Headwater,
    /// One of the paper's.
    Paper(Paper),
}

/// The names that it goes by: `headwater`, or the paper's as in `NHs+LS+BE`, with T and the size of buckets where they are not
/// the paper's.
impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Algorithm::Paper(Paper { select, evict, estimate, bridge, bucket }) = self else {
            return f.write_str("headwater");
        };
        write!(f, "{select}+{evict}+{estimate}")?;
        let usual = Paper::default();
        if *bridge != usual.bridge {
            write!(f, " with T = {bridge}")?;
        }
        if *bucket != usual.bucket {
            write!(f, " in buckets of {bucket}")?;
        }
        Ok(())
    }
}

/// A combination of the paper's algorithms; the default is its best, NHs with LS and BE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paper {
    /// Which shingles are sent to the table.
    pub select: Selection,
    /// Which entry a full bucket gives up.
    pub evict: Eviction,
    /// What is said about shingles that were not found.
    pub estimate: Estimation,
    /// The paper's T: a bridge spans fewer selected shingles than this.
    pub bridge: u32,
    /// Entries in a bucket, 4 to 256.
    pub bucket: usize,
}

impl Default for Paper {
    fn default() -> Self {
        Paper {
            select: Selection::NHS,
            evict: Eviction::Lucky,
            estimate: Estimation::BridgingWithExpansion,
            bridge: 30,
            bucket: 64,
        }
    }
}

/// The paper's eviction algorithms (section 2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Eviction {
    /// R: any entry.
    Random,
    /// LRU: the one that was not asked for for the longest time.
    Lru,
    /// CC: the one that was found least often.
    CopyCount,
    /// LS: the one with the smallest lucky score.
    Lucky,
}

/// The paper's estimation algorithms (section 2.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Estimation {
    /// NB: only what was found.
    NoBridging,
    /// E: also the neighbours of what was found.
    Expansion,
    /// B: also what lies between two found shingles.
    Bridging,
    /// BE: both, and bridges only where the neighbours agree.
    BridgingWithExpansion,
}

impl Settings {
    /// Checks everything, and names every problem there is.
    pub fn check(&self) -> Result<(), InvalidSettings> {
        let mut problems = Vec::new();
        if !(1..=255).contains(&self.k) {
            problems.push(format!("a shingle of {} tokens; it must have 1 to 255", self.k));
        }
        if self.memory < LEAST_MEMORY {
            problems.push(format!("a table of {} bytes; it needs at least {LEAST_MEMORY}", self.memory));
        }
        if let Algorithm::Paper(paper) = self.algorithm {
            if !(4..=256).contains(&paper.bucket) {
                problems.push(format!("buckets of {} entries; they must have 4 to 256", paper.bucket));
            }
            if self.memory < LARGEST_ENTRY * paper.bucket {
                problems.push(format!("a table of {} bytes, which is less than one bucket", self.memory));
            }
            if paper.bridge == 0 {
                problems.push("bridges of no shingles; the limit T must be at least 1".to_owned());
            }
        }
        if problems.is_empty() { Ok(()) } else { Err(InvalidSettings { problems }) }
    }
}

/// Every problem that settings have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidSettings {
    problems: Vec<String>,
}

impl InvalidSettings {
    /// The settings are right, but there is not as much memory.
    pub(super) fn too_much_memory(bytes: usize) -> Self {
        InvalidSettings { problems: vec![format!("a table of {bytes} bytes; the system does not give as much memory")] }
    }

    /// One sentence for each problem.
    pub fn problems(&self) -> &[String] {
        &self.problems
    }
}

impl fmt::Display for InvalidSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid settings: {}", self.problems.join("; "))
    }
}

impl Error for InvalidSettings {}

/// A name that the paper does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName {
    what: &'static str,
    name: String,
    names: String,
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown {} `{}`; the names are {}", self.what, self.name, self.names)
    }
}

impl Error for UnknownName {}

impl Eviction {
    /// Every one of them with the paper's name.
    pub const NAMES: [(&'static str, Eviction); 4] =
        [("R", Eviction::Random), ("LRU", Eviction::Lru), ("CC", Eviction::CopyCount), ("LS", Eviction::Lucky)];
}

impl Estimation {
    /// Every one of them with the paper's name.
    pub const NAMES: [(&'static str, Estimation); 4] = [
        ("NB", Estimation::NoBridging),
        ("E", Estimation::Expansion),
        ("B", Estimation::Bridging),
        ("BE", Estimation::BridgingWithExpansion),
    ];
}

fn by_name<T: Copy>(what: &'static str, names: &[(&'static str, T)], name: &str) -> Result<T, UnknownName> {
    let known = names.iter().find(|(known, _)| *known == name);
    known.map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = names.iter().map(|(known, _)| *known).collect();
        UnknownName { what, name: name.to_owned(), names: names.join(", ") }
    })
}

fn write_name<T: PartialEq>(names: &[(&'static str, T)], value: &T, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    names.iter().filter(|(_, known)| known == value).try_for_each(|(name, _)| f.write_str(name))
}

impl FromStr for Eviction {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        by_name("eviction", &Self::NAMES, name)
    }
}

impl FromStr for Estimation {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        by_name("estimation", &Self::NAMES, name)
    }
}

impl fmt::Display for Eviction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_name(&Self::NAMES, self, f)
    }
}

impl fmt::Display for Estimation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_name(&Self::NAMES, self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tracer::Tracer;
    use super::*;

    #[test]
    fn every_problem_is_named_at_once() {
        let paper = Paper { bucket: 3, bridge: 0, ..Paper::default() };
        let settings = Settings { k: 0, memory: 10, algorithm: Algorithm::Paper(paper), ..Settings::default() };
        let error = settings.check().expect_err("nothing about it is right");
        assert_eq!(error.problems().len(), 5);
        for word in ["shingle of 0", "10 bytes", "3 entries", "T must"] {
            assert!(error.to_string().contains(word), "{error}");
        }
        assert_eq!(Settings::default().check(), Ok(()));
    }

    #[test]
    fn more_memory_than_there_is_is_refused() {
        for algorithm in [Algorithm::Headwater, Algorithm::Paper(Paper::default())] {
            let settings = Settings { memory: usize::MAX / 4, algorithm, ..Settings::default() };
            let error = Tracer::new(settings).expect_err("no machine has that much");
            assert!(error.to_string().contains("does not give as much memory"), "{error}");
        }
    }

    #[test]
    fn buckets_have_4_to_256_entries() {
        let check = |bucket| {
            let paper = Paper { bucket, ..Paper::default() };
            Settings { algorithm: Algorithm::Paper(paper), ..Settings::default() }.check()
        };
        for bucket in [4, 64, 256] {
            assert_eq!(check(bucket), Ok(()), "{bucket}");
        }
        for bucket in [0, 3, 257] {
            let error = check(bucket).expect_err("too few or too many");
            assert_eq!(error.problems(), [format!("buckets of {bucket} entries; they must have 4 to 256")]);
        }
    }

    #[test]
    fn names_are_read_and_written_alike() {
        for (name, eviction) in Eviction::NAMES {
            assert_eq!((name.parse(), eviction.to_string()), (Ok(eviction), name.to_owned()));
        }
        for (name, estimation) in Estimation::NAMES {
            assert_eq!((name.parse(), estimation.to_string()), (Ok(estimation), name.to_owned()));
        }
        let paper = Paper { bucket: 8, ..Paper::default() };
        assert_eq!(Algorithm::Headwater.to_string(), "headwater");
        assert_eq!(Algorithm::Paper(Paper::default()).to_string(), "NHs+LS+BE");
        assert_eq!(Algorithm::Paper(paper).to_string(), "NHs+LS+BE in buckets of 8");
        let error = "FIFO".parse::<Eviction>().expect_err("not in the paper");
        assert_eq!(error.to_string(), "unknown eviction `FIFO`; the names are R, LRU, CC, LS");
    }
}

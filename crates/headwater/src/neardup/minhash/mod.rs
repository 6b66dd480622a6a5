//! MinHash: a short sketch of a set, whose entries agree with those of another as often as the two sets are alike.
//!
//! Broder's sketch (IIR 19, "Sketch of a document") takes the least element under each of k permutations. One permutation
//! hashing (Li, Owen and Zhang, NIPS 2012) throws every element into one of k bins instead and takes the least of each bin: k times
//! less work. A bin that stays empty borrows from one that did not (optimal densification: Shrivastava, ICML 2017).

mod lanes;

use std::fmt;
use std::str::FromStr;

use crate::text::{mix, part};
use lanes::{LANES, Minima};

/// How a sketch is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hashing {
    /// Every element under every permutation: Broder's.
    #[default]
    Classic,
    /// Every element in one bin; empty bins are filled from others.
    OnePermutation,
}

/// Makes sketches, the same on every machine.
#[derive(Clone, Debug)]
pub struct Sketcher {
    permutations: usize,
    hashing: Hashing,
    /// The parameters of the permutations, in whole lanes.
    a: Vec<[u32; LANES]>,
    b: Vec<[u32; LANES]>,
    minima: Minima,
}

/// Marks a bin without an element.
const EMPTY: u32 = u32::MAX;

impl Hashing {
    /// Every way, in the order in which help lists them.
    pub const ALL: [Hashing; 2] = [Hashing::Classic, Hashing::OnePermutation];

    /// The name under which users choose it.
    pub fn name(self) -> &'static str {
        match self {
            Hashing::Classic => "classic",
            Hashing::OnePermutation => "one-permutation",
        }
    }
}

impl Sketcher {
    /// Makes sketches of so many entries.
    pub fn new(permutations: usize, hashing: Hashing) -> Self {
        let parameter = |n: usize, salt: u64| (mix(mix(n as u64) ^ salt) >> 32) as u32;
        let whole = permutations.div_ceil(LANES);
        // An odd factor, so that the map is a permutation.
        let a = (0..whole).map(|block| std::array::from_fn(|lane| parameter(block * LANES + lane, 1) | 1)).collect();
        let b = (0..whole).map(|block| std::array::from_fn(|lane| parameter(block * LANES + lane, 2))).collect();
        Sketcher { permutations, hashing, a, b, minima: lanes::fastest() }
    }

    /// How many entries a sketch has.
    pub fn permutations(&self) -> usize {
        self.permutations
    }

    /// Appends the sketch of a set, which must not be empty, to `out`.
    pub fn sketch(&self, features: &[u64], out: &mut Vec<u32>) {
        match self.hashing {
            Hashing::Classic => self.classic(features, out),
            Hashing::OnePermutation => self.one_permutation(features, out),
        }
    }

    fn classic(&self, features: &[u64], out: &mut Vec<u32>) {
        // The upper half: the lower one chooses places in tables.
        let elements: Vec<u32> = features.iter().map(|&feature| (feature >> 32) as u32).collect();
        let start = out.len();
        for (a, b) in self.a.iter().zip(&self.b) {
            out.extend_from_slice(&(self.minima)(&elements, a, b));
        }
        out.truncate(start + self.permutations);
    }

    fn one_permutation(&self, features: &[u64], out: &mut Vec<u32>) {
        let start = out.len();
        out.resize(start + self.permutations, EMPTY);
        let bins = &mut out[start..];
        for &feature in features {
            let mixed = mix(feature);
            let bin = part(mixed, bins.len());
            bins[bin] = bins[bin].min((mixed as u32).min(EMPTY - 1));
        }
        if bins.contains(&EMPTY) {
            densify(bins);
        }
    }
}

/// Fills every empty bin from a full one that only its number chooses, so that equal sets stay equal and alike ones alike.
fn densify(bins: &mut [u32]) {
    if bins.iter().all(|&bin| bin == EMPTY) {
        return;
    }
    let full: Vec<bool> = bins.iter().map(|&bin| bin != EMPTY).collect();
    for bin in 0..bins.len() {
        let mut attempt = 0;
        let mut from = bin;
        while !full[from] {
            attempt += 1;
            from = part(mix((bin as u64) << 32 | attempt), bins.len());
        }
        bins[bin] = bins[from];
    }
}

/// The share of entries in which two sketches agree: an estimate of the Jaccard of their sets.
pub fn agreement(one: &[u32], other: &[u32]) -> f64 {
    let same = one.iter().zip(other).filter(|(a, b)| a == b).count();
    same as f64 / one.len().max(1) as f64
}

impl fmt::Display for Hashing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Hashing {
    type Err = UnknownHashing;

    fn from_str(name: &str) -> Result<Self, UnknownHashing> {
        Hashing::ALL.into_iter().find(|hashing| hashing.name() == name).ok_or_else(|| UnknownHashing(name.into()))
    }
}

/// A name that is none of the ways to make a sketch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownHashing(String);

impl fmt::Display for UnknownHashing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}' is no way to make a sketch; choose classic or one-permutation", self.0)
    }
}

impl std::error::Error for UnknownHashing {}

#[cfg(test)]
mod tests;

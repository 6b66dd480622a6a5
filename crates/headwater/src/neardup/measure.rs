//! How alike two sets are, and what that says about their sizes.
//!
//! Every bound here is derived from the very comparison that accepts a pair, in the same floating-point arithmetic, so that no
//! pair at the threshold is lost to rounding.

use std::fmt;
use std::str::FromStr;

/// How the likeness of two sets is measured, from the size of their overlap and their own sizes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Measure {
    /// Overlap over union: of multisets the paper's weighted Jaccard.
    #[default]
    Jaccard,
    /// Overlap over the geometric mean of the sizes: the cosine of the two sets as vectors of noughts and ones.
    Cosine,
    /// Overlap over the smaller set: how much of the one is in the other.
    Containment,
}

/// A measure with the least value that counts: what two sets of given sizes must share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    measure: Measure,
    threshold: f64,
}

impl Measure {
    /// Every measure, in the order in which help lists them.
    pub const ALL: [Measure; 3] = [Measure::Jaccard, Measure::Cosine, Measure::Containment];

    /// The name under which users choose it.
    pub fn name(self) -> &'static str {
        match self {
            Measure::Jaccard => "jaccard",
            Measure::Cosine => "cosine",
            Measure::Containment => "containment",
        }
    }

    /// The likeness of two sets of `a` and `b` elements, neither empty, that share `overlap`; from 0 to 1.
    #[inline]
    pub fn of(self, overlap: u32, a: u32, b: u32) -> f64 {
        let (overlap, a, b) = (f64::from(overlap), f64::from(a), f64::from(b));
        match self {
            Measure::Jaccard => overlap / (a + b - overlap),
            Measure::Cosine => (overlap / (a * b).sqrt()).min(1.0),
            Measure::Containment => overlap / a.min(b),
        }
    }
}

impl Bound {
    /// Pairs of at least this likeness count; from 0, where every pair does, to 1.
    pub fn new(measure: Measure, threshold: f64) -> Result<Self, OutOfRange> {
        if (0.0..=1.0).contains(&threshold) { Ok(Bound { measure, threshold }) } else { Err(OutOfRange(threshold)) }
    }

    /// How likeness is measured.
    pub fn measure(self) -> Measure {
        self.measure
    }

    /// The least likeness that counts.
    pub fn threshold(self) -> f64 {
        self.threshold
    }

    /// Whether two sets that share `overlap` are alike enough.
    #[inline]
    pub fn accepts(self, overlap: u32, a: u32, b: u32) -> bool {
        self.measure.of(overlap, a, b) >= self.threshold
    }

    /// The least overlap with which sets of these sizes are alike enough; larger than both where none is.
    pub fn required(self, a: u32, b: u32) -> u32 {
        let (x, y) = (f64::from(a), f64::from(b));
        let estimate = match self.measure {
            Measure::Jaccard => self.threshold / (1.0 + self.threshold) * (x + y),
            Measure::Cosine => self.threshold * (x * y).sqrt(),
            Measure::Containment => self.threshold * x.min(y),
        };
        // The estimate is off by one at most; the comparison itself decides.
        let mut required = (estimate.ceil() as u32).min(a.min(b) + 1);
        while required > 0 && self.accepts(required - 1, a, b) {
            required -= 1;
        }
        while required <= a.min(b) && !self.accepts(required, a, b) {
            required += 1;
        }
        required
    }

    /// The size of the smallest set that one of `a` elements can be alike enough, between 1 and `a`; never less for a larger `a`.
    pub fn least_partner(self, a: u32) -> u32 {
        let share = match self.measure {
            Measure::Jaccard => self.threshold,
            Measure::Cosine => self.threshold * self.threshold,
            Measure::Containment => 0.0,
        };
        // A hair below what exact arithmetic gives: a size too many costs a comparison, one too few would cost a pair.
        ((f64::from(a) * share * (1.0 - 1e-9)).ceil() as u32).clamp(1, a.max(1))
    }

    /// How many of its rarest elements a set must show so that every smaller or equal partner shares one of them (the prefix
    /// filter of Chaudhuri, Ganti and Kaushik, ICDE 2006).
    pub(super) fn probe_prefix(self, a: u32) -> u32 {
        (a + 1).saturating_sub(self.required(a, self.least_partner(a)).max(1))
    }

    /// The same for partners that are at least as large.
    pub(super) fn index_prefix(self, a: u32) -> u32 {
        (a + 1).saturating_sub(self.required(a, a).max(1))
    }
}

/// A threshold that no likeness can be compared with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutOfRange(f64);

impl fmt::Display for OutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a threshold of {} is out of range; choose one from 0 (every pair) to 1 (equal sets)", self.0)
    }
}

impl std::error::Error for OutOfRange {}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Measure {
    type Err = UnknownMeasure;

    fn from_str(name: &str) -> Result<Self, UnknownMeasure> {
        Measure::ALL.into_iter().find(|measure| measure.name() == name).ok_or_else(|| UnknownMeasure(name.into()))
    }
}

/// A name that is none of the measures'.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownMeasure(String);

impl fmt::Display for UnknownMeasure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}' is no measure; choose jaccard, cosine or containment", self.0)
    }
}

impl std::error::Error for UnknownMeasure {}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn thresholds() -> impl Strategy<Value = f64> {
        prop_oneof![
            Just(0.0),
            Just(1.0),
            (1u32..=20, 1u32..=20).prop_map(|(a, b)| f64::from(a.min(b)) / f64::from(a.max(b))),
            0.0..=1.0
        ]
    }

    proptest! {
        #[test]
        fn the_required_overlap_is_the_least_that_is_accepted(threshold in thresholds(), a in 1u32..3000, b in 1u32..3000) {
            for measure in Measure::ALL {
                let bound = Bound::new(measure, threshold).unwrap();
                let required = bound.required(a, b);
                prop_assert!(required == 0 || !bound.accepts(required - 1, a, b));
                prop_assert!(required > a.min(b) || bound.accepts(required, a, b));
            }
        }

        #[test]
        fn no_partner_is_smaller_than_the_least(threshold in thresholds(), a in 1u32..3000) {
            for measure in Measure::ALL {
                let bound = Bound::new(measure, threshold).unwrap();
                let least = bound.least_partner(a);
                prop_assert!((1..=a).contains(&least));
                prop_assert!((1..least).all(|b| !bound.accepts(b, a, b)), "{measure} {threshold} {a} {least}");
                prop_assert!(bound.least_partner(a + 1) >= least);
            }
        }

        #[test]
        fn a_larger_partner_never_needs_less(threshold in thresholds(), a in 1u32..500, b in 1u32..500) {
            for measure in Measure::ALL {
                let bound = Bound::new(measure, threshold).unwrap();
                prop_assert!(bound.required(a, b) <= bound.required(a, b + 1));
            }
        }
    }

    /// Slide 26: what the transcript has of the third document does not add up to its printed length; with four of the first
    /// signature it gives the printed similarity.
    #[test]
    fn the_deduplication_example_of_the_slides() {
        let documents = [[5u32, 4, 4], [8, 4, 0], [4, 5, 5]];
        let sizes = documents.map(|counts| counts.iter().sum::<u32>());
        let overlap = |a: usize, b: usize| documents[a].iter().zip(documents[b]).map(|(&x, y)| x.min(y)).sum::<u32>();
        let bound = Bound::new(Measure::Jaccard, 0.8).unwrap();
        assert_eq!((sizes[0], sizes[1]), (13, 12));
        assert_eq!(Measure::Jaccard.of(overlap(0, 2), sizes[0], sizes[2]), 0.8);
        assert!(bound.accepts(overlap(0, 2), sizes[0], sizes[2]));
        assert!(!bound.accepts(overlap(0, 1), sizes[0], sizes[1]));
    }

    /// The matrix of the slides on duplicate detection: Jaccard(C1, C2) = 2/5.
    #[test]
    fn the_columns_of_the_slides() {
        let rows = [(0, 1), (1, 0), (1, 1), (0, 0), (1, 1), (0, 1)];
        let (a, b) = rows.iter().fold((0, 0), |(a, b), row| (a + row.0, b + row.1));
        let both = rows.iter().filter(|&&row| row == (1, 1)).count() as u32;
        assert_eq!(Measure::Jaccard.of(both, a, b), 0.4);
    }

    /// Slide 16: 345, 1045 and 323 signatures. Only the first and the last can be alike at 0.7.
    #[test]
    fn sizes_alone_rule_pairs_out() {
        let bound = Bound::new(Measure::Jaccard, 0.7).unwrap();
        assert!(bound.least_partner(345) <= 323);
        assert!(bound.least_partner(1045) > 345);
    }

    #[test]
    fn thresholds_outside_are_refused() {
        for threshold in [-0.1, 1.000001, f64::NAN, f64::INFINITY] {
            assert!(Bound::new(Measure::Jaccard, threshold).is_err(), "{threshold}");
        }
        for threshold in [0.0, 1.0] {
            assert!(Bound::new(Measure::Jaccard, threshold).is_ok());
        }
    }
}

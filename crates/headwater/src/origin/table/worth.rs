//! What an entry is worth: a full bucket forgets the one that is worth least.
//!
//! An entry is worth the use that it may be of soon. That is the text it stands for times how often it was hit, which its score
//! counts, as a logarithm; and the longer ago its text was first seen, the less likely is the next copy. In most streams the chance
//! of a copy falls with a power of the age, so that every doubling of the age costs the same number of points. How many differs
//! from stream to stream and is learnt (`estimate/learnt.rs`): none where copies follow their origins at any distance.

/// A point of score has so many bits behind it: all that is worked out here fits 16 bits, and the processor does eight at once.
pub(super) const POINT: u32 = 10;

/// So many points of score are taken by each eighth of a doubling of an entry's age, with the bits of a [`POINT`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decline(i16);

impl Decline {
    /// Age takes next to nothing: of equals, the older goes.
    pub(super) const FLAT: Self = Decline(1);

    /// The steepest there is: with more, what comes back after a long silence would be forgotten too soon. Below 0 it is the old that
    /// is copied more.
    const BOUNDS: (f64, f64) = (-0.2, 0.5);

    /// So many points for each doubling of the age, within bounds.
    pub(crate) fn new(points: f64) -> Self {
        let points = points.clamp(Self::BOUNDS.0, Self::BOUNDS.1);
        match (f64::from(1 << POINT) / 8.0 * points) as i16 {
            0 => Self::FLAT,
            decline => Decline(decline),
        }
    }
}

/// What an entry of this score and age, in [`doublings`], is worth, with the bits of a [`POINT`].
#[inline]
pub(super) fn worth(score: u16, age: i16, decline: Decline) -> i16 {
    ((score as i16) << POINT) - decline.0 * age
}

/// Doublings of an age, in eighths. Ages are counted in documents; in the first few nothing is old.
///
/// These are exponent and first bits of a float, between powers of two a straight line: the same on every machine.
#[inline]
pub(crate) fn doublings(age: u32) -> i16 {
    const YOUNG: f32 = 4.0;
    // Half of it, so that it fits a signed number, which processors turn into floats at once.
    let bits = ((age >> 1) as i32 as f32 + YOUNG / 2.0).to_bits();
    (bits >> 20) as i16 - (126 << 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doublings_are_a_logarithm() {
        assert_eq!([0, 4, 12, 28, 1020].map(doublings), [2, 3, 4, 5, 10].map(|power| power << 3));
        assert_eq!(doublings(u32::MAX), 32 << 3);
        for age in (0..100_000).chain((0..32).map(|power| 1 << power)) {
            let exact = (f64::from(age) + 4.0).log2();
            let error = exact - f64::from(doublings(age)) / 8.0;
            // A straight line in eight steps, of every second age.
            assert!((-0.001..0.35).contains(&error), "{age}: {error}");
            assert!(doublings(age) <= doublings(age + 1), "{age}");
        }
    }

    #[test]
    fn a_doubling_of_the_age_costs_what_it_is_said_to() {
        let worth = |score, age, points| worth(score, doublings(age), Decline::new(points));
        assert_eq!(worth(6, 0, 0.25) - worth(6, 60, 0.25), 1 << POINT, "four doublings are one point");
        assert_eq!(worth(6, 60, 0.25), worth(7, 1020, 0.25), "and a point more makes up for four more");
        let flat = worth(6, 0, 0.0) - worth(6, u32::MAX, 0.0);
        assert!(
            (1..1 << (POINT - 1)).contains(&flat),
            "where nothing is lost with age, the older of equals goes: {flat}"
        );
        assert!(
            worth(15, u32::MAX, -1.0) > worth(15, 0, -1.0) && worth(0, u32::MAX, 1.0) < worth(0, 0, 1.0),
            "all fits"
        );
        assert_eq!((worth(6, 60, -1.0), worth(6, 60, 7.0)), (worth(6, 60, -0.2), worth(6, 60, 0.5)), "within bounds");
    }
}

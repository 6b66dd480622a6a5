//! What Headwater's own estimation learns from the stream as it goes: how often a copied passage ends, and how likely
//! the table is to have kept an anchor of a given level.

use super::super::anchor::TOP_LEVEL;
use super::super::skirt::SKIRT;
use super::aligned::Hit;

const LEVELS: usize = TOP_LEVEL as usize + 1;
/// Tokens beyond a hit that do not count towards the hazard: chance agreement reaches that far.
const SURE: u32 = 5;

/// Counters that fade, so that they follow the stream.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Learnt {
    ends: f64,
    exposures: f64,
    kept: [f64; LEVELS],
    asked: [f64; LEVELS],
}

impl Learnt {
    pub(crate) fn new() -> Self {
        Learnt { ends: 1.0, exposures: 50.0, kept: [1.0; LEVELS], asked: [2.0; LEVELS] }
    }

    /// All that was learnt, to be kept.
    pub(crate) fn values(&self) -> Vec<f64> {
        [self.ends, self.exposures].into_iter().chain(self.kept).chain(self.asked).collect()
    }

    /// Reads what [`Learnt::values`] gave.
    pub(crate) fn from_values(values: &[f64]) -> Option<Self> {
        let (&[ends, exposures], rest) = values.split_first_chunk()?;
        let (kept, asked) = rest.split_at_checked(LEVELS)?;
        Some(Learnt { ends, exposures, kept: kept.try_into().ok()?, asked: asked.try_into().ok()? })
    }

    /// What two streams have taught, each as much as the other.
    pub(crate) fn mean(&self, other: &Learnt) -> Self {
        let values: Vec<f64> =
            self.values().iter().zip(other.values()).map(|(one, other)| (one + other) / 2.0).collect();
        Self::from_values(&values).expect("as many values as there were")
    }

    /// The probability that a copied passage ends at the next token.
    pub(crate) fn hazard(&self) -> f64 {
        (0.5 * self.ends / self.exposures).clamp(0.002, 0.2)
    }

    /// The probability that an anchor of this level that was stored is still there.
    pub(crate) fn retention(&self, level: u8) -> f64 {
        let level = usize::from(level.min(TOP_LEVEL));
        (self.kept[level] / self.asked[level]).clamp(0.02, 0.995)
    }

    /// [`Learnt::retention`] of every level.
    pub(crate) fn retentions(&self) -> Vec<f64> {
        (0..=TOP_LEVEL).map(|level| self.retention(level)).collect()
    }

    /// A document is over.
    pub(crate) fn fade(&mut self) {
        self.ends *= 0.9999;
        self.exposures *= 0.9999;
    }

    /// Where the text on one side of a hit agrees throughout, the other side shows how soon passages end.
    pub(crate) fn learn_ends(&mut self, hits: &[Hit]) {
        // Whole numbers are added up first: one after the other, each addition would wait for the one before.
        let (mut exposures, mut ends) = (0, 0);
        for hit in hits {
            for (full, side, open) in [(hit.left, hit.right, hit.right_open), (hit.right, hit.left, hit.left_open)] {
                // Nothing is added where nothing is shown, which is hard to foretell.
                let shows = u32::from((full == SKIRT) & (side >= SURE));
                let closed = shows & u32::from(!open);
                exposures += i64::from(shows * side.saturating_sub(SURE)) - i64::from(closed);
                ends += i64::from(closed);
            }
        }
        // An end so near that none of the tokens before it counts takes one away: many of them may leave less than nothing.
        self.exposures = (self.exposures + exposures as f64).max(1.0);
        self.ends += ends as f64;
    }

    /// An anchor inside a copied passage was there, or was not.
    pub(crate) fn learn_retention(&mut self, level: u8, found: bool) {
        let level = usize::from(level.min(TOP_LEVEL));
        self.kept[level] = self.kept[level] * 0.9998 + f64::from(u8::from(found));
        self.asked[level] = self.asked[level] * 0.9998 + 1.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retention_follows_what_is_seen() {
        let mut learnt = Learnt::new();
        assert_eq!(learnt.retention(2), 0.5);
        (0..20_000).for_each(|n| learnt.learn_retention(2, n % 4 == 0));
        assert!((learnt.retention(2) - 0.25).abs() < 0.01);
        assert_eq!(learnt.retention(3), 0.5, "levels are told apart");
        (0..50_000).for_each(|_| learnt.learn_retention(2, false));
        assert_eq!(learnt.retention(2), 0.02);
    }

    #[test]
    fn hazard_follows_what_is_seen() {
        let open = Hit { left: SKIRT, right: SKIRT, left_open: true, right_open: true, ..Hit::default() };
        let closed = Hit { right: 7, right_open: false, ..open };
        let mut learnt = Learnt::new();
        let before = learnt.hazard();
        learnt.learn_ends(&[closed; 100]);
        let often = learnt.hazard();
        learnt.learn_ends(&[open; 10_000]);
        assert!(before < often && learnt.hazard() < before);
    }

    /// An end behind the fifth token shows no token at which the passage went on.
    #[test]
    fn passages_that_all_end_at_once_have_the_highest_hazard() {
        let soon = Hit { left: SKIRT, right: SURE, left_open: true, ..Hit::default() };
        let mut learnt = Learnt::new();
        learnt.learn_ends(&[soon; 1000]);
        assert_eq!(learnt.hazard(), 0.2);
        let open = Hit { right: SKIRT, right_open: true, ..soon };
        (0..100).for_each(|_| learnt.learn_ends(&[open; 10_000]));
        assert_eq!(learnt.hazard(), 0.002, "and none that is not forgotten again");
    }
}

//! What Headwater's own algorithm learns from the stream as it goes: how often a copied passage ends, how likely
//! the table is to have kept an anchor of a given level, and how much less likely old text is to be copied than young text.

use super::super::anchor::TOP_LEVEL;
use super::super::skirt::SKIRT;
use super::super::table::doublings;
use super::aligned::Hit;

const LEVELS: usize = TOP_LEVEL as usize + 1;
/// Tokens beyond a hit that do not count towards the hazard: chance agreement reaches that far.
const SURE: u32 = 5;
/// What is left of a counter after a document.
const FADING: f64 = 0.9999;
/// Of the ages in the table: where all are alike they tell nothing.
const LEAST_VARIANCE: f64 = 0.5;

/// Counters that fade, so that they follow the stream.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Learnt {
    ends: f64,
    exposures: f64,
    kept: [f64; LEVELS],
    asked: [f64; LEVELS],
    /// How old what the table holds is, and what of it is copied.
    present: Ages,
    copied: Ages,
}

/// Ages in doublings: how many, their sum, and the sum of their squares.
#[derive(Clone, Copy, Debug)]
struct Ages([f64; 3]);

impl Ages {
    /// As if so many ages had been seen with this mean and variance.
    fn new(count: f64, mean: f64, variance: f64) -> Self {
        Ages([count, count * mean, count * (variance + mean * mean)])
    }

    fn add(&mut self, age: i16, times: f64) {
        let age = f64::from(age) / 8.0;
        let [count, sum, squares] = &mut self.0;
        *count += times;
        *sum += times * age;
        *squares += times * age * age;
    }

    fn fade(&mut self) {
        self.0.iter_mut().for_each(|value| *value *= FADING);
    }

    fn mean(&self) -> f64 {
        self.0[1] / self.0[0]
    }

    fn variance(&self) -> f64 {
        self.0[2] / self.0[0] - self.mean() * self.mean()
    }
}

impl Learnt {
    pub(crate) fn new() -> Self {
        // Ages as they are of some hundred documents, and a decline of about a third of a point: streams will tell otherwise soon.
        let (present, copied) = (Ages::new(1000.0, 8.0, 8.0), Ages::new(10.0, 6.0, 8.0));
        Learnt { ends: 1.0, exposures: 50.0, kept: [1.0; LEVELS], asked: [2.0; LEVELS], present, copied }
    }

    /// All that was learnt, to be kept.
    pub(crate) fn values(&self) -> Vec<f64> {
        let ages = self.present.0.into_iter().chain(self.copied.0);
        [self.ends, self.exposures].into_iter().chain(self.kept).chain(self.asked).chain(ages).collect()
    }

    /// Reads what [`Learnt::values`] gave. Tables of the first days know nothing of ages.
    pub(crate) fn from_values(values: &[f64]) -> Option<Self> {
        let (&[ends, exposures], rest) = values.split_first_chunk()?;
        let (&kept, rest) = rest.split_first_chunk()?;
        let (&asked, ages) = rest.split_first_chunk()?;
        let (present, copied) = match *ages {
            [] => (Learnt::new().present, Learnt::new().copied),
            [a, b, c, d, e, f] => (Ages([a, b, c]), Ages([d, e, f])),
            _ => return None,
        };
        Some(Learnt { ends, exposures, kept, asked, present, copied })
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
        self.ends *= FADING;
        self.exposures *= FADING;
        self.present.fade();
        self.copied.fade();
    }

    /// An entry of this age, in [`doublings`], is in the table.
    pub(crate) fn learn_present(&mut self, age: i16) {
        self.present.add(age, 1.0);
    }

    /// So many entries of this age, in documents, were of use.
    pub(crate) fn learn_copied(&mut self, age: u32, entries: usize) {
        self.copied.add(doublings(age), entries as f64);
    }

    /// How much less likely text is to be copied for every doubling of its age, in doublings.
    ///
    /// If what is there has ages (as logarithms) of a normal distribution, and its chance of being copied falls with a power of the
    /// age, then what is copied is younger by that power times the variance.
    pub(crate) fn decline(&self) -> f64 {
        let younger = self.present.mean() - self.copied.mean();
        younger / (std::f64::consts::LN_2 * self.present.variance().max(LEAST_VARIANCE))
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

    /// Of entries of every age from 1 to 2^16, those are copied that a power of the age chooses: the power is found again.
    #[test]
    fn decline_follows_what_is_seen() {
        for power in [0.0, 0.3, -0.2] {
            let mut learnt = Learnt::new();
            for doubling in 0..=160u32 {
                let x = f64::from(doubling) / 10.0;
                let age = x.exp2() as u32;
                // A normal distribution of logarithms, as the doc comment has it.
                let there = (1e5 * (-(x - 8.0).powi(2) / 8.0).exp()) as usize;
                (0..there / 100).for_each(|_| learnt.learn_present(doublings(age)));
                learnt.learn_copied(age, (there as f64 * (-power * x).exp2()) as usize);
            }
            assert!((learnt.decline() - power).abs() < 0.06, "{power}: {}", learnt.decline());
        }
    }

    #[test]
    fn what_was_learnt_comes_back_also_from_before_ages_were_known() {
        let mut learnt = Learnt::new();
        learnt.learn_copied(3, 1000);
        learnt.learn_present(doublings(1 << 20));
        let values = learnt.values();
        assert_eq!(Learnt::from_values(&values).map(|again| again.values()), Some(values.clone()));
        let earlier = Learnt::from_values(&values[..values.len() - 6]).expect("as it was before");
        assert_eq!(earlier.decline(), Learnt::new().decline());
        assert!(Learnt::from_values(&values[..values.len() - 1]).is_none());
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

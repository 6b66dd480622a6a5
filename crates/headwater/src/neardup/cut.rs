//! A threshold read off the collection itself, for whoever names none.
//!
//! What documents share anyway (a navigation, a legal phrase, a stock sentence) and what copies share are two hills on the line of
//! likenesses, and how high the first one reaches depends on the collection. So the cut is made in the valley between them, on a
//! logarithmic scale. A valley counts only if it is deeper than chance makes one, if what lies above it is rare among all
//! pairs, and if documents above it come in groups: of two that are like a third, most are like each other.
//!
//! Where there is no such valley there may be no first hill: documents that share nothing by chance. Then whoever shares anything
//! does so in groups, and every shared passage counts. Else nothing is known, and the usual threshold stays.

use super::likenesses::{Likenesses, STEP};

/// A threshold and what speaks for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cut {
    /// The least likeness that counts.
    pub threshold: f64,
    /// Why this one.
    pub reason: Reason,
}

/// Why a threshold was chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reason {
    /// Likenesses have a valley there.
    Valley {
        /// How many pairs are at its bottom for each one on the lower of the hills beside it, from 0 to 3/4: the less, the surer.
        depth: f64,
    },
    /// Hardly any documents share anything, and those that do come in groups.
    NothingByChance,
    /// The likenesses say nothing: the usual threshold.
    Usual,
}

/// How far likenesses are smoothed, in natural logarithms: a seventh up or down.
const WIDTH: f64 = 0.15;

/// How many standard deviations a valley must be deep.
const DEVIATIONS: f64 = 4.0;

/// The bottom of a valley is at most so high, beside the lower of its hills.
const MOST_DEPTH: f64 = 0.75;

/// Below this there is no cut: who shares less than a twentieth is not nearly the same, and a valley there is between one kind of
/// chance and another. Documents of very different length have likenesses near 0 of all sizes.
const LEAST_CUT: f64 = 0.05;

/// What is above a cut is at most this share of all pairs.
const MOST_SHARE: f64 = 0.2;

/// Of two documents that are like a third, so many must be like each other.
const LEAST_CLOSURE: f64 = 2.0 / 3.0;

/// The same where every shared passage is to count.
const LEAST_CLOSURE_OF_ALL: f64 = 0.8;

/// Fewer pairs, or pairs of neighbours, say nothing.
const LEAST_SEEN: u64 = 16;

/// Where documents have more partners than this, they share by chance.
const MOST_PARTNERS: f64 = 10.0;

impl Cut {
    /// The threshold that was there before.
    pub(super) fn usual(threshold: f64) -> Self {
        Cut { threshold, reason: Reason::Usual }
    }

    /// The threshold for a collection of so many different sets. `telling`: whether features are never shared by chance.
    pub(super) fn of(likenesses: &Likenesses<'_>, sets: u32, telling: bool, usual: f64) -> Self {
        if likenesses.alike < LEAST_SEEN {
            return Cut::usual(usual);
        }
        if let Some((threshold, depth)) = deepest_valley(likenesses) {
            return Cut { threshold, reason: Reason::Valley { depth } };
        }
        if telling && is_nothing_by_chance(likenesses, sets) {
            return Cut { threshold: rounded_down(likenesses.least), reason: Reason::NothingByChance };
        }
        Cut::usual(usual)
    }
}

fn is_nothing_by_chance(likenesses: &Likenesses<'_>, sets: u32) -> bool {
    let share = likenesses.alike as f64 / likenesses.compared.max(1) as f64;
    let (closure, seen) = likenesses.closure(0.0);
    share <= MOST_SHARE
        && share * f64::from(sets) <= MOST_PARTNERS
        && seen >= LEAST_SEEN
        && closure.is_some_and(|closure| closure >= LEAST_CLOSURE_OF_ALL)
}

/// The threshold and the depth of the deepest valley that counts.
fn deepest_valley(likenesses: &Likenesses<'_>) -> Option<(f64, f64)> {
    let mut best = None;
    for valley in valleys(&likenesses.steps) {
        let threshold = (-(valley.step as f64 + 0.5) * STEP).exp();
        let is_deeper = best.is_none_or(|(_, depth)| valley.depth < depth);
        if is_deeper
            && threshold >= LEAST_CUT
            && valley.deviations >= DEVIATIONS
            && valley.depth <= MOST_DEPTH
            && likenesses.share_up_to(valley.step) <= MOST_SHARE
            // Where all are pairs there is nothing to be closed.
            && likenesses.closure(threshold).0.is_none_or(|closure| closure >= LEAST_CLOSURE)
        {
            best = Some((rounded(threshold), valley.depth));
        }
    }
    best
}

/// Where smoothed counts are lower than on both sides.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Valley {
    step: usize,
    /// The count there, over the lower of the two highest counts beside it.
    depth: f64,
    /// How many standard deviations it is below that one.
    deviations: f64,
}

/// All valleys, from a likeness of 1 downwards.
fn valleys(steps: &[u64]) -> Vec<Valley> {
    let heights = smoothed(steps);
    let running = |heights: &mut dyn Iterator<Item = f64>| {
        heights
            .scan(0.0f64, |highest, height| {
                *highest = highest.max(height);
                Some(*highest)
            })
            .collect::<Vec<f64>>()
    };
    let above = running(&mut heights.iter().copied());
    let below = running(&mut heights.iter().rev().copied());
    let mut valleys = Vec::new();
    let mut begin = 0;
    for run in heights.chunk_by(|one, next| one == next) {
        let end = begin + run.len();
        if begin > 0 && end < heights.len() && heights[begin - 1] > run[0] && heights[end] > run[0] {
            let hill = above[begin].min(below[heights.len() - 1 - begin]);
            valleys.push(Valley {
                step: begin + (run.len() - 1) / 2,
                depth: run[0] / hill,
                // The square root of a count has the same deviation everywhere: a half.
                deviations: std::f64::consts::SQRT_2 * (hill.sqrt() - run[0].sqrt()),
            });
        }
        begin = end;
    }
    valleys
}

/// How many pairs a bell curve around each step covers; at a likeness of 1 counts are mirrored, because there can be none above it.
fn smoothed(steps: &[u64]) -> Vec<f64> {
    let reach = (4.0 * WIDTH / STEP) as usize;
    // As high at its middle as to cover as many pairs as an equally telling window with sharp ends would.
    let curve: Vec<f64> = (0..=reach)
        .map(|away| (-0.5 * (away as f64 * STEP / WIDTH).powi(2)).exp() * std::f64::consts::SQRT_2)
        .collect();
    let mut heights = vec![0.0; steps.len()];
    for (step, &count) in steps.iter().enumerate().filter(|&(_, &count)| count > 0) {
        let count = count as f64;
        for (at, height) in heights.iter_mut().enumerate().take(step + reach + 1).skip(step.saturating_sub(reach)) {
            *height += count * curve[at.abs_diff(step)];
        }
        for (at, height) in heights.iter_mut().enumerate().take(reach.saturating_sub(step)) {
            *height += count * curve[at + step + 1];
        }
    }
    heights
}

/// To three digits behind the point, which is more than a likeness can say.
fn rounded(threshold: f64) -> f64 {
    (threshold * 1000.0).round() / 1000.0
}

/// To four digits, never above what it was.
fn rounded_down(threshold: f64) -> f64 {
    let rounded = (threshold * 10_000.0).floor() / 10_000.0;
    if rounded > 0.0 { rounded } else { threshold }
}

#[cfg(test)]
mod tests {
    use super::super::collection::Sets;
    use super::super::measure::Measure;
    use super::super::workers::Alone;
    use super::*;
    use crate::text::mix;

    /// The cut of sets of small numbers.
    fn cut(of: &[Vec<u64>], telling: bool) -> Cut {
        let mut sets = Sets::default();
        for set in of {
            sets.push(&set.iter().copied().map(mix).collect::<Vec<_>>());
        }
        let members: Vec<u32> = (0..sets.len()).collect();
        Cut::of(&Likenesses::measure(&sets, &members, Measure::Jaccard, &Alone), sets.len(), telling, 0.5)
    }

    /// Documents of a hundred features of their own, of which the first `common` are everybody's.
    fn documents(count: u64, common: impl Fn(u64) -> u64) -> Vec<Vec<u64>> {
        let own = |document: u64, from: u64| (from..100).map(move |n| 1000 * (document + 1) + n);
        (0..count).map(|document| (0..common(document)).chain(own(document, common(document))).collect()).collect()
    }

    /// The same documents with a copy each, of which `edited` features differ.
    fn with_copies(documents: Vec<Vec<u64>>, edited: impl Fn(u64) -> u64) -> Vec<Vec<u64>> {
        let copy = |(number, document): (u64, &Vec<u64>)| {
            let kept = document.len() - edited(number) as usize;
            let new = (0..edited(number)).map(|n| 1_000_000 * (number + 1) + n);
            document[..kept].iter().copied().chain(new).collect()
        };
        let copies: Vec<Vec<u64>> = (0..).zip(&documents).map(copy).collect();
        documents.into_iter().chain(copies).collect()
    }

    /// The cut lies between what all share and what copies share, however much all share.
    #[test]
    fn the_cut_is_between_what_all_share_and_what_copies_share() {
        for (common, edited) in [(2, 60), (10, 30), (30, 10)] {
            let of = with_copies(documents(30, |n| common + n % 3), |n| edited + n % 5);
            let Cut { threshold, reason } = cut(&of, true);
            assert!(matches!(reason, Reason::Valley { depth } if depth < 0.1), "{common} {reason:?}");
            let anyway = (common + 2) as f64 / (200 - common - 2) as f64;
            let copies = (100 - edited - 4) as f64 / (100 + edited + 4) as f64;
            assert!(anyway < threshold && threshold < copies, "{anyway} {threshold} {copies}");
        }
    }

    /// Groups that share a little or much, and nothing with each other: what is shared at all counts, if that is telling.
    #[test]
    fn where_nothing_is_shared_by_chance_all_that_is_shared_counts() {
        // The first so many features are those of the group, from a few to most of them.
        let document = |number: u64| {
            let common = 2 + mix(number) % (4 << (number % 5));
            let (group, own) = (number / 6 * 1000, 100_000 * (number + 1));
            (group..group + common).chain(own + common..own + 100).collect()
        };
        let of: Vec<Vec<u64>> = (0..60).map(document).collect();
        let found = cut(&of, true);
        assert_eq!(found.reason, Reason::NothingByChance);
        assert!(found.threshold > 0.0 && found.threshold <= 2.0 / 100.0);
        assert_eq!(cut(&of, false), Cut::usual(0.5));
    }

    /// What most pairs share is no sign of copying, and a few pairs are no sign of anything.
    #[test]
    fn where_likenesses_say_nothing_the_usual_threshold_stays() {
        assert_eq!(cut(&[], true), Cut::usual(0.5));
        assert_eq!(cut(&documents(3, |_| 50), true), Cut::usual(0.5));
        assert_eq!(cut(&documents(40, |n| 20 + n), true), Cut::usual(0.5));
    }

    /// Twelve documents share a hundredth of their features and twelve others a thousandth: neither are nearly the same.
    #[test]
    fn a_valley_between_likenesses_near_nothing_is_no_cut() {
        let document = |number: u64| {
            let common = [20, 2, 0, 0, 0][(number / 12) as usize];
            let (group, own) = (number / 12 * 1000, 100_000 * (number + 1));
            (group..group + common).chain(own + common..own + 2000).collect()
        };
        let of: Vec<Vec<u64>> = (0..60).map(document).collect();
        assert_eq!(cut(&of, false), Cut::usual(0.5));
    }

    #[test]
    fn a_valley_is_in_the_middle_of_its_bottom() {
        let mut steps = vec![0; 200];
        (steps[2], steps[102]) = (100, 400);
        let found = valleys(&steps);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].step, found[0].depth), (52, 0.0));
        assert!(valleys(&[5; 40]).iter().all(|valley| valley.deviations < DEVIATIONS));
    }
}

//! Relative sizes, overlaps and joint coverage of collections, with error bars.
//!
//! Shares have exact binomial intervals. Sizes hang on many shares at once: their intervals come from a Bayesian bootstrap (Rubin 1981)
//! of the drawn documents. To each sample are added two half documents, one that all collections have and one that no other has:
//! Jeffreys' prior for a share. That is why even no overlap at all has an interval, and never a division by zero.

use super::interval::{Interval, binomial};
use super::random::Random;
use super::sample::{Group, Members, Sample};
use super::solve::relative_sizes;

/// How to estimate.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// How often an interval holds the truth.
    pub confidence: f64,
    /// How many times the bootstrap draws.
    pub replicates: usize,
    /// Where its chance begins.
    pub seed: u64,
}

/// The answer.
#[derive(Clone, Debug)]
pub struct Census {
    /// One for each collection.
    pub collections: Vec<Size>,
    /// One for each ordered pair of different collections: those of the first, then of the second …
    pub overlap: Vec<Overlap>,
}

/// How large a collection is.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Its size beside the first collection's; none where no overlap connects the two.
    pub relative: Option<f64>,
    /// Where the truth lies.
    pub interval: Interval,
    /// The share that it has of what all collections have together: Bharat and Broder's joint coverage of 100 %.
    pub coverage: Option<f64>,
    /// Where the truth lies.
    pub coverage_interval: Interval,
}

/// How much of a collection another one has.
#[derive(Clone, Copy, Debug)]
pub struct Overlap {
    /// The collection that was drawn from.
    pub of: usize,
    /// The one that was asked.
    pub within: usize,
    /// The share of the former that the latter has; none where nothing could be drawn.
    pub share: Option<f64>,
    /// Where the truth lies.
    pub interval: Interval,
    /// Documents that were drawn and checked.
    pub sample: u64,
    /// What they are worth in uniform draws.
    pub effective: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { confidence: 0.95, replicates: 2000, seed: 1 }
    }
}

impl Census {
    /// Estimates from a sample of each collection.
    pub fn new(samples: &[Sample], settings: &Settings) -> Self {
        let collections = samples.len();
        let mut overlap = Vec::new();
        for (of, sample) in samples.iter().enumerate() {
            let effective = sample.effective();
            for within in (0..collections).filter(|&within| within != of) {
                let share = sample.share_in(within);
                let interval = binomial(share.unwrap_or(0.0) * effective, effective, settings.confidence);
                overlap.push(Overlap { of, within, share, interval, sample: sample.len(), effective });
            }
        }
        let plain: Vec<Vec<Group>> = samples.iter().map(|sample| sample.groups().collect()).collect();
        let estimate = Solution::of(&plain);
        let (mut sizes, mut coverages) = (vec![Vec::new(); collections], vec![Vec::new(); collections]);
        let mut random = Random::new(settings.seed);
        for _ in 0..settings.replicates {
            let drawn: Vec<Vec<Group>> = plain.iter().map(|groups| redraw(groups, collections, &mut random)).collect();
            let solution = Solution::of(&drawn);
            for at in 0..collections {
                sizes[at].push(solution.sizes[at].unwrap_or(f64::INFINITY));
                coverages[at].extend(solution.coverages[at]);
            }
        }
        let interval = |draws: &mut Vec<f64>| Interval::of_draws(draws, settings.confidence);
        let collections = (0..collections)
            .map(|at| Size {
                relative: estimate.sizes[at],
                interval: interval(&mut sizes[at]),
                coverage: estimate.coverages[at],
                coverage_interval: interval(&mut coverages[at]),
            })
            .collect();
        Census { collections, overlap }
    }

    /// How many documents of each collection should be drawn for sizes that are known to within this share of themselves; none
    /// where no overlap was found, so that nothing tells. Intervals shrink with the square root of the sample.
    pub fn sample_for(&self, half_width: f64) -> Option<u64> {
        let drawn = self.overlap.iter().map(|overlap| overlap.sample).max()? as f64;
        let needed = self.collections.iter().skip(1).map(|size| {
            let relative = size.relative.filter(|&relative| relative > 0.0)?;
            let half = (size.interval.high - size.interval.low) / 2.0 / relative;
            half.is_finite().then(|| drawn * (half / half_width).powi(2))
        });
        let most = needed.collect::<Option<Vec<f64>>>()?.into_iter().fold(0.0, f64::max);
        Some(most.ceil() as u64)
    }
}

/// Sizes and coverages that follow from what was drawn.
struct Solution {
    sizes: Vec<Option<f64>>,
    coverages: Vec<Option<f64>>,
}

impl Solution {
    fn of(samples: &[Vec<Group>]) -> Self {
        let collections = samples.len();
        let total = |groups: &[Group]| groups.iter().map(|group| group.total()).sum::<f64>();
        let totals: Vec<f64> = samples.iter().map(|groups| total(groups)).collect();
        let share = |x: usize, y: usize| -> f64 {
            let hits: f64 = samples[x].iter().filter(|group| group.found.has(y)).map(|group| group.total()).sum();
            if totals[x] > 0.0 { hits / totals[x] } else { 0.0 }
        };
        let sizes = relative_sizes(collections, share);
        // Of what several have, each counts its part: together they count it once.
        let part = |x: usize| -> f64 {
            let parts = samples[x].iter().map(|group| group.total() / f64::from(group.found.with(x).count()));
            if totals[x] > 0.0 { parts.sum::<f64>() / totals[x] } else { 1.0 }
        };
        let together: Option<f64> = sizes.iter().enumerate().map(|(x, size)| size.map(|size| size * part(x))).sum();
        let coverages = sizes.iter().map(|size| Some((*size)? / together?)).collect();
        Solution { sizes, coverages }
    }
}

/// The documents once more, each with a chance weight; and the prior's.
fn redraw(groups: &[Group], collections: usize, random: &mut Random) -> Vec<Group> {
    let (total, count) =
        groups.iter().fold((0.0, 0), |(total, count), group| (total + group.total(), count + group.count));
    let mean = if count > 0 { total / count as f64 } else { 1.0 };
    let mut drawn: Vec<Group> = groups
        .iter()
        .map(|group| Group { count: 1, weight: group.weight * random.gamma(group.count as f64), found: group.found })
        .collect();
    for found in [Members::all(collections), Members::NONE] {
        drawn.push(Group { count: 1, weight: mean * random.gamma(0.5), found });
    }
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sample of one of two collections, of which so many are in the other too.
    fn sample(hits: u64, drawn: u64, other: usize) -> Sample {
        let mut sample = Sample::new();
        (0..hits).for_each(|_| sample.push(1.0, Members::NONE.with(other)));
        (hits..drawn).for_each(|_| sample.push(1.0, Members::NONE));
        sample
    }

    #[test]
    fn the_slides_example_with_error_bars() {
        // 1/2 of A in B and 1/6 of B in A: B is three times as large, and the two are 1/2 + 3 large together.
        let census = Census::new(&[sample(300, 600, 1), sample(100, 600, 0)], &Settings::default());
        let (a, b) = (census.collections[0], census.collections[1]);
        assert_eq!((a.relative, a.interval), (Some(1.0), Interval { low: 1.0, high: 1.0 }));
        assert!((b.relative.unwrap() - 3.0).abs() < 1e-9);
        assert!(
            b.interval.low > 2.3 && b.interval.low < 2.8 && b.interval.high > 3.3 && b.interval.high < 3.9,
            "{b:?}"
        );
        assert!((a.coverage.unwrap() - 1.0 / 3.5).abs() < 1e-9 && (b.coverage.unwrap() - 3.0 / 3.5).abs() < 1e-9);
        assert!(b.coverage_interval.contains(3.0 / 3.5));
        let overlap = census.overlap[1];
        assert_eq!((overlap.of, overlap.within, overlap.sample), (1, 0, 600));
        assert!(overlap.interval.contains(1.0 / 6.0) && overlap.interval.high < 0.2);
        let needed = census.sample_for(0.05).unwrap();
        assert!((5_000..15_000).contains(&needed), "{needed}");
    }

    #[test]
    fn no_overlap_at_all_has_an_interval() {
        let census = Census::new(&[sample(0, 1000, 1), sample(0, 1000, 0)], &Settings::default());
        let size = census.collections[1];
        assert_eq!((size.relative, size.coverage, census.sample_for(0.1)), (None, None, None));
        assert!(size.interval.low < 0.01 && size.interval.high > 100.0 && size.interval.high.is_finite(), "{size:?}");
        let overlap = census.overlap[0];
        assert_eq!((overlap.share, overlap.interval.low), (Some(0.0), 0.0));
        assert!((overlap.interval.high - 0.003_68).abs() < 1e-4, "{overlap:?}");
    }

    #[test]
    fn one_document_says_little_and_none_nothing() {
        let census = Census::new(&[sample(1, 1, 1), sample(1, 1, 0)], &Settings::default());
        assert_eq!(census.collections[1].relative, Some(1.0));
        assert!(census.collections[1].interval.contains(0.5) && census.collections[1].interval.contains(2.0));
        let census = Census::new(&[sample(1, 1, 1), Sample::new()], &Settings::default());
        assert_eq!((census.collections[1].relative, census.overlap[1].share), (None, None));
        assert_eq!(census.overlap[1].interval, Interval { low: 0.0, high: 1.0 });
        assert!(Census::new(&[], &Settings::default()).collections.is_empty());
    }

    #[test]
    fn intervals_hold_the_truth_as_often_as_they_say() {
        let mut random = Random::new(11);
        for (a_in_b, b_in_a) in [(0.5, 0.5), (0.9, 0.09), (0.1, 0.02)] {
            let mut held = 0;
            for _ in 0..300 {
                let mut draw = |share: f64, other: usize| {
                    let hits = (0..400).filter(|_| random.chance(share)).count();
                    sample(hits as u64, 400, other)
                };
                let samples = [draw(a_in_b, 1), draw(b_in_a, 0)];
                let census = Census::new(&samples, &Settings { replicates: 400, ..Settings::default() });
                held += u32::from(census.collections[1].interval.contains(a_in_b / b_in_a));
            }
            assert!(held >= 275, "{held} of 300 hold {a_in_b} / {b_in_a}");
        }
    }

    #[test]
    fn three_collections_cover_each_part_once() {
        // A: 1..=6, B: 4..=9, C: 7..=12, each document drawn once.
        let (ranges, collections) = ([1..=6, 4..=9, 7..=12], 3);
        let samples: Vec<Sample> = ranges
            .iter()
            .map(|range| {
                let mut sample = Sample::new();
                range.clone().for_each(|n| sample.push(1.0, Members::of(collections, |at| ranges[at].contains(&n))));
                sample
            })
            .collect();
        let census = Census::new(&samples, &Settings::default());
        for size in &census.collections {
            assert!(
                (size.relative.unwrap() - 1.0).abs() < 1e-9 && (size.coverage.unwrap() - 0.5).abs() < 1e-9,
                "{size:?}"
            );
        }
        assert_eq!(census.overlap.len(), 6);
    }
}

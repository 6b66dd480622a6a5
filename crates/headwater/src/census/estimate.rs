//! Relative sizes, overlaps and joint coverage of collections, with error bars.
//!
//! Shares have exact binomial intervals; of a collection that was drawn whole, they are known. Sizes hang on many shares at
//! once: their intervals come from a Bayesian bootstrap (Rubin 1981) of the drawn documents. To each sample are added two half
//! documents, one that all collections have and one that no other has: Jeffreys' prior for a share. That is why even no
//! overlap at all has an interval, and never a division by zero.
//!
//! Where the draws themselves tell a size too, by their weights (Broder et al. 2006, see [`RandomQueries`](super::RandomQueries)) or by how
//! far a random order had to be gone through ([`Catalogue::draw`](super::Catalogue::draw)), the two are mixed: as a geometric mean,
//! each as much as makes the bootstrap's variance least. Overlaps of collections of very different size tell little, since hardly
//! anything of the larger is in the smaller; draws do not mind.

use super::interval::{Interval, binomial};
use super::random::Random;
use super::sample::{Evidence, Group, Members, Sample};
use super::solve::relative_sizes;

/// By how much the intervals of sizes are wider than the bootstrap's, in logarithms, were the sample worth nothing. Heavy weights that were not
/// drawn are not drawn again either, and documents that queries hardly reach leave no trace in a sample. Chosen by how often intervals
/// held the truth on three collections, and measured on a fourth (`bench/record/2026-11-16-census.md`).
const STRETCH: f64 = 0.4;

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
    /// Its size beside the first collection's; none where no overlap connects the two and the draws do not tell it.
    pub relative: Option<f64>,
    /// Where the truth lies.
    pub interval: Interval,
    /// What the overlaps alone say.
    pub by_overlap: Option<f64>,
    /// What the draws themselves say.
    pub by_draws: Option<f64>,
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
                let interval = match share {
                    Some(share) if sample.is_whole() => Interval { low: share, high: share },
                    share => binomial(share.unwrap_or(0.0) * effective, effective, settings.confidence),
                };
                overlap.push(Overlap { of, within, share, interval, sample: sample.len(), effective });
            }
        }
        let drawn: Vec<Drawing> = samples.iter().map(Drawing::of).collect();
        let found = Solution::of(&drawn);
        let mut random = Random::new(settings.seed);
        let mut redrawn =
            || Solution::of(&drawn.iter().map(|one| one.again(collections, &mut random)).collect::<Vec<_>>());
        let replicates: Vec<Solution> = (0..settings.replicates).map(|_| redrawn()).collect();
        // A size that was counted needs no overlap, which says the same but for rounding, or less where near-duplicates count.
        let is_counted = |at: usize| samples[0].is_whole() && samples[at].is_whole();
        let trust = |at: usize| if is_counted(at) { 0.0 } else { found.trust_in_overlap(&replicates, at) };
        let trusts: Vec<f64> = (0..collections).map(trust).collect();
        let answer = found.answer(&trusts);
        let answers: Vec<Answer> = replicates.iter().map(|replicate| replicate.answer(&trusts)).collect();
        let worth = samples.iter().map(|sample| sample.effective() / sample.len().max(1) as f64).fold(1.0, f64::min);
        let wider = 1.0 + STRETCH * (1.0 - worth);
        let interval = |of: &dyn Fn(&Answer) -> Option<f64>| {
            let mut draws: Vec<f64> = answers.iter().filter_map(of).collect();
            let Interval { low, high } = Interval::of_draws(&mut draws, settings.confidence);
            let stretched = |end: f64, middle: f64| middle * (end / middle).powf(wider);
            match of(&answer) {
                // The bootstrap's prior can lie to one side of an estimate at the end of its range; the interval holds the estimate too.
                Some(middle) if middle > 0.0 && middle.is_finite() => {
                    let (low, high) = (low.min(middle), high.max(middle));
                    if worth >= 1.0 {
                        Interval { low, high }
                    } else {
                        Interval { low: stretched(low, middle), high: stretched(high, middle) }
                    }
                }
                // Where nothing tells the size, the bootstrap's prior is all there is.
                _ => Interval { low, high },
            }
        };
        let collections = (0..collections)
            .map(|at| Size {
                relative: answer.sizes[at],
                interval: interval(&|answer| Some(answer.sizes[at].unwrap_or(f64::INFINITY))),
                by_overlap: found.by_overlap[at],
                by_draws: found.by_draws[at],
                coverage: answer.coverages[at],
                coverage_interval: within_one(interval(&|answer| answer.coverages[at])),
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

/// No share is above 1, however far an interval was stretched.
fn within_one(Interval { low, high }: Interval) -> Interval {
    Interval { low: low.min(1.0), high: high.min(1.0) }
}

/// What was drawn from one collection, or might have been.
#[derive(Clone)]
struct Drawing {
    groups: Vec<Group>,
    evidence: Option<Evidence>,
    /// The size that it tells.
    size: Option<f64>,
    /// Whether that is the whole collection, which every other drawing would be too.
    is_whole: bool,
}

impl Drawing {
    fn of(sample: &Sample) -> Self {
        Drawing {
            groups: sample.groups().collect(),
            evidence: sample.evidence(),
            size: sample.size(),
            is_whole: sample.is_whole(),
        }
    }

    /// The documents once more, each with a chance weight; and the prior's.
    fn again(&self, collections: usize, random: &mut Random) -> Self {
        if self.is_whole {
            return self.clone();
        }
        let (mut total, mut count, mut redrawn_total, mut redrawn_count) = (0.0, 0, 0.0, 0.0);
        let mut groups = Vec::with_capacity(self.groups.len() + 2);
        for group in &self.groups {
            let chance = random.gamma(group.count as f64);
            total += group.total();
            count += group.count;
            redrawn_total += group.weight * chance;
            redrawn_count += chance;
            groups.push(Group { count: 1, weight: group.weight * chance, found: group.found });
        }
        let mean = if count > 0 { total / count as f64 } else { 1.0 };
        for found in [Members::all(collections), Members::NONE] {
            groups.push(Group { count: 1, weight: mean * random.gamma(0.5), found });
        }
        let mut gamma = |shape: f64| if shape > 0.0 { random.gamma(shape) } else { 0.0 };
        let size = self.evidence.map(|evidence| match evidence {
            Evidence::Trials(trials) => redrawn_total / (redrawn_count + gamma(trials.saturating_sub(count) as f64)),
            // How many lie beyond the reach has a negative binomial distribution; a gamma one with its mean and variance is near enough.
            Evidence::Reach(reach) => {
                let beyond = gamma(count as f64 * (1.0 - reach)) / reach;
                redrawn_total / redrawn_count * (count as f64 + beyond)
            }
        });
        Drawing { groups, evidence: self.evidence, size: size.filter(|size| size.is_finite()), is_whole: false }
    }
}

/// What follows from drawings.
struct Solution {
    by_overlap: Vec<Option<f64>>,
    by_draws: Vec<Option<f64>>,
    /// Of each collection, what it has of all, where what several have is divided among them.
    parts: Vec<f64>,
}

/// Sizes, by overlap and by weights.
struct Answer {
    sizes: Vec<Option<f64>>,
    coverages: Vec<Option<f64>>,
}

impl Solution {
    fn of(drawn: &[Drawing]) -> Self {
        let total = |groups: &[Group]| groups.iter().map(|group| group.total()).sum::<f64>();
        let totals: Vec<f64> = drawn.iter().map(|drawn| total(&drawn.groups)).collect();
        let share = |x: usize, y: usize| -> f64 {
            let hits: f64 = drawn[x].groups.iter().filter(|group| group.found.has(y)).map(|group| group.total()).sum();
            if totals[x] > 0.0 { hits / totals[x] } else { 0.0 }
        };
        let by_overlap = relative_sizes(drawn.len(), share);
        let first = drawn.first().and_then(|drawn| drawn.size).filter(|&size| size > 0.0);
        let by_draws = drawn.iter().map(|drawn| Some(drawn.size.filter(|&size| size > 0.0)? / first?)).collect();
        // Of what several have, each counts its part: together they count it once.
        let part = |x: usize| -> f64 {
            let parts = drawn[x].groups.iter().map(|group| group.total() / f64::from(group.found.with(x).count()));
            if totals[x] > 0.0 { parts.sum::<f64>() / totals[x] } else { 1.0 }
        };
        Solution { by_overlap, by_draws, parts: (0..drawn.len()).map(part).collect() }
    }

    /// How much of the logarithm of a size comes from the overlaps, so that its variance over the replicates is least.
    fn trust_in_overlap(&self, replicates: &[Solution], at: usize) -> f64 {
        match (self.by_overlap[at], self.by_draws[at]) {
            (_, None) => return 1.0,
            (None, _) => return 0.0,
            _ => {}
        }
        let logarithm = |size: Option<f64>| size.map(f64::ln).filter(|size| size.is_finite());
        let pairs: Vec<(f64, f64)> = replicates
            .iter()
            .filter_map(|one| Some((logarithm(one.by_overlap[at])?, logarithm(one.by_draws[at])?)))
            .collect();
        let many = pairs.len().max(1) as f64;
        let means = pairs.iter().fold((0.0, 0.0), |sum, pair| (sum.0 + pair.0 / many, sum.1 + pair.1 / many));
        let (mut one, mut both, mut other) = (0.0, 0.0, 0.0);
        for pair in pairs {
            let (x, y) = (pair.0 - means.0, pair.1 - means.1);
            one += x * x;
            both += x * y;
            other += y * y;
        }
        let difference = one + other - 2.0 * both;
        let trust = if difference > 0.0 { ((other - both) / difference).clamp(0.0, 1.0) } else { 1.0 };
        // Rounding is no evidence: what hardly counts does not count, and a size that is known exactly stays exact.
        if trust < 1e-9 { 0.0 } else { trust }
    }

    fn answer(&self, trusts: &[f64]) -> Answer {
        let mixed = |at: usize| match trusts[at] {
            1.0 => self.by_overlap[at],
            0.0 => self.by_draws[at],
            trust => Some((trust * self.by_overlap[at]?.ln() + (1.0 - trust) * self.by_draws[at]?.ln()).exp()),
        };
        let sizes: Vec<Option<f64>> = (0..trusts.len()).map(mixed).collect();
        let together: Option<f64> =
            sizes.iter().zip(&self.parts).map(|(size, part)| size.map(|size| size * part)).sum();
        // All together are at least as large as each, though parts that were estimated apart need not add up to that.
        let coverages = sizes.iter().map(|size| Some(((*size)? / together?).min(1.0))).collect();
        Answer { sizes, coverages }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::census::Catalogue;
    use crate::text::mix;

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
    fn draws_tell_sizes_where_overlaps_tell_little() {
        // 40 of 1000 and 4 of 1000: a ratio of 10 that overlaps tell to a factor of 2, and weights, of which each trial brought one, well.
        let [mut one, mut other] = [sample(40, 1000, 1), sample(4, 1000, 0)];
        let by_overlap = Census::new(&[one.clone(), other.clone()], &Settings::default()).collections[1];
        one.tried(10_500, 1000);
        other.tried(1_000, 1000);
        let size = Census::new(&[one.clone(), other.clone()], &Settings::default()).collections[1];
        assert!((by_overlap.relative.unwrap() - 10.0).abs() < 1e-9 && by_overlap.by_draws.is_none());
        assert!((size.by_draws.unwrap() - 10.5).abs() < 1e-9 && size.by_overlap == by_overlap.by_overlap);
        assert!((size.relative.unwrap() - 10.5).abs() < 0.3 && size.interval.contains(10.5), "{size:?}");
        let width = |size: Size| size.interval.high - size.interval.low;
        assert!(width(size) * 5.0 < width(by_overlap), "{size:?} {by_overlap:?}");
        // Without any overlap they are all there is.
        let mut apart = [sample(0, 500, 1), sample(0, 500, 0)];
        apart[0].tried(500, 500);
        apart[1].tried(1_000, 500);
        let size = Census::new(&apart, &Settings::default()).collections[1];
        assert_eq!((size.relative, size.by_overlap), (Some(0.5), None));
        assert!(size.interval.low > 0.4 && size.interval.high < 0.6, "{size:?}");
    }

    /// What drawing from these collections says of the size of the second.
    fn drawn(collections: &[Catalogue; 2], count: usize, seed: u64) -> Size {
        let samples = collections.each_ref().map(|collection| {
            let (draw, mut sample) = (collection.draw(count, seed), Sample::new());
            for key in draw.documents {
                sample.push(1.0, Members::of(2, |other| collections[other].contains(key)));
            }
            sample.reached(draw.reach);
            sample
        });
        Census::new(&samples, &Settings { replicates: 300, ..Settings::default() }).collections[1]
    }

    #[test]
    fn how_far_a_random_order_reached_tells_sizes() {
        // 1:20 with half shared, nothing shared, and nearly all drawn.
        for (small, large, count) in
            [(0..1000u32, 500..20_500, 300), (0..5000, 5000..15_000, 300), (0..310, 100..500, 300)]
        {
            let truth = large.len() as f64 / small.len() as f64;
            let collections =
                [small, large].map(|numbers| Catalogue::new(numbers.map(|number| mix(number.into())).collect()));
            let found: Vec<Size> = (0..100).map(|seed| drawn(&collections, count, seed)).collect();
            let held = found.iter().filter(|size| size.interval.contains(truth)).count();
            let near = found.iter().filter(|size| (size.relative.unwrap() / truth - 1.0).abs() < 0.08).count();
            assert!(held >= 90 && near >= 50, "{truth}: {held} hold it, {near} are near");
            let all = drawn(&collections, 1 << 20, 1);
            assert_eq!((all.relative, all.interval), (Some(truth), Interval { low: truth, high: truth }));
        }
    }

    /// Numbers of each of some collections, drawn up to a count.
    fn census_of(collections: &[std::ops::Range<u64>], count: usize, seed: u64) -> Census {
        let catalogues: Vec<Catalogue> =
            collections.iter().map(|numbers| Catalogue::new(numbers.clone().map(mix).collect())).collect();
        let samples: Vec<Sample> = catalogues
            .iter()
            .map(|catalogue| {
                let (draw, mut sample) = (catalogue.draw(count, seed), Sample::new());
                for key in draw.documents {
                    sample.push(1.0, Members::of(catalogues.len(), |other| catalogues[other].contains(key)));
                }
                sample.reached(draw.reach);
                sample
            })
            .collect();
        Census::new(&samples, &Settings { replicates: 300, seed, ..Settings::default() })
    }

    #[test]
    fn of_whole_collections_everything_is_known() {
        let census = census_of(&[0..32, 15..42, 10..20], 1000, 1);
        let shares: Vec<f64> = census.overlap.iter().filter_map(|overlap| overlap.share).collect();
        assert_eq!(shares, [17.0 / 32.0, 10.0 / 32.0, 17.0 / 27.0, 5.0 / 27.0, 1.0, 0.5]);
        for overlap in &census.overlap {
            assert_eq!(Some(overlap.interval.low), overlap.share);
            assert_eq!(Some(overlap.interval.high), overlap.share);
        }
        for (size, documents) in census.collections.iter().zip([32.0, 27.0, 10.0]) {
            let coverage = size.coverage.unwrap();
            assert_eq!((size.relative, size.interval.low, size.interval.high), {
                (Some(documents / 32.0), documents / 32.0, documents / 32.0)
            });
            assert_eq!(size.coverage_interval, Interval { low: coverage, high: coverage });
            assert!((coverage - documents / 42.0).abs() < 1e-12, "{size:?}");
        }
    }

    #[test]
    fn shares_keep_within_one_and_estimates_within_their_intervals() {
        // A collection and itself, one inside another, and three of which the largest has nearly everything.
        for collections in [&[0..32u64, 0..32][..], &[0..40, 10..20], &[0..32, 15..42, 0..43]] {
            for (count, seed) in [1, 2, 5, 20, 35].into_iter().flat_map(|count| (0..20).map(move |seed| (count, seed)))
            {
                let census = census_of(collections, count, seed);
                for size in &census.collections {
                    let Interval { low, high } = size.coverage_interval;
                    assert!((0.0..=1.0).contains(&low) && (low..=1.0).contains(&high), "{count}: {size:?}");
                    assert!(size.coverage.is_none_or(|share| size.coverage_interval.contains(share)), "{size:?}");
                    assert!(size.relative.is_none_or(|relative| size.interval.contains(relative)), "{size:?}");
                }
                for overlap in &census.overlap {
                    assert!(overlap.share.is_none_or(|share| overlap.interval.contains(share)), "{overlap:?}");
                }
            }
        }
    }

    /// What every interval of a coverage is for: it holds the truth as often as it says, also near 1.
    #[test]
    fn intervals_of_coverages_hold_the_truth() {
        for collections in [[0..3000u64, 0..3000], [0..3000, 2800..3100], [0..3000, 1500..6000]] {
            let all = collections.iter().map(|numbers| numbers.end).max().unwrap() as f64;
            for at in 0..2 {
                let truth = (collections[at].end - collections[at].start) as f64 / all;
                let held = (0..100).filter(|&seed| {
                    census_of(&collections, 200, seed).collections[at].coverage_interval.contains(truth)
                });
                let held = held.count();
                assert!(held >= 90, "{held} of 100 hold {truth} of {collections:?}");
            }
        }
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
        // And where draws weigh differently.
        let mut weighted = [Sample::new(), Sample::new()];
        for sample in &mut weighted {
            (1..100).for_each(|n| sample.push(1.0 / f64::from(n), Members::NONE));
        }
        let size = Census::new(&weighted, &Settings::default()).collections[1];
        assert!(size.relative.is_none() && size.interval.contains(0.1) && size.interval.contains(10.0), "{size:?}");
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

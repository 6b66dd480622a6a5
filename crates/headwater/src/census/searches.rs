//! Random searches (Lawrence and Giles, Science 1998): the queries that people asked, and how many results each of two engines has.
//!
//! Only queries with small result sets count, results are verified to have the words, and the ratios of the counts are averaged. The
//! slides call that average "not statistically sound": it leaves out searches for which an engine has nothing, which are those that a
//! small one would show itself by. The ratio of the sums, which needs to leave out none, stands beside it.

use std::collections::HashMap;

use super::engine::{Engine, EngineError};
use super::identity::address;
use super::interval::Interval;
use super::lexicon::words;
use super::random::Random;

/// What a log of searches says about two engines.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Searches {
    /// Verified results of the first and of the second engine, for each search that at least one of them answered.
    pub results: Vec<(u32, u32)>,
    /// Searches with too many results.
    pub too_large: u64,
    /// Searches for which both engines had nothing.
    pub empty: u64,
    /// Searches that failed.
    pub failed: u64,
    /// What was found, by number: the documents of the first engine and of the second, for each search that counted.
    found: Vec<[Vec<u32>; 2]>,
    /// How many different documents that were.
    documents: usize,
}

impl Searches {
    /// Asks both engines. Searches count where both answer, and the two have fewer than `most` results together.
    pub fn run<'q>(
        first: &mut impl Engine,
        second: &mut impl Engine,
        log: impl Iterator<Item = &'q str>,
        most: usize,
    ) -> Self {
        let (mut searches, mut numbers) = (Searches::default(), HashMap::new());
        for search in log {
            let asked = words(search);
            match (addresses(first, &asked, most), addresses(second, &asked, most)) {
                (Ok(one), Ok(other)) if one.len() + other.len() >= most => searches.too_large += 1,
                (Ok(one), Ok(other)) if one.is_empty() && other.is_empty() => searches.empty += 1,
                (Ok(one), Ok(other)) => {
                    searches.results.push((one.len() as u32, other.len() as u32));
                    let mut number = |at: u64| {
                        let next = numbers.len() as u32;
                        *numbers.entry(at).or_insert(next)
                    };
                    searches.found.push([one, other].map(|found| found.into_iter().map(&mut number).collect()));
                }
                _ => searches.failed += 1,
            }
        }
        searches.documents = numbers.len();
        searches
    }

    /// The size of the second engine beside the first: the mean of the searches' ratios where both have something, as published.
    pub fn mean_of_ratios(&self) -> Option<f64> {
        let both = self.results.iter().filter(|(one, other)| *one > 0 && *other > 0);
        let ratios: Vec<f64> = both.map(|&(one, other)| f64::from(other) / f64::from(one)).collect();
        (!ratios.is_empty()).then(|| ratios.iter().sum::<f64>() / ratios.len() as f64)
    }

    /// The same from all results together.
    pub fn ratio_of_sums(&self) -> Option<f64> {
        let add = |sum: (u64, u64), found: &(u32, u32)| (sum.0 + u64::from(found.0), sum.1 + u64::from(found.1));
        let (one, other) = self.results.iter().fold((0, 0), add);
        (one > 0).then(|| other as f64 / one as f64)
    }

    /// Where the ratio of the sums lies: a bootstrap over searches and, since documents that many searches find are in both engines or
    /// not by chance, over documents too (Owen and Eckles, *Bootstrapping data arrays of arbitrary order*, 2012).
    pub fn interval(&self, confidence: f64, seed: u64) -> Interval {
        let mut random = Random::new(seed);
        let mut draw = || {
            let weights: Vec<f64> = (0..self.documents).map(|_| random.gamma(1.0)).collect();
            let mut sums = [0.0, 0.0];
            for found in &self.found {
                let weight = random.gamma(1.0);
                for (sum, found) in sums.iter_mut().zip(found) {
                    *sum += weight * found.iter().map(|&document| weights[document as usize]).sum::<f64>();
                }
            }
            if sums[0] > 0.0 { sums[1] / sums[0] } else { f64::INFINITY }
        };
        let mut draws: Vec<f64> = if self.found.is_empty() { Vec::new() } else { (0..500).map(|_| draw()).collect() };
        Interval::of_draws(&mut draws, confidence)
    }
}

/// Where the results are that have all the words; `most` of them are asked for at most, and not looked at where there are as many.
fn addresses(engine: &mut impl Engine, asked: &[String], most: usize) -> Result<Vec<u64>, EngineError> {
    let hits = engine.search(&asked.iter().map(String::as_str).collect::<Vec<_>>(), most)?;
    let is_looked_at = hits.len() < most;
    let mut found = Vec::with_capacity(hits.len());
    for hit in &hits {
        if !is_looked_at || engine.has(hit, asked)? {
            found.push(address(&hit.address));
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::super::toy::Toy;
    use super::*;

    #[test]
    fn ratios_of_small_result_sets() {
        let many: Vec<(String, String)> =
            (0..40).map(|n| (format!("d{n}"), format!("all w{} v{}", n % 10, n % 4))).collect();
        let held: Vec<(&str, &str)> = many.iter().map(|(a, t)| (a.as_str(), t.as_str())).collect();
        let (mut first, mut second) = (Toy::new(&held[..20]), Toy::new(&held));
        let log = ["w1", "w2", "V3", "all", "nothing"];
        let found = Searches::run(&mut first, &mut second, log.into_iter(), 20);
        assert_eq!(found.results, [(2, 4), (2, 4), (5, 10)]);
        // What only one of them has counts in the sums.
        let one_sided = Searches { results: vec![(2, 4), (0, 2)], ..Searches::default() };
        assert_eq!((one_sided.mean_of_ratios(), one_sided.ratio_of_sums()), (Some(2.0), Some(3.0)));
        assert_eq!((found.too_large, found.empty, found.failed), (1, 1, 0));
        assert_eq!((found.mean_of_ratios(), found.ratio_of_sums()), (Some(2.0), Some(2.0)));
        assert!(found.interval(0.95, 1).contains(2.0));
        second.fails_every = 1;
        let found = Searches::run(&mut first, &mut second, log.into_iter(), 20);
        assert_eq!((found.failed, found.mean_of_ratios()), (5, None));
        assert_eq!(found.interval(0.95, 1).high, f64::INFINITY);
    }
}

//! Random searches (Lawrence and Giles, Science 1998): the queries that people asked, and how many results each of two engines has.
//!
//! Only queries with small result sets count, results are verified to have the words, and the ratios of the counts are averaged. The
//! slides call that average "not statistically sound": it leaves out searches for which an engine has nothing, which are those that a
//! small one would show itself by. The ratio of the sums, which needs to leave out none, stands beside it.

use super::engine::{Engine, EngineError};
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
}

impl Searches {
    /// Asks both engines. Searches count where both answer, and the two have fewer than `most` results together.
    pub fn run<'q>(
        first: &mut impl Engine,
        second: &mut impl Engine,
        log: impl Iterator<Item = &'q str>,
        most: usize,
    ) -> Self {
        let mut searches = Searches::default();
        for search in log {
            let asked = words(search);
            match (verified(first, &asked, most), verified(second, &asked, most)) {
                (Ok(one), Ok(other)) if one + other >= most => searches.too_large += 1,
                (Ok(0), Ok(0)) => searches.empty += 1,
                (Ok(one), Ok(other)) => searches.results.push((one as u32, other as u32)),
                _ => searches.failed += 1,
            }
        }
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
        ratio(self.results.iter().copied())
    }

    /// Where the ratio of the sums lies: a bootstrap over searches.
    pub fn interval(&self, confidence: f64, seed: u64) -> Interval {
        let mut random = Random::new(seed);
        let many = self.results.len();
        let mut draw = || ratio((0..many).map(|_| self.results[random.below(many)])).unwrap_or(f64::INFINITY);
        let mut draws: Vec<f64> = if many == 0 { Vec::new() } else { (0..1000).map(|_| draw()).collect() };
        Interval::of_draws(&mut draws, confidence)
    }
}

fn ratio(results: impl Iterator<Item = (u32, u32)>) -> Option<f64> {
    let (one, other) = results.fold((0.0, 0.0), |(a, b), (one, other)| (a + f64::from(one), b + f64::from(other)));
    (one > 0.0).then(|| other / one)
}

/// How many results have all the words; `most` of them are asked for at most.
fn verified(engine: &mut impl Engine, asked: &[String], most: usize) -> Result<usize, EngineError> {
    let hits = engine.search(&asked.iter().map(String::as_str).collect::<Vec<_>>(), most)?;
    if hits.len() >= most {
        return Ok(most);
    }
    let mut count = 0;
    for hit in &hits {
        count += usize::from(engine.has(hit, asked)?);
    }
    Ok(count)
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

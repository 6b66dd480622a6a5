//! Random hosts (Lawrence and Giles, Nature 1999): all pages of some hosts are counted and extrapolated to all hosts.

use super::interval::Interval;
use super::random::Random;

/// The size that follows from the pages of some hosts, drawn uniformly from `hosts`; and where the truth lies, by a bootstrap over
/// hosts. None where no host was drawn.
pub fn extrapolate(pages: &[u64], hosts: u64, confidence: f64, seed: u64) -> Option<(f64, Interval)> {
    if pages.is_empty() {
        return None;
    }
    let size = |total: f64| total / pages.len() as f64 * hosts as f64;
    let total: u64 = pages.iter().sum();
    let mut random = Random::new(seed);
    let mut draw = || size((0..pages.len()).map(|_| pages[random.below(pages.len())] as f64).sum());
    let mut draws: Vec<f64> = (0..1000).map(|_| draw()).collect();
    Some((size(total as f64), Interval::of_draws(&mut draws, confidence)))
}

/// The size of a second collection beside a first, from how many pages each has of the same hosts; and where the truth lies. None
/// where the first has no page of them.
pub fn host_ratio(pages: &[(u64, u64)], confidence: f64, seed: u64) -> Option<(f64, Interval)> {
    let ratio = |sums: (u64, u64)| (sums.0 > 0).then(|| sums.1 as f64 / sums.0 as f64);
    let add = |sums: (u64, u64), next: (u64, u64)| (sums.0 + next.0, sums.1 + next.1);
    let estimate = ratio(pages.iter().copied().fold((0, 0), add))?;
    let mut random = Random::new(seed);
    let mut draw = || {
        let drawn = (0..pages.len()).map(|_| pages[random.below(pages.len())]);
        ratio(drawn.fold((0, 0), add)).unwrap_or(f64::INFINITY)
    };
    let mut draws: Vec<f64> = (0..1000).map(|_| draw()).collect();
    Some((estimate, Interval::of_draws(&mut draws, confidence)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_some_hosts_stand_for_all() {
        let (size, interval) = extrapolate(&[10, 20, 30, 20], 1000, 0.95, 1).unwrap();
        assert_eq!(size, 20_000.0);
        assert!(interval.low > 10_000.0 && interval.contains(size) && interval.high < 30_000.0);
        assert_eq!(extrapolate(&[], 1000, 0.95, 1), None);
        let (ratio, interval) = host_ratio(&[(10, 5), (20, 10), (2, 1)], 0.95, 1).unwrap();
        assert_eq!((ratio, interval), (0.5, Interval { low: 0.5, high: 0.5 }));
        assert_eq!(host_ratio(&[(0, 5)], 0.95, 1), None);
    }
}

//! Capture and recapture: how large a collection is, from how often the same document is drawn again.
//!
//! Of n uniform draws from N documents, n(n−1)/2N pairs are of the same document (Lincoln and Petersen; for search engines, Bar-Yossef and
//! Gurevich 2006). Where draws stand for w documents each, the pairs are weighted by both: N is the weight of all pairs beside
//! that of the pairs that agree, and the unit of the weights does not matter.

use std::collections::HashMap;

use super::interval::Interval;
use super::random::Random;

/// The size of a collection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recaptured {
    /// How many documents it has; none where no document was drawn twice.
    pub size: Option<f64>,
    /// Where the truth lies.
    pub interval: Interval,
    /// Pairs of draws of the same document.
    pub pairs: u64,
}

/// Estimates from draws: a number for the document, and what it stands for.
pub fn recapture(draws: &[(u64, f64)], confidence: f64, seed: u64) -> Recaptured {
    let mut documents: HashMap<u64, (f64, f64, u64)> = HashMap::new();
    let (mut sum, mut squares) = (0.0, 0.0);
    for &(document, weight) in draws.iter().filter(|(_, weight)| *weight > 0.0 && weight.is_finite()) {
        let (own, own_squares, times) = documents.entry(document).or_default();
        (*own, *own_squares, *times) = (*own + weight, *own_squares + weight * weight, *times + 1);
        (sum, squares) = (sum + weight, squares + weight * weight);
    }
    let all = (sum * sum - squares).max(0.0);
    let again: Vec<&(f64, f64, u64)> = documents.values().filter(|(.., times)| *times > 1).collect();
    let same: f64 = again.iter().map(|(own, own_squares, _)| (own * own - own_squares).max(0.0)).sum();
    let pairs: u64 = again.iter().map(|(.., times)| times * (times - 1) / 2).sum();
    // What agrees is rare and falls as Poisson does: its rate has, after k, a gamma distribution of shape k + 1/2 (Jeffreys).
    let shape = pairs as f64 + 0.5;
    let unit = if pairs > 0 { same / pairs as f64 } else { all / (draws.len().max(2) as f64).powi(2) };
    let mut random = Random::new(seed);
    let mut sizes: Vec<f64> = (0..2000).map(|_| all / (unit * random.gamma(shape)).max(f64::MIN_POSITIVE)).collect();
    Recaptured { size: (same > 0.0).then(|| all / same), interval: Interval::of_draws(&mut sizes, confidence), pairs }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_from_uniform_and_from_weighted_draws() {
        let mut random = Random::new(9);
        let (mut held, mut held_weighted, rounds) = (0, 0, 100);
        for _ in 0..rounds {
            let uniform: Vec<(u64, f64)> = (0..600).map(|_| (random.below(5000) as u64, 1.0)).collect();
            held += u32::from(recapture(&uniform, 0.95, 1).interval.contains(5000.0));
            // Every other document is three times as likely.
            let weighted: Vec<(u64, f64)> = std::iter::repeat_with(|| random.below(5000) as u64)
                .filter(|_| true)
                .zip(std::iter::repeat_with({
                    let mut coin = Random::new(3);
                    move || coin.unit()
                }))
                .filter(|(document, coin)| document % 2 == 0 || *coin < 1.0 / 3.0)
                .map(|(document, _)| (document, if document % 2 == 0 { 1.0 } else { 3.0 }))
                .take(600)
                .collect();
            held_weighted += u32::from(recapture(&weighted, 0.95, 1).interval.contains(5000.0));
        }
        assert!(held >= 90 && held_weighted >= 85, "{held} and {held_weighted} of {rounds}");
    }

    #[test]
    fn nothing_twice_bounds_from_below_only() {
        let found = recapture(&[(1, 1.0), (2, 1.0), (3, 1.0)], 0.95, 1);
        assert_eq!((found.size, found.pairs), (None, 0));
        assert!(found.interval.high > 100.0);
        assert_eq!(recapture(&[], 0.95, 1).size, None);
    }
}

//! Capture and recapture: how large a collection is, from how often the same document is drawn again.
//!
//! Of n uniform draws from N documents, n(n−1)/2N pairs are of the same document (Lincoln and Petersen; for search engines, Bar-Yossef and
//! Gurevich 2006). Where draws stand for w documents each, a pair weighs the mean of both: N is the weight of all pairs beside that of
//! the pairs that agree, and the unit of the weights does not matter. It is right for the same reason as the mean weight is: the
//! weights of a document's draws sum up to one document, and its other draws are as likely as it is to be drawn. The product of both
//! weights would be right too, but a few heavy ones would decide (after Katzir, Liberty and Somekh, WWW 2011, who keep to first powers as well).

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
    let mut documents: HashMap<u64, Powers> = HashMap::new();
    let mut total = Powers::default();
    for &(document, weight) in draws.iter().filter(|(_, weight)| *weight > 0.0 && weight.is_finite()) {
        documents.entry(document).or_default().add(weight);
        total.add(weight);
    }
    let all = total.pairs();
    // In the order of the documents, so that the sums are the same each time.
    let mut again: Vec<(u64, Powers)> = documents.into_iter().filter(|(_, powers)| powers.draws > 1).collect();
    again.sort_unstable_by_key(|(document, _)| *document);
    let same: f64 = again.iter().map(|(_, powers)| powers.pairs()).sum();
    let pairs: u64 = again.iter().map(|(_, powers)| powers.draws * (powers.draws - 1) / 2).sum();
    // What agrees is rare and falls as Poisson does: its rate has, after k, a gamma distribution of shape k + 1/2 (Jeffreys). The pairs
    // of one document come together, so that documents are counted; of those that weigh differently, k is what they are worth in
    // documents that weigh the same; and so it is for all draws.
    let squares: f64 = again.iter().map(|(_, powers)| powers.pairs().powi(2)).sum();
    let worth = if squares > 0.0 { same * same / squares } else { 0.0 };
    let unit = if worth > 0.0 { same / worth } else { total.sum / total.draws.max(1) as f64 };
    let drawn = if total.squares > 0.0 { total.sum * total.sum / total.squares } else { 1.0 };
    let mut random = Random::new(seed);
    let mut size = || {
        let spread = random.gamma(drawn) / drawn;
        all * spread / (unit * random.gamma(worth + 0.5)).max(f64::MIN_POSITIVE)
    };
    let mut sizes: Vec<f64> = (0..2000).map(|_| size()).collect();
    Recaptured { size: (same > 0.0).then(|| all / same), interval: Interval::of_draws(&mut sizes, confidence), pairs }
}

/// Sums of the weights of some draws, and of their squares.
#[derive(Clone, Copy, Debug, Default)]
struct Powers {
    draws: u64,
    sum: f64,
    squares: f64,
}

impl Powers {
    fn add(&mut self, weight: f64) {
        self.draws += 1;
        self.sum += weight;
        self.squares += weight * weight;
    }

    /// The means of both weights, over all pairs of draws.
    fn pairs(&self) -> f64 {
        self.draws.saturating_sub(1) as f64 * self.sum / 2.0
    }
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
            let weighted: Vec<(u64, f64)> = std::iter::repeat_with(|| (random.below(5000) as u64, random.unit()))
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

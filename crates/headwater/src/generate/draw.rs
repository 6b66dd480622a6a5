//! Numbers that look random and are a function of what they are for.

use crate::text::mix;

/// What a sequence of draws is for: draws for one purpose never disturb those for another.
pub(super) const PLAN: u64 = 1;
pub(super) const OWN: u64 = 2;
pub(super) const SHAPE: u64 = 3;
pub(super) const PAGE: u64 = 4;
pub(super) const ARTICLE: u64 = 5;
pub(super) const SITE: u64 = 6;
pub(super) const ADVERTISEMENT: u64 = 7;

/// A sequence of draws.
#[derive(Clone, Debug)]
pub(super) struct Draw {
    state: u64,
}

impl Draw {
    /// The draws about one post, or page, for one purpose.
    pub(super) fn new(seed: u64, number: u64, purpose: u64) -> Self {
        Draw { state: mix(mix(mix(seed) ^ number) ^ purpose) }
    }

    /// Any number.
    pub(super) fn number(&mut self) -> u64 {
        self.state = mix(self.state);
        self.state
    }

    /// From 0 to 1, without 1.
    pub(super) fn unit(&mut self) -> f64 {
        unit(self.number())
    }

    pub(super) fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// Below `most`.
    pub(super) fn below(&mut self, most: u64) -> u64 {
        crate::text::part(self.number(), most.max(1) as usize) as u64
    }

    /// Pareto's distribution from `least` on.
    pub(super) fn pareto(&mut self, least: f64, exponent: f64) -> f64 {
        least * (1.0 - self.unit()).powf(-1.0 / exponent)
    }

    /// The log-normal distribution with this median.
    pub(super) fn log_normal(&mut self, median: f64, spread: f64) -> f64 {
        let (one, other) = (1.0 - self.unit(), self.unit());
        let normal = (-2.0 * one.ln()).sqrt() * (std::f64::consts::TAU * other).cos();
        median * (spread * normal).exp()
    }

    /// A rank below `most` by Zipf's law.
    pub(super) fn zipf(&mut self, most: u64, exponent: f64) -> u64 {
        let (unit, most_ranks) = (self.unit(), most as f64 + 1.0);
        let rank = if (exponent - 1.0).abs() < 1e-9 {
            most_ranks.powf(unit)
        } else {
            let power = 1.0 - exponent;
            ((most_ranks.powf(power) - 1.0) * unit + 1.0).powf(1.0 / power)
        };
        (rank as u64 - 1).min(most - 1)
    }
}

/// A number as a part of the whole, from 0 to 1 without 1.
pub(super) fn unit(number: u64) -> f64 {
    (number >> 11) as f64 / (1u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_follow_zipf() {
        for exponent in [0.0, 0.7, 1.0, 1.6] {
            let mut draw = Draw::new(1, 2, 3);
            let mut counts = [0u32; 100];
            (0..200_000).for_each(|_| counts[draw.zipf(100, exponent) as usize] += 1);
            // Drawn from a continuous law, the first ranks are a little less frequent than the discrete one has it.
            let ratio = f64::from(counts[9]) / f64::from(counts[39]);
            assert!((ratio / 4f64.powf(exponent) - 1.0).abs() < 0.2, "{exponent}: {ratio}");
        }
        assert_eq!(Draw::new(1, 2, 3).zipf(1, 1.0), 0);
    }
}

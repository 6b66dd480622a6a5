//! Two parts of a collection of which everything is known.

use headwater::census::Random;

/// A smaller part and a larger one.
pub(super) struct Split {
    /// Whether each document is in the smaller part, and in the larger one.
    pub(super) parts: [Vec<bool>; 2],
    /// How large each part is.
    pub(super) sizes: [usize; 2],
    /// How many documents both have.
    pub(super) shared: usize,
}

impl Split {
    /// A random split of some of a collection's `documents` in which the larger part is `size` times the smaller and has
    /// `overlap` per cent of it; as large as there are documents for.
    pub(super) fn new(of: &[usize], documents: usize, size: u32, overlap: u32, random: &mut Random) -> Self {
        Self::along(&shuffled(of.to_vec(), random), documents, size, overlap)
    }

    /// The same where the smaller part takes its own documents from the front of an order, and the larger from its end.
    pub(super) fn along(order: &[usize], documents: usize, size: u32, overlap: u32) -> Self {
        let (size, overlap) = (f64::from(size), f64::from(overlap) / 100.0);
        // The smaller, and of the larger what the smaller has not, fill the collection.
        let small = (order.len().min(documents) as f64 / (1.0 + size - overlap)).floor().max(1.0);
        let shared = (small * overlap).round() as usize;
        let large = (small * size).round() as usize;
        let small = small as usize;
        let mut parts = [vec![false; documents], vec![false; documents]];
        order[..small].iter().for_each(|&document| parts[0][document] = true);
        // The shared ones are spread over the smaller part.
        let step = small as f64 / shared.max(1) as f64;
        (0..shared).for_each(|at| parts[1][order[(at as f64 * step) as usize]] = true);
        let rest = (large - shared).min(order.len() - small);
        order[order.len() - rest..].iter().for_each(|&document| parts[1][document] = true);
        Split { parts, sizes: [small, rest + shared], shared }
    }

    /// By how much the ratio of two shares would be off, at the median, where so many documents were drawn uniformly from each part
    /// and each by itself: what the arithmetic of drawing allows. None where nothing is shared.
    pub(super) fn allowed(&self, samples: u32) -> Option<f64> {
        /// Half of all normal deviations are smaller.
        const MEDIAN: f64 = 0.6745;
        let variance = |size: usize| {
            let (size, shared) = (size as f64, self.shared as f64);
            let drawn = f64::from(samples).min(size);
            // What is drawn without replacement says all once everything is drawn.
            (1.0 - shared / size) * size / shared / drawn * (size - drawn) / (size - 1.0).max(1.0)
        };
        (self.shared > 0).then(|| MEDIAN * self.sizes.map(variance).iter().sum::<f64>().sqrt())
    }

    /// The size of the larger part beside the smaller.
    pub(super) fn ratio(&self) -> f64 {
        self.sizes[1] as f64 / self.sizes[0] as f64
    }

    /// The share of the smaller part that the larger has, and the other way round.
    pub(super) fn shares(&self) -> [f64; 2] {
        self.sizes.map(|size| self.shared as f64 / size as f64)
    }
}

fn shuffled(mut order: Vec<usize>, random: &mut Random) -> Vec<usize> {
    for last in (1..order.len()).rev() {
        order.swap(last, random.below(last + 1));
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_are_what_they_say() {
        let mut random = Random::new(1);
        let all: Vec<usize> = (10..5010).collect();
        for size in [1, 2, 10, 100] {
            for overlap in [0, 10, 50, 100] {
                let split = Split::new(&all, 5010, size, overlap, &mut random);
                let count = |part: &Vec<bool>| part.iter().filter(|is_in| **is_in).count();
                assert_eq!(split.sizes, [count(&split.parts[0]), count(&split.parts[1])]);
                let both = split.parts[0].iter().zip(&split.parts[1]).filter(|(a, b)| **a && **b).count();
                assert_eq!(both, split.shared);
                assert!((split.ratio() / f64::from(size) - 1.0).abs() < 0.05, "{size} {overlap}: {}", split.ratio());
                assert!((split.shares()[0] - f64::from(overlap) / 100.0).abs() < 0.02);
            }
        }
    }

    #[test]
    fn the_arithmetic_of_drawing() {
        let split = |sizes: [usize; 2], shared: usize| Split { parts: [Vec::new(), Vec::new()], sizes, shared };
        // Half of a million, twice: a standard deviation of √(2/1000).
        let found = split([1_000_000, 1_000_000], 500_000).allowed(1000).unwrap_or_default();
        assert!((found - 0.6745 * 0.002f64.sqrt()).abs() < 1e-4, "{found}");
        assert_eq!(split([500, 800], 100).allowed(1000), Some(0.0));
        assert_eq!(split([500, 800], 0).allowed(1000), None);
        assert!(split([1_000, 100_000], 500).allowed(1000) > Some(0.25));
    }
}

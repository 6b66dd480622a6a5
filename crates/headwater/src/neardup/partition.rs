//! Partitions by size: every pair that can be alike lies in one partition or in two neighbours (SIGIR 2008, slides 19 to 22).
//!
//! The slide's rule is: for a given boundary p, the next is the smallest size q with q − p > (1 − τ) q, that is τ q > p. Then a
//! set of q elements or more has no partner of p or fewer, so that no pair spans three partitions. The boundaries that the slide
//! prints for τ = 0.7 (1, 3, 6, 10, …, 43, 59) do not follow that rule, which gives 1, 2, 3, 5, 8, 12, …; the rule is what is
//! provably complete, and the rule is what is done here. Sizes that no set has are passed over.

use std::ops::Range;

use super::measure::Bound;

/// Cuts sets, which stand in order of size, into partitions: ranges of their ranks, in order, none empty.
pub(super) fn partitions(sizes: &[u32], bound: Bound) -> Vec<Range<u32>> {
    let mut partitions = Vec::new();
    let mut start = 0;
    while let Some(&smallest) = sizes.get(start) {
        let length = sizes[start..].partition_point(|&size| bound.least_partner(size) <= smallest);
        partitions.push(start as u32..(start + length) as u32);
        start += length;
    }
    partitions
}

#[cfg(test)]
mod tests {
    use super::super::measure::Measure;
    use super::*;
    use proptest::prelude::*;

    fn boundaries(threshold: f64, largest: u32) -> Vec<u32> {
        let sizes: Vec<u32> = (1..=largest).collect();
        let bound = Bound::new(Measure::Jaccard, threshold).unwrap();
        partitions(&sizes, bound).iter().map(|partition| sizes[partition.start as usize]).collect()
    }

    #[test]
    fn the_rule_of_the_slide_and_not_its_printed_numbers() {
        assert_eq!(boundaries(0.7, 60), [1, 2, 3, 5, 8, 12, 18, 26, 38, 55]);
        for pair in boundaries(0.7, 5000).windows(2) {
            let (p, q) = (f64::from(pair[0]), f64::from(pair[1]));
            assert!(q - p > (1.0 - 0.7) * q && (q - 1.0) - p <= (1.0 - 0.7) * (q - 1.0) + 1e-6);
        }
    }

    #[test]
    fn thresholds_at_the_ends() {
        assert_eq!(boundaries(1.0, 5), [1, 2, 3, 4, 5]);
        assert_eq!(boundaries(0.0, 5), [1]);
    }

    proptest! {
        #[test]
        fn every_pair_that_can_be_alike_is_in_neighbours(
            mut sizes in proptest::collection::vec(1u32..400, 1..60), threshold in 0.0..=1.0f64
        ) {
            sizes.sort_unstable();
            for measure in Measure::ALL {
                let bound = Bound::new(measure, threshold).unwrap();
                let partitions = partitions(&sizes, bound);
                let of = |rank: usize| partitions.iter().position(|p| p.contains(&(rank as u32))).unwrap();
                prop_assert_eq!(partitions.iter().map(|p| p.len()).sum::<usize>(), sizes.len());
                for small in 0..sizes.len() {
                    for large in small..sizes.len() {
                        if bound.accepts(sizes[small], sizes[large], sizes[small]) {
                            prop_assert!(of(large) - of(small) <= 1);
                        }
                    }
                }
            }
        }
    }
}

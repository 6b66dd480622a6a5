//! Locality-sensitive hashing: a sketch cut into bands, where sets that agree in all entries of one band become a candidate pair
//! (Indyk, Gionis and Motwani 1999; the paper's k and l).

use crate::text::mix;

/// So many bands of so many rows each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bands {
    /// The paper's l: agreement in any one of them makes a candidate.
    pub count: usize,
    /// The paper's k: entries in a band, all of which must agree.
    pub rows: usize,
}

/// What share of the pairs exactly at the threshold must become candidates. They are the hardest ones: of those above it more do.
const RECALL_AT_THRESHOLD: f64 = 0.99;

impl Bands {
    /// The longest bands, so the fewest false candidates, that still miss hardly a pair at the threshold.
    ///
    /// Candidates are verified, so that a false one costs time and a missed one costs a pair: recall comes first.
    pub fn choose(permutations: usize, threshold: f64) -> Self {
        let of = |rows: usize| Bands { count: permutations / rows, rows };
        let most = (1..=permutations).rev().map(of).find(|bands| bands.probability(threshold) >= RECALL_AT_THRESHOLD);
        most.unwrap_or(of(1))
    }

    /// The probability that two sets of this Jaccard become a candidate pair.
    pub fn probability(self, jaccard: f64) -> f64 {
        1.0 - (1.0 - jaccard.clamp(0.0, 1.0).powf(self.rows as f64)).powf(self.count as f64)
    }

    /// How many entries a sketch must have.
    pub fn entries(self) -> usize {
        self.count * self.rows
    }

    /// The groups of two or more sketches that agree in a band, each in order; `sketches` stand one behind the other.
    pub(super) fn buckets(self, band: usize, sketches: &[u32], entries: usize) -> Vec<Vec<u32>> {
        let from = band * self.rows;
        let hash = |sketch: &[u32]| {
            sketch[from..from + self.rows].iter().fold(band as u64, |hash, &entry| mix(hash ^ u64::from(entry)))
        };
        let mut hashes: Vec<(u64, u32)> = sketches.chunks_exact(entries).map(hash).zip(0..).collect();
        keep_repeated(&mut hashes);
        hashes.sort_unstable();
        let runs = hashes.chunk_by(|one, next| one.0 == next.0).filter(|run| run.len() > 1);
        runs.map(|run| run.iter().map(|&(_, set)| set).collect()).collect()
    }
}

/// Drops most hashes that only one sketch has, which are most of them: what is left is sorted in a fraction of the time.
fn keep_repeated(hashes: &mut Vec<(u64, u32)>) {
    let mut met = vec![0u8; (hashes.len() * 4).next_power_of_two()];
    let mask = met.len() - 1;
    for &(hash, _) in hashes.iter() {
        let met = &mut met[hash as usize & mask];
        *met = met.saturating_add(1);
    }
    hashes.retain(|&(hash, _)| met[hash as usize & mask] > 1);
}

/// Of all pairs that are alike enough, the share that was found, estimated from those that were.
///
/// A pair is found with the probability that its Jaccard gives it, so each one found stands for the reciprocal of that many
/// (Horvitz and Thompson 1952). With nothing found nothing can be said.
pub(super) fn estimated_recall(bands: Bands, jaccards: impl Iterator<Item = f64>) -> Option<f64> {
    let (mut found, mut all) = (0.0, 0.0);
    for jaccard in jaccards {
        found += 1.0;
        all += 1.0 / bands.probability(jaccard).max(1e-6);
    }
    (found > 0.0).then_some(found / all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn bands_are_as_long_as_recall_allows() {
        assert_eq!(Bands::choose(128, 0.8), Bands { count: 21, rows: 6 });
        assert_eq!(Bands::choose(128, 1.0), Bands { count: 1, rows: 128 });
        assert_eq!(Bands::choose(128, 0.001), Bands { count: 128, rows: 1 });
        assert_eq!(Bands::choose(1, 0.5), Bands { count: 1, rows: 1 });
    }

    proptest! {
        #[test]
        fn chosen_bands_fit_and_longer_ones_would_miss_more(permutations in 1usize..300, threshold in 0.0..=1.0f64) {
            let bands = Bands::choose(permutations, threshold);
            prop_assert!(bands.entries() <= permutations && bands.count > 0);
            if bands.rows < permutations {
                let longer = Bands { count: permutations / (bands.rows + 1), rows: bands.rows + 1 };
                prop_assert!(longer.probability(threshold) < RECALL_AT_THRESHOLD);
            }
        }
    }

    #[test]
    fn sketches_that_agree_in_a_band_share_a_bucket() {
        let sketches = [1, 2, 3, 4, 1, 2, 9, 9, 7, 7, 3, 4];
        let bands = Bands { count: 2, rows: 2 };
        assert_eq!(bands.buckets(0, &sketches, 4), [[0, 1]]);
        assert_eq!(bands.buckets(1, &sketches, 4), [[0, 2]]);
    }

    #[test]
    fn recall_is_estimated_from_what_was_found() {
        let bands = Bands { count: 1, rows: 1 };
        assert_eq!(estimated_recall(bands, [1.0, 0.5].into_iter()), Some(2.0 / 3.0));
        assert_eq!(estimated_recall(bands, [].into_iter()), None);
    }
}

//! How good clusters and pairs are, against a truth that people made.

use std::collections::{BTreeMap, HashSet};

/// Precision, recall and their harmonic mean.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rates {
    /// Of what was found, the share that is true; 1 where nothing was found.
    pub precision: f64,
    /// Of what is true, the share that was found; 1 where nothing is.
    pub recall: f64,
    /// Their harmonic mean.
    pub f1: f64,
}

impl Rates {
    fn new(hits: u64, found: u64, relevant: u64) -> Self {
        let share = |part: u64, whole: u64| if whole == 0 { 1.0 } else { part as f64 / whole as f64 };
        let (precision, recall) = (share(hits, found), share(hits, relevant));
        let sum = precision + recall;
        Rates { precision, recall, f1: if sum == 0.0 { 0.0 } else { 2.0 * precision * recall / sum } }
    }
}

/// The rates of `found` pairs; a pair counts once, in whichever order its documents stand.
pub fn pair_rates(found: impl IntoIterator<Item = (u32, u32)>, truth: impl IntoIterator<Item = (u32, u32)>) -> Rates {
    let ordered = |(a, b): (u32, u32)| (a.min(b), a.max(b));
    let found: HashSet<(u32, u32)> = found.into_iter().map(ordered).collect();
    let truth: HashSet<(u32, u32)> = truth.into_iter().map(ordered).collect();
    Rates::new(found.intersection(&truth).count() as u64, found.len() as u64, truth.len() as u64)
}

/// The mean F1 over the true clusters of two or more documents, as in the paper's summary of its gold set: for each, the
/// rates of the found pairs that touch it. `labels` names the true cluster of each document.
pub fn macro_f1(found: impl IntoIterator<Item = (u32, u32)>, labels: &[u32]) -> f64 {
    let mut members: BTreeMap<u32, u64> = BTreeMap::new();
    labels.iter().for_each(|&label| *members.entry(label).or_default() += 1);
    let mut inside: BTreeMap<u32, u64> = BTreeMap::new();
    let mut touching: BTreeMap<u32, u64> = BTreeMap::new();
    for (a, b) in found {
        let (a, b) = (labels[a as usize], labels[b as usize]);
        *touching.entry(a).or_default() += 1;
        if a == b {
            *inside.entry(a).or_default() += 1;
        } else {
            *touching.entry(b).or_default() += 1;
        }
    }
    let count = |counts: &BTreeMap<u32, u64>, label: &u32| counts.get(label).copied().unwrap_or(0);
    let clusters: Vec<f64> = members
        .iter()
        .filter(|(_, size)| **size > 1)
        .map(|(label, size)| Rates::new(count(&inside, label), count(&touching, label), size * (size - 1) / 2).f1)
        .collect();
    clusters.iter().sum::<f64>() / clusters.len().max(1) as f64
}

/// The adjusted Rand index of two partitions of the same documents (Hubert and Arabie 1985): 1 for equal ones, about 0 for
/// unrelated ones.
pub fn adjusted_rand_index(found: &[u32], truth: &[u32]) -> f64 {
    let pairs = |count: &u64| (count * count.saturating_sub(1) / 2) as f64;
    let mut both: BTreeMap<(u32, u32), u64> = BTreeMap::new();
    let (mut rows, mut columns): (BTreeMap<u32, u64>, BTreeMap<u32, u64>) = Default::default();
    for (&found, &truth) in found.iter().zip(truth) {
        *both.entry((found, truth)).or_default() += 1;
        *rows.entry(found).or_default() += 1;
        *columns.entry(truth).or_default() += 1;
    }
    let together: f64 = both.values().map(pairs).sum();
    let (a, b): (f64, f64) = (rows.values().map(pairs).sum(), columns.values().map(pairs).sum());
    let all = pairs(&(found.len() as u64));
    let expected = if all == 0.0 { 0.0 } else { a * b / all };
    let most = (a + b) / 2.0;
    if most == expected { 1.0 } else { (together - expected) / (most - expected) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_of_pairs() {
        let rates = pair_rates([(1, 0), (2, 3), (4, 5)], [(0, 1), (2, 3), (6, 7), (8, 9)]);
        assert_eq!((rates.precision, rates.recall), (2.0 / 3.0, 0.5));
        assert!((rates.f1 - 4.0 / 7.0).abs() < 1e-12);
        assert_eq!(pair_rates([], []).f1, 1.0);
        assert_eq!(pair_rates([], [(0, 1)]).f1, 0.0);
    }

    #[test]
    fn macro_f1_weighs_every_cluster_alike() {
        // Two true clusters, {0,1,2} and {3,4}; 5 is alone. The first is found whole, the second not at all.
        let labels = [0, 0, 0, 1, 1, 2];
        assert_eq!(macro_f1([(0, 1), (0, 2), (1, 2)], &labels), 0.5);
        // A pair across two clusters costs the precision of both.
        let crossed = macro_f1([(0, 1), (0, 2), (1, 2), (3, 4), (2, 3)], &labels);
        assert!((crossed - (6.0 / 7.0 + 2.0 / 3.0) / 2.0).abs() < 1e-12);
    }

    /// Worked by hand: two partitions of six, of two clusters of three and of three of two.
    #[test]
    fn the_adjusted_rand_index() {
        assert_eq!(adjusted_rand_index(&[0, 0, 1, 1], &[5, 5, 9, 9]), 1.0);
        assert_eq!(adjusted_rand_index(&[], &[]), 1.0);
        let index = adjusted_rand_index(&[0, 0, 0, 1, 1, 1], &[0, 0, 1, 1, 2, 2]);
        // together 2, rows 6, columns 3, all 15: (2 - 1.2) / (4.5 - 1.2)
        assert!((index - 0.8 / 3.3).abs() < 1e-12, "{index}");
    }
}

//! How good a relationship graph is (section 7): coverage, density and average precision against a reference graph.

use std::collections::{BTreeMap, BTreeSet};

use super::lists::Lists;
use super::score::Score;

/// How well a graph agrees with a reference graph.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Quality {
    /// The share of the reference's edges that the graph has.
    pub coverage: f64,
    /// The share of the graph's edges that the reference has; 1 where the graph has none.
    pub density: f64,
    /// The same for each document alone, averaged over the documents that have an edge.
    pub average_precision: f64,
    /// Edges of the graph.
    pub edges: u64,
}

impl Quality {
    /// The harmonic mean of coverage and density.
    pub fn f1(&self) -> f64 {
        let sum = self.coverage + self.density;
        if sum > 0.0 { 2.0 * self.coverage * self.density / sum } else { 0.0 }
    }
}

/// The quality of the graphs that several scores and thresholds give for one collection.
///
/// The reference has been judged for its own documents only, so only they are asked: an edge counts if it touches one of
/// them. Pairs in `ignored` count neither as right nor as wrong. Chunks in more than `most_documents` documents are left out.
pub fn evaluate(
    lists: &Lists,
    lengths: &[u32],
    reference: &BTreeSet<(u32, u32)>,
    ignored: &BTreeSet<(u32, u32)>,
    most_documents: u32,
    grid: &[(Score, f64)],
) -> Vec<Quality> {
    let truth: BTreeSet<(u32, u32)> = reference.iter().map(|&(a, b)| (a.min(b), a.max(b))).collect();
    let mut lists_of: BTreeMap<u32, Vec<u32>> =
        truth.iter().flat_map(|&(a, b)| [a, b]).map(|one| (one, Vec::new())).collect();
    let mut members = Vec::new();
    for list in (0..lists.len()).filter(|&list| lists.documents(list) <= most_documents) {
        lists.read(list, &mut members);
        for member in &members {
            if let Some(lists) = lists_of.get_mut(member) {
                lists.push(list as u32);
            }
        }
    }
    let mut tallies = vec![Tally::default(); grid.len()];
    // What the document at hand shares with every other: by weight of whole chunks, under S4, and under S5.
    let mut shared = vec![[0u64; 3]; lengths.len()];
    let mut partners = Vec::new();
    for (&document, own_lists) in &lists_of {
        for &list in own_lists {
            let list = list as usize;
            lists.read(list, &mut members);
            let chunks = lists.chunks_of(list);
            let weights =
                [Score::S1, Score::S4, Score::S5].map(|score| u64::from(chunks) * score.weight(lists.documents(list)));
            for &member in members.iter().filter(|&&member| member != document) {
                let sums = &mut shared[member as usize];
                if sums[0] == 0 {
                    partners.push(member);
                }
                sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight);
            }
        }
        for (tally, &(score, threshold)) in tallies.iter_mut().zip(grid) {
            let (mut edges, mut right) = (0u64, 0u64);
            for &partner in &partners {
                let [whole, s4, s5] = shared[partner as usize];
                let sum = match score {
                    Score::S1 | Score::S2 | Score::S3 => whole,
                    Score::S4 => s4,
                    Score::S5 => s5,
                };
                if sum < score.needed(threshold, lengths[document as usize], lengths[partner as usize]) {
                    continue;
                }
                let pair = (document.min(partner), document.max(partner));
                if ignored.contains(&pair) {
                    continue;
                }
                let is_right = truth.contains(&pair);
                (edges, right) = (edges + 1, right + u64::from(is_right));
                // An edge between two of the reference's documents is met from both ends.
                if document < partner || !lists_of.contains_key(&partner) {
                    tally.edges += 1;
                    tally.right += u64::from(is_right);
                }
            }
            if edges > 0 {
                tally.documents += 1;
                tally.precision += right as f64 / edges as f64;
            }
        }
        partners.drain(..).for_each(|partner| shared[partner as usize] = [0; 3]);
    }
    tallies.iter().map(|tally| tally.quality(truth.len())).collect()
}

#[derive(Clone, Debug, Default)]
struct Tally {
    edges: u64,
    right: u64,
    documents: u64,
    precision: f64,
}

impl Tally {
    fn quality(&self, truth: usize) -> Quality {
        let share = |part: f64, whole: f64, none: f64| if whole > 0.0 { part / whole } else { none };
        Quality {
            coverage: share(self.right as f64, truth as f64, 1.0),
            density: share(self.right as f64, self.edges as f64, 1.0),
            average_precision: share(self.precision, self.documents as f64, 1.0),
            edges: self.edges,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::relate::Relate;
    use super::*;
    use proptest::prelude::*;

    /// Figures 1 and 4: four of six edges found and one that is wrong is a coverage of 67 % and a density of 80 %.
    #[test]
    fn the_papers_own_example() {
        let reference = BTreeSet::from([(3, 4), (2, 5), (2, 7), (5, 7), (1, 6), (6, 8)]);
        let held = [vec![3, 4], vec![2, 5], vec![1, 6], vec![6, 8], vec![3, 5]];
        let quality =
            evaluate(&Lists::of(&held), &[10; 9], &reference, &BTreeSet::new(), u32::MAX, &[(Score::S1, 1.0)])[0];
        assert!((quality.coverage - 4.0 / 6.0).abs() < 1e-12 && (quality.density - 0.8).abs() < 1e-12);
        // Documents 1, 2, 4, 6 and 8 have only right edges, 3 and 5 one right and one wrong; 7 has none.
        assert!((quality.average_precision - 6.0 / 7.0).abs() < 1e-12);
        assert_eq!(quality.edges, 5);
    }

    proptest! {
        /// Where the reference names every document, the graph that is judged is the whole graph.
        #[test]
        fn judges_the_graph_that_relate_gives(
            held in proptest::collection::vec(proptest::collection::btree_set(0u32..10, 2..10), 0..40),
            lengths in proptest::collection::vec(8u32..60, 10),
            threshold in 0.0f64..0.4,
        ) {
            let held: Vec<Vec<u32>> = held.into_iter().map(|set| set.into_iter().collect()).collect();
            let reference: BTreeSet<(u32, u32)> = (0..5).map(|pair| (pair, pair + 5)).collect();
            let lists = Lists::of(&held);
            for score in Score::ALL {
                let relate = Relate { score, threshold, memory: 1 << 12, most_documents: 8 };
                let graph = relate.run(&lists, &lengths);
                let right = graph.iter().filter(|one| reference.contains(&(one.edge.a, one.edge.b))).count();
                let quality = evaluate(&lists, &lengths, &reference, &BTreeSet::new(), 8, &[(score, threshold)])[0];
                prop_assert_eq!(quality.edges, graph.len() as u64);
                prop_assert!((quality.coverage - right as f64 / 5.0).abs() < 1e-12);
            }
        }
    }
}

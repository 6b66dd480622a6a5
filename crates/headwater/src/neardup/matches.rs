//! What was found, as pairs and clusters of documents.

use super::join::Match;
use super::roster::{NO_SET, Roster};
use crate::graph::{Cluster, DisjointSets, Edge};

/// Which documents are alike.
#[derive(Clone, Debug)]
pub struct Matches {
    /// For each document its set, or [`NO_SET`].
    set_of: Vec<u32>,
    /// Documents in order of their sets, and where those of each set begin.
    members: Vec<u32>,
    starts: Vec<u32>,
    /// Partners of each set in order of set, and where those of each set begin.
    partners: Vec<(u32, f64)>,
    partner_starts: Vec<u32>,
}

impl Matches {
    pub(super) fn new(roster: &Roster, found: &[Match]) -> Self {
        let sets = roster.distinct() as usize;
        let of_set = |set: u32| (set != NO_SET).then_some(set);
        let by_set = (0..).zip(roster.set_of()).filter_map(|(document, &set)| Some((of_set(set)?, document)));
        let (members, starts) = grouped(sets, by_set);
        let both = found.iter().flat_map(|m| [(m.one, (m.other, m.similarity)), (m.other, (m.one, m.similarity))]);
        let (partners, partner_starts) = grouped(sets, both);
        Matches { set_of: roster.set_of().to_vec(), members, starts, partners, partner_starts }
    }

    /// Documents that are alike directly or through others: clusters of two or more, in order of their first.
    pub fn clusters(&self) -> Vec<Cluster> {
        let mut sets = DisjointSets::new(self.set_of.len() as u32);
        for set in 0..self.starts.len() - 1 {
            let members = self.members(set as u32);
            for &member in members {
                sets.join(members[0], member);
            }
            for &(partner, _) in self.partners(set as u32) {
                sets.join(members[0], self.members(partner)[0]);
            }
        }
        sets.clusters()
    }

    /// Every pair that was found, the earlier document first, in order. Documents with the same set are alike with likeness 1.
    pub fn pairs(&self) -> impl Iterator<Item = Edge> {
        (0..self.set_of.len() as u32).flat_map(|document| self.later(document))
    }

    /// The later documents that are like this one, in order.
    fn later(&self, document: u32) -> Vec<Edge> {
        let set = self.set_of[document as usize];
        if set == NO_SET {
            return Vec::new();
        }
        let behind = |set: u32| {
            let members = self.members(set);
            members[members.partition_point(|&member| member <= document)..].iter().copied()
        };
        let same = behind(set).map(|other| (other, 1.0));
        let alike = self.partners(set).iter();
        let alike = alike.flat_map(|&(partner, similarity)| behind(partner).map(move |other| (other, similarity)));
        let mut later: Vec<Edge> = same.chain(alike).map(|(other, score)| Edge::new(document, other, score)).collect();
        later.sort_unstable_by_key(|edge| edge.b);
        later
    }

    fn members(&self, set: u32) -> &[u32] {
        &self.members[self.starts[set as usize] as usize..self.starts[set as usize + 1] as usize]
    }

    fn partners(&self, set: u32) -> &[(u32, f64)] {
        &self.partners[self.partner_starts[set as usize] as usize..self.partner_starts[set as usize + 1] as usize]
    }
}

/// Values in order of their group, and where each group begins; one more beginning marks the end.
fn grouped<T: Copy + Default>(groups: usize, values: impl Iterator<Item = (u32, T)> + Clone) -> (Vec<T>, Vec<u32>) {
    let mut starts = vec![0u32; groups + 1];
    for (group, _) in values.clone() {
        starts[group as usize + 1] += 1;
    }
    for group in 0..groups {
        starts[group + 1] += starts[group];
    }
    let mut next = starts.clone();
    let mut ordered = vec![T::default(); starts[groups] as usize];
    for (group, value) in values {
        ordered[next[group as usize] as usize] = value;
        next[group as usize] += 1;
    }
    (ordered, starts)
}

#[cfg(test)]
mod tests {
    use super::super::collection::Collection;
    use super::*;

    #[test]
    fn copies_and_partners_make_pairs_and_clusters() {
        let mut collection = Collection::new();
        for set in [&[1u64, 2][..], &[7], &[1, 2], &[], &[1, 2, 3], &[8], &[1, 2]] {
            collection.push(set);
        }
        let found = [Match { one: 2, other: 0, similarity: 0.75 }];
        let matches = Matches::new(collection.roster(), &found);
        let pairs: Vec<(u32, u32, f64)> = matches.pairs().map(|edge| (edge.a, edge.b, edge.score)).collect();
        assert_eq!(pairs, [(0, 2, 1.0), (0, 4, 0.75), (0, 6, 1.0), (2, 4, 0.75), (2, 6, 1.0), (4, 6, 0.75)]);
        let clusters: Vec<_> = matches.clusters().into_iter().map(|cluster| cluster.members).collect();
        assert_eq!(clusters, [[0, 2, 4, 6]]);
    }

    #[test]
    fn nothing_gives_nothing() {
        let matches = Matches::new(&Roster::default(), &[]);
        assert_eq!(matches.pairs().count(), 0);
        assert!(matches.clusters().is_empty());
    }
}

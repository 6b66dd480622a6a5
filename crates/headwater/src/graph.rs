//! Scored pairs of documents and what they connect: the shape that answers about co-derivatives and near-duplicates share.
//!
//! ```
//! use headwater::graph::{Edge, Graph};
//!
//! let edges = vec![Edge::new(4, 1, 0.5), Edge::new(1, 2, 0.75)];
//! let graph = Graph::new(6, edges);
//! assert_eq!(graph.edges()[1], Edge { a: 1, b: 4, score: 0.5 }); // the earlier document first, edges in order
//! let clusters = graph.clusters();
//! assert_eq!(clusters[0].members, [1, 2, 4]);
//! assert_eq!(clusters.len(), 1); // a document without an edge is in none
//! ```

/// A scored pair of documents, the earlier one first. Documents are numbered in time order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// The earlier document.
    pub a: u32,
    /// The later document.
    pub b: u32,
    /// How strongly they belong together; what it means is said by whoever computed it.
    pub score: f64,
}

impl Edge {
    /// The edge between two documents, in whichever order they are named.
    pub fn new(one: u32, other: u32, score: f64) -> Self {
        Edge { a: one.min(other), b: one.max(other), score }
    }
}

/// Documents that are connected by edges, directly or through others: two or more, in time order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cluster {
    /// The numbers of its documents, ascending.
    pub members: Vec<u32>,
}

/// The edges between a number of documents, in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Graph {
    documents: u32,
    edges: Vec<Edge>,
}

impl Graph {
    /// A graph of documents 0 to `documents` (exclusive); the edges are put in order of `a`, then `b`.
    ///
    /// # Panics
    /// Where an edge names a document that there is not.
    pub fn new(documents: u32, mut edges: Vec<Edge>) -> Self {
        assert!(edges.iter().all(|edge| edge.a <= edge.b && edge.b < documents), "an edge leads out of the graph");
        edges.sort_unstable_by_key(|edge| (edge.a, edge.b));
        Graph { documents, edges }
    }

    /// How many documents there are, with or without edges.
    pub fn documents(&self) -> u32 {
        self.documents
    }

    /// Every edge, in order of its first document, then its second.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The connected clusters of two or more documents, in order of their first.
    pub fn clusters(&self) -> Vec<Cluster> {
        let mut sets = DisjointSets::new(self.documents);
        for edge in &self.edges {
            sets.join(edge.a, edge.b);
        }
        sets.clusters()
    }
}

/// Union–find over documents: joins in nearly constant time each, and gives the same clusters for any order of joins.
#[derive(Clone, Debug)]
pub struct DisjointSets {
    /// A document of the same set that is nearer to its first member; itself for the first.
    parents: Vec<u32>,
}

impl DisjointSets {
    /// Every document alone.
    pub fn new(documents: u32) -> Self {
        DisjointSets { parents: (0..documents).collect() }
    }

    /// Puts the sets of two documents together; tells whether they were apart.
    pub fn join(&mut self, one: u32, other: u32) -> bool {
        let (one, other) = (self.first(one), self.first(other));
        // The smaller number becomes the root, so that a root is its set's earliest document.
        self.parents[one.max(other) as usize] = one.min(other);
        one != other
    }

    /// The earliest document in the set of this one.
    pub fn first(&mut self, mut document: u32) -> u32 {
        loop {
            let parent = self.parents[document as usize];
            if parent == document {
                return document;
            }
            // Halving the path costs one write a step and keeps every path short.
            let above = self.parents[parent as usize];
            self.parents[document as usize] = above;
            document = above;
        }
    }

    /// Sets of two or more documents, in order of their first, members ascending.
    pub fn clusters(mut self) -> Vec<Cluster> {
        const NONE: u32 = u32::MAX;
        let documents = self.parents.len() as u32;
        let mut clusters: Vec<Cluster> = Vec::new();
        let mut places = vec![NONE; self.parents.len()];
        for document in 0..documents {
            let first = self.first(document);
            if first == document {
                continue;
            }
            let place = &mut places[first as usize];
            if *place == NONE {
                *place = clusters.len() as u32;
                clusters.push(Cluster { members: vec![first] });
            }
            clusters[*place as usize].members.push(document);
        }
        clusters.sort_unstable_by_key(|cluster| cluster.members[0]);
        clusters
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Labels spread along edges until nothing changes.
    fn reference(documents: u32, edges: &[(u32, u32)]) -> Vec<Vec<u32>> {
        let mut label: Vec<u32> = (0..documents).collect();
        for _ in 0..documents {
            for &(a, b) in edges {
                let low = label[a as usize].min(label[b as usize]);
                (label[a as usize], label[b as usize]) = (low, low);
            }
        }
        let members = |wanted| (0..documents).filter(|&d| label[d as usize] == wanted).collect::<Vec<_>>();
        (0..documents).map(members).filter(|members| members.len() > 1).collect()
    }

    proptest! {
        #[test]
        fn clusters_are_the_connected_documents(pairs in proptest::collection::vec((0u32..40, 0u32..40), 0..40)) {
            let edges = pairs.iter().map(|&(a, b)| Edge::new(a, b, 1.0)).collect();
            let clusters: Vec<_> = Graph::new(40, edges).clusters().into_iter().map(|cluster| cluster.members).collect();
            prop_assert_eq!(clusters, reference(40, &pairs));
        }
    }

    #[test]
    fn no_documents_no_clusters() {
        assert!(Graph::new(0, Vec::new()).clusters().is_empty());
    }
}

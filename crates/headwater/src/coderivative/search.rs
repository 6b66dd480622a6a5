//! The search problem (section 1): the co-derivatives of one document. One pass over the collection answers it, exactly
//! and without counters.

use std::collections::HashMap;

use super::collection::{Batch, Collection};
use super::filter::Pipeline;
use super::relate::{Relate, Relation};
use crate::graph::Edge;
use crate::text::fingerprints;

/// The document that is asked about.
#[derive(Clone, Debug)]
pub struct Search<'a> {
    /// Its number in the collection.
    pub document: u32,
    /// Its tokens.
    pub tokens: &'a [u64],
    /// Tokens in a chunk.
    pub length: usize,
    /// Which chunks take part.
    pub pipeline: &'a Pipeline,
}

impl Search<'_> {
    /// The edges of this document in the graph that `relate` would give for the whole collection.
    pub fn run<C: Collection>(&self, collection: &C, relate: &Relate) -> Result<Searched, C::Error> {
        let mut chunks = Vec::new();
        kept_chunks(self.tokens, self.length, self.pipeline, &mut chunks);
        let numbers: HashMap<u64, u32> = chunks.iter().copied().zip(0..).collect();
        let mut documents = vec![1u32; chunks.len()];
        let mut found: Vec<Found> = Vec::new();
        collection.pass(
            |batch| self.look(batch, &numbers),
            |batch| {
                for one in batch {
                    one.chunks.iter().for_each(|&chunk| documents[chunk as usize] += 1);
                    found.push(one);
                }
                Ok(())
            },
        )?;
        let own = self.tokens.len() as u32;
        let scored = |chunks: &mut dyn Iterator<Item = u32>, tokens: u32| {
            let counted = chunks.map(|chunk| documents[chunk as usize]);
            let counted = counted.filter(|&documents| documents <= relate.most_documents);
            let (sum, chunks) =
                counted.fold((0, 0), |(sum, chunks), documents| (sum + relate.score.weight(documents), chunks + 1));
            let reached = chunks > 0 && sum >= relate.score.needed(relate.threshold, own, tokens);
            reached.then(|| (relate.score.value(sum, own, tokens), chunks))
        };
        let relations = found.iter().filter_map(|other| {
            let (score, chunks) = scored(&mut other.chunks.iter().copied(), other.tokens)?;
            Some(Relation { edge: Edge::new(self.document, other.document, score), chunks })
        });
        let relations = relations.collect();
        Ok(Searched { relations, copies: scored(&mut (0..chunks.len() as u32), own) })
    }

    fn look(&self, batch: &Batch, numbers: &HashMap<u64, u32>) -> Vec<Found> {
        let (mut found, mut chunks) = (Vec::new(), Vec::new());
        for (document, tokens) in batch.documents().filter(|(document, _)| *document != self.document) {
            kept_chunks(tokens, self.length, self.pipeline, &mut chunks);
            let shared: Vec<u32> = chunks.iter().filter_map(|chunk| numbers.get(chunk).copied()).collect();
            if !shared.is_empty() {
                found.push(Found { document, tokens: tokens.len() as u32, chunks: shared });
            }
        }
        found
    }
}

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct Searched {
    /// The edges of the document, in the order of its partners.
    pub relations: Vec<Relation>,
    /// Score and chunks of the edge to a copy of the document, where that reaches the threshold.
    pub copies: Option<(f64, u32)>,
}

/// A document that shares chunks with the one that is asked about.
struct Found {
    document: u32,
    tokens: u32,
    chunks: Vec<u32>,
}

/// The different chunks of a document that the pipeline keeps, ascending.
fn kept_chunks(tokens: &[u64], length: usize, pipeline: &Pipeline, out: &mut Vec<u64>) {
    fingerprints(tokens, length, out);
    if !pipeline.is_empty() {
        let mut keep = vec![true; out.len()];
        pipeline.apply(tokens, out, length, &mut keep);
        let mut keep = keep.into_iter();
        out.retain(|_| keep.next().unwrap_or(false));
    }
    out.sort_unstable();
    out.dedup();
}

/// How many different chunks each of the wanted documents has, in order.
pub fn distinct_chunks<C: Collection>(
    collection: &C,
    length: usize,
    pipeline: &Pipeline,
    wanted: impl Fn(u32) -> bool + Sync,
) -> Result<HashMap<u32, u32>, C::Error> {
    let mut counts = HashMap::new();
    let count = |batch: &Batch| {
        let mut chunks = Vec::new();
        let wanted = batch.documents().filter(|(document, _)| wanted(*document));
        let counts = wanted.map(|(document, tokens)| {
            kept_chunks(tokens, length, pipeline, &mut chunks);
            (document, chunks.len() as u32)
        });
        counts.collect::<Vec<_>>()
    };
    collection.pass(count, |batch| {
        counts.extend(batch);
        Ok(())
    })?;
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::super::collection::InMemory;
    use super::super::lists::Lists;
    use super::super::score::Score;
    use super::super::shared::{Extract, MemoryBins};
    use super::super::spex::Schedule;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_edges_of_one_document_are_those_of_the_whole_graph(
            documents in proptest::collection::vec(proptest::collection::vec(0u64..3, 0..60), 2..10),
            threshold in 0.0f64..0.4,
            modulo in prop_oneof![Just("All"), Just("M2"), Just("W3")],
        ) {
            let mut collection = InMemory::new();
            documents.iter().for_each(|tokens| assert!(collection.push(tokens) < 100));
            let lengths: Vec<u32> = documents.iter().map(|tokens| tokens.len() as u32).collect();
            let mut pipeline = Pipeline::default();
            pipeline.push(modulo.parse::<crate::select::Selection>().unwrap());
            let extract = Extract { length: 4, schedule: Schedule::Fast, pipeline: pipeline.clone(), memory: 1 << 16 };
            let mut lists = Lists::new();
            let bins = MemoryBins::new(extract.bins(collection.tokens()));
            let Ok(_) = extract.run(&collection, bins, |chunks| {
                chunks.iter().map(Result::unwrap).for_each(|chunk| lists.add(chunk.document_bytes(), chunk.documents));
                Ok(())
            });
            for score in Score::ALL {
                let relate = Relate { score, threshold, most_documents: 7, memory: 1 << 16 };
                let graph = relate.run(&lists, &lengths);
                let own = relate.own(&lists, lengths.len() as u32);
                let Ok(distinct) = distinct_chunks(&collection, 4, &pipeline, |_| true);
                for (document, tokens) in (0..).zip(&documents) {
                    let search = Search { document, tokens, length: 4, pipeline: &pipeline };
                    let Ok(found) = search.run(&collection, &relate);
                    let mut expected: Vec<Relation> =
                        graph.iter().filter(|one| one.edge.a == document || one.edge.b == document).copied().collect();
                    expected.sort_by_key(|one| if one.edge.a == document { one.edge.b } else { one.edge.a });
                    let copies = relate.of_copies(own[document as usize], distinct[&document], tokens.len() as u32);
                    prop_assert_eq!(found, Searched { relations: expected, copies });
                }
            }
        }
    }
}

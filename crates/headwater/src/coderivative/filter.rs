//! The selection pipeline (section 6.1): a chunk is indexed only if every stage keeps it.
//!
//! The stages are the selection algorithms of [`crate::select`] and whatever else implements [`Filter`].

use std::fmt;
use std::sync::Arc;

use crate::select::Selection;

/// One stage of the pipeline.
///
/// A filter must decide by the chunk and its surroundings alone, so that equal passages of two documents are treated alike.
pub trait Filter: fmt::Debug + Send + Sync {
    /// Clears the flag of every chunk of one document that is to be left out; flag, chunk and first token have the same
    /// position.
    fn filter(&self, tokens: &[u64], chunks: &[u64], length: usize, keep: &mut [bool]);

    /// Chunks that more documents have are left out, once it is known how many have them.
    fn most_documents(&self) -> u32 {
        u32::MAX
    }
}

/// The stages of a pipeline after SPEX; none by default.
#[derive(Clone, Debug, Default)]
pub struct Pipeline {
    stages: Vec<Arc<dyn Filter>>,
}

impl Pipeline {
    /// Adds a stage.
    pub fn push(&mut self, filter: impl Filter + 'static) {
        self.stages.push(Arc::new(filter));
    }

    /// Whether every chunk passes.
    pub fn is_empty(&self) -> bool {
        self.stages.is_empty()
    }

    /// The largest number of documents that may have a chunk.
    pub fn most_documents(&self) -> u32 {
        self.stages.iter().map(|stage| stage.most_documents()).min().unwrap_or(u32::MAX)
    }

    /// Clears the flags of all chunks that some stage leaves out.
    pub fn apply(&self, tokens: &[u64], chunks: &[u64], length: usize, keep: &mut [bool]) {
        self.stages.iter().for_each(|stage| stage.filter(tokens, chunks, length, keep));
    }
}

impl Filter for Selection {
    fn filter(&self, tokens: &[u64], chunks: &[u64], length: usize, keep: &mut [bool]) {
        let mut selected = Vec::new();
        self.select(tokens, chunks, length, &mut selected);
        let mut selected = selected.iter().map(|chunk| chunk.position as usize).peekable();
        for (at, keep) in keep.iter_mut().enumerate() {
            *keep &= selected.next_if_eq(&at).is_some();
        }
    }
}

/// The anchor heuristic (Manber): only chunks that begin with one of these tokens.
#[derive(Clone, Debug)]
pub struct Anchor {
    hashes: Vec<u64>,
}

impl Anchor {
    /// Keeps the chunks whose first token has one of these hashes.
    pub fn new(mut hashes: Vec<u64>) -> Self {
        hashes.sort_unstable();
        Anchor { hashes }
    }
}

impl Filter for Anchor {
    fn filter(&self, tokens: &[u64], _chunks: &[u64], _length: usize, keep: &mut [bool]) {
        for (keep, token) in keep.iter_mut().zip(tokens) {
            *keep &= self.hashes.binary_search(token).is_ok();
        }
    }
}

/// Rare chunks (Heintze): only those that at most so many documents have.
#[derive(Clone, Copy, Debug)]
pub struct Rare {
    /// The largest number of documents that may have a chunk.
    pub most: u32,
}

impl Filter for Rare {
    fn filter(&self, _tokens: &[u64], _chunks: &[u64], _length: usize, _keep: &mut [bool]) {}

    fn most_documents(&self) -> u32 {
        self.most
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::fingerprints;

    #[test]
    fn a_chunk_passes_only_if_every_stage_keeps_it() {
        let tokens: Vec<u64> = (0..400).map(|at| crate::text::mix(at % 60)).collect();
        let mut chunks = Vec::new();
        fingerprints(&tokens, 3, &mut chunks);
        let mut pipeline = Pipeline::default();
        pipeline.push("M2".parse::<Selection>().unwrap());
        pipeline.push(Anchor::new(tokens[..30].to_vec()));
        let mut keep = vec![true; chunks.len()];
        pipeline.apply(&tokens, &chunks, 3, &mut keep);
        let expected: Vec<bool> =
            chunks.iter().enumerate().map(|(at, chunk)| chunk.is_multiple_of(2) && at % 60 < 30).collect();
        assert_eq!(keep, expected);
        assert!(keep.iter().any(|&kept| kept));
    }
}

//! A collection that can be read again and again, as token hashes: what SPEX and evaluations pass over.

use std::convert::Infallible;

/// Several documents in a row, as token hashes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    first: u32,
    tokens: Vec<u64>,
    ends: Vec<usize>,
}

impl Batch {
    /// No documents yet; the first will have this number.
    pub fn new(first: u32) -> Self {
        Batch { first, ..Batch::default() }
    }

    /// The documents of these tokens: one ends at each of `ends`, which ascend to the number of tokens.
    pub fn from_parts(first: u32, tokens: Vec<u64>, ends: Vec<usize>) -> Self {
        debug_assert_eq!(ends.last().copied().unwrap_or(0), tokens.len());
        Batch { first, tokens, ends }
    }

    /// The memory of a batch that is done with, for the next [`Batch::from_parts`].
    pub fn into_parts(self) -> (Vec<u64>, Vec<usize>) {
        (self.tokens, self.ends)
    }

    /// Adds the next document.
    pub fn push(&mut self, tokens: &[u64]) {
        self.tokens.extend_from_slice(tokens);
        self.ends.push(self.tokens.len());
    }

    /// Every document with its number, in order.
    pub fn documents(&self) -> impl Iterator<Item = (u32, &[u64])> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let ranges = starts.zip(&self.ends).map(|(start, &end)| &self.tokens[start..end]);
        (self.first..).zip(ranges)
    }

    /// How many tokens its documents have.
    pub fn tokens(&self) -> usize {
        self.tokens.len()
    }
}

/// Documents that can be passed over several times. Where they lie and on how many threads they are worked on is the
/// collection's business; the results must not depend on it.
pub trait Collection {
    /// Why a pass can fail.
    type Error;

    /// How many documents there are. They are numbered one after the other: from 0, or where the collection is the later
    /// part of a larger one, from where the earlier part ends.
    fn documents(&self) -> u32;

    /// How many tokens they have.
    fn tokens(&self) -> u64;

    /// Runs `work` on all documents, batch by batch, perhaps on several threads at once, and hands the results to `deliver`
    /// in order, on the caller's thread.
    fn pass<R: Send>(
        &self,
        work: impl Fn(&Batch) -> R + Sync,
        deliver: impl FnMut(R) -> Result<(), Self::Error>,
    ) -> Result<(), Self::Error>;
}

/// A collection in memory.
#[derive(Clone, Debug, Default)]
pub struct InMemory {
    batches: Vec<Batch>,
    first: u32,
    documents: u32,
    tokens: u64,
}

/// Tokens after which a batch is full: large enough that what is done once for each batch does not count.
const BATCH: usize = 1 << 18;

impl InMemory {
    /// No documents.
    pub fn new() -> Self {
        InMemory::default()
    }

    /// No documents yet; the first will have this number.
    pub fn starting_at(first: u32) -> Self {
        InMemory { first, ..InMemory::default() }
    }

    /// Adds a document, which gets the next number.
    pub fn push(&mut self, tokens: &[u64]) -> u32 {
        let number = self.first + self.documents;
        let full = self.batches.last().is_none_or(|batch| batch.tokens() >= BATCH);
        if full {
            self.batches.push(Batch::new(number));
        }
        self.batches.last_mut().expect("one was just pushed").push(tokens);
        self.documents += 1;
        self.tokens += tokens.len() as u64;
        number
    }
}

impl Collection for InMemory {
    type Error = Infallible;

    fn documents(&self) -> u32 {
        self.documents
    }

    fn tokens(&self) -> u64 {
        self.tokens
    }

    fn pass<R: Send>(
        &self,
        work: impl Fn(&Batch) -> R + Sync,
        mut deliver: impl FnMut(R) -> Result<(), Infallible>,
    ) -> Result<(), Infallible> {
        self.batches.iter().try_for_each(|batch| deliver(work(batch)))
    }
}

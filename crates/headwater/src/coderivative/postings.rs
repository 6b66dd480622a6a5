//! Shared chunks with the documents that have them, compressed to variable bytes.
//!
//! For each chunk, in ascending order of fingerprints: the difference to the fingerprint before, the number of documents,
//! the documents as differences, and the position of the chunk in each. The bytes of the documents stand together, so that
//! chunks of the same documents can be recognised without decoding.

use std::error::Error;
use std::fmt;

use super::bytes::{put, take};

/// A document that has a chunk, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Posting {
    /// The document.
    pub document: u32,
    /// The position of the chunk's first token at its first occurrence there.
    pub position: u32,
}

/// Some shared chunks in ascending order of their fingerprints.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chunks {
    bytes: Vec<u8>,
    chunks: u64,
    postings: u64,
}

/// One shared chunk.
#[derive(Clone, Copy, Debug)]
pub struct Chunk<'a> {
    /// Its fingerprint.
    pub fingerprint: u64,
    /// How many documents have it.
    pub documents: u32,
    document_bytes: &'a [u8],
    position_bytes: &'a [u8],
}

/// Bytes that are no shared chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damaged;

impl Chunks {
    /// Takes bytes for chunks, as [`Chunks::bytes`] gave them.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, Damaged> {
        let mut chunks = Chunks { bytes, chunks: 0, postings: 0 };
        let (mut count, mut postings) = (0, 0);
        for chunk in chunks.iter() {
            let chunk = chunk?;
            count += 1;
            postings += u64::from(chunk.documents);
        }
        (chunks.chunks, chunks.postings) = (count, postings);
        Ok(chunks)
    }

    /// The chunks as bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// How many chunks there are.
    pub fn len(&self) -> u64 {
        self.chunks
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.chunks == 0
    }

    /// How many pairs of a chunk and a document there are.
    pub fn postings(&self) -> u64 {
        self.postings
    }

    /// The chunks that `keeps` says yes to.
    pub fn only(&self, keeps: impl Fn(&Chunk<'_>) -> bool) -> Result<Self, Damaged> {
        let mut writer = Writer::default();
        for chunk in self.iter() {
            let chunk = chunk?;
            if keeps(&chunk) {
                writer.copy(&chunk);
            }
        }
        Ok(writer.finish())
    }

    /// Every chunk in order; ends after the first damage.
    pub fn iter(&self) -> impl Iterator<Item = Result<Chunk<'_>, Damaged>> {
        let mut rest = self.bytes.as_slice();
        let mut before = 0u64;
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let chunk = decode(&mut rest, before).ok_or(Damaged);
            match &chunk {
                Ok(chunk) => before = chunk.fingerprint,
                Err(Damaged) => rest = &[],
            }
            Some(chunk)
        })
    }
}

pub(super) fn decode<'a>(rest: &mut &'a [u8], before: u64) -> Option<Chunk<'a>> {
    let fingerprint = before.checked_add(take(rest)?)?;
    let documents = u32::try_from(take(rest)?).ok()?;
    let document_bytes = numbers(rest, documents)?;
    let position_bytes = numbers(rest, documents)?;
    Some(Chunk { fingerprint, documents, document_bytes, position_bytes })
}

/// The bytes of the next so many numbers.
fn numbers<'a>(rest: &mut &'a [u8], count: u32) -> Option<&'a [u8]> {
    let all = *rest;
    let mut left = count;
    let mut end = 0;
    while left > 0 {
        left -= u32::from(*all.get(end)? < 0x80);
        end += 1;
    }
    let (numbers, behind) = all.split_at(end);
    *rest = behind;
    Some(numbers)
}

impl<'a> Chunk<'a> {
    /// The documents that have it, as bytes: equal for chunks of the same documents.
    pub fn document_bytes(&self) -> &'a [u8] {
        self.document_bytes
    }

    /// The documents that have it, ascending, and where.
    pub fn postings(&self) -> impl Iterator<Item = Posting> + use<'a> {
        let mut positions = self.position_bytes;
        documents(self.document_bytes)
            .map_while(move |document| Some(Posting { document, position: take(&mut positions)? as u32 }))
    }
}

/// The documents behind [`Chunk::document_bytes`], ascending.
pub fn documents(mut bytes: &[u8]) -> impl Iterator<Item = u32> {
    let mut next = 0u32;
    std::iter::from_fn(move || {
        let document = next.checked_add(take(&mut bytes)? as u32)?;
        next = document.wrapping_add(1);
        Some(document)
    })
}

/// Compresses chunks as they come.
#[derive(Debug, Default)]
pub(super) struct Writer {
    chunks: Chunks,
    before: u64,
}

impl Writer {
    /// Adds a chunk with a fingerprint above the one before, documents ascending.
    pub(super) fn push(&mut self, fingerprint: u64, postings: &[Posting]) {
        let bytes = &mut self.chunks.bytes;
        put(bytes, fingerprint - self.before);
        self.before = fingerprint;
        put(bytes, postings.len() as u64);
        let mut next = 0;
        for posting in postings {
            put(bytes, u64::from(posting.document - next));
            next = posting.document + 1;
        }
        postings.iter().for_each(|posting| put(bytes, u64::from(posting.position)));
        self.chunks.chunks += 1;
        self.chunks.postings += postings.len() as u64;
    }

    /// Adds a chunk of another list, with a fingerprint above the one before.
    pub(super) fn copy(&mut self, chunk: &Chunk<'_>) {
        let bytes = &mut self.chunks.bytes;
        put(bytes, chunk.fingerprint - self.before);
        self.before = chunk.fingerprint;
        put(bytes, chunk.documents.into());
        bytes.extend_from_slice(chunk.document_bytes);
        bytes.extend_from_slice(chunk.position_bytes);
        self.chunks.chunks += 1;
        self.chunks.postings += u64::from(chunk.documents);
    }

    /// Bytes so far.
    pub(super) fn len(&self) -> usize {
        self.chunks.bytes.len()
    }

    pub(super) fn finish(self) -> Chunks {
        self.chunks
    }
}

impl fmt::Display for Damaged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the list of shared chunks is damaged")
    }
}

impl Error for Damaged {}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    proptest! {
        #[test]
        fn chunks_come_back(
            chunks in proptest::collection::btree_map(any::<u64>(), proptest::collection::btree_map(any::<u32>(), any::<u32>(), 1..20), 0..20)
        ) {
            let mut writer = Writer::default();
            for (&fingerprint, documents) in &chunks {
                let postings: Vec<Posting> = documents.iter().filter(|(d, _)| **d < u32::MAX)
                    .map(|(&document, &position)| Posting { document, position }).collect();
                writer.push(fingerprint, &postings);
            }
            let written = writer.finish();
            let read = Chunks::from_bytes(written.bytes().to_vec()).unwrap();
            prop_assert_eq!(&read, &written);
            let back: BTreeMap<u64, BTreeMap<u32, u32>> = read.iter().map(Result::unwrap)
                .map(|chunk| (chunk.fingerprint, chunk.postings().map(|p| (p.document, p.position)).collect())).collect();
            let kept: BTreeMap<u64, BTreeMap<u32, u32>> = chunks.into_iter()
                .map(|(fingerprint, documents)| (fingerprint, documents.into_iter().filter(|(d, _)| *d < u32::MAX).collect())).collect();
            prop_assert_eq!(back, kept);
        }

        #[test]
        fn nonsense_is_refused_without_panic(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
            if let Ok(chunks) = Chunks::from_bytes(bytes) {
                for chunk in chunks.iter() {
                    let documents: Vec<u32> = chunk.unwrap().postings().map(|posting| posting.document).collect();
                    prop_assert_eq!(documents.iter().collect::<BTreeSet<_>>().len(), documents.len());
                }
            }
        }
    }
}

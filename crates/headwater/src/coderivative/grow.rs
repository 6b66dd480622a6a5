//! Shared chunks of a collection that grows, which the paper could not do (section 9).
//!
//! What the old documents share among themselves is known. New documents add to it only through their own chunks, so only
//! those are counted, in counters of the size of the new text. The old text is passed over once, because a chunk that
//! stood in one document is shared as soon as a second one brings it; but all that is done there is to ask, chunk by chunk,
//! whether the new text may have it. What both may have is sorted as usual, and replaces what was known of these chunks;
//! everything else stays what it was.

use super::collection::{Batch, Collection};
use super::counters::{Counters, Scratch};
use super::postings::{Chunk, Chunks, Writer};
use super::shared::{Binned, Bins, Extract, Extracted, candidates, verify};
use super::spex::{PLENTY, Schedule, count};

/// Bytes of shared chunks that are handed over at a time.
const PIECE: usize = 1 << 20;

impl Extract {
    /// Whether [`Extract::grow`] suits so many new tokens: one pass must be enough for them, and the pipeline must not have
    /// thrown away what a new document could bring back.
    pub fn can_grow(&self, new_tokens: u64) -> bool {
        self.schedule == Schedule::Fast
            && self.pipeline.most_documents() == u32::MAX
            && self.schedule.steps(self.length, new_tokens, self.memory / 2).len() == 1
    }

    /// The shared chunks of old and new documents together, given those of the old ones alone.
    ///
    /// The numbers of the new documents are above those of the old. `earlier` gives what the old ones share, in ascending
    /// order of fingerprints, as an extraction with the same length and pipeline gave it. The result is handed to `sink` in
    /// the same order, and is what [`Extract::run`] would give for all documents.
    pub fn grow<C: Collection, B: Bins<Error = C::Error>>(
        &self,
        old: &C,
        new: &C,
        mut bins: B,
        earlier: impl FnMut() -> Result<Option<Chunks>, C::Error>,
        mut sink: impl FnMut(Chunks) -> Result<(), C::Error>,
    ) -> Result<Extracted, C::Error> {
        let most = (self.memory as u64 / 2).saturating_mul(4);
        let counters = Counters::new(new.tokens().saturating_mul(PLENTY).clamp(1, most.max(1)));
        new.pass(|batch| count(batch, self.length, None, Some(&self.pipeline), &counters), |()| Ok(()))?;
        let bin_count = bins.count();
        let mut found = 0;
        let met = |batch: &Batch| {
            let met = candidates(batch, &self.pipeline, self.length, bin_count, |chunk| counters.is_counted(chunk));
            // From now on the new text's own occurrences of these chunks pass too. What is asked above does not change by it:
            // only counters that are not zero are counted up.
            let numbers: Vec<u64> = met.occurrences().iter().map(|occurrence| occurrence.fingerprint).collect();
            counters.add_all(&numbers, &mut Scratch::default());
            met
        };
        let own = |batch: &Batch| {
            candidates(batch, &self.pipeline, self.length, bin_count, |chunk| counters.is_multiple(chunk))
        };
        let mut put = |some: Binned| {
            found += some.occurrences().len() as u64;
            bins.put(some)
        };
        old.pass(met, &mut put)?;
        new.pass(own, &mut put)?;
        let occupancy = vec![counters.occupancy(self.length)];
        drop(counters);
        let mut known = Known { next: earlier, ended: false, chunks: Chunks::default(), at: 0, before: 0 };
        let mut writer = Writer::default();
        bins.drain(verify, |fresh| {
            for chunk in fresh.iter().flatten() {
                known.copy_below(Some(chunk.fingerprint), &mut writer, &mut sink)?;
                writer.copy(&chunk);
                hand_over(&mut writer, &mut sink)?;
            }
            Ok(())
        })?;
        known.copy_below(None, &mut writer, &mut sink)?;
        sink(writer.finish())?;
        Ok(Extracted { occupancy, candidates: found })
    }
}

/// Hands over what is written as soon as it is a piece.
fn hand_over<E>(writer: &mut Writer, sink: &mut impl FnMut(Chunks) -> Result<(), E>) -> Result<(), E> {
    if writer.len() >= PIECE { sink(std::mem::take(writer).finish()) } else { Ok(()) }
}

/// What the old documents share, read along.
struct Known<F> {
    next: F,
    ended: bool,
    chunks: Chunks,
    /// Where the next chunk begins in the bytes of these, and the fingerprint before it.
    at: usize,
    before: u64,
}

impl<E, F: FnMut() -> Result<Option<Chunks>, E>> Known<F> {
    /// Copies what stands below a fingerprint, or everything, and passes over the chunk that has it.
    fn copy_below(
        &mut self,
        end: Option<u64>,
        writer: &mut Writer,
        sink: &mut impl FnMut(Chunks) -> Result<(), E>,
    ) -> Result<(), E> {
        loop {
            while let Some((chunk, behind)) = self.chunks.chunk_at(self.at, self.before) {
                match end {
                    Some(end) if chunk.fingerprint > end => return Ok(()),
                    Some(end) if chunk.fingerprint == end => {}
                    _ => writer.copy(&chunk),
                }
                (self.at, self.before) = (behind, chunk.fingerprint);
                hand_over(writer, sink)?;
            }
            if self.ended {
                return Ok(());
            }
            match (self.next)()? {
                Some(chunks) => (self.chunks, self.at, self.before) = (chunks, 0, 0),
                None => self.ended = true,
            }
        }
    }
}

impl Chunks {
    /// The chunk whose bytes begin at a place, and the place behind it.
    fn chunk_at(&self, at: usize, before: u64) -> Option<(Chunk<'_>, usize)> {
        let mut rest = self.bytes().get(at..).filter(|rest| !rest.is_empty())?;
        let chunk = super::postings::decode(&mut rest, before)?;
        Some((chunk, self.bytes().len() - rest.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::collection::InMemory;
    use super::super::filter::Pipeline;
    use super::super::shared::MemoryBins;
    use super::*;
    use proptest::prelude::*;

    fn collection(first: u32, documents: &[Vec<u64>]) -> InMemory {
        let mut collection = InMemory::starting_at(first);
        documents.iter().for_each(|tokens| assert!(collection.push(tokens) < 100));
        collection
    }

    type Listed = Vec<(u64, Vec<(u32, u32)>)>;

    fn list(pieces: &[Chunks]) -> Listed {
        let chunks = pieces.iter().flat_map(|piece| piece.iter().map(Result::unwrap));
        chunks
            .map(|chunk| (chunk.fingerprint, chunk.postings().map(|one| (one.document, one.position)).collect()))
            .collect()
    }

    fn whole(extract: &Extract, documents: &[Vec<u64>]) -> Vec<Chunks> {
        let mut pieces = Vec::new();
        let keep = |piece| {
            pieces.push(piece);
            Ok(())
        };
        let Ok(_) = extract.run(&collection(0, documents), MemoryBins::new(3), keep);
        pieces
    }

    proptest! {
        /// Day after day, with counters so small that nearly everything collides and with roomy ones.
        #[test]
        fn growing_gives_what_everything_at_once_would(
            days in proptest::collection::vec(proptest::collection::vec(proptest::collection::vec(0u64..4, 0..50), 0..4), 1..5),
            length in 1usize..9,
            memory in prop_oneof![0usize..60, Just(1 << 16)],
            stage in prop_oneof![Just("All"), Just("M2"), Just("W3")],
        ) {
            let mut pipeline = Pipeline::default();
            pipeline.push(stage.parse::<crate::select::Selection>().unwrap());
            let extract = Extract { length, pipeline, memory, ..Extract::default() };
            let mut documents: Vec<Vec<u64>> = Vec::new();
            let mut known: Vec<Chunks> = Vec::new();
            for day in days {
                let (old, new) = (collection(0, &documents), collection(documents.len() as u32, &day));
                // Whoever has said that there is no more is not asked again.
                let mut earlier = std::mem::take(&mut known).into_iter().map(Some).chain([None]);
                let mut next = || Ok(earlier.next().expect("asked once too often"));
                let Ok(_) = extract.grow(&old, &new, MemoryBins::new(3), &mut next, |piece| {
                    known.push(piece);
                    Ok(())
                });
                documents.extend(day);
                prop_assert_eq!(list(&known), list(&whole(&extract, &documents)));
            }
        }
    }

    /// Also where all of them are new, and nothing that was known stands between them.
    #[test]
    fn many_shared_chunks_are_handed_over_in_pieces() {
        let same: Vec<u64> = (0..250_000).map(crate::text::mix).collect();
        let (old, new) = (collection(0, &[]), collection(0, &[same.clone(), same]));
        let (mut sizes, mut chunks) = (Vec::new(), 0);
        let extract = Extract::default();
        let Ok(_) = extract.grow(
            &old,
            &new,
            MemoryBins::new(3),
            || Ok(None),
            |piece: Chunks| {
                sizes.push(piece.bytes().len());
                chunks += piece.len();
                Ok(())
            },
        );
        assert_eq!(chunks, 250_000 - 7);
        assert!(sizes.len() > 2 && sizes.iter().all(|&size| size < PIECE + 100), "{sizes:?}");
    }
}

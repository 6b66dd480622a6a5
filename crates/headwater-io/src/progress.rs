//! How far a run has come, for whoever draws the bar, and the way to end it early.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};

/// Counters that reading keeps up to date and that any thread may look at.
#[derive(Debug, Default)]
pub struct Progress {
    bytes: AtomicU64,
    total: AtomicU64,
    documents: AtomicU64,
    phase: AtomicU8,
    stopped: AtomicBool,
}

/// What a run is busy with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// A first pass that looks at times alone, to see whether the documents are in order.
    CheckingOrder,
    /// Documents are read and delivered.
    Reading,
    /// Documents are read and sorted by time; delivery comes after.
    Sorting,
    /// Sorted documents are delivered.
    Delivering,
    /// What was read is passed over again, as tokens.
    Passing,
    /// What may be shared is sorted, bin by bin.
    Verifying,
    /// Pairs are scored, set by set of documents.
    Relating,
}

const PHASES: [Phase; 7] = [
    Phase::CheckingOrder,
    Phase::Reading,
    Phase::Sorting,
    Phase::Delivering,
    Phase::Passing,
    Phase::Verifying,
    Phase::Relating,
];

impl Progress {
    /// Bytes of the inputs that this phase has read, before decompression; once all input is read, tokens, bins or sets.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Bytes that this phase has to read, where that is known.
    pub fn total(&self) -> Option<u64> {
        match self.total.load(Ordering::Relaxed) {
            0 => None,
            total => Some(total),
        }
    }

    /// Documents that were delivered so far.
    pub fn documents(&self) -> u64 {
        self.documents.load(Ordering::Relaxed)
    }

    /// What the run is busy with.
    pub fn phase(&self) -> Phase {
        PHASES[usize::from(self.phase.load(Ordering::Relaxed)) % PHASES.len()]
    }

    /// Lets a run end at its next pause, as if its inputs ended there: one that waits for standard input need not wait on.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Begins a phase that has so much to do: bytes of input, or tokens, bins or sets once all input is read.
    pub fn begin(&self, phase: Phase, total: Option<u64>) {
        self.bytes.store(0, Ordering::Relaxed);
        self.total.store(total.unwrap_or(0), Ordering::Relaxed);
        let number = PHASES.iter().position(|&one| one == phase).unwrap_or_default();
        self.phase.store(number as u8, Ordering::Relaxed);
    }

    /// Counts what has been done of it.
    pub fn add_bytes(&self, count: u64) {
        self.bytes.fetch_add(count, Ordering::Relaxed);
    }

    pub(crate) fn add_documents(&self, count: u64) {
        self.documents.fetch_add(count, Ordering::Relaxed);
    }
}

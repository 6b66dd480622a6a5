//! When documents were written: asked for only where they did not arrive in that order.

/// Knows the times of the documents that were observed, by their numbers.
///
/// The tracer keeps no list that grows with the stream; whoever stores the names of documents can answer this as well.
pub trait Chronicle {
    /// The time that was given with the document when it was observed.
    fn time(&self, document: u32) -> i64;
}

/// Times in a list, the first document's first.
impl Chronicle for [i64] {
    fn time(&self, document: u32) -> i64 {
        self.get(document as usize).copied().unwrap_or(i64::MAX)
    }
}

/// Times in a list, the first document's first.
impl Chronicle for Vec<i64> {
    fn time(&self, document: u32) -> i64 {
        self.as_slice().time(document)
    }
}

/// For documents that are known to arrive in order of time: no two are ever compared.
#[derive(Clone, Copy, Debug, Default)]
pub struct InOrder;

impl Chronicle for InOrder {
    fn time(&self, document: u32) -> i64 {
        document.into()
    }
}

/// Compares the document at hand with those before it. Documents are ordered by time, then by arrival.
pub(super) struct Ages<'a> {
    chronicle: &'a dyn Chronicle,
    time: i64,
    /// Whether the document at hand is earlier than one that arrived before it.
    late: bool,
    disordered: bool,
}

impl<'a> Ages<'a> {
    pub(super) fn new(chronicle: &'a dyn Chronicle, time: i64, latest: i64, disordered: bool) -> Self {
        Ages { chronicle, time, late: time < latest, disordered }
    }

    /// Whether there has ever been a late document: numbers alone do not tell which is earlier then.
    pub(super) fn are_disordered(&self) -> bool {
        self.disordered
    }

    /// Whether a document that arrived before the one at hand was written after it.
    pub(super) fn is_later(&self, document: u32) -> bool {
        self.late && self.chronicle.time(document) > self.time
    }

    /// What to sort documents by, the earliest first.
    pub(super) fn order(&self, document: u32) -> (i64, u32) {
        let time = if self.disordered { self.chronicle.time(document) } else { 0 };
        (time, document)
    }
}

//! What can be done to all that a tracer remembers: looking through it, forgetting documents, taking in another tracer.

use std::error::Error;
use std::fmt;

use super::chronicle::Chronicle;
use super::table::{self, Buckets, Loose};
use super::tracer::{Engine, MOST_DOCUMENTS, Tracer};

/// One shingle that a tracer remembers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remembered {
    /// The bucket that it is in.
    pub bucket: u64,
    /// What is kept of its fingerprint: 14 bits, or 48 in the paper's tables.
    pub identity: u64,
    /// The document that had it first.
    pub document: u32,
    /// How useful it is, 0 to 15, or to 255 in the paper's tables; the least useful of a bucket is forgotten first.
    pub score: u8,
}

/// Two tracers that cannot become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CannotMerge {
    /// They were made with different settings.
    Settings,
    /// They have more documents than there are numbers.
    TooManyDocuments,
}

impl fmt::Display for CannotMerge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CannotMerge::Settings => "they were made with different settings",
            CannotMerge::TooManyDocuments => "together they have more documents than there are numbers for",
        })
    }
}

impl Error for CannotMerge {}

impl Tracer {
    /// Visits all that it remembers, bucket by bucket.
    pub fn remembered(&self, visit: impl FnMut(Remembered)) {
        match &self.engine {
            Engine::Headwater(engine, _) => visit_all(engine.table(), visit),
            Engine::Paper(engine, _) => visit_all(engine.table(), visit),
        }
    }

    /// What share of the anchors of each level, of which the next is twice as rare, it has found still there when it looked for
    /// them; nothing for the paper's algorithms, which have no levels.
    pub fn retention(&self) -> Vec<f64> {
        match &self.engine {
            Engine::Headwater(engine, _) => engine.learnt().retentions(),
            Engine::Paper(..) => Vec::new(),
        }
    }

    /// Forgets every shingle whose origin is to go; gives how many there were. What is copied from these documents later
    /// counts as new.
    pub fn forget(&mut self, gone: impl Fn(u32) -> bool) -> u64 {
        match &mut self.engine {
            Engine::Headwater(engine, _) => table::forget(engine.table_mut(), gone),
            Engine::Paper(engine, _) => table::forget(engine.table_mut(), gone),
        }
    }

    /// Takes in all that another tracer remembers. Its documents get the numbers after those that this one has observed;
    /// `chronicle` knows the times of all of them by these numbers. Where both remember a shingle, the earlier origin
    /// stays; where a bucket overflows, the most useful entries do. Gives how many found no room.
    pub fn merge(&mut self, other: &Tracer, chronicle: &impl Chronicle) -> Result<u64, CannotMerge> {
        if self.settings != other.settings {
            return Err(CannotMerge::Settings);
        }
        let base = self.next;
        let documents = base.checked_add(other.next).filter(|&all| all <= MOST_DOCUMENTS);
        let documents = documents.ok_or(CannotMerge::TooManyDocuments)?;
        let number = |document| base + document;
        let order = |document| (chronicle.time(document), document);
        let dropped = match (&mut self.engine, &other.engine) {
            (Engine::Headwater(engine, _), Engine::Headwater(other, _)) => {
                engine.learn_from(other);
                table::merge(engine.table_mut(), other.table(), number, order)
            }
            (Engine::Paper(engine, _), Engine::Paper(other, _)) => {
                table::merge(engine.table_mut(), other.table(), number, order)
            }
            _ => return Err(CannotMerge::Settings),
        };
        let earliest = (base..documents).map(|document| chronicle.time(document)).min();
        self.disordered |= other.disordered || earliest.is_some_and(|earliest| earliest < self.latest);
        self.latest = self.latest.max(other.latest);
        self.next = documents;
        Ok(dropped)
    }
}

fn visit_all(table: &impl Buckets, mut visit: impl FnMut(Remembered)) {
    let mut entries = Vec::new();
    for bucket in 0..table.buckets() {
        table.take_apart(bucket, &mut entries);
        for &Loose { identity, document, score, .. } in &entries {
            visit(Remembered { bucket: bucket as u64, identity, document, score });
        }
    }
}

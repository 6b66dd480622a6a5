//! Which document has which feature set. Documents with the same one share it, so that ten thousand copies cost no more than one.

use std::collections::HashMap;

use crate::text::mix;

/// Stands for a document without features, which is compared with none.
pub(super) const NO_SET: u32 = u32::MAX;

/// The documents of a collection and the numbers of their sets.
#[derive(Clone, Debug, Default)]
pub struct Roster {
    /// For each document its set, or [`NO_SET`].
    set_of: Vec<u32>,
    /// How many documents have each set.
    members: Vec<u32>,
    by_digest: HashMap<(u64, u32), u32>,
}

impl Roster {
    /// How many documents there are.
    pub fn documents(&self) -> u32 {
        self.set_of.len() as u32
    }

    /// How many documents have no features and so are like no other.
    pub fn empty(&self) -> u32 {
        self.set_of.iter().filter(|&&set| set == NO_SET).count() as u32
    }

    /// How many different sets the documents have.
    pub fn distinct(&self) -> u32 {
        self.members.len() as u32
    }

    /// The number of a document's set, counted as they were first met; nothing where it has no features.
    pub fn set(&self, document: u32) -> Option<u32> {
        Some(self.set_of[document as usize]).filter(|&set| set != NO_SET)
    }

    /// Enters a set before documents have it. Gives its number, and whether it is a new one; nothing for an empty one.
    pub(super) fn enter(&mut self, features: &[u64]) -> Option<(u32, bool)> {
        if features.is_empty() {
            return None;
        }
        let next = self.distinct();
        let set = *self.by_digest.entry((digest(features), features.len() as u32)).or_insert(next);
        let new = set == next;
        if new {
            self.members.push(0);
        }
        Some((set, new))
    }

    /// Adds the next document by its set, if it has one, and gives its number.
    pub(super) fn add(&mut self, set: Option<u32>) -> u32 {
        let document = self.documents();
        if let Some(set) = set {
            self.members[set as usize] += 1;
        }
        self.set_of.push(set.unwrap_or(NO_SET));
        document
    }

    pub(super) fn set_of(&self) -> &[u32] {
        &self.set_of
    }

    pub(super) fn members(&self) -> &[u32] {
        &self.members
    }
}

/// The same for the same set, in whatever order its features stand; two different sets share it as seldom as two features do.
fn digest(features: &[u64]) -> u64 {
    features.iter().fold(0, |sum: u64, &feature| sum.wrapping_add(mix(feature)))
}

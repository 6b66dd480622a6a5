//! Expansion (E): the neighbours of a found shingle have its origin too, if a byte of each agrees with what the table
//! keeps about its neighbours there (section 2.3).

use super::super::report::Evidence;
use super::{Asked, Label};

/// Labels the neighbours of found shingles, unless they have a label.
pub(crate) fn expand(asked: &[Asked], labels: &mut [Option<Label>]) {
    for (at, one) in asked.iter().enumerate() {
        let Some(stored) = one.stored else { continue };
        let label = Label { origin: stored.document, evidence: Evidence::Expanded };
        if at > 0 && asked[at - 1].byte == stored.before {
            labels[at - 1].get_or_insert(label);
        }
        if asked.get(at + 1).is_some_and(|next| next.byte == stored.after) {
            labels[at + 1].get_or_insert(label);
        }
    }
}

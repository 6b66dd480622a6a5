//! Which anchors of a document are stored as its own.

use super::super::anchor::Probe;
use super::super::skirt::Skirts;
use super::super::table::Look;
use super::{Workspace, is_own};

/// Whether an anchor is stored, by what the table said of it and what was concluded of its shingle.
fn is_stored(look: Look, copied: bool, believed: bool) -> bool {
    let mut work = Workspace::default();
    work.copied.restart(10);
    work.believed.restart(10);
    if copied {
        work.copied.mark_all(7..8);
    }
    if believed {
        work.believed.mark(7);
    }
    is_own(&Probe { place: 0, position: 7, skirts: Skirts::default(), tag: 1, level: 0 }, look, &work)
}

#[test]
fn what_is_absent_and_not_copied_is_stored() {
    for look in [Look::Never, Look::Forgotten] {
        assert!(is_stored(look, false, false), "{look:?}");
        assert!(!is_stored(look, true, false), "{look:?}: it lies in a passage");
    }
    for look in [Look::Found, Look::Later] {
        assert!(!is_stored(look, false, false), "{look:?}: it is there");
    }
}

#[test]
fn what_is_believed_copied_is_stored_only_where_nothing_was_forgotten() {
    assert!(!is_stored(Look::Forgotten, false, true), "its origin may have been forgotten");
    assert!(is_stored(Look::Never, false, true), "nobody can have had it");
}

//! The no-complete-overlap versions: a second pass that discards shingles all of whose tokens are covered by others
//! (end of section 2.1).

use super::Selected;

/// Goes from left to right and drops a shingle if those that were kept before it and those that come after it cover
/// all its tokens. No covered token is lost.
///
/// All shingles have the same length here, so that the nearest neighbour on either side reaches furthest into it: it is
/// covered if and only if the next one begins where the last kept one ends, or before.
pub(super) fn discard(selected: &mut Vec<Selected>) {
    let mut kept = 0usize;
    for at in 0..selected.len() {
        let covered = match (kept.checked_sub(1), selected.get(at + 1)) {
            (Some(before), Some(after)) => after.position <= selected[before].end(),
            _ => false,
        };
        if !covered {
            selected[kept] = selected[at];
            kept += 1;
        }
    }
    selected.truncate(kept);
}

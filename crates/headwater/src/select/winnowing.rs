//! Winnowing w: the smallest shingle of every window of w shingles, the right-most of equals (section 2.1, after
//! Schleimer, Wilkerson and Aiken 2003). Local: whether a shingle is kept depends only on the windows it is in.

use std::num::NonZeroU32;

use super::{Selected, shingle};

/// A document with fewer than `w` shingles is one window, so that short documents are not invisible.
pub(super) fn select(shingles: &[u64], k: usize, w: NonZeroU32, out: &mut Vec<Selected>) {
    let window = (w.get() as usize).min(shingles.len());
    if window == 0 {
        return;
    }
    let mut smallest = rightmost_minimum(shingles, 0, window);
    out.push(shingle(shingles, k, smallest));
    for end in window + 1..=shingles.len() {
        let newest = end - 1;
        let next = if shingles[newest] <= shingles[smallest] {
            newest
        } else if smallest < end - window {
            rightmost_minimum(shingles, end - window, end)
        } else {
            continue;
        };
        smallest = next;
        out.push(shingle(shingles, k, smallest));
    }
}

/// The position of the smallest of a non-empty range, the last of equals.
fn rightmost_minimum(shingles: &[u64], start: usize, end: usize) -> usize {
    (start + 1..end).fold(start, |smallest, at| if shingles[at] <= shingles[smallest] { at } else { smallest })
}

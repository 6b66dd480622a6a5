//! Revised hash-breaking p: the document falls into segments at the tokens whose hash is divisible by p; segments of
//! fewer than p tokens are noise (section 2.1, after Seo and Croft 2008).
//!
//! What becomes of the noise can be read in two ways. By the text short segments "are ignored", so `Hb` leaves them out: a quarter of all
//! tokens is in none then. But the shares of Table 3 and the token freshness of Table 6 come out only if a break that would end a
//! short segment is ignored, and the segment goes on: that is `JHb` (joined), which loses no token but the last few.

use std::num::NonZeroU32;
use std::ops::Range;

use super::Selected;
use crate::text::mix;

pub(super) fn select(tokens: &[u64], p: NonZeroU32, joined: bool, out: &mut Vec<Selected>) {
    out.extend(segments(tokens, p, joined).map(|range| Selected {
        position: range.start as u32,
        tokens: range.len() as u32,
        fingerprint: tokens[range].iter().fold(0, |hash, token| mix(hash ^ token)),
    }));
}

/// The token ranges of the segments, all of at least p tokens. The breaking token ends its segment, and so does the end of
/// the document. A segment that is `joined` cannot end before it is long enough.
pub(super) fn segments(tokens: &[u64], p: NonZeroU32, joined: bool) -> impl Iterator<Item = Range<usize>> {
    let (divisor, least) = (u64::from(p.get()), p.get() as usize);
    let mut start = 0;
    (1..=tokens.len()).filter_map(move |end| {
        let breaks = end == tokens.len() || tokens[end - 1].is_multiple_of(divisor);
        let long = end - start >= least;
        if !breaks || (joined && !long) {
            return None;
        }
        Some(std::mem::replace(&mut start, end)..end).filter(|_| long)
    })
}

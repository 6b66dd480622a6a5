//! Revised hash-breaking p: the document falls into segments at the tokens whose hash is divisible by p; segments of
//! fewer than p tokens are noise and left out (section 2.1, after Seo and Croft 2008).

use std::num::NonZeroU32;
use std::ops::Range;

use super::Selected;
use crate::text::mix;

pub(super) fn select(tokens: &[u64], p: NonZeroU32, out: &mut Vec<Selected>) {
    out.extend(segments(tokens, p).map(|range| Selected {
        position: range.start as u32,
        tokens: range.len() as u32,
        fingerprint: tokens[range].iter().fold(0, |hash, token| mix(hash ^ token)),
    }));
}

/// The token ranges of the segments that are long enough. The breaking token ends its segment, and so does the end of
/// the document.
pub(super) fn segments(tokens: &[u64], p: NonZeroU32) -> impl Iterator<Item = Range<usize>> {
    let divisor = u64::from(p.get());
    let mut start = 0;
    (1..=tokens.len())
        .filter(move |&end| end == tokens.len() || tokens[end - 1].is_multiple_of(divisor))
        .map(move |end| std::mem::replace(&mut start, end)..end)
        .filter(move |range| range.len() >= p.get() as usize)
}

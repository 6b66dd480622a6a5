//! What Headwater's own algorithm asks the table about a document: its Hailstorm shingles, which of them are worth
//! storing (anchors), and a few bits about the text on either side of each (skirts).

use crate::select::Selected;
use crate::text::mix;

/// Tokens on either side of a shingle of which an entry keeps one bit each.
pub(crate) const SKIRT: u32 = 11;

/// The highest level of an anchor.
pub(crate) const TOP_LEVEL: u8 = 5;

/// An anchor has the smallest fingerprint of at least this many shingles in a row.
const LEAST_SPAN: u32 = 4;

/// A bit of the running hash that Hailstorm does not look at, so that being selected says nothing about it.
const SKIRT_BIT: u32 = 31;

/// Stands for the tokens before the beginning and after the end of a document.
const NO_TOKEN: u64 = 5;

/// One shingle to be looked up, and all that is stored should it be new.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Probe {
    /// The mixed fingerprint, whose leading part is the bucket.
    pub(crate) place: u64,
    /// The position of the shingle's first token.
    pub(crate) position: u32,
    /// One bit for each token before and after it.
    pub(crate) skirts: Skirts,
    /// What an entry keeps of the fingerprint: 14 bits.
    pub(crate) tag: u16,
    /// How rare such an anchor is; none for a shingle that is looked up but never stored.
    pub(crate) level: Option<u8>,
}

/// The low bits of a running hash over the tokens to the left and to the right of a shingle, nearest token first.
///
/// The hash runs on behind a token that differs, so that every later bit differs with probability ½: an edit
/// cannot be stepped over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Skirts {
    pub(crate) left: u16,
    pub(crate) right: u16,
}

impl Skirts {
    fn of(tokens: &[u64], start: usize, end: usize) -> Self {
        const WIDTH: usize = SKIRT as usize;
        let left = match start.checked_sub(WIDTH) {
            Some(from) => run(tokens[from..start].iter().rev().copied()),
            None => run(tokens[..start].iter().rev().copied().chain(std::iter::repeat(NO_TOKEN))),
        };
        let right = match tokens.get(end..end + WIDTH) {
            Some(after) => run(after.iter().copied()),
            None => run(tokens[end..].iter().copied().chain(std::iter::repeat(NO_TOKEN))),
        };
        Skirts { left, right }
    }
}

fn run(tokens: impl Iterator<Item = u64>) -> u16 {
    let mut hash = 0u64;
    let mut bits = 0;
    for (at, token) in tokens.take(SKIRT as usize).enumerate() {
        // A rotation shows another bit of every earlier token each time: as good as a full mixing step here, at a
        // fifth of its cost.
        hash = hash.rotate_left(1) ^ token;
        bits |= ((hash >> SKIRT_BIT) as u16 & 1) << at;
    }
    bits
}

/// Turns the Hailstorm shingles of a document into probes. `open` is scratch space.
pub(crate) fn probes(
    tokens: &[u64],
    shingles: usize,
    selected: &[Selected],
    open: &mut Vec<(u32, u32)>,
    out: &mut Vec<Probe>,
) {
    out.clear();
    out.extend(selected.iter().map(|s| Probe {
        place: mix(s.fingerprint),
        position: s.position,
        skirts: Skirts::of(tokens, s.position as usize, s.end() as usize),
        tag: (s.fingerprint & 0x3fff) as u16,
        level: None,
    }));
    // A stack of shingles that have met no smaller one yet, each with the first start that it is the minimum from.
    open.clear();
    let least = LEAST_SPAN.min(shingles as u32);
    for at in 0..=selected.len() {
        let here = selected.get(at);
        let end = here.map_or(shingles as u32, |s| s.position);
        while let Some(&(top, from)) = open.last() {
            if here.is_some_and(|s| selected[top as usize].fingerprint < s.fingerprint) {
                break;
            }
            open.pop();
            out[top as usize].level = level(end - from, least);
        }
        let from = open.last().map_or(0, |&(top, _)| selected[top as usize].position + 1);
        open.push((at as u32, from));
    }
}

/// The level of a shingle that is the smallest of `span` in a row: each is half as frequent as the one below it, so
/// that a table short of memory keeps a sparse and even choice of every document.
fn level(span: u32, least: u32) -> Option<u8> {
    match span {
        _ if span < least => None,
        ..16 => Some(0),
        _ => Some((span.ilog2() as u8 - 3).min(TOP_LEVEL)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn probe(tokens: &[u64], selected: &[Selected]) -> Vec<Probe> {
        let mut out = Vec::new();
        probes(tokens, tokens.len() + 1 - 8, selected, &mut Vec::new(), &mut out);
        out
    }

    #[test]
    fn levels_double() {
        let levels: Vec<_> = [3, 4, 15, 16, 31, 32, 63, 64, 128, 255, 256, 100_000].map(|span| level(span, 4)).into();
        let expected = [None, Some(0), Some(0), Some(1), Some(1), Some(2), Some(2), Some(3), Some(4), Some(4), Some(5)];
        assert_eq!(levels[..11], expected);
        assert_eq!(levels[11], Some(TOP_LEVEL));
        assert_eq!(level(1, 1), Some(0), "a document of one shingle has an anchor");
    }

    proptest! {
        #[test]
        fn spans_by_definition(fingerprints in vec(0u64..30, 1..80), gaps in vec(1u32..6, 80)) {
            let mut position = 0;
            let selected: Vec<Selected> = fingerprints.iter().zip(&gaps).map(|(&fingerprint, gap)| {
                position += gap;
                Selected { position, tokens: 8, fingerprint }
            }).collect();
            let shingles = position as usize + 3;
            let tokens: Vec<u64> = (0..shingles as u64 + 7).map(mix).collect();
            for (at, probe) in probe(&tokens, &selected).iter().enumerate() {
                let f = selected[at].fingerprint;
                let left = selected[..at].iter().rev().find(|s| s.fingerprint < f).map_or(-1, |s| i64::from(s.position));
                let right = selected[at + 1..].iter().find(|s| s.fingerprint <= f)
                    .map_or(shingles as i64, |s| i64::from(s.position));
                let span = (right - left - 1) as u32;
                prop_assert_eq!(probe.level, level(span, 4.min(shingles as u32)));
            }
        }

        /// Two skirts agree as far as the tokens do, and then in about every other bit.
        #[test]
        fn skirts_tell_where_the_text_differs(seed in 0u64..1000, change in 0usize..11) {
            let mut tokens: Vec<u64> = (0..40).map(|n| mix(seed * 100 + n)).collect();
            let before = Skirts::of(&tokens, 16, 24);
            tokens[15 - change] = mix(seed + 1_000_000);
            tokens[24 + change] = mix(seed + 2_000_000);
            let after = Skirts::of(&tokens, 16, 24);
            prop_assert!((before.left ^ after.left).trailing_zeros() as usize >= change);
            prop_assert!((before.right ^ after.right).trailing_zeros() as usize >= change);
            prop_assert!(before.left < 1 << SKIRT && before.right < 1 << SKIRT);
        }
    }

    #[test]
    fn a_difference_is_soon_noticed() {
        let missed = (0..4000u64).filter(|&seed| {
            let tokens: Vec<u64> = (0..40).map(|n| mix(seed * 100 + n)).collect();
            let mut other = tokens.clone();
            other[24] = mix(seed + 1_000_000);
            let differing = Skirts::of(&tokens, 16, 24).right ^ Skirts::of(&other, 16, 24).right;
            differing.trailing_zeros() >= 4
        });
        let missed = missed.count();
        assert!((150..350).contains(&missed), "one in sixteen gets past four tokens, here {missed} of 4000");
    }

    #[test]
    fn ends_of_the_document_count_as_text() {
        let tokens: Vec<u64> = (0..20).map(mix).collect();
        let whole = Skirts::of(&tokens, 0, 20);
        assert_eq!(whole.left, whole.right);
        assert_ne!(Skirts::of(&tokens, 4, 12).left, Skirts::of(&tokens[1..], 3, 11).left);
    }
}

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

/// Tokens before the beginning and after the end of a document: they leave the hash as it is.
const NO_SKIRT: u16 = 0;

/// The skirts of every place in a document.
///
/// With a token the hash is rotated by one and the token's own is added without carry, so the bit after j tokens is the sum of
/// one bit of each: bit 31 of the last, bit 30 of the one before, and so on. Of a token only the eleven bits from 31 down count.
/// What lies to the right of one place is then its first token, and behind it what lies to the right of the next place, a bit
/// further on: one step for each token, where going over eleven tokens for each shingle would be the dearest part of preparing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Margins {
    /// What ends before each token, and one more.
    left: Vec<u16>,
    /// What begins with each token, and one more.
    right: Vec<u16>,
}

impl Margins {
    fn refill(&mut self, tokens: &[u64]) {
        let Margins { left, right } = self;
        for side in [&mut *left, &mut *right] {
            side.clear();
            side.resize(tokens.len() + 1, NO_SKIRT);
        }
        let mut skirt = NO_SKIRT;
        for (left, &token) in left[1..].iter_mut().zip(tokens) {
            skirt = step(skirt, token);
            *left = skirt;
        }
        skirt = NO_SKIRT;
        for (right, &token) in right.iter_mut().zip(tokens).rev() {
            skirt = step(skirt, token);
            *right = skirt;
        }
    }

    /// Around the tokens from `start` to `end`.
    #[inline]
    fn around(&self, start: usize, end: usize) -> Skirts {
        Skirts { left: self.left[start], right: self.right[end] }
    }
}

/// The skirt that begins with `token` and goes on with `skirt`.
#[inline(always)]
fn step(skirt: u16, token: u64) -> u16 {
    const MASK: u16 = (1 << SKIRT) - 1;
    let own = FLIPPED[((token >> (SKIRT_BIT + 1 - SKIRT)) as u16 & MASK) as usize];
    own ^ (skirt << 1 & MASK)
}

/// Every skirt back to front.
static FLIPPED: [u16; 1 << SKIRT] = {
    let mut flipped = [0; 1 << SKIRT];
    let mut bits = 0;
    while bits < flipped.len() {
        flipped[bits] = (bits as u16).reverse_bits() >> (u16::BITS - SKIRT);
        bits += 1;
    }
    flipped
};

/// Turns the Hailstorm shingles of a document into probes. `margins` and `open` are scratch space.
pub(crate) fn probes(
    tokens: &[u64],
    shingles: usize,
    selected: &[Selected],
    margins: &mut Margins,
    open: &mut Vec<(u32, u32)>,
    out: &mut Vec<Probe>,
) {
    margins.refill(tokens);
    out.clear();
    out.extend(selected.iter().map(|s| Probe {
        place: mix(s.fingerprint),
        position: s.position,
        skirts: margins.around(s.position as usize, s.end() as usize),
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
        probes(tokens, tokens.len() + 1 - 8, selected, &mut Margins::default(), &mut Vec::new(), &mut out);
        out
    }

    fn skirts(tokens: &[u64], start: usize, end: usize) -> Skirts {
        let mut margins = Margins::default();
        margins.refill(tokens);
        margins.around(start, end)
    }

    /// The running hash taken word by word, nearest token first.
    fn run<'t>(tokens: impl Iterator<Item = &'t u64>) -> u16 {
        let (mut hash, mut bits) = (0u64, 0);
        for (at, token) in tokens.chain(std::iter::repeat(&0)).take(SKIRT as usize).enumerate() {
            hash = hash.rotate_left(1) ^ token;
            bits |= ((hash >> SKIRT_BIT) as u16 & 1) << at;
        }
        bits
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

        #[test]
        fn skirts_are_those_of_the_running_hash(tokens in vec(any::<u64>(), 0..40), start in 0usize..40, length in 0usize..12) {
            let start = start.min(tokens.len());
            let end = (start + length).min(tokens.len());
            let expected = Skirts { left: run(tokens[..start].iter().rev()), right: run(tokens[end..].iter()) };
            prop_assert_eq!(skirts(&tokens, start, end), expected);
        }

        /// Two skirts agree as far as the tokens do, and then in about every other bit.
        #[test]
        fn skirts_tell_where_the_text_differs(seed in 0u64..1000, change in 0usize..11) {
            let mut tokens: Vec<u64> = (0..40).map(|n| mix(seed * 100 + n)).collect();
            let before = skirts(&tokens, 16, 24);
            tokens[15 - change] = mix(seed + 1_000_000);
            tokens[24 + change] = mix(seed + 2_000_000);
            let after = skirts(&tokens, 16, 24);
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
            let differing = skirts(&tokens, 16, 24).right ^ skirts(&other, 16, 24).right;
            differing.trailing_zeros() >= 4
        });
        let missed = missed.count();
        assert!((150..350).contains(&missed), "one in sixteen gets past four tokens, here {missed} of 4000");
    }

    #[test]
    fn ends_of_the_document_count_as_text() {
        let tokens: Vec<u64> = (0..20).map(mix).collect();
        let whole = skirts(&tokens, 0, 20);
        assert_eq!(whole.left, whole.right);
        assert_ne!(skirts(&tokens, 4, 12).left, skirts(&tokens[1..], 3, 11).left);
    }
}

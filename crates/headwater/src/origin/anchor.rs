//! What Headwater's own algorithm asks the table about a document, and stores of it: some of its Hailstorm shingles (anchors),
//! and a few bits about the text on either side of each (skirts).

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
    /// How rare such an anchor is.
    pub(crate) level: u8,
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

/// The skirts of every place in a document, back to front: the nearest token has the highest bit.
///
/// With a token the hash is rotated by one and the token's own is added without carry, so the bit after j tokens is the sum of
/// one bit of each: bit 31 of the last, bit 30 of the one before, and so on. Of a token only the eleven bits from 31 down count.
/// What lies to the right of one place is then its first token, and behind it what lies to the right of the next place, a bit
/// further on: one step for each token, where going over eleven tokens for each shingle would be the dearest part of preparing.
/// Back to front a step is a shift and a sum; skirts are turned round where they are used.
#[derive(Clone, Debug, Default)]
pub(crate) struct Margins {
    /// What ends before each token, and one more.
    left: Vec<u16>,
    /// What begins with each token, and one more.
    right: Vec<u16>,
}

impl Margins {
    fn refill(&mut self, tokens: &[u64]) {
        let left = room(&mut self.left, tokens.len() + 1);
        let mut skirt = NO_SKIRT;
        left[0] = skirt;
        for (left, &token) in left[1..].iter_mut().zip(tokens) {
            skirt = step(skirt, token);
            *left = skirt;
        }
        let right = room(&mut self.right, tokens.len() + 1);
        skirt = NO_SKIRT;
        right[tokens.len()] = skirt;
        for (right, &token) in right.iter_mut().zip(tokens).rev() {
            skirt = step(skirt, token);
            *right = skirt;
        }
    }

    /// Around the tokens from `start` to `end`.
    #[inline]
    fn around(&self, start: usize, end: usize) -> Skirts {
        Skirts { left: turned(self.left[start]), right: turned(self.right[end]) }
    }
}

/// The skirt that begins with `token` and goes on with `skirt`, back to front.
#[inline(always)]
fn step(skirt: u16, token: u64) -> u16 {
    (token >> (SKIRT_BIT + 1 - SKIRT)) as u16 & ((1 << SKIRT) - 1) ^ skirt >> 1
}

#[inline(always)]
fn turned(skirt: u16) -> u16 {
    static TURNED: [u16; 1 << SKIRT] = {
        let mut turned = [0; 1 << SKIRT];
        let mut bits = 0;
        while bits < turned.len() {
            turned[bits] = (bits as u16).reverse_bits() >> (u16::BITS - SKIRT);
            bits += 1;
        }
        turned
    };
    TURNED[usize::from(skirt) % TURNED.len()]
}

/// What is needed only while the anchors of a document are found.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    margins: Margins,
    /// Shingles that have met no smaller one yet.
    open: Vec<Open>,
    /// For each selected shingle of how many in a row it is the smallest.
    spans: Vec<u32>,
    /// Which of them are anchors.
    anchors: Vec<u32>,
}

/// Shingles that are looked at together when one smaller than they may have come.
const TOP: usize = 3;

/// A shingle that is the smallest so far, from the start `from` on, and the start behind its own.
#[derive(Clone, Copy, Debug, Default)]
struct Open {
    fingerprint: u64,
    at: u32,
    from: u32,
    behind: u32,
}

/// The anchors among the Hailstorm shingles of a document, with all that is asked about them.
pub(crate) fn probes(
    tokens: &[u64],
    shingles: usize,
    selected: &[Selected],
    scratch: &mut Scratch,
    out: &mut Vec<Probe>,
) {
    scratch.margins.refill(tokens);
    scratch.measure(shingles as u32, selected);
    let Scratch { margins, spans, anchors, .. } = scratch;
    let (spans, anchors) = (&spans[..selected.len()], room(anchors, selected.len()));
    let least = LEAST_SPAN.min(shingles as u32);
    // Whether a shingle is an anchor is hard to foretell: all are noted, and the next one over those that are none.
    let mut count = 0;
    for (at, &span) in spans.iter().enumerate() {
        anchors[count] = at as u32;
        count += usize::from(span >= least);
    }
    out.clear();
    out.extend(anchors[..count].iter().map(|&at| {
        let (shingle, span) = (&selected[at as usize], spans[at as usize]);
        Probe {
            place: mix(shingle.fingerprint),
            position: shingle.position,
            skirts: margins.around(shingle.position as usize, shingle.end() as usize),
            tag: (shingle.fingerprint & 0x3fff) as u16,
            level: level(span),
        }
    }));
}

impl Scratch {
    /// Finds the span of every selected shingle.
    fn measure(&mut self, shingles: u32, selected: &[Selected]) {
        // One more, for those below the stack.
        let spans = room(&mut self.spans, selected.len() + 1);
        // A stack with room for all: how high it is, is a number that need not leave its register.
        let open = room(&mut self.open, TOP + selected.len());
        open[..TOP].fill(Open { fingerprint: 0, at: selected.len() as u32, from: 0, behind: 0 });
        let mut height = TOP;
        for (at, shingle) in selected.iter().enumerate() {
            // How many go is hard to foretell: the topmost are looked at together, and those that stay get a span too, which
            // is written over when they go.
            loop {
                let top: &[Open; TOP] = open[..height].last_chunk().expect("the bottom stays");
                let gone = top.iter().filter(|open| open.fingerprint >= shingle.fingerprint).count();
                top.iter().for_each(|open| spans[open.at as usize] = shingle.position - open.from);
                height = (height - gone).max(TOP);
                if gone < TOP || height == TOP {
                    break;
                }
            }
            let from = open[height - 1].behind;
            open[height] = Open { fingerprint: shingle.fingerprint, at: at as u32, from, behind: shingle.position + 1 };
            height += 1;
        }
        for top in &open[TOP..height] {
            spans[top.at as usize] = shingles - top.from;
        }
    }
}

/// Room for so many values, whatever they are: all will be written.
pub(super) fn room<T: Copy + Default>(values: &mut Vec<T>, length: usize) -> &mut [T] {
    if values.len() < length {
        values.resize(length, T::default());
    }
    &mut values[..length]
}

/// The level of an anchor that is the smallest of `span` in a row: each is half as frequent as the one below it, so
/// that a table short of memory keeps a sparse and even choice of every document.
#[inline]
fn level(span: u32) -> u8 {
    ((span / 8).max(1).ilog2() as u8).min(TOP_LEVEL)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn probe(tokens: &[u64], selected: &[Selected]) -> Vec<Probe> {
        let mut out = Vec::new();
        probes(tokens, tokens.len() + 1 - 8, selected, &mut Scratch::default(), &mut out);
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
        let levels = [1, 4, 15, 16, 31, 32, 63, 64, 128, 255, 256, 100_000].map(level);
        assert_eq!(levels, [0, 0, 0, 1, 1, 2, 2, 3, 4, 4, 5, TOP_LEVEL]);
    }

    proptest! {
        #[test]
        fn anchors_by_definition(fingerprints in vec(0u64..30, 1..80), gaps in vec(1u32..6, 80)) {
            let mut position = 0;
            let selected: Vec<Selected> = fingerprints.iter().zip(&gaps).map(|(&fingerprint, gap)| {
                position += gap;
                Selected { position, tokens: 8, fingerprint }
            }).collect();
            let shingles = position as usize + 3;
            let tokens: Vec<u64> = (0..shingles as u64 + 7).map(mix).collect();
            let expected: Vec<_> = selected.iter().enumerate().filter_map(|(at, s)| {
                let smaller = |other: &&Selected| other.fingerprint < s.fingerprint;
                let left = selected[..at].iter().rev().find(smaller).map_or(-1, |other| i64::from(other.position));
                let right = selected[at + 1..].iter().find(|other| other.fingerprint <= s.fingerprint)
                    .map_or(shingles as i64, |other| i64::from(other.position));
                let span = (right - left - 1) as u32;
                (span >= LEAST_SPAN.min(shingles as u32)).then(|| (s.position, level(span)))
            }).collect();
            let found: Vec<_> = probe(&tokens, &selected).iter().map(|probe| (probe.position, probe.level)).collect();
            prop_assert_eq!(found, expected);
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

//! What Headwater's own algorithm asks the table about a document, and stores of it: some of its Hailstorm shingles (anchors),
//! and a few bits about the text on either side of each (skirts).

use super::skirt::{self, Skirts};
use crate::select::Selected;
use crate::text::mix;

/// The highest level of an anchor.
pub(crate) const TOP_LEVEL: u8 = 5;

/// An anchor has the smallest fingerprint of at least this many shingles in a row.
const LEAST_SPAN: u32 = 4;

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

/// What is needed only while the anchors of a document are found.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
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
pub(crate) fn probes(tokens: &[u64], k: usize, selected: &[Selected], scratch: &mut Scratch, out: &mut Vec<Probe>) {
    let shingles = tokens.len() + 1 - k;
    scratch.measure(shingles as u32, selected);
    let Scratch { spans, anchors, .. } = scratch;
    let (spans, anchors) = (&spans[..selected.len()], room(anchors, selected.len()));
    let least = LEAST_SPAN.min(shingles as u32);
    // Whether a shingle is an anchor is hard to foretell: all are noted, and the next one over those that are none.
    let mut count = 0;
    for (at, &span) in spans.iter().enumerate() {
        anchors[count] = at as u32;
        count += usize::from(span >= least);
    }
    out.clear();
    if out.capacity() < count {
        // Growing would copy the probes of an earlier document.
        *out = Vec::with_capacity(count);
    }
    out.extend(anchors[..count].iter().map(|&at| {
        let (shingle, span) = (&selected[at as usize], spans[at as usize]);
        Probe {
            place: mix(shingle.fingerprint),
            position: shingle.position,
            skirts: Skirts::default(),
            tag: (shingle.fingerprint & 0x3fff) as u16,
            level: level(span, shingles as u32),
        }
    }));
    skirt::put_on(out, tokens, k);
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
///
/// The smallest of a whole document, which has so many `shingles`, would be that of more if the text went on: it counts for twice as many.
/// So a short document is not forgotten whole before a long one has lost a part.
#[inline]
fn level(span: u32, shingles: u32) -> u8 {
    let span = if span == shingles { span.saturating_mul(2) } else { span };
    ((span / 8).max(1).ilog2() as u8).min(TOP_LEVEL)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn probe(tokens: &[u64], selected: &[Selected]) -> Vec<Probe> {
        let mut out = Vec::new();
        probes(tokens, 8, selected, &mut Scratch::default(), &mut out);
        out
    }

    #[test]
    fn levels_double() {
        let spans = [1, 4, 15, 16, 31, 32, 63, 64, 128, 255, 256, 100_000];
        assert_eq!(spans.map(|span| level(span, 200_000)), [0, 0, 0, 1, 1, 2, 2, 3, 4, 4, 5, TOP_LEVEL]);
        assert_eq!(
            spans.map(|span| level(span, span)),
            [0, 0, 1, 2, 2, 3, 3, 4, 5, 5, 5, TOP_LEVEL],
            "of a whole document"
        );
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
                (span >= LEAST_SPAN.min(shingles as u32)).then(|| (s.position, level(span, shingles as u32)))
            }).collect();
            let found: Vec<_> = probe(&tokens, &selected).iter().map(|probe| (probe.position, probe.level)).collect();
            prop_assert_eq!(found, expected);
        }
    }
}

//! Headwater's own estimation, the sure part: hits on one diagonal of one origin, whose skirts meet, are one block.

use std::ops::Range;

use super::super::anchor::Probe;
use super::super::skirt::SKIRT;
use super::super::table::Entry;

/// Hits further apart than this are not joined: positions are known modulo 256.
const REACH: i64 = 255;

/// A closed side on which no more tokens agree is taken as it is. By chance alone one would be few; but a document's own share is too
/// large where passages are missed, and here the collections that gain by a larger number and those that lose are both served.
const FEW: u32 = 4;

/// A shingle found in the table, and how far the text around it agrees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Hit {
    pub(crate) document: u32,
    /// The shingle's position less that in its origin, modulo 256: alike throughout a copied passage.
    pub(crate) diagonal: u8,
    pub(crate) position: u32,
    /// Its place among the probes.
    pub(crate) probe: u32,
    /// How rare such a shingle is.
    pub(crate) level: u8,
    /// Its entry's place in the bucket.
    pub(crate) slot: u8,
    /// Tokens before and after it that agree.
    pub(crate) left: u32,
    pub(crate) right: u32,
    /// Whether nothing was seen to differ there.
    pub(crate) left_open: bool,
    pub(crate) right_open: bool,
}

/// Hits that belong to one copied passage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Passage {
    pub(crate) document: u32,
    /// Its place in the list of all origins of the document.
    pub(crate) source: u32,
    /// Its tokens.
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// The tokens that are counted as its origin's: a closed end may have overrun by one.
    pub(crate) sure_start: u32,
    pub(crate) sure_end: u32,
    pub(crate) left_open: bool,
    pub(crate) right_open: bool,
    /// Its hits, as a range of the sorted hits.
    pub(crate) first_hit: u32,
    pub(crate) last_hit: u32,
}

impl Passage {
    /// Its hits, of all the sorted hits.
    #[inline]
    pub(crate) fn hits<'h>(&self, all: &'h [Hit]) -> &'h [Hit] {
        &all[self.first_hit as usize..=self.last_hit as usize]
    }

    /// Whether text that may be part of it comes before it.
    pub(crate) fn is_left_open(&self) -> bool {
        self.left_open && self.start > 0
    }

    /// Whether text that may be part of it comes after it, in a text of so many tokens.
    pub(crate) fn is_right_open(&self, tokens: u32) -> bool {
        self.right_open && self.end < tokens
    }
}

/// What the probe at `at` shows, of a text of so many tokens, now that it was found.
#[inline]
pub(crate) fn hit(at: u32, probe: &Probe, entry: &Entry, tokens: u32, k: u32) -> Hit {
    let (left, left_open) = agreement(probe.skirts.left ^ entry.skirts.left, probe.position);
    let (right, right_open) = agreement(probe.skirts.right ^ entry.skirts.right, tokens - probe.position - k);
    Hit {
        document: entry.document,
        diagonal: (probe.position as u8).wrapping_sub(entry.position),
        position: probe.position,
        probe: at,
        level: probe.level,
        slot: entry.slot,
        left,
        right,
        left_open,
        right_open,
    }
}

/// What ordering hits takes, kept for its memory.
#[derive(Debug, Default)]
pub(crate) struct Ordering {
    runs: Vec<Run>,
    hits: Vec<Hit>,
}

/// Hits in a row of one origin on one diagonal: that, and where they begin and end.
type Run = (u64, u32, u32);

/// Orders hits, which come by position, by origin, diagonal and position.
///
/// They come from few passages: whole runs of them are moved, and mostly there is nothing to move.
pub(crate) fn order(hits: &mut Vec<Hit>, work: &mut Ordering) {
    let Ordering { runs, hits: ordered } = work;
    runs.clear();
    let key = |hit: &Hit| u64::from(hit.document) << 8 | u64::from(hit.diagonal);
    let mut start = 0;
    for run in hits.chunk_by(|a, b| key(a) == key(b)) {
        let end = start + run.len() as u32;
        runs.push((key(&run[0]), start, end));
        start = end;
    }
    if runs.is_sorted() {
        return;
    }
    runs.sort_unstable();
    ordered.clear();
    runs.iter().for_each(|&(_, start, end)| ordered.extend_from_slice(&hits[start as usize..end as usize]));
    std::mem::swap(hits, ordered);
}

/// How many of the `available` tokens on one side agree, and whether none was seen to differ.
fn agreement(differing: u16, available: u32) -> (u32, bool) {
    let room = available.min(SKIRT);
    let alike = differing.trailing_zeros().min(room);
    (alike, alike == room)
}

/// Joins sorted hits into passages, in the same order.
pub(crate) fn passages(hits: &[Hit], k: u32, out: &mut Vec<Passage>) {
    out.clear();
    let mut first = 0;
    while first < hits.len() {
        let mut last = first;
        while last + 1 < hits.len() && joined(&hits[last], &hits[last + 1], k) {
            last += 1;
        }
        let (begin, end) = (&hits[first], &hits[last]);
        // One hit whose neighbours differ on both sides is most likely another shingle with the same tag. Where it is all of a
        // text it has none.
        let alone = begin.left + begin.right == 0 && !(begin.left_open && begin.right_open);
        if first != last || !alone {
            let source = out
                .last()
                .map_or(0, |passage: &Passage| passage.source + u32::from(passage.document != begin.document));
            out.push(Passage {
                document: begin.document,
                source,
                start: begin.position - begin.left,
                end: end.position + k + end.right,
                sure_start: begin.position - begin.left + overrun(begin.left, begin.left_open),
                sure_end: end.position + k + end.right - overrun(end.right, end.right_open),
                left_open: begin.left_open,
                right_open: end.right_open,
                first_hit: first as u32,
                last_hit: last as u32,
            });
        }
        first = last + 1;
    }
}

/// Tokens of which a side that agrees so far has probably too many: behind the last that is copied each bit agrees by chance with
/// probability ½, which is one token on average. Where few agree it is less, since fewer can be too many.
fn overrun(alike: u32, open: bool) -> u32 {
    u32::from(!open && alike > FEW)
}

/// The hits that a passage, whose hits these are, could least do without: the first and the last, which show where it ends, and of
/// those between them every one beside which there is none of a higher level.
pub(crate) fn needed(hits: &[Hit]) -> impl Iterator<Item = &Hit> {
    let highest_beside = |at: usize| match (at.checked_sub(1).and_then(|before| hits.get(before)), hits.get(at + 1)) {
        (Some(before), Some(behind)) => before.level.max(behind.level),
        _ => 0,
    };
    hits.iter().enumerate().filter(move |&(at, hit)| hit.level >= highest_beside(at)).map(|(_, hit)| hit)
}

/// The tokens of the hits of one passage, those with at most `between` tokens between them in one stretch.
pub(crate) fn stretches(hits: &[Hit], k: u32, between: u32) -> impl Iterator<Item = Range<u32>> {
    hits.chunk_by(move |a, b| b.position <= a.position + k + between).map(move |hits| {
        let (first, last) = (&hits[0], &hits[hits.len() - 1]);
        first.position..last.position + k
    })
}

/// Whether two hits that follow each other are of one passage: the same shift, and skirts that fill what is between.
fn joined(a: &Hit, b: &Hit, k: u32) -> bool {
    let gap = i64::from(b.position) - i64::from(a.position + k);
    let need = gap.clamp(0, i64::from(SKIRT)) as u32;
    (a.document, a.diagonal) == (b.document, b.diagonal) && gap <= REACH && a.right >= need && b.left >= need
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit(document: u32, diagonal: u8, position: u32, left: u32, right: u32) -> Hit {
        let (left_open, right_open) = (left == SKIRT, right == SKIRT);
        Hit { document, diagonal, position, left, right, left_open, right_open, ..Hit::default() }
    }

    fn joined_ranges(hits: &[Hit]) -> Vec<(u32, u32, u32)> {
        let mut out = Vec::new();
        passages(hits, 8, &mut out);
        out.iter().map(|passage| (passage.document, passage.start, passage.end)).collect()
    }

    #[test]
    fn hits_on_one_diagonal_whose_skirts_meet_are_joined() {
        let check = |hits: &[Hit], expected: &[(u32, u32, u32)]| assert_eq!(joined_ranges(hits), expected, "{hits:?}");
        check(&[hit(1, 0, 20, 3, 5), hit(1, 0, 33, 5, 2)], &[(1, 17, 43)]);
        check(&[hit(1, 0, 20, 3, 4), hit(1, 0, 33, 5, 2)], &[(1, 17, 32), (1, 28, 43)]);
        check(&[hit(1, 0, 20, 3, 11), hit(1, 0, 283, 11, 2)], &[(1, 17, 293)]);
        check(&[hit(1, 0, 20, 3, 11), hit(1, 0, 284, 11, 2)], &[(1, 17, 39), (1, 273, 294)]);
        check(&[hit(1, 0, 20, 3, 5), hit(1, 1, 33, 5, 2)], &[(1, 17, 33), (1, 28, 43)]);
        check(&[hit(1, 0, 20, 3, 5), hit(2, 0, 33, 5, 2)], &[(1, 17, 33), (2, 28, 43)]);
        check(&[hit(1, 0, 20, 0, 0), hit(1, 0, 24, 0, 0)], &[(1, 20, 32)]);
        check(&[hit(1, 0, 20, 0, 0), hit(3, 0, 29, 1, 0)], &[(3, 28, 37)]);
        check(&[Hit { left_open: true, ..hit(1, 0, 0, 0, 0) }], &[]);
        check(&[Hit { left_open: true, right_open: true, ..hit(1, 0, 0, 0, 0) }], &[(1, 0, 8)]);
        check(&[], &[]);
    }

    #[test]
    fn closed_ends_give_back_one_token_where_more_than_a_few_agree() {
        let mut out = Vec::new();
        passages(&[hit(1, 0, 20, 5, SKIRT), hit(2, 0, 40, 0, 4)], 8, &mut out);
        assert_eq!((out[0].sure_start, out[0].sure_end), (16, 39), "an open end gives nothing");
        assert_eq!((out[1].sure_start, out[1].sure_end), (40, 52));
        assert_eq!((out[0].source, out[1].source), (0, 1));
    }

    #[test]
    fn a_passage_needs_its_ends_and_what_is_highest_between_them() {
        let needed = |levels: &[u8]| -> Vec<u32> {
            let hit = |(probe, &level): (u32, &u8)| Hit { probe, level, ..Hit::default() };
            let hits: Vec<Hit> = (0..).zip(levels).map(hit).collect();
            super::needed(&hits).map(|hit| hit.probe).collect()
        };
        assert_eq!(needed(&[0]), [0]);
        assert_eq!(needed(&[0, 5]), [0, 1], "the ends whatever their level");
        assert_eq!(needed(&[0, 1, 5, 0, 2, 3, 0]), [0, 2, 5, 6]);
        assert_eq!(needed(&[2, 2, 2]), [0, 1, 2], "none is higher");
    }

    #[test]
    fn agreement_ends_at_the_first_difference_or_is_open() {
        assert_eq!(agreement(0, 100), (SKIRT, true));
        assert_eq!(agreement(0b100, 100), (2, false));
        assert_eq!(agreement(0b100, 2), (2, true));
        assert_eq!(agreement(0, 0), (0, true));
        assert_eq!(agreement(1, 100), (0, false));
    }
}

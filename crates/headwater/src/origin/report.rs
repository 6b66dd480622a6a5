//! What the tracer says about one document.

use std::ops::Range;

/// How a token came to be called old, or that it is new.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Evidence {
    /// Nothing says that it was copied.
    #[default]
    New,
    /// Inferred from what is next to it: a copied passage that has no visible end on this side, or with the paper's expansion a found
    /// shingle whose neighbour was alike.
    Expanded,
    /// Inferred: it lies between two shingles found at the same distance in the same origin.
    Bridged,
    /// Bits kept about the text around a found shingle agree with it.
    Aligned,
    /// A shingle that covers it was found in the table.
    Found,
}

/// How many tokens of a passage rest on which evidence, each counted once under the strongest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EvidenceCounts {
    /// Tokens covered by a shingle that was found.
    pub found: u32,
    /// Tokens that agree with the text around a found shingle.
    pub aligned: u32,
    /// Tokens between two found shingles.
    pub bridged: u32,
    /// Tokens next to what was found.
    pub expanded: u32,
}

impl EvidenceCounts {
    /// Four counts in one number: one addition for each token, and no branch.
    fn of(tokens: &[Evidence]) -> Self {
        /// What one token adds, by its evidence.
        const LANES: [u64; 5] = [0, 1, 1 << 16, 1 << 32, 1 << 48];
        let mut counts = EvidenceCounts::default();
        for tokens in tokens.chunks(u16::MAX.into()) {
            let lanes: u64 = tokens.iter().map(|&evidence| LANES[evidence as usize]).sum();
            let lane = |evidence: Evidence| u32::from((lanes / LANES[evidence as usize]) as u16);
            counts.found += lane(Evidence::Found);
            counts.aligned += lane(Evidence::Aligned);
            counts.bridged += lane(Evidence::Bridged);
            counts.expanded += lane(Evidence::Expanded);
        }
        counts
    }
}

/// Where the origin of a token is wanted and it is new.
pub(crate) const NO_ORIGIN: u32 = u32::MAX;

/// A maximal run of old tokens of one origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The positions of its tokens.
    pub tokens: Range<u32>,
    /// Its bytes in the text, from the start of the first token to the end of the last.
    pub bytes: Range<usize>,
    /// The number of the document that had it first.
    pub origin: u32,
    /// What that rests on.
    pub evidence: EvidenceCounts,
}

/// A copied block: a passage that one origin accounts for. Unlike segments, blocks of several origins can overlap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The positions of its tokens.
    pub tokens: Range<u32>,
    /// The number of the document that had it first.
    pub origin: u32,
    /// How many of its shingles were found in the table.
    pub found: u32,
}

/// How much of a document has one origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// The number of the origin; the document's own for what is new.
    pub origin: u32,
    /// Shingles that have it. An expected number, where it is not certain how far a passage was copied.
    pub shingles: f64,
}

/// Where the text of one document came from, and what in it is new.
///
/// Documents are numbered in the order in which they were observed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// The document's own number.
    pub document: u32,
    /// The origin with the most shingles of all, the document itself included; the document itself where several have
    /// the most, and of others the earliest. It is `document` where there are no shingles.
    pub most_copied: u32,
    /// The dominant origin by the paper's rule: at least 10 % more shingles than any other. None of them may have that.
    pub dominant: Option<u32>,
    /// Which part of the shingles the most copied origin accounts for, from 0 to 1.
    pub dominant_share: f64,
    /// Every origin with its shingles: the document itself first, then the others, the earliest first. Where two passages without
    /// a visible end may both reach a shingle each has its part of it, so that all together can be more than there are.
    pub shares: Vec<Share>,
    /// One for each token.
    pub evidence: Vec<Evidence>,
    /// The old tokens by origin, ascending and without overlap. A token that several origins account for belongs to the
    /// earliest of them; where two passages without a visible end may both reach it, to the more probable one.
    pub segments: Vec<Segment>,
    /// The copied blocks.
    pub blocks: Vec<Block>,
    /// How many of the shingles were sent to the table.
    pub selected: usize,
}

impl Report {
    /// How many tokens the document has.
    pub fn tokens(&self) -> usize {
        self.evidence.len()
    }

    /// Whether the token at `position` is new.
    pub fn is_fresh(&self, position: usize) -> bool {
        self.evidence[position] == Evidence::New
    }

    /// How many tokens are new.
    pub fn fresh_tokens(&self) -> usize {
        let old: usize = self.segments.iter().map(|segment| segment.tokens.len()).sum();
        self.tokens() - old
    }

    /// Which part of the tokens is new, from 0 to 1; a document without tokens counts as new.
    pub fn novelty(&self) -> f64 {
        if self.tokens() == 0 { 1.0 } else { self.fresh_tokens() as f64 / self.tokens() as f64 }
    }

    /// Empties the report for another document, and keeps its memory.
    pub(crate) fn restart(&mut self, document: u32, tokens: usize) {
        self.document = document;
        self.evidence.clear();
        self.evidence.resize(tokens, Evidence::New);
        self.shares.clear();
        self.segments.clear();
        self.blocks.clear();
        self.selected = 0;
    }

    /// Derives the most copied and the dominant origin from the shares (section 3.1).
    pub(crate) fn settle(&mut self) {
        let all: f64 = self.shares.iter().map(|share| share.shingles).sum();
        // The document itself stands first and the others follow by age: of equals the first is meant.
        let mut best = Share { origin: self.document, shingles: f64::MIN };
        let mut second = f64::MIN;
        for share in &self.shares {
            if share.shingles > best.shingles {
                second = best.shingles;
                best = *share;
            } else {
                second = second.max(share.shingles);
            }
        }
        self.most_copied = best.origin;
        if all > 0.0 {
            self.dominant = (10.0 * best.shingles >= 11.0 * second).then_some(best.origin);
            self.dominant_share = (best.shingles / all).clamp(0.0, 1.0);
        } else {
            // Too short for a single shingle, or none was selected: nothing says that any of it was copied.
            self.dominant = (self.tokens() > 0).then_some(self.document);
            self.dominant_share = if self.tokens() > 0 { 1.0 } else { 0.0 };
        }
    }

    /// Cuts the old tokens into segments, given the origin of each token; new ones have none. `ends` is used for its memory only.
    pub(crate) fn segment(&mut self, origins: &[u32], ends: &mut Vec<u32>, span: impl Fn(usize) -> Range<usize>) {
        let mut start = 0;
        for &end in runs(origins, ends) {
            let (tokens, origin) = (start as usize..end as usize, origins[start as usize]);
            if origin != NO_ORIGIN {
                self.segments.push(Segment {
                    tokens: start..end,
                    bytes: span(tokens.start).start..span(tokens.end - 1).end,
                    origin,
                    evidence: EvidenceCounts::of(&self.evidence[tokens]),
                });
            }
            start = end;
        }
    }
}

/// Where each run of equal values ends.
fn runs<'e>(values: &[u32], ends: &'e mut Vec<u32>) -> &'e [u32] {
    if ends.len() <= values.len() {
        ends.resize(values.len() + 1, 0);
    }
    let Some(&first) = values.first() else { return &[] };
    let (mut value, mut count, mut at) = (first, 0, 0);
    for block in values.chunks(8) {
        if block.iter().fold(0, |differ, &one| differ | (one ^ value)) == 0 {
            at += block.len() as u32;
            continue;
        }
        // Where in it is hard to foretell: every place is noted, and the next one over those where no run ends.
        for &one in block {
            ends[count] = at;
            count += usize::from(one != value);
            value = one;
            at += 1;
        }
    }
    ends[count] = at;
    &ends[..=count]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn runs_end_where_values_change(values in vec(0u32..3, 0..40)) {
            let expected: Vec<usize> = values.chunk_by(|a, b| a == b).scan(0, |end, run| {
                *end += run.len();
                Some(*end)
            }).collect();
            // In memory that a longer document has used.
            let mut ends = vec![7; 50];
            let found: Vec<usize> = runs(&values, &mut ends).iter().map(|&end| end as usize).collect();
            prop_assert_eq!(found, expected);
        }
    }

    fn settled(shares: &[(u32, f64)], tokens: usize) -> Report {
        let mut report = Report::default();
        report.restart(9, tokens);
        report.shares = shares.iter().map(|&(origin, shingles)| Share { origin, shingles }).collect();
        report.settle();
        report
    }

    #[test]
    fn the_dominant_origin_leads_by_a_tenth() {
        let check = |shares: &[(u32, f64)], most_copied, dominant| {
            let report = settled(shares, 100);
            assert_eq!((report.most_copied, report.dominant), (most_copied, dominant), "{shares:?}");
        };
        check(&[(9, 20.0)], 9, Some(9));
        check(&[(9, 20.0), (3, 22.0)], 3, Some(3));
        check(&[(9, 20.0), (3, 21.0)], 3, None);
        check(&[(9, 20.0), (3, 20.0)], 9, None);
        check(&[(9, 0.0), (3, 20.0), (5, 20.0)], 3, None);
        check(&[(9, 10.0), (3, 0.5), (5, 11.0)], 5, Some(5));
        check(&[(9, 0.0), (3, 4.0)], 3, Some(3));
    }

    #[test]
    fn too_short_for_a_shingle_is_new() {
        let short = settled(&[(9, 0.0)], 5);
        assert_eq!((short.most_copied, short.dominant, short.dominant_share), (9, Some(9), 1.0));
        let empty = settled(&[(9, 0.0)], 0);
        assert_eq!((empty.dominant, empty.dominant_share, empty.novelty()), (None, 0.0, 1.0));
    }

    #[test]
    fn segments_are_maximal_runs_of_one_origin() {
        let mut report = Report::default();
        report.restart(9, 8);
        use Evidence::{Aligned, Bridged, Found, New};
        report.evidence = vec![New, Found, Aligned, Found, New, Found, Found, Bridged];
        report.segment(&[NO_ORIGIN, 1, 1, 2, NO_ORIGIN, 2, 2, 2], &mut Vec::new(), |at| 10 * at..10 * at + 5);
        let found: Vec<_> = report.segments.iter().map(|s| (s.tokens.clone(), s.bytes.clone(), s.origin)).collect();
        assert_eq!(found, [(1..3, 10..25, 1), (3..4, 30..35, 2), (5..8, 50..75, 2)]);
        assert_eq!(report.segments[0].evidence, EvidenceCounts { found: 1, aligned: 1, ..Default::default() });
        assert_eq!(report.segments[2].evidence, EvidenceCounts { found: 2, bridged: 1, ..Default::default() });
        assert_eq!((report.fresh_tokens(), report.novelty()), (2, 0.25));
    }
}

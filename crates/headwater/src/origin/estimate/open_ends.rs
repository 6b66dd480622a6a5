//! Headwater's own estimation, the doubtful part: how far a passage goes on behind an end at which nothing was seen to
//! differ. From token to token the odds that it goes on fall by the hazard learnt from the stream, and by every
//! anchor that the table would probably have kept but does not have.

use std::cell::Cell;

use super::super::anchor::Probe;
use super::super::report::Evidence;
use super::super::table::Look;
use super::aligned::Passage;
use super::learnt::Learnt;

/// Passages longer than this end ever less often: their lengths have a long tail.
const TAIL: f64 = 27.0;
/// A walk ends when the passage has so probably ended.
const LEAST: f64 = 0.05;
/// The odds that an anchor is absent from a bucket that has never had to forget, though its text was seen.
const NEVER_STORED: f64 = 0.1;

/// What a walk needs to know about the document.
pub(crate) struct Ground<'a> {
    pub(crate) k: u32,
    pub(crate) probes: &'a [Probe],
    pub(crate) looks: &'a [Look],
    /// What is known of each token; what a walk finds is noted there while others may still come.
    pub(crate) evidence: &'a [Cell<Evidence>],
    pub(crate) learnt: &'a Learnt,
}

impl Ground<'_> {
    /// How much better or worse than expected the table has kept this passage's anchors, from those strictly between its
    /// first and last hit.
    pub(crate) fn kept_of(&self, first: u32, last: u32) -> f64 {
        let (mut found, mut expected) = (0.0, 0.0);
        self.anchors_between(first, last, |level, there| {
            found += f64::from(u8::from(there));
            expected += self.learnt.retention(level);
        });
        (found + 2.0) / (expected + 2.0)
    }

    /// Calls `each` with the level of every anchor strictly between two probes, and whether the table had it.
    pub(crate) fn anchors_between(&self, first: u32, last: u32, mut each: impl FnMut(u8, bool)) {
        for at in first as usize + 1..last as usize {
            each(self.probes[at].level, self.looks[at] == Look::Found);
        }
    }

    /// Walks outward from the left end of a passage and calls `visit(token, shingle, probability)`.
    pub(crate) fn walk_left(&self, passage: &Passage, kept: f64, visit: impl FnMut(u32, Option<u32>, f64)) {
        let mut next = self.probes.partition_point(|probe| probe.position < passage.start);
        let tokens = (0..passage.start).rev();
        self.walk(passage, kept, tokens.map(|token| (token, Some(token))), visit, |shingle| {
            while next > 0 && self.probes[next - 1].position > shingle {
                next -= 1;
            }
            next.checked_sub(1).filter(|&at| self.probes[at].position == shingle)
        });
    }

    /// Walks outward from the right end of a passage and calls `visit(token, shingle, probability)`.
    pub(crate) fn walk_right(&self, passage: &Passage, kept: f64, visit: impl FnMut(u32, Option<u32>, f64)) {
        let k = self.k;
        let mut next = self.probes.partition_point(|probe| probe.position + k <= passage.end);
        let tokens = passage.end..self.evidence.len() as u32;
        self.walk(passage, kept, tokens.map(|token| (token, (token + 1).checked_sub(k))), visit, |shingle| {
            while next < self.probes.len() && self.probes[next].position < shingle {
                next += 1;
            }
            Some(next).filter(|&at| at < self.probes.len() && self.probes[at].position == shingle)
        });
    }

    /// `steps` gives each token with the shingle whose outermost token it is; `probe_at` finds that shingle's probe.
    fn walk(
        &self,
        passage: &Passage,
        kept: f64,
        steps: impl Iterator<Item = (u32, Option<u32>)>,
        mut visit: impl FnMut(u32, Option<u32>, f64),
        mut probe_at: impl FnMut(u32) -> Option<usize>,
    ) {
        let hazard = self.learnt.hazard();
        let (mut goes_on, mut has_ended) = (1.0, 0.0);
        let mut length = f64::from(passage.end - passage.start);
        for (token, shingle) in steps {
            // No end goes on into a passage.
            if self.evidence[token as usize].get() > Evidence::Expanded {
                break;
            }
            let ends_here = hazard.min(hazard * TAIL / length);
            length += 1.0;
            has_ended += goes_on * ends_here;
            goes_on *= 1.0 - ends_here;
            if let Some(at) = shingle.and_then(&mut probe_at) {
                let level = self.probes[at].level;
                goes_on *= match self.looks[at] {
                    Look::Found | Look::Later => 1.0,
                    Look::Forgotten => 1.0 - (self.learnt.retention(level) * kept).clamp(0.02, 0.995),
                    Look::Never => NEVER_STORED,
                };
            }
            let probability = goes_on / (goes_on + has_ended);
            if probability < LEAST {
                break;
            }
            visit(token, shingle, probability);
        }
    }
}

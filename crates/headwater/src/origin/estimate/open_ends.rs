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
        anchors_between(self.probes, self.looks, first, last, |level, there| {
            found += f64::from(u8::from(there));
            expected += self.learnt.retention(level);
        });
        (found + 2.0) / (expected + 2.0)
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

/// Calls `each` with the level of every anchor strictly between two probes, and whether the table had it.
pub(crate) fn anchors_between(probes: &[Probe], looks: &[Look], first: u32, last: u32, mut each: impl FnMut(u8, bool)) {
    for at in first as usize + 1..last as usize {
        each(probes[at].level, looks[at] == Look::Found);
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::anchor::TOP_LEVEL;
    use super::super::super::skirt::Skirts;
    use super::*;

    const K: u32 = 8;

    /// The probability at each token that a walk visits.
    type Visits = Vec<(u32, Option<u32>, f64)>;

    /// A document of so many tokens of which nothing is known, and what a tracer may have learnt.
    struct Field {
        probes: Vec<Probe>,
        looks: Vec<Look>,
        evidence: Vec<Cell<Evidence>>,
        learnt: Learnt,
    }

    impl Field {
        /// Passages end with the probability `hazard` at each token, at most 0.2; of the anchors of every level half are kept.
        fn new(tokens: usize, hazard: f64) -> Self {
            let levels = usize::from(TOP_LEVEL) + 1;
            let values: Vec<f64> = [2.0 * hazard, 1.0].into_iter().chain([1.0].repeat(levels)).collect();
            let learnt = Learnt::from_values(&[values, [2.0].repeat(levels)].concat()).expect("as many as there are");
            assert_eq!((learnt.hazard(), learnt.retention(0), learnt.retention(TOP_LEVEL)), (hazard, 0.5, 0.5));
            let evidence = vec![Cell::new(Evidence::New); tokens];
            Field { probes: Vec::new(), looks: Vec::new(), evidence, learnt }
        }

        /// An anchor at `position`, behind those that there are.
        fn with(mut self, position: u32, look: Look) -> Self {
            self.probes.push(Probe { place: 0, position, skirts: Skirts::default(), tag: 0, level: 1 });
            self.looks.push(look);
            self
        }

        fn with_evidence(self, token: usize, evidence: Evidence) -> Self {
            self.evidence[token].set(evidence);
            self
        }

        fn ground(&self) -> Ground<'_> {
            let Field { probes, looks, evidence, learnt } = self;
            Ground { k: K, probes, looks, evidence, learnt }
        }

        fn left(&self, passage: &Passage, kept: f64) -> Visits {
            let mut visits = Vec::new();
            self.ground().walk_left(passage, kept, |token, shingle, odds| visits.push((token, shingle, odds)));
            visits
        }

        fn right(&self, passage: &Passage, kept: f64) -> Visits {
            let mut visits = Vec::new();
            self.ground().walk_right(passage, kept, |token, shingle, odds| visits.push((token, shingle, odds)));
            visits
        }
    }

    fn passage(start: u32, end: u32) -> Passage {
        let (sure_start, sure_end) = (start, end);
        let (left_open, right_open) = (true, true);
        Passage {
            document: 0,
            source: 0,
            start,
            end,
            sure_start,
            sure_end,
            left_open,
            right_open,
            first_hit: 0,
            last_hit: 0,
        }
    }

    /// The visits are to these tokens with these probabilities, which are right to nine places.
    fn check(visits: &Visits, expected: &[(u32, f64)]) {
        let tokens: Vec<u32> = visits.iter().map(|visit| visit.0).collect();
        assert_eq!(tokens, expected.iter().map(|one| one.0).collect::<Vec<_>>());
        for ((token, _, odds), (_, expected)) in visits.iter().zip(expected) {
            assert!((odds - expected).abs() < 1e-9, "at {token}: {odds}, not {expected}");
        }
    }

    #[test]
    fn odds_fall_by_the_hazard_down_to_either_end_of_the_text() {
        let field = Field::new(18, 0.1);
        let (left, right) = (field.left(&passage(3, 15), 1.0), field.right(&passage(3, 15), 1.0));
        check(&left, &[(2, 0.9), (1, 0.81), (0, 0.729)]);
        check(&right, &[(15, 0.9), (16, 0.81), (17, 0.729)]);
        let shingles = |visits: &Visits| visits.iter().map(|visit| visit.1).collect::<Vec<_>>();
        assert_eq!(shingles(&left), [Some(2), Some(1), Some(0)], "the token begins the shingle");
        assert_eq!(shingles(&right), [Some(8), Some(9), Some(10)], "the token ends the shingle");
        check(&field.left(&passage(0, 15), 1.0), &[]);
        check(&field.right(&passage(3, 18), 1.0), &[]);
    }

    /// Half of the anchors are kept, of this passage's 1.2 times as many: that one is missing leaves 0.4 of the odds, against
    /// those of having ended before it.
    #[test]
    fn an_anchor_that_was_probably_kept_and_is_not_there_counts_against_it() {
        let expected = [0.9, 0.324 / (0.324 + 0.19), 0.2916 / (0.2916 + 0.2224)];
        let left = Field::new(40, 0.1).with(18, Look::Forgotten).left(&passage(20, 32), 1.2);
        check(&left[..3].to_vec(), &[(19, expected[0]), (18, expected[1]), (17, expected[2])]);
        // The shingle at 26 ends with the token 33.
        let right = Field::new(40, 0.1).with(26, Look::Forgotten).right(&passage(20, 32), 1.2);
        check(&right[..3].to_vec(), &[(32, expected[0]), (33, expected[1]), (34, expected[2])]);
    }

    #[test]
    fn an_anchor_that_was_never_stored_counts_more() {
        let expected = [0.9, 0.081 / (0.081 + 0.19), 0.0729 / (0.0729 + 0.1981)];
        let left = Field::new(40, 0.1).with(18, Look::Never).left(&passage(20, 32), 1.2);
        check(&left[..3].to_vec(), &[(19, expected[0]), (18, expected[1]), (17, expected[2])]);
        let right = Field::new(40, 0.1).with(26, Look::Never).right(&passage(20, 32), 1.2);
        check(&right[..3].to_vec(), &[(32, expected[0]), (33, expected[1]), (34, expected[2])]);
    }

    #[test]
    fn an_anchor_that_is_there_under_another_passage_or_a_later_document_counts_nothing() {
        for look in [Look::Found, Look::Later] {
            let left = Field::new(18, 0.1).with(1, look).left(&passage(3, 15), 1.0);
            check(&left, &[(2, 0.9), (1, 0.81), (0, 0.729)]);
            let right = Field::new(18, 0.1).with(9, look).right(&passage(3, 15), 1.0);
            check(&right, &[(15, 0.9), (16, 0.81), (17, 0.729)]);
        }
    }

    /// However well or badly the passage's other anchors were kept, one that is missing is never certain to mean anything.
    #[test]
    fn retention_is_bounded() {
        let field = Field::new(40, 0.1).with(19, Look::Forgotten);
        // 0.9 · (1 − 0.02) against 0.1.
        let visits = field.left(&passage(20, 32), 0.0);
        check(&visits[..1].to_vec(), &[(19, 0.882 / 0.982)]);
        // 0.9 · (1 − 0.995) against 0.1 is 0.043: too little to go on.
        check(&field.left(&passage(20, 32), 100.0), &[]);
    }

    #[test]
    fn no_walk_enters_another_passage() {
        for sure in [Evidence::Bridged, Evidence::Aligned, Evidence::Found] {
            let left = Field::new(40, 0.1).with_evidence(17, sure).left(&passage(20, 32), 1.0);
            check(&left, &[(19, 0.9), (18, 0.81)]);
            let right = Field::new(40, 0.1).with_evidence(34, sure).right(&passage(20, 32), 1.0);
            check(&right, &[(32, 0.9), (33, 0.81)]);
        }
        let open = Field::new(23, 0.1).with_evidence(1, Evidence::Expanded).with_evidence(21, Evidence::Expanded);
        check(&open.left(&passage(3, 20), 1.0), &[(2, 0.9), (1, 0.81), (0, 0.729)]);
        check(&open.right(&passage(3, 20), 1.0), &[(20, 0.9), (21, 0.81), (22, 0.729)]);
    }

    /// 0.8¹³ is 0.055 and 0.8¹⁴ is 0.044.
    #[test]
    fn a_walk_ends_when_the_passage_has_almost_surely_ended() {
        let field = Field::new(100, 0.2);
        let left = field.left(&passage(40, 50), 1.0);
        let expected: Vec<(u32, f64)> = (1..=13).map(|step| (40 - step, 0.8f64.powi(step as i32))).collect();
        check(&left, &expected);
        let right = field.right(&passage(40, 50), 1.0);
        let expected: Vec<(u32, f64)> = (1..=13).map(|step| (49 + step, 0.8f64.powi(step as i32))).collect();
        check(&right, &expected);
    }

    /// From 27 tokens on the hazard is 27/n of the usual one, n being the tokens of the passage and of the walk so far.
    #[test]
    fn long_passages_end_less_often() {
        let field = Field::new(100, 0.1);
        let first = |visits: Visits| visits[..3].to_vec();
        let at_54 = [0.95, 0.95 * (1.0 - 2.7 / 55.0), 0.95 * (1.0 - 2.7 / 55.0) * (1.0 - 2.7 / 56.0)];
        check(&first(field.left(&passage(20, 74), 1.0)), &[(19, at_54[0]), (18, at_54[1]), (17, at_54[2])]);
        check(&first(field.right(&passage(20, 74), 1.0)), &[(74, at_54[0]), (75, at_54[1]), (76, at_54[2])]);
        // A walk can begin below 27 and go beyond.
        let at_26 = [0.9, 0.81, 0.81 * (1.0 - 2.7 / 28.0)];
        check(&first(field.left(&passage(20, 46), 1.0)), &[(19, at_26[0]), (18, at_26[1]), (17, at_26[2])]);
    }

    #[test]
    fn what_was_kept_of_a_passage_is_judged_by_the_anchors_inside_it() {
        let looks = [Look::Found, Look::Found, Look::Forgotten, Look::Found, Look::Found];
        let field = looks.iter().zip(0..).fold(Field::new(40, 0.1), |field, (&look, at)| field.with(at, look));
        let ground = field.ground();
        assert_eq!(ground.kept_of(0, 4), (2.0 + 2.0) / (1.5 + 2.0));
        assert_eq!(ground.kept_of(1, 3), (0.0 + 2.0) / (0.5 + 2.0));
        assert_eq!((ground.kept_of(0, 1), ground.kept_of(2, 2)), (1.0, 1.0), "nothing lies between");
    }
}

//! How good answers are: the paper's dominant origin (DO), token freshness (TF) and selected shingles ratio (ssr), as in
//! its section 3.2.

use super::exact::Truth;
use super::report::Report;

/// The origin with the most shingles, and whether it leads by the paper's tenth (section 3.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dominance {
    /// The document itself where several have the most, and of others the one with the smallest number.
    pub most_copied: u32,
    /// The same, if it has at least 10 % more shingles than any other.
    pub dominant: Option<u32>,
}

impl Dominance {
    /// From the number of shingles of each origin.
    pub fn of(document: u32, counts: impl Iterator<Item = (u32, u64)>) -> Self {
        let mut best: Option<(u32, u64)> = None;
        let mut second = 0;
        for (origin, count) in counts {
            let better = best.is_none_or(|(leader, most)| {
                (count, origin == document, std::cmp::Reverse(origin))
                    > (most, leader == document, std::cmp::Reverse(leader))
            });
            if better {
                second = second.max(best.map_or(0, |(_, most)| most));
                best = Some((origin, count));
            } else {
                second = second.max(count);
            }
        }
        let (most_copied, most) = best.unwrap_or((document, 0));
        let leads = most > 0 && 10 * most >= 11 * second;
        Dominance { most_copied, dominant: leads.then_some(most_copied) }
    }
}

/// Scores of a tracer over many queries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    queries: u64,
    right_origins: u64,
    /// Queries whose dominant origin is another document, and those of them whose dominant origin was named.
    copies: u64,
    right_copies: u64,
    tokens: u64,
    right_tokens: u64,
    shingles: u64,
    selected: u64,
}

impl Score {
    /// Counts the shingles of a document, query or not, and those that were sent to the table.
    pub fn count(&mut self, shingles: usize, selected: usize) {
        self.shingles += shingles as u64;
        self.selected += selected as u64;
    }

    /// Scores the report on a query, a document with a dominant origin. The answer to it is the origin that was copied most, by however
    /// little it leads: that there is a dominant one is known of a query.
    pub fn add(&mut self, report: &Report, truth: &Truth) {
        self.queries += 1;
        let is_right = truth.dominance.dominant == Some(report.most_copied);
        self.right_origins += u64::from(is_right);
        if truth.dominance.dominant.is_some_and(|dominant| dominant != truth.document) {
            self.copies += 1;
            self.right_copies += u64::from(is_right);
        }
        self.tokens += truth.fresh.len() as u64;
        let right = truth.fresh.iter().enumerate().filter(|&(at, &fresh)| report.is_fresh(at) == fresh);
        self.right_tokens += right.count() as u64;
    }

    /// DO: the part of the queries whose dominant origin was named.
    pub fn dominant_origin(&self) -> f64 {
        part(self.right_origins, self.queries)
    }

    /// DO of those queries alone whose dominant origin is another document. The others are easily right: nothing need be
    /// remembered for them.
    pub fn copied_origin(&self) -> f64 {
        part(self.right_copies, self.copies)
    }

    /// TF: the part of all their tokens that were rightly called fresh or old.
    pub fn token_freshness(&self) -> f64 {
        part(self.right_tokens, self.tokens)
    }

    /// ssr: the part of all shingles that was sent to the table.
    pub fn selected_ratio(&self) -> f64 {
        part(self.selected, self.shingles)
    }

    /// How many queries were scored.
    pub fn queries(&self) -> u64 {
        self.queries
    }
}

fn part(some: u64, all: u64) -> f64 {
    if all == 0 { 0.0 } else { some as f64 / all as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::origin::Evidence;

    #[test]
    fn scores_are_parts_of_the_whole() {
        let truth = Truth {
            document: 3,
            fresh: vec![true, true, false, false],
            dominance: Dominance { most_copied: 1, dominant: Some(1) },
            ..Truth::default()
        };
        let evidence = vec![Evidence::New, Evidence::Found, Evidence::Found, Evidence::Aligned];
        let right = Report { most_copied: 1, evidence: evidence.clone(), ..Report::default() };
        let wrong = Report { most_copied: 3, evidence, ..Report::default() };
        let mut score = Score::default();
        score.count(100, 25);
        score.add(&right, &truth);
        score.add(&wrong, &truth);
        assert_eq!((score.dominant_origin(), score.token_freshness(), score.selected_ratio()), (0.5, 0.75, 0.25));
        assert_eq!((score.copied_origin(), Score::default().dominant_origin()), (0.5, 0.0));
        // One that is its own origin.
        let own = Truth { document: 1, ..truth };
        score.add(&right, &own);
        assert_eq!((score.dominant_origin(), score.copied_origin()), (2.0 / 3.0, 0.5));
    }

    #[test]
    fn a_lead_of_a_tenth_is_dominance() {
        let of = |counts: &[(u32, u64)]| Dominance::of(9, counts.iter().copied());
        assert_eq!(of(&[(9, 10), (2, 11)]), Dominance { most_copied: 2, dominant: Some(2) });
        assert_eq!(of(&[(2, 11), (9, 11)]), Dominance { most_copied: 9, dominant: None });
        assert_eq!(of(&[(5, 11), (2, 11), (9, 1)]), Dominance { most_copied: 2, dominant: None });
        assert_eq!(of(&[(9, 0)]), Dominance { most_copied: 9, dominant: None });
    }
}

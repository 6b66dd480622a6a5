//! One algorithm with one amount of memory, going through the whole collection and marked on the queries.

use super::super::chronicle::InOrder;
use super::super::exact::Truth;
use super::super::metrics::Score;
use super::super::prepare::{Prepared, Preparer};
use super::super::report::Report;
use super::super::settings::{InvalidSettings, Settings};
use super::super::tracer::Tracer;

/// How many classes of length documents are put into: class n has 2ⁿ to 2ⁿ⁺¹ tokens.
pub const LENGTHS: usize = 32;

/// A tracer under examination.
#[derive(Debug)]
pub struct Trial {
    tracer: Tracer,
    report: Report,
    marks: Marks,
}

/// What a trial is marked with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// DO, TF and ssr.
    pub score: Score,
    /// Selected shingles of queries that were not found and yet given another origin than the query (the paper's
    /// extra-labelled shingles, Table 11).
    pub extra: u64,
    /// … of which rightly.
    pub extra_right: u64,
    /// Queries of each class of length, and those of them whose dominant origin was named (Figure 2).
    pub by_length: [(u64, u64); LENGTHS],
}

impl Trial {
    /// A trial that has seen nothing.
    pub fn new(settings: Settings) -> Result<Self, InvalidSettings> {
        Ok(Trial { tracer: Tracer::new(settings)?, report: Report::default(), marks: Marks::default() })
    }

    /// Makes documents ready for this trial, and for all with the same selection.
    pub fn preparer(&self) -> Preparer {
        self.tracer.preparer()
    }

    /// Observes the next document; where it is a query, with its truth.
    pub fn observe(&mut self, prepared: &Prepared, truth: Option<&Truth>) {
        let Trial { tracer, report, marks } = self;
        tracer.observe_into(prepared, 0, &InOrder, report);
        marks.score.count(prepared.shingles(), report.selected);
        let Some(truth) = truth else { return };
        marks.score.add(report, truth);
        let class = &mut marks.by_length[truth.fresh.len().max(1).ilog2() as usize];
        class.0 += 1;
        class.1 += u64::from(truth.dominance.dominant == Some(report.most_copied));
        for (position, origin) in tracer.guesses(prepared) {
            marks.extra += 1;
            marks.extra_right += u64::from(truth.origins.get(position as usize) == Some(&origin));
        }
    }

    /// Its marks so far.
    pub fn marks(&self) -> &Marks {
        &self.marks
    }

    /// Whether its table has had to forget anything: where not, more memory would change nothing.
    pub fn has_forgotten(&self) -> bool {
        self.tracer.state().forgotten > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::origin::{Algorithm, ExactIndex, Paper};

    /// Two tokens a shingle, all of them selected, ample memory: every figure can be counted by hand.
    #[test]
    fn marks_counted_by_hand() {
        let paper = Paper { select: "All".parse().unwrap(), estimate: "NB".parse().unwrap(), ..Paper::default() };
        let settings = Settings { k: 2, memory: 1 << 20, algorithm: Algorithm::Paper(paper), ..Settings::default() };
        let mut trial = Trial::new(settings).unwrap();
        let preparer = trial.preparer();
        let mut index = ExactIndex::new();
        for (text, is_query) in [("a b c d e", false), ("x a b c y", false), ("a b c d q", true), ("m n o", true)] {
            let prepared = preparer.prepare(text).unwrap();
            let mut truth = Truth::default();
            index.observe(prepared.tokens().len(), &prepared.fingerprints(), 2, 0, &InOrder, &mut truth);
            // The third is said to be all fresh and its own origin: a wrong truth, so that there is something to miss.
            if text.ends_with('q') {
                truth.dominance.dominant = Some(2);
                truth.fresh.fill(true);
            }
            trial.observe(&prepared, is_query.then_some(&truth));
        }
        let marks = trial.marks();
        assert_eq!(marks.score.queries(), 2);
        assert_eq!(marks.score.dominant_origin(), 1.0 / 2.0);
        assert_eq!(marks.score.token_freshness(), (1.0 + 3.0) / (5.0 + 3.0));
        assert_eq!(marks.score.selected_ratio(), 1.0);
        assert_eq!((marks.extra, marks.by_length[1], marks.by_length[2]), (0, (1, 1), (1, 0)));
        assert!(!trial.has_forgotten());
    }

    /// Of five shingles in a row only the outer two are known: bridging labels the three between them, two rightly.
    #[test]
    fn extra_labels_are_those_that_were_not_found() {
        let paper = Paper {
            select: "All".parse().unwrap(),
            evict: "LRU".parse().unwrap(),
            estimate: "B".parse().unwrap(),
            ..Paper::default()
        };
        let settings = Settings { k: 1, memory: 1 << 20, algorithm: Algorithm::Paper(paper), ..Settings::default() };
        let mut trial = Trial::new(settings).unwrap();
        let preparer = trial.preparer();
        trial.observe(&preparer.prepare("a b c d e").unwrap(), None);
        let copy = preparer.prepare("a x y z e").unwrap();
        let mut truth = Truth { document: 1, origins: vec![0, 0, 1, 0, 0], ..Truth::default() };
        truth.fresh.resize(5, false);
        trial.observe(&copy, Some(&truth));
        assert_eq!((trial.marks().extra, trial.marks().extra_right), (3, 2));
    }
}

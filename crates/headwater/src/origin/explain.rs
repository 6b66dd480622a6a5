//! Why a report says what it says: every question that the table was asked, and its answer.

use std::ops::Range;

use super::chronicle::{Ages, Chronicle};
use super::prepare::Prepared;
use super::report::Report;
use super::tracer::{Engine, Tracer};
use super::{headwater, paper};

/// A report with the questions behind it.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// What is said about the document.
    pub report: Report,
    /// The shingles that the table was asked about, in the order of the text.
    pub asked: Vec<Question>,
}

/// One shingle that the table was asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The positions of its tokens.
    pub tokens: Range<u32>,
    /// What the table said.
    pub answer: Answer,
}

/// What the table said about a shingle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It is there.
    Found {
        /// The document that had it first, as far as the table knows.
        origin: u32,
        /// What the entry tells about the text on either side of it; the paper's entries tell nothing of it.
        around: Option<Around>,
    },
    /// It is there under a document of a later time: this one is its origin from now on.
    Later,
    /// It is not there, and never was: nothing has ever been evicted from its place.
    Never,
    /// It is not there, but its place has had to make room: it may have been evicted.
    Evicted,
}

/// How far the text around a found shingle agrees with that of its origin, in tokens, as far as a few bits a token tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Around {
    /// Tokens before it that agree.
    pub left: u32,
    /// Tokens after it that agree.
    pub right: u32,
    /// Whether nothing was seen to differ before it: the passage may have begun still earlier.
    pub left_open: bool,
    /// Whether nothing was seen to differ after it.
    pub right_open: bool,
}

impl Tracer {
    /// Reports as [`Tracer::trace`] does, with all that the report rests on.
    ///
    /// # Panics
    /// If the document was prepared by another tracer's `Preparer` with other settings.
    pub fn explain(&self, prepared: &Prepared, time: i64, chronicle: &impl Chronicle) -> Explanation {
        let mut report = Report::default();
        self.begin(prepared, &mut report);
        let ages = Ages::new(chronicle, time, self.latest, self.disordered);
        let asked = match &self.engine {
            Engine::Headwater(engine, _) => {
                let mut work = headwater::Workspace::default();
                engine.trace(prepared, &ages, &mut work, &mut report);
                engine.questions(prepared, &work)
            }
            Engine::Paper(engine, _) => {
                let mut work = paper::Workspace::default();
                engine.trace(prepared, &ages, &mut work, &mut report);
                engine.questions(prepared, &ages)
            }
        };
        report.settle();
        Explanation { report, asked }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::origin::{Algorithm, InOrder, Paper, Settings};

    const WIRE: &str =
        "masons repairing the drained weir have uncovered a slate river gauge older than any the town knew of";

    fn check(algorithm: Algorithm) {
        let settings = Settings { memory: 1 << 16, algorithm, ..Settings::default() };
        let mut tracer = Tracer::new(settings).unwrap();
        let preparer = tracer.preparer();
        tracer.observe(&preparer.prepare(WIRE).unwrap(), 5, &InOrder);
        let copy = preparer.prepare(&format!("I have read this morning that {WIRE} and went back to bed")).unwrap();

        let Explanation { report, asked } = tracer.explain(&copy, 6, &InOrder);
        assert_eq!(report, tracer.trace(&copy, 6, &InOrder));
        assert_eq!(asked.len(), report.selected);
        let passage = &report.segments[0].tokens;
        for question in &asked {
            assert_eq!(question.tokens.len(), 8);
            match question.answer {
                Answer::Found { origin, .. } => {
                    assert_eq!(origin, 0);
                    assert!(passage.start <= question.tokens.start && question.tokens.end <= passage.end);
                }
                other => assert_eq!(other, Answer::Never, "the table is nearly empty, and documents are in order"),
            }
        }
        assert!(asked.iter().any(|question| question.answer == Answer::Never));
        assert!(asked.iter().any(|question| matches!(question.answer, Answer::Found { .. })));
    }

    #[test]
    fn every_question_with_its_answer() {
        check(Algorithm::Headwater);
        check(Algorithm::Paper(Paper::default()));
    }

    #[test]
    fn a_late_original_is_told() {
        struct Late;
        impl Chronicle for Late {
            fn time(&self, _: u32) -> i64 {
                7
            }
        }
        let mut tracer = Tracer::new(Settings { memory: 1 << 16, ..Settings::default() }).unwrap();
        let preparer = tracer.preparer();
        tracer.observe(&preparer.prepare(WIRE).unwrap(), 7, &Late);
        let earlier = tracer.explain(&preparer.prepare(WIRE).unwrap(), 6, &Late);
        assert!(earlier.asked.iter().any(|question| question.answer == Answer::Later));
        assert_eq!(earlier.report.fresh_tokens(), earlier.report.tokens());
    }

    #[test]
    fn a_full_place_may_have_evicted() {
        let mut tracer = Tracer::new(Settings { memory: 1 << 10, ..Settings::default() }).unwrap();
        let preparer = tracer.preparer();
        for document in 0..50 {
            let text: String = (0..100).map(|word| format!("w{document}x{word} ")).collect();
            tracer.observe(&preparer.prepare(&text).unwrap(), 0, &InOrder);
        }
        let asked = tracer.explain(&preparer.prepare(WIRE).unwrap(), 0, &InOrder).asked;
        assert!(asked.iter().all(|question| question.answer == Answer::Evicted));
    }

    /// Whether an answer is "perhaps evicted" does not change with documents that are removed, or with a table that is merged.
    #[test]
    fn upkeep_does_not_make_anything_certain() {
        for algorithm in [Algorithm::Headwater, Algorithm::Paper(Paper::default())] {
            let settings = Settings { memory: 1 << 11, algorithm, ..Settings::default() };
            let mut tracer = Tracer::new(settings).unwrap();
            let preparer = tracer.preparer();
            for document in 0..50 {
                let text: String = (0..100).map(|word| format!("w{document}x{word} ")).collect();
                tracer.observe(&preparer.prepare(&text).unwrap(), document, &InOrder);
            }
            let unseen: String = (0..100).map(|word| format!("unseen{word} ")).collect();
            let unseen = preparer.prepare(&unseen).unwrap();
            let evicted = |tracer: &Tracer| {
                let asked = tracer.explain(&unseen, 60, &InOrder).asked;
                asked.iter().filter(|question| question.answer == Answer::Evicted).count()
            };
            let before = evicted(&tracer);
            assert!(before > 0, "{algorithm:?}");
            tracer.forget(|_| true);
            assert_eq!(evicted(&tracer), before, "{algorithm:?}");
            let mut other = Tracer::new(settings).unwrap();
            other.merge(&tracer, &InOrder).unwrap();
            assert_eq!(evicted(&other), before, "{algorithm:?}");
            assert_eq!(other.state().forgotten, tracer.state().forgotten, "{algorithm:?}");
        }
    }
}

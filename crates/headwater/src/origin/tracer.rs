//! The tracer: one document after the other, each reported against those before it.

use std::ops::Range;

use super::chronicle::{Ages, Chronicle};
use super::headwater::{self, Headwater};
use super::paper::{self, Paper};
use super::prepare::{Prepared, Preparer};
use super::report::{Evidence, Report};
use super::settings::{Algorithm, InvalidSettings, Settings};
use super::state::State;
use super::table::{Buckets, Lent};

/// Numbers end here; the documents after the last are still reported but no longer remembered.
pub(super) const MOST_DOCUMENTS: u32 = u32::MAX - 1;

/// Tells where text came from, in a fixed amount of memory.
#[derive(Debug)]
pub struct Tracer {
    pub(super) settings: Settings,
    pub(super) engine: Engine,
    /// The number of the next document.
    pub(super) next: u32,
    /// The latest time so far.
    pub(super) latest: i64,
    /// Whether a document has ever been earlier than one that arrived before it.
    pub(super) disordered: bool,
}

/// The algorithm at work, with what it needs from one document to the next only for its memory.
#[derive(Debug)]
pub(super) enum Engine {
    Headwater(Box<Headwater>, Box<headwater::Workspace>),
    Paper(Box<Paper>, Box<paper::Workspace>),
}

impl Tracer {
    /// A tracer that has seen nothing.
    pub fn new(settings: Settings) -> Result<Self, InvalidSettings> {
        settings.check()?;
        // Memory is mapped as it is used, so that asking costs nothing; a table that is refused would end the program.
        if Vec::<u8>::new().try_reserve_exact(settings.memory).is_err() {
            return Err(InvalidSettings::too_much_memory(settings.memory));
        }
        let engine = match settings.algorithm {
            Algorithm::Headwater => {
                Engine::Headwater(Box::new(Headwater::new(settings.memory, settings.k)), Box::default())
            }
            Algorithm::Paper(choice) => Engine::Paper(Box::new(Paper::new(&settings, choice)), Box::default()),
        };
        Ok(Tracer { settings, engine, next: 0, latest: i64::MIN, disordered: false })
    }

    /// A tracer that has seen nothing, whose table lies in zeros that `lend` gives when told how many: memory of a better kind
    /// than the allocator's. Where it gives none, or not as many, the allocator's is used.
    pub fn new_in(
        settings: Settings,
        lend: impl FnOnce(usize) -> Option<Box<dyn Lent>>,
    ) -> Result<Self, InvalidSettings> {
        let tracer = Tracer::new(settings)?;
        let lent = lend(tracer.table().len());
        let better = lent.and_then(|lent| Tracer::resume(settings, &tracer.state(), lent));
        Ok(better.unwrap_or(tracer))
    }

    /// A tracer that goes on where another stopped, on the bytes of its table.
    ///
    /// `None` where these are not the bytes or not the state of a tracer with these settings.
    pub fn resume(settings: Settings, state: &State, table: Box<dyn Lent>) -> Option<Self> {
        settings.check().ok()?;
        let engine = match settings.algorithm {
            Algorithm::Headwater => {
                Engine::Headwater(Box::new(Headwater::resume(&settings, state, table)?), Box::default())
            }
            Algorithm::Paper(choice) => {
                Engine::Paper(Box::new(Paper::resume(&settings, choice, state, table)?), Box::default())
            }
        };
        let State { documents, latest, disordered, .. } = *state;
        Some(Tracer { settings, engine, next: documents, latest, disordered })
    }

    /// What it knows beside its table.
    pub fn state(&self) -> State {
        let (random, learnt, forgotten) = match &self.engine {
            Engine::Headwater(engine, _) => (0, engine.learnt().values(), engine.table().forgotten()),
            Engine::Paper(engine, _) => (engine.table().random(), Vec::new(), engine.table().forgotten()),
        };
        let Tracer { next, latest, disordered, .. } = *self;
        State { documents: next, latest, disordered, forgotten, random, learnt }
    }

    /// What it was made with.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Makes documents ready for this tracer, on any thread.
    pub fn preparer(&self) -> Preparer {
        Preparer::new(&self.settings)
    }

    /// How many documents it has observed: the number that the next one gets.
    pub fn documents(&self) -> u32 {
        self.next
    }

    /// The bytes of its table: never more than the settings allow.
    pub fn table(&self) -> &[u8] {
        match &self.engine {
            Engine::Headwater(engine, _) => engine.table().bytes(),
            Engine::Paper(engine, _) => engine.table().bytes(),
        }
    }

    /// Which bytes of the table an answer about the document depends on, and may change: for whoever lends the bytes, to
    /// see first whether they are sound.
    pub fn places<'a>(&'a self, prepared: &'a Prepared) -> Box<dyn Iterator<Item = Range<usize>> + 'a> {
        match &self.engine {
            Engine::Headwater(engine, _) => Box::new(prepared.probes().iter().map(|probe| engine.table().place(probe))),
            Engine::Paper(engine, _) => {
                Box::new(prepared.selected().iter().map(|shingle| engine.table().place(shingle.fingerprint)))
            }
        }
    }

    /// How many shingles the table can hold.
    pub fn capacity(&self) -> usize {
        match &self.engine {
            Engine::Headwater(engine, _) => engine.table().capacity(),
            Engine::Paper(engine, _) => engine.table().capacity(),
        }
    }

    /// Reports on a document, then remembers it.
    ///
    /// `time` orders documents (microseconds, or any number); of equals the one that arrived first is earlier.
    ///
    /// # Panics
    /// If the document was prepared by another tracer's [`Preparer`] with other settings.
    pub fn observe(&mut self, prepared: &Prepared, time: i64, chronicle: &impl Chronicle) -> Report {
        let mut report = Report::default();
        self.observe_into(prepared, time, chronicle, &mut report);
        report
    }

    /// As [`Tracer::observe`], in the memory of an earlier report.
    pub fn observe_into(&mut self, prepared: &Prepared, time: i64, chronicle: &impl Chronicle, report: &mut Report) {
        if self.next >= MOST_DOCUMENTS {
            *report = self.trace(prepared, time, chronicle);
            return;
        }
        self.begin(prepared, report);
        let ages = Ages::new(chronicle, time, self.latest, self.disordered);
        match &mut self.engine {
            Engine::Headwater(engine, work) => {
                engine.trace(prepared, &ages, work, report);
                engine.remember(prepared, self.next, work);
            }
            Engine::Paper(engine, work) => engine.observe(prepared, &ages, work, report),
        }
        report.settle();
        self.next += 1;
        self.disordered |= time < self.latest;
        self.latest = self.latest.max(time);
    }

    /// The selected shingles of the document observed last that were not found and yet given another origin by the paper's
    /// estimation, with it (the extra-labelled shingles of section 3.6). Our own algorithm has none.
    pub fn guesses<'a>(&'a self, prepared: &'a Prepared) -> impl Iterator<Item = (u32, u32)> + 'a {
        let labels = match &self.engine {
            Engine::Headwater(..) => &[],
            Engine::Paper(_, work) => work.labels(),
        };
        let labelled = prepared.selected().iter().zip(labels);
        labelled.filter_map(|(shingle, label)| {
            label.filter(|label| label.evidence != Evidence::Found).map(|label| (shingle.position, label.origin))
        })
    }

    /// Reports on a document as if it were observed next, and remembers nothing. (The paper's algorithms ask and store in turns: with
    /// them, a document that is observed may itself push out what one of its later shingles would have found.)
    ///
    /// # Panics
    /// If the document was prepared by another tracer's [`Preparer`] with other settings.
    pub fn trace(&self, prepared: &Prepared, time: i64, chronicle: &impl Chronicle) -> Report {
        let mut report = Report::default();
        self.begin(prepared, &mut report);
        let ages = Ages::new(chronicle, time, self.latest, self.disordered);
        match &self.engine {
            Engine::Headwater(engine, _) => {
                engine.trace(prepared, &ages, &mut headwater::Workspace::default(), &mut report);
            }
            Engine::Paper(engine, _) => {
                engine.trace(prepared, &ages, &mut paper::Workspace::default(), &mut report);
            }
        }
        report.settle();
        report
    }

    pub(super) fn begin(&self, prepared: &Prepared, report: &mut Report) {
        assert!(prepared.is_by(&self.preparer()), "the document was prepared for other settings");
        report.restart(self.next, prepared.tokens().len());
    }
}

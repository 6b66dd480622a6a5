//! What a run knows of the documents before: the tracer, their names, and the table that both are kept in.

use std::time::{Duration, Instant};

use headwater::Time;
use headwater::origin::{Explanation, Prepared, Preparer, Report, Tracer};
use headwater_io::table::{Access, Opened, Table, TableError, new_tracer};
use headwater_io::{Register, Stamp};

use crate::args::{MemoryArgs, OriginArgs, TokenArgs};
use crate::failure::Failure;
use crate::interrupt;
use crate::terminal::{Talk, count};

/// Saving may take one part in so many of a run's time: a very large table is saved less often, unless the user says how often.
const SHARE: u32 = 25;

/// The order of documents without a time that stand before the first that has one. They have their place before everything, as in
/// sorting: any real moment here would be a claim about them, and a document that says it is older would take over their text.
pub(crate) const BEFORE_ALL: i64 = i64::MIN;

/// All that a run knows of the documents before.
pub(crate) struct Memory {
    pub(crate) tracer: Tracer,
    pub(crate) register: Register,
    /// Where a document without a time has its place: behind the one before it in the run, the first behind all that is known
    /// already. One that is only asked about comes behind all that is known, whatever was asked before it.
    place: i64,
    kept: Option<Kept>,
    add: bool,
}

/// The table in a file.
struct Kept {
    table: Table,
    every: Duration,
    due: Instant,
    /// Whether the user has said how often it is to be saved.
    asked: bool,
    repeated: Option<Repeated>,
}

/// Documents that an interrupted run has counted, and that the same input brings again.
struct Repeated {
    first: u32,
    next: u32,
    end: u32,
}

/// A document before the tracer sees it.
pub(crate) struct Arriving<'a> {
    pub(crate) id: &'a str,
    pub(crate) time: Option<&'a Time>,
    pub(crate) url: Option<&'a str>,
    /// A digest of all that was read of it.
    pub(crate) digest: u64,
    pub(crate) prepared: &'a Prepared,
}

impl Memory {
    /// An empty memory, or the one that is in the user's table; `input` is how many bytes will come, where that is known.
    pub(crate) fn open(
        args: &MemoryArgs,
        origin: &OriginArgs,
        tokens: &TokenArgs,
        input: Option<u64>,
        talk: &Talk,
    ) -> Result<Self, Failure> {
        let settings = origin.settings(tokens).map_err(Failure::Usage)?;
        let Some(path) = &args.table else {
            let (tracer, register) = (new_tracer(settings, input).map_err(Failure::run)?, Register::new(None)?);
            return Ok(Memory { tracer, register, place: BEFORE_ALL, kept: None, add: true });
        };
        let Opened { mut table, tracer, register, interrupted } = match args.no_add {
            true => Table::open(path, Access::Read)?,
            false => Table::open_or_create(path, settings)?,
        };
        let differences = origin.differences(tokens, &args.given, tracer.settings()).map_err(Failure::Usage)?;
        if !differences.is_empty() {
            return Err(Failure::run(TableError::other_settings(path, differences)));
        }
        let repeated = interrupted.filter(|_| !args.no_add).map(|run| {
            talk.say(format_args!(
                "{}: the last run stopped after {} documents; the same input goes on where it stopped, with answers about what follows",
                path.display(),
                count(u64::from(run.end - run.start))
            ));
            Repeated { first: run.start, next: run.start, end: run.end }
        });
        if repeated.is_none() {
            table.begin_run(&tracer);
        }
        let place = if tracer.documents() > 0 { tracer.state().latest } else { BEFORE_ALL };
        let every = args.checkpoint.0;
        let asked = args.given.has("checkpoint");
        let kept = Kept { table, every, due: Instant::now() + every, asked, repeated };
        if !args.no_add {
            interrupt::hold();
        }
        Ok(Memory { tracer, register, place, kept: Some(kept), add: !args.no_add })
    }

    /// Makes documents ready, on any thread.
    pub(crate) fn preparer(&self) -> Preparer {
        self.tracer.preparer()
    }

    /// Whether a digest of each document is wanted.
    pub(crate) fn wants_digests(&self) -> bool {
        self.kept.is_some() && self.add
    }

    /// Reports on a document and, unless it was only asked about, remembers it. False, with no report, for one that an
    /// interrupted run has counted already.
    pub(crate) fn observe(
        &mut self,
        document: &Arriving<'_>,
        report: &mut Report,
        talk: &Talk,
    ) -> Result<bool, Failure> {
        let order = document.time.map_or(self.place, Time::micros);
        if self.add {
            self.place = order;
        }
        if self.is_repeated(document, talk)? {
            return Ok(false);
        }
        if let Some(kept) = &self.kept {
            kept.table.check(&self.tracer, document.prepared)?;
        }
        if self.add {
            let number = self.tracer.documents();
            self.tracer.observe_into(document.prepared, order, &self.register, report);
            // When numbers have come to their end documents are reported and no longer remembered.
            if self.tracer.documents() > number {
                let stamp = Stamp { order, digest: document.digest };
                self.register.push(document.id, document.time, document.url, stamp)?;
            }
        } else {
            *report = self.tracer.trace(document.prepared, order, &self.register);
        }
        self.register.check_times()?;
        Ok(true)
    }

    /// What would be said about a document, and why.
    pub(crate) fn explain(&self, time: Option<&Time>, prepared: &Prepared) -> Result<Explanation, Failure> {
        if let Some(kept) = &self.kept {
            kept.table.check(&self.tracer, prepared)?;
        }
        let explanation = self.tracer.explain(prepared, time.map_or(self.place, Time::micros), &self.register);
        self.register.check_times()?;
        Ok(explanation)
    }

    /// Whether what was learnt should be saved again.
    pub(crate) fn is_due(&self) -> bool {
        let kept = self.kept.as_ref().filter(|_| self.add);
        kept.is_some_and(|kept| kept.repeated.is_none() && Instant::now() >= kept.due)
    }

    /// Saves what was learnt, while the run goes on; the answers up to here must have been handed over.
    pub(crate) fn checkpoint(&mut self) -> Result<(), Failure> {
        let Some(kept) = &mut self.kept else { return Ok(()) };
        let now = Instant::now();
        kept.table.save(&self.tracer, &self.register, false)?;
        let least = if kept.asked { Duration::ZERO } else { now.elapsed() * SHARE };
        kept.due = Instant::now() + kept.every.max(least);
        Ok(())
    }

    /// Saves what was learnt; `complete` says whether the inputs came to their end.
    pub(crate) fn save(&mut self, complete: bool) -> Result<(), Failure> {
        if let (Some(kept), true) = (&mut self.kept, self.add) {
            kept.table.save(&self.tracer, &self.register, complete)?;
            kept.table.settle()?;
        }
        Ok(())
    }

    /// Whether documents are remembered, and can be origins of those after them.
    pub(crate) fn adds(&self) -> bool {
        self.add
    }

    /// The table that is added to, by its file.
    pub(crate) fn grows(&self) -> Option<&std::path::Path> {
        self.kept.as_ref().filter(|_| self.add).map(|kept| kept.table.path())
    }

    fn is_repeated(&mut self, document: &Arriving<'_>, talk: &Talk) -> Result<bool, Failure> {
        let Some(kept) = &mut self.kept else { return Ok(false) };
        let Some(Repeated { first, next, end }) = &mut kept.repeated else { return Ok(false) };
        let known = self.register.stamp(*next)?.is_some_and(|stamp| stamp.digest == document.digest);
        if known {
            *next += 1;
            if next == end {
                kept.repeated = None;
            }
            return Ok(true);
        }
        if next > first {
            talk.warn(format_args!(
                "the input differs from that of the interrupted run after {} documents; from there on all count as new",
                count(u64::from(*next - *first))
            ));
        }
        kept.table.begin_run(&self.tracer);
        kept.repeated = None;
        Ok(false)
    }
}

//! From the records of a chunk to what the caller makes of its documents.

use std::collections::BTreeMap;
use std::sync::Arc;

use headwater::{Document, Time};

use crate::chunk::{Ending, Receive};
use crate::fields::{Fields, Record, Value};
use crate::format::Format;
use crate::limits::Limits;
use crate::names::Names;
use crate::problem::{At, Place, Problem};
use crate::read::Event;
use crate::summary::Summary;

/// Fewer seconds are before March of 1973: a number that is meant as a moment has more.
const LEAST_SECONDS: u64 = 100_000_000;

/// What came out of one chunk.
pub(crate) struct Parsed<T> {
    pub(crate) events: Vec<Event<T>>,
    pub(crate) tally: Tally,
}

/// The numbers of one chunk, to be added up in order.
#[derive(Default)]
pub(crate) struct Tally {
    format: Option<Format>,
    /// Times of the documents in microseconds, in order.
    times: Vec<Option<i64>>,
    range: Option<(Time, Time)>,
    ranks: u64,
    dates: u64,
    names: Names,
    /// Records with named fields, and those of them that have the one with the text.
    records: u64,
    with_text: u64,
    passed_over: BTreeMap<String, u64>,
    encodings: BTreeMap<&'static str, u64>,
    lossy: u64,
    pub(crate) ending: Option<Ending>,
}

/// Adds up the tallies of a run.
#[derive(Default)]
pub(crate) struct Total {
    pub(crate) summary: Summary,
    names: Names,
    pub(crate) records: u64,
    pub(crate) with_text: u64,
    latest: Option<i64>,
}

/// Takes in the records of one chunk.
pub(crate) struct Collector<'a, T, F> {
    pub(crate) input: &'a Arc<str>,
    pub(crate) fields: &'a Fields,
    pub(crate) limits: Limits,
    pub(crate) prepare: &'a F,
    pub(crate) parsed: Parsed<T>,
}

impl<'a, T, F: Fn(Document) -> T> Collector<'a, T, F> {
    pub(crate) fn new(input: &'a Arc<str>, format: Format, fields: &'a Fields, limits: Limits, prepare: &'a F) -> Self {
        let tally = Tally { format: Some(format), ..Tally::default() };
        Collector { input, fields, limits, prepare, parsed: Parsed { events: Vec::new(), tally } }
    }
}

impl<T, F: Fn(Document) -> T> Receive for Collector<'_, T, F> {
    fn record(&mut self, at: At, record: Record<'_>) {
        let tally = &mut self.parsed.tally;
        if tally.format.is_some_and(Format::has_fields) {
            tally.records += 1;
            tally.with_text += u64::from(record.text != Value::Absent);
        }
        let place = Place { input: self.input.clone(), at };
        match record.into_document(&place, self.fields, self.limits.text) {
            Ok(document) => {
                tally.times.push(document.time.as_ref().map(Time::micros));
                if let Some(time) = &document.time {
                    widen(&mut tally.range, time, time);
                    match time.as_number() {
                        Some(number) => tally.ranks += u64::from(number.unsigned_abs() < LEAST_SECONDS),
                        None => tally.dates += 1,
                    }
                }
                self.parsed.events.push(Event::Document((self.prepare)(document)));
            }
            Err(what) => self.parsed.events.push(Event::Problem(Problem { place, what })),
        }
    }

    fn problem(&mut self, at: At, what: String) {
        let place = Place { input: self.input.clone(), at };
        self.parsed.events.push(Event::Problem(Problem { place, what }));
    }

    fn names(&mut self) -> &mut Names {
        &mut self.parsed.tally.names
    }

    fn pass_over(&mut self, kind: &str, count: u64) {
        *self.parsed.tally.passed_over.entry(kind.to_owned()).or_default() += count;
    }

    fn decoded(&mut self, encoding: &'static str, lossy: bool) {
        *self.parsed.tally.encodings.entry(encoding).or_default() += 1;
        self.parsed.tally.lossy += u64::from(lossy);
    }
}

impl Total {
    /// Adds the numbers of the next chunk; its documents are delivered as they are, or yet to be sorted.
    pub(crate) fn add(&mut self, tally: Tally, problems: u64, is_final: bool) {
        let summary = &mut self.summary;
        summary.documents += tally.times.len() as u64;
        summary.problems += problems;
        for (kind, count) in tally.passed_over {
            *summary.passed_over.entry(kind).or_default() += count;
        }
        for (encoding, count) in tally.encodings {
            *summary.encodings.entry(encoding).or_default() += count;
        }
        summary.lossy += tally.lossy;
        if let Some(format) = tally.format
            && !tally.times.is_empty()
        {
            *summary.formats.entry(format).or_default() += tally.times.len() as u64;
        }
        summary.ranks += tally.ranks;
        summary.dates += tally.dates;
        if let Some((first, last)) = &tally.range {
            widen(&mut summary.time_range, first, last);
        }
        for time in tally.times {
            match time {
                None => summary.without_time += 1,
                Some(time) => {
                    summary.late += u64::from(is_final && self.latest.is_some_and(|latest| time < latest));
                    self.latest = self.latest.max(Some(time));
                }
            }
        }
        self.names.merge(&tally.names);
        self.records += tally.records;
        self.with_text += tally.with_text;
        if let Some(ending) = tally.ending {
            *summary.compressions.entry(ending.compression).or_default() += 1;
            summary.bytes += ending.packed;
            summary.bytes_decompressed += ending.unpacked;
        }
    }

    pub(crate) fn finish(mut self) -> Summary {
        self.summary.fields = self.names.into_sorted();
        self.summary
    }
}

fn widen(range: &mut Option<(Time, Time)>, first: &Time, last: &Time) {
    match range {
        None => *range = Some((first.clone(), last.clone())),
        Some((earliest, latest)) => {
            if first < earliest {
                *earliest = first.clone();
            }
            if last > latest {
                *latest = last.clone();
            }
        }
    }
}

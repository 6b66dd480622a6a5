//! What is in a table.

use std::io::{self, Write};
use std::path::Path;

use headwater_io::table::{Access, Opened, Table};
use serde::Serialize;

use crate::failure::Failure;
use crate::terminal::{bytes, count, percent};

#[derive(Serialize)]
struct Stats {
    file: String,
    bytes: u64,
    algorithm: String,
    shingle: usize,
    tokens: String,
    memory: usize,
    documents: u32,
    removed: u32,
    interrupted: bool,
    entries: u64,
    capacity: u64,
    occupancy: f64,
    evictions: u64,
    /// How many documents are the origin of anything that is remembered.
    origins: u64,
    /// Entries by their score, from 0 on.
    scores: Vec<u64>,
    /// The share of the anchors of each level that is still there.
    levels: Vec<f64>,
    oldest: Option<Dated>,
    newest: Option<Dated>,
}

#[derive(Serialize)]
struct Dated {
    id: String,
    time: Option<String>,
}

pub(super) fn stats(file: &Path, json: bool) -> Result<(), Failure> {
    let opened = Table::open(file, Access::Read)?;
    opened.table.check_all(&opened.tracer)?;
    let stats = Stats::of(file, &opened)?;
    let mut out = io::stdout().lock();
    if json {
        let line = serde_json::to_string(&stats).map_err(Failure::run)?;
        writeln!(out, "{line}")?;
    } else {
        stats.print(&mut out)?;
    }
    Ok(())
}

impl Stats {
    fn of(file: &Path, opened: &Opened) -> Result<Self, Failure> {
        let Opened { tracer, register, interrupted, .. } = opened;
        let (settings, state) = (tracer.settings(), tracer.state());
        let mut scores = Vec::new();
        let mut entries = 0;
        let mut origins = vec![0u64; tracer.documents().div_ceil(64) as usize];
        tracer.remembered(|entry| {
            entries += 1;
            let score = usize::from(entry.score);
            if score >= scores.len() {
                scores.resize(score + 1, 0);
            }
            scores[score] += 1;
            if let Some(bits) = origins.get_mut(entry.document as usize / 64) {
                *bits |= 1 << (entry.document % 64);
            }
        });
        let (mut oldest, mut newest, mut removed) = (None, None, 0);
        for number in 0..tracer.documents() {
            let Some(stamp) = register.stamp(number)? else {
                removed += 1;
                continue;
            };
            if oldest.is_none_or(|(order, _)| stamp.order < order) {
                oldest = Some((stamp.order, number));
            }
            if newest.is_none_or(|(order, _)| stamp.order >= order) {
                newest = Some((stamp.order, number));
            }
        }
        let dated = |found: Option<(i64, u32)>| -> Result<Option<Dated>, Failure> {
            let Some((_, number)) = found else { return Ok(None) };
            let entry = register.get(number)?;
            Ok(Some(Dated { id: entry.id.clone(), time: entry.time.as_ref().map(ToString::to_string) }))
        };
        let capacity = tracer.capacity() as u64;
        Ok(Stats {
            file: file.display().to_string(),
            bytes: tracer.table().len() as u64,
            algorithm: settings.algorithm.to_string(),
            shingle: settings.k,
            tokens: settings.reading.to_string(),
            memory: settings.memory,
            documents: tracer.documents(),
            removed,
            interrupted: interrupted.is_some(),
            entries,
            capacity,
            occupancy: entries as f64 / capacity as f64,
            evictions: state.forgotten,
            origins: origins.iter().map(|bits| u64::from(bits.count_ones())).sum(),
            scores,
            levels: tracer.retention(),
            oldest: dated(oldest)?,
            newest: dated(newest)?,
        })
    }

    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let mut line = |name: &str, what: String| writeln!(out, "{name:<12}{what}");
        line("table", self.file.clone())?;
        line("algorithm", format!("{}, shingles of {} tokens ({})", self.algorithm, self.shingle, self.tokens))?;
        line("memory", bytes(self.memory as u64).to_string())?;
        let unfinished = if self.interrupted { "; the last run did not come to its end" } else { "" };
        let removed = match self.removed {
            0 => String::new(),
            removed => format!(", of which {} were removed", count(u64::from(removed))),
        };
        line("documents", format!("{}{removed}{unfinished}", count(u64::from(self.documents))))?;
        for (name, dated) in [("oldest", &self.oldest), ("newest", &self.newest)] {
            if let Some(Dated { id, time }) = dated {
                line(name, format!("{id}{}", time.as_ref().map(|time| format!(", {time}")).unwrap_or_default()))?;
            }
        }
        let share = percent(self.occupancy);
        line(
            "entries",
            format!(
                "{} of {} ({share}), of {} documents",
                count(self.entries),
                count(self.capacity),
                count(self.origins)
            ),
        )?;
        line("forgotten", format!("{} entries made room for others", count(self.evictions)))?;
        let scores: Vec<String> = self
            .scores
            .iter()
            .enumerate()
            .filter(|(_, entries)| **entries > 0)
            .map(|(score, entries)| format!("{score}: {}", count(*entries)))
            .collect();
        if !scores.is_empty() {
            line("scores", scores.join("  "))?;
        }
        if !self.levels.is_empty() {
            let levels: Vec<String> =
                self.levels.iter().enumerate().map(|(level, share)| format!("{level}: {}", percent(*share))).collect();
            line("levels kept", levels.join("  "))?;
        }
        Ok(())
    }
}

//! What was measured, added up and printed.

use std::fmt::Write as _;

use headwater_report::census::{Allowed, Bias, Cell, CensusPage, Figures, Overall};

use super::methods::{Method, Outcome};
use super::split::Split;
use crate::args::EvalCensusArgs;
use crate::terminal::count;

/// The outcomes of a method on splits of one kind.
pub(super) struct Tally {
    pub(super) method: Method,
    size: u32,
    overlap: u32,
    rounds: u32,
    /// How far each size was off, as a share of the truth.
    errors: Vec<f64>,
    /// How far the shares were off, in absolute terms.
    share_errors: Vec<f64>,
    /// Intervals that were given, and those of them that held the truth.
    intervals: u32,
    held: u32,
    /// By how much the arithmetic of drawing lets a ratio of shares be off.
    allowed: Vec<f64>,
}

/// The goal for uniform draws. Of the ratio of two shares it is only asked where the arithmetic allows it.
const GOAL: f64 = 0.05;

impl Tally {
    pub(super) fn new(method: Method, size: u32, overlap: u32) -> Self {
        let (errors, share_errors, allowed) = (Vec::new(), Vec::new(), Vec::new());
        Tally { method, size, overlap, rounds: 0, errors, share_errors, intervals: 0, held: 0, allowed }
    }

    pub(super) fn add(&mut self, outcome: &Outcome, split: &Split, samples: u32) {
        self.rounds += 1;
        self.allowed.extend(split.allowed(samples));
        self.errors.extend(outcome.size.map(|size| (size / split.ratio() - 1.0).abs()));
        if let Some(interval) = outcome.interval {
            self.intervals += 1;
            self.held += u32::from(interval.contains(split.ratio()));
        }
        if let Some(shares) = outcome.shares {
            self.share_errors.extend(shares.iter().zip(split.shares()).map(|(found, truth)| (found - truth).abs()));
        }
    }
}

/// What some tallies come to.
fn figures(tallies: &[&Tally]) -> Figures {
    let all = |of: fn(&Tally) -> &Vec<f64>| tallies.iter().flat_map(|tally| of(tally)).copied().collect::<Vec<f64>>();
    let (mut errors, mut share_errors) = (all(|tally| &tally.errors), all(|tally| &tally.share_errors));
    let sum = |of: fn(&Tally) -> u32| tallies.iter().map(|tally| of(tally)).sum::<u32>();
    let intervals = sum(|tally| tally.intervals);
    Figures {
        splits: sum(|tally| tally.rounds),
        answered: errors.len() as u32,
        error: median(&mut errors),
        share_error: median(&mut share_errors),
        held: (intervals > 0).then(|| f64::from(sum(|tally| tally.held)) / f64::from(intervals)),
    }
}

/// Everything, in the order of the methods.
pub(super) fn page(tallies: &[Tally], biases: Vec<Bias>, documents: usize, args: &EvalCensusArgs) -> CensusPage {
    let cells = tallies.iter().map(|tally| Cell {
        method: tally.method.name(),
        size: tally.size,
        overlap: tally.overlap,
        figures: figures(&[tally]),
    });
    // The same for every method, as all have the same splits.
    let first = tallies.iter().filter(|tally| tally.method == Method::ALL[0]);
    let allowed: Vec<Allowed> = first
        .map(|tally| Allowed { size: tally.size, overlap: tally.overlap, error: median(&mut tally.allowed.clone()) })
        .collect();
    let is_fair = |tally: &&Tally| {
        let is_it = |cell: &&Allowed| cell.size == tally.size && cell.overlap == tally.overlap;
        allowed.iter().find(is_it).and_then(|cell| cell.error).is_some_and(|error| error <= GOAL)
    };
    let overall = Method::ALL.iter().map(|&method| {
        let own: Vec<&Tally> = tallies.iter().filter(|tally| tally.method == method).collect();
        let fair: Vec<&Tally> = own.iter().copied().filter(is_fair).collect();
        Overall { method: method.name(), figures: figures(&own), error_where_allowed: figures(&fair).error }
    });
    CensusPage {
        documents: documents as u64,
        samples: args.drawing.samples,
        confidence: args.drawing.confidence,
        overall: overall.collect(),
        cells: cells.collect(),
        allowed,
        goal: GOAL,
        biases,
    }
}

pub(super) fn text(page: &CensusPage) -> String {
    let percent = |share: Option<f64>| share.map_or("-".into(), |share| format!("{:.1} %", share * 100.0));
    let mut text = format!(
        "{} documents, {} samples, {} % intervals\n\n{:32} splits answered  median error  where allowed*  share error      held\n",
        count(page.documents),
        page.samples,
        page.confidence * 100.0,
        "method"
    );
    for row in &page.overall {
        let _ = writeln!(
            text,
            "{:32} {:>6} {:>8} {:>13} {:>15} {:>12} {:>9}",
            row.method,
            row.figures.splits,
            row.figures.answered,
            percent(row.figures.error),
            percent(row.error_where_allowed),
            percent(row.figures.share_error),
            percent(row.figures.held)
        );
    }
    let _ = writeln!(
        text,
        "* splits in which the ratio of two shares of {} uniform draws each is within {:.0} % at the median, by arithmetic",
        count(page.samples.into()),
        page.goal * 100.0
    );
    let mut sizes: Vec<u32> = page.cells.iter().map(|cell| cell.size).collect();
    let mut overlaps: Vec<u32> = page.cells.iter().map(|cell| cell.overlap).collect();
    for values in [&mut sizes, &mut overlaps] {
        values.sort_unstable();
        values.dedup();
    }
    let mut grid = |name: &str, shown: &dyn Fn(u32, u32) -> Option<String>| {
        let _ = write!(text, "\n{name}\n{:8}", "");
        for overlap in &overlaps {
            let _ = write!(text, "{:>16}", format!("{overlap} %"));
        }
        text.push('\n');
        for &size in &sizes {
            let _ = write!(text, "{:8}", format!("1:{size}"));
            for &overlap in &overlaps {
                let _ = write!(text, "{:>16}", shown(size, overlap).unwrap_or_default());
            }
            text.push('\n');
        }
    };
    grid("by sizes (down) and overlap (across), what the arithmetic of drawing allows", &|size, overlap| {
        let cell = page.allowed.iter().find(|cell| cell.size == size && cell.overlap == overlap)?;
        Some(percent(cell.error))
    });
    for row in &page.overall {
        grid(&format!("{}: median error, and how often the interval holds the truth", row.method), &|size, overlap| {
            let is_it = |cell: &&Cell| cell.method == row.method && cell.size == size && cell.overlap == overlap;
            let cell = page.cells.iter().find(is_it)?;
            let held = cell.figures.held.map_or("-".into(), |held| format!("{:.0}", held * 100.0));
            Some(format!("{} / {held}", percent(cell.figures.error)))
        });
    }
    let figure = |size: Option<f64>| size.map_or("-".into(), |size| format!("{size:.2}"));
    let _ = writeln!(
        text,
        "\n{:22} {:>6} {:>8} {:>8} {:>10}   {:>7} {:>8} {:>10}  simulated by",
        "bias", "size", "uniform", "queries", "corrected", "share", "queries", "corrected"
    );
    for bias in &page.biases {
        let _ = writeln!(
            text,
            "{:22} {:>6.2} {:>8} {:>8} {:>10}   {:>7} {:>8} {:>10}  {}",
            bias.name,
            bias.truth,
            figure(bias.uniform),
            figure(bias.queries),
            figure(bias.corrected),
            percent(Some(bias.shared)),
            percent(bias.queries_shared),
            percent(bias.corrected_shared),
            bias.what
        );
    }
    text
}

pub(super) fn median(values: &mut [f64]) -> Option<f64> {
    values.sort_unstable_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => None,
        odd if odd % 2 == 1 => Some(values[middle]),
        _ => Some((values[middle - 1] + values[middle]) / 2.0),
    }
}

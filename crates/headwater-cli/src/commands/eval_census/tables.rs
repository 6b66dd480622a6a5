//! What was measured, added up and printed.

use std::fmt::Write as _;

use headwater_report::census::{Bias, Cell, CensusPage, Overall};

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
    held: u32,
}

impl Tally {
    pub(super) fn new(method: Method, size: u32, overlap: u32) -> Self {
        Tally { method, size, overlap, rounds: 0, errors: Vec::new(), share_errors: Vec::new(), held: 0 }
    }

    pub(super) fn add(&mut self, outcome: &Outcome, split: &Split) {
        self.rounds += 1;
        self.errors.extend(outcome.size.map(|size| (size / split.ratio() - 1.0).abs()));
        self.held += u32::from(outcome.interval.contains(split.ratio()));
        if let Some(shares) = outcome.shares {
            self.share_errors.extend(shares.iter().zip(split.shares()).map(|(found, truth)| (found - truth).abs()));
        }
    }
}

/// Everything, in the order of the methods.
pub(super) fn page(tallies: &[Tally], biases: Vec<Bias>, documents: usize, args: &EvalCensusArgs) -> CensusPage {
    let cells = tallies.iter().map(|tally| Cell {
        method: tally.method.name(),
        size: tally.size,
        overlap: tally.overlap,
        splits: tally.rounds,
        answered: tally.errors.len() as u32,
        error: median(&mut tally.errors.clone()),
        share_error: median(&mut tally.share_errors.clone()),
        held: f64::from(tally.held) / f64::from(tally.rounds.max(1)),
    });
    let overall = Method::ALL.iter().map(|&method| {
        let own: Vec<&Tally> = tallies.iter().filter(|tally| tally.method == method).collect();
        let all =
            |of: fn(&Tally) -> &Vec<f64>| own.iter().flat_map(|tally| of(tally).iter().copied()).collect::<Vec<f64>>();
        let splits: u32 = own.iter().map(|tally| tally.rounds).sum();
        Overall {
            method: method.name(),
            splits,
            answered: own.iter().map(|tally| tally.errors.len() as u32).sum(),
            error: median(&mut all(|tally| &tally.errors)),
            share_error: median(&mut all(|tally| &tally.share_errors)),
            held: f64::from(own.iter().map(|tally| tally.held).sum::<u32>()) / f64::from(splits.max(1)),
        }
    });
    CensusPage {
        documents: documents as u64,
        samples: args.drawing.samples,
        confidence: args.drawing.confidence,
        overall: overall.collect(),
        cells: cells.collect(),
        biases,
    }
}

pub(super) fn text(page: &CensusPage) -> String {
    let percent = |share: Option<f64>| share.map_or("-".into(), |share| format!("{:.1} %", share * 100.0));
    let mut text = format!(
        "{} documents, {} samples, {} % intervals\n\n{:32} splits answered  median error  share error  held\n",
        count(page.documents),
        page.samples,
        page.confidence * 100.0,
        "method"
    );
    for row in &page.overall {
        let _ = writeln!(
            text,
            "{:32} {:>6} {:>8} {:>13} {:>12} {:>6.1} %",
            row.method,
            row.splits,
            row.answered,
            percent(row.error),
            percent(row.share_error),
            row.held * 100.0
        );
    }
    let mut sizes: Vec<u32> = page.cells.iter().map(|cell| cell.size).collect();
    let mut overlaps: Vec<u32> = page.cells.iter().map(|cell| cell.overlap).collect();
    for values in [&mut sizes, &mut overlaps] {
        values.sort_unstable();
        values.dedup();
    }
    text += "\nmedian error of the size, and how often the interval holds it, by sizes (down) and overlap (across)\n";
    for row in &page.overall {
        let _ = write!(text, "\n{}\n{:8}", row.method, "");
        for overlap in &overlaps {
            let _ = write!(text, "{:>16}", format!("{overlap} %"));
        }
        text.push('\n');
        for &size in &sizes {
            let _ = write!(text, "{:8}", format!("1:{size}"));
            for &overlap in &overlaps {
                let is_it = |cell: &&Cell| cell.method == row.method && cell.size == size && cell.overlap == overlap;
                let shown = page
                    .cells
                    .iter()
                    .find(is_it)
                    .map_or(String::new(), |cell| format!("{} / {:.0}", percent(cell.error), cell.held * 100.0));
                let _ = write!(text, "{shown:>16}");
            }
            text.push('\n');
        }
    }
    let figure = |size: Option<f64>| size.map_or("-".into(), |size| format!("{size:.2}"));
    let _ = writeln!(text, "\nbias                    truth  uniform  queries  corrected  simulated by");
    for bias in &page.biases {
        let _ = writeln!(
            text,
            "{:22} {:>6.2} {:>8} {:>8} {:>10}  {}",
            bias.name,
            bias.truth,
            figure(bias.uniform),
            figure(bias.queries),
            figure(bias.corrected),
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

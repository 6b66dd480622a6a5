//! `headwater eval graph`: Tables 2 to 4 of the paper on a collection whose derivations are known.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;
use std::io::{Read, Write};
use std::path::Path;

use headwater::coderivative::filter::Pipeline;
use headwater::coderivative::shared::Extract;
use headwater::coderivative::{Collection, Lists, Quality, Schedule, Score, evaluate};
use headwater::select::Selection;
use headwater_io::Compression;
use headwater_io::spill::FileBins;
use headwater_io::write::Output;
use serde::Serialize;

use super::graph::gather::{self, Documents, Gathered, Reading};
use crate::args::{Duplicates, EvalFormat, EvalGraphArgs, target};
use crate::failure::Failure;
use crate::terminal::{Talk, count};

/// Table 1: the thresholds T1 to T5 of S1 to S4; for our own S5 those of S4.
const THRESHOLDS: [[f64; 5]; 5] = [
    [20.0, 100.0, 200.0, 500.0, 1000.0],
    [0.03, 0.05, 0.10, 0.15, 0.30],
    [0.02, 0.05, 0.10, 0.15, 0.30],
    [0.02, 0.05, 0.20, 0.50, 1.0],
    [0.02, 0.05, 0.20, 0.50, 1.0],
];

/// Tables 3 and 4: coverage and average precision in per cent on the paper's *linuxdocs*, for modulo 1, 16 and 256.
const PAPER: [(u32, [[&str; 5]; 4]); 3] = [
    (
        1,
        [
            ["100/70", "89/71", "56/93", "36/95", "34/100"],
            ["100/57", "100/75", "100/92", "89/94", "57/100"],
            ["98/75", "96/84", "94/100", "84/100", "47/100"],
            ["99/83", "96/91", "94/100", "78/100", "30/100"],
        ],
    ),
    (
        16,
        [
            ["90/72", "88/76", "56/94", "36/96", "34/100"],
            ["90/75", "90/75", "80/94", "78/100", "57/100"],
            ["88/82", "86/91", "74/100", "74/100", "47/100"],
            ["88/85", "86/93", "86/93", "69/100", "60/100"],
        ],
    ),
    (
        256,
        [
            ["54/95", "54/95", "54/95", "54/95", "34/97"],
            ["54/97", "54/97", "54/97", "54/97", "44/97"],
            ["54/97", "54/100", "54/100", "51/100", "42/100"],
            ["54/97", "54/100", "54/100", "44/100", "31/100"],
        ],
    ),
];

pub(super) fn eval_graph(args: &EvalGraphArgs) -> Result<(), Failure> {
    let talk = Talk::new(args.talk.quiet);
    let length = usize::from(args.chunk);
    let reading = Reading {
        input: &args.input,
        tokens: args.tokens,
        length,
        collapses: args.duplicates != Duplicates::Keep,
        keeps_text: false,
        index: None,
        subject: None,
    };
    let relations = Relations::read(&args.truth)?;
    let Gathered { documents, spill, .. } = gather::gather(&reading, &talk)?;
    let spill = spill.finish(args.input.threads())?;
    let truth = relations.between(&documents, args)?;
    let most = args.max_df.map_or(u32::MAX, |limit| limit.most(documents.representatives()));

    let mut results = Vec::new();
    for &modulo in &args.modulo {
        let mut pipeline = Pipeline::default();
        if modulo.get() > 1 {
            pipeline.push(Selection::Modulo { l: modulo, lean: false });
        }
        let extract = Extract { length, schedule: Schedule::Fast, pipeline, memory: args.memory() };
        let bins = FileBins::create(extract.bins(spill.tokens()), args.memory() / 2, args.input.threads(), None)?;
        let mut lists = Lists::new();
        extract.run(&spill, bins, |chunks| {
            for chunk in chunks.iter() {
                let chunk = chunk.map_err(std::io::Error::other)?;
                lists.add(chunk.document_bytes(), chunk.documents);
            }
            Ok(())
        })?;
        let scaled = |threshold: f64| threshold / f64::from(modulo.get());
        let grid: Vec<(Score, f64)> = (Score::ALL.iter().zip(THRESHOLDS))
            .flat_map(|(&score, thresholds)| thresholds.map(|threshold| (score, scaled(threshold))))
            .collect();
        let found = evaluate(&lists, &documents.lengths, &truth.right, &truth.ignored, most, &grid);
        results.extend(
            grid.into_iter()
                .zip(found)
                .map(|((score, threshold), quality)| Row::new(modulo.get(), score, threshold, quality)),
        );
    }
    let answer = Answer { documents: documents.representatives(), truth: truth.right.len(), rows: results };
    let shown = match args.format {
        EvalFormat::Json => serde_json::to_string(&answer).map_err(Failure::run)? + "\n",
        EvalFormat::Text => answer.tables(),
    };
    let mut out = Output::create(target(args.output.as_deref()))?;
    out.write_all(shown.as_bytes())?;
    out.finish()?;
    let judged = count(truth.right.len() as u64);
    talk.say(format_args!("{} documents, {judged} known relations", count(documents.representatives().into())));
    Ok(())
}

#[derive(Serialize)]
struct Answer {
    documents: u32,
    truth: usize,
    rows: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    modulo: u32,
    score: &'static str,
    threshold: f64,
    coverage: f64,
    density: f64,
    average_precision: f64,
    f1: f64,
    edges: u64,
}

impl Row {
    fn new(modulo: u32, score: Score, threshold: f64, quality: Quality) -> Self {
        let digits = |value: f64| (value * 1e4).round() / 1e4;
        Row {
            modulo,
            score: score.name(),
            threshold,
            coverage: digits(quality.coverage),
            density: digits(quality.density),
            average_precision: digits(quality.average_precision),
            f1: digits(quality.f1()),
            edges: quality.edges,
        }
    }
}

impl Answer {
    /// The paper's layout: coverage/average precision in per cent; behind it the paper's own on another collection.
    fn tables(&self) -> String {
        let mut page = String::new();
        for rows in self.rows.chunk_by(|one, next| one.modulo == next.modulo) {
            let modulo = rows[0].modulo;
            let paper = PAPER.iter().find(|table| table.0 == modulo).map(|table| table.1);
            let _ = writeln!(
                page,
                "Modulo {modulo}: coverage/average precision, density, F1 (paper on linuxdocs: coverage/average precision)\n"
            );
            let _ = writeln!(page, "| | T1 | T2 | T3 | T4 | T5 |\n|---|---|---|---|---|---|");
            for (at, row) in rows.chunks(5).enumerate() {
                let _ = write!(page, "| {} |", row[0].score);
                for (column, cell) in row.iter().enumerate() {
                    let percent = |share: f64| format!("{:.0}", share * 100.0);
                    let (coverage, precision) = (percent(cell.coverage), percent(cell.average_precision));
                    let _ = write!(page, " {coverage}/{precision}, {}, {:.3}", percent(cell.density), cell.f1);
                    if let Some(paper) = paper.and_then(|rows| rows.get(at).copied()) {
                        let _ = write!(page, " ({})", paper[column]);
                    }
                    page.push_str(" |");
                }
                page.push('\n');
            }
            page.push('\n');
        }
        page
    }
}

/// The lines of a truth file: its columns.
struct Relations {
    lines: Vec<Vec<String>>,
}

/// Pairs of documents that belong together, and pairs of which nothing is said.
struct Truth {
    right: BTreeSet<(u32, u32)>,
    ignored: BTreeSet<(u32, u32)>,
}

impl Relations {
    fn read(path: &Path) -> Result<Self, Failure> {
        let explain = |error: &dyn std::fmt::Display| {
            Failure::run(format_args!("cannot read the truth {}: {error}", path.display()))
        };
        let mut text = String::new();
        Compression::open(path).and_then(|mut file| file.read_to_string(&mut text)).map_err(|error| explain(&error))?;
        let mut lines = Vec::new();
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.is_empty()) {
            let columns: Vec<String> = line.split('\t').map(str::to_owned).collect();
            if columns.len() < 2 {
                return Err(explain(&format_args!(
                    "line {} has no tab: two ids, or a group and an id, are wanted",
                    at + 1
                )));
            }
            lines.push(columns);
        }
        Ok(Relations { lines })
    }

    /// What is known of the documents that were read.
    fn between(&self, documents: &Documents, args: &EvalGraphArgs) -> Result<Truth, Failure> {
        let mut numbers = HashMap::new();
        for place in 0..documents.len() {
            numbers.entry(documents.entry(place)?.id.clone()).or_insert(documents.representative_at(place));
        }
        let mut truth = Truth { right: BTreeSet::new(), ignored: BTreeSet::new() };
        let mut groups: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
        for columns in &self.lines {
            let kind_counts = args.kind.is_empty() || columns.get(2).is_some_and(|kind| args.kind.contains(kind));
            match (numbers.get(&columns[0]), numbers.get(&columns[1])) {
                (Some(&one), Some(&other)) if one != other => {
                    let pairs = if kind_counts { &mut truth.right } else { &mut truth.ignored };
                    pairs.insert((one.min(other), one.max(other)));
                }
                (None, Some(&member)) => groups.entry(&columns[0]).or_default().push(member),
                _ => {}
            }
        }
        for members in groups.values() {
            for (at, &one) in members.iter().enumerate() {
                let others = members[at + 1..].iter().filter(|&&other| other != one);
                truth.right.extend(others.map(|&other| (one.min(other), one.max(other))));
            }
        }
        if truth.right.is_empty() {
            return Err(Failure::run(
                "the truth names no two of the documents that were read; do its ids match theirs?",
            ));
        }
        truth.ignored.retain(|pair| !truth.right.contains(pair));
        Ok(truth)
    }
}

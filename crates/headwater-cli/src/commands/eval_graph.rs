//! `headwater eval graph`: Tables 2 to 4 of the paper on a collection whose derivations are known.

mod tables;

use std::collections::HashMap;
use std::io::Write;
use std::sync::Arc;

use headwater::coderivative::filter::Pipeline;
use headwater::coderivative::shared::Extract;
use headwater::coderivative::{Collection, Lists, Quality, Schedule, Score, evaluate};
use headwater::select::Selection;
use headwater_io::spill::FileBins;
use headwater_io::write::Output;
use serde::Serialize;

use super::graph::gather::{self, Gathered, Reading};
use super::graph::watched::Watched;
use super::truth::Relations;
use crate::args::{Duplicates, EvalFormat, EvalGraphArgs, target};
use crate::failure::Failure;
use crate::interrupt;
use crate::terminal::{Talk, count};

/// Table 1: the thresholds T1 to T5 of S1 to S4; for our own S5 those of S4.
const THRESHOLDS: [[f64; 5]; 5] = [
    [20.0, 100.0, 200.0, 500.0, 1000.0],
    [0.03, 0.05, 0.10, 0.15, 0.30],
    [0.02, 0.05, 0.10, 0.15, 0.30],
    [0.02, 0.05, 0.20, 0.50, 1.0],
    [0.02, 0.05, 0.20, 0.50, 1.0],
];

pub(super) fn eval_graph(args: &EvalGraphArgs) -> Result<(), Failure> {
    let talk = Talk::new(args.talk.quiet);
    let length = usize::from(args.chunk);
    let reading = Reading {
        input: &args.input,
        tokens: args.tokens,
        length,
        selection: String::new(),
        collapses: args.duplicates != Duplicates::Keep,
        keeps_text: false,
        index: None,
        subject: None,
    };
    let relations = Relations::read(&args.truth)?;
    let Gathered { documents, spill, progress, .. } = gather::gather(&reading, &talk)?;
    let mut numbers = HashMap::new();
    for place in 0..documents.len() {
        numbers.entry(documents.entry(place)?.id.clone()).or_insert(documents.representative_at(place));
    }
    let truth = relations.between(&numbers, &args.kind)?;
    let most = args.max_df.map_or(u32::MAX, |limit| limit.most(documents.representatives()));

    let mut results = Vec::new();
    for &modulo in &args.modulo {
        let mut pipeline = Pipeline::default();
        if modulo.get() > 1 {
            pipeline.push(Selection::Modulo { l: modulo, lean: false });
        }
        let extract = Extract { length, schedule: Schedule::Fast, pipeline, memory: args.memory() };
        let bins = FileBins::create(extract.bins(spill.tokens()), args.memory() / 4, args.input.threads(), None)?;
        let mut lists = Lists::new();
        let watch = talk.watch(Arc::clone(&progress));
        let bins = Watched { what: bins, progress: &progress };
        let extracted = extract.run(&Watched { what: &spill, progress: &progress }, bins, |chunks| {
            for chunk in chunks.iter() {
                let chunk = chunk.map_err(std::io::Error::other)?;
                lists.add(chunk.document_bytes(), chunk.documents);
            }
            Ok(())
        });
        drop(watch);
        interrupt::check()?;
        extracted?;
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
        EvalFormat::Text => tables::show(&answer),
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

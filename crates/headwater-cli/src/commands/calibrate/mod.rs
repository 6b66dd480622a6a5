//! `headwater calibrate`: which accuracy an amount of memory will give on the user's documents.

mod answer;

use std::io::{IsTerminal, Write};

use headwater::origin::Settings;
use headwater::origin::evaluation::{Facts, Forecast, Marks, Measured, Point, QueryTruth, Trial, Truths, Value};
use headwater::text::mix;
use headwater_io::write::{Output, Target};

use super::evaluation::{Pass, Stream, StreamSettings, run};
use crate::args::{CalibrateArgs, CalibrateFormat, target};
use crate::failure::Failure;
use crate::terminal::{Talk, bytes, count};
use answer::{Answer, Sample};

/// The beginnings of the sample that are measured: a quarter, a half, all.
const PARTS: [f64; 3] = [0.25, 0.5, 1.0];

/// Which part of the documents of each beginning, its last ones, are asked about.
const ASKED: usize = 5;

/// The smallest table that is measured: what stands for a megabyte on a collection of a hundred times the sample.
const SMALLEST: usize = 8 << 10;

/// Bytes that our own table takes for a distinct shingle, at the most: an entry of nine for one in three.
const FULL: u64 = 3;

/// Memory for the truth of a sample.
const TRUTH: usize = 1 << 30;

pub(crate) fn calibrate(args: &CalibrateArgs) -> Result<(), Failure> {
    args.input.spare(&target(args.output.as_deref())).map_err(Failure::Usage)?;
    let talk = Talk::new(args.talk.quiet);
    let settings = StreamSettings {
        input: &args.input,
        reading: args.tokens.tokens,
        min_tokens: args.min_tokens,
        most_text: args.sample(),
    };
    let stream = Stream::read(&settings, &talk)?;
    talk.note("working out the truth about the sample");
    let k = usize::from(args.tokens.shingle);
    // Every document can be a query of one of the beginnings.
    let truths = stream.truth(k, usize::MAX, TRUTH)?;
    let measured = Bench { args, stream: &stream, truths: &truths, talk: &talk }.measure()?;
    let forecast = Forecast::fit(&measured).ok_or_else(|| {
        Failure::run("the sample is too small to measure anything; --sample takes more of the documents")
    })?;
    let Facts { documents, shingles, copied, .. } = truths.facts;
    let asked = &truths.queries[truths.queries.len().saturating_sub(documents as usize / ASKED)..];
    let sample = Sample {
        documents,
        text: stream.text,
        part: stream.part,
        shingles,
        copy_ratio: copied as f64 / shingles.max(1) as f64,
        queries: asked.len() as u64,
        copied_queries: asked.iter().filter(|query| query.dominant != query.document).count() as u64,
        hashes: args.hashes,
    };
    let answer = Answer::new(sample, &forecast, args);
    let shown = match format_of(args) {
        CalibrateFormat::Text => answer.text(),
        CalibrateFormat::Json => serde_json::to_string(&answer).map_err(Failure::run)? + "\n",
    };
    let mut out = Output::create(target(args.output.as_deref()))?;
    out.write_all(shown.as_bytes())?;
    out.finish()?;
    talk.say(format_args!("{} documents, {} of text measured", count(documents), bytes(stream.text)));
    Ok(())
}

fn format_of(args: &CalibrateArgs) -> CalibrateFormat {
    args.format.unwrap_or_else(|| match target(args.output.as_deref()) {
        Target::Stdout if std::io::stdout().is_terminal() => CalibrateFormat::Text,
        Target::File(path) if path.extension().is_some_and(|extension| extension == "txt") => CalibrateFormat::Text,
        _ => CalibrateFormat::Json,
    })
}

struct Bench<'a> {
    args: &'a CalibrateArgs,
    stream: &'a Stream,
    truths: &'a Truths,
    talk: &'a Talk,
}

impl Bench<'_> {
    /// Each beginning of the sample with every amount of memory, the mean over several hash functions.
    fn measure(&self) -> Result<Vec<Measured>, Failure> {
        let mut all = Vec::new();
        let total = PARTS.len() * usize::from(self.args.hashes);
        for (number, part) in PARTS.iter().enumerate() {
            let end = (f64::from(self.stream.documents()) * part).round() as u32;
            let known = self.truths.before(end);
            let queries = &known[known.len().saturating_sub((end as usize / ASKED).max(1))..];
            if queries.is_empty() {
                continue;
            }
            let mut runs = Vec::new();
            for hash in 0..self.args.hashes {
                let done = number * usize::from(self.args.hashes) + usize::from(hash);
                self.talk.note(format_args!("measuring: {done} of {total} passes"));
                runs.push(self.pass(queries, end, hash)?);
            }
            all.push(Measured { size: f64::from(end), points: self.points(&runs, queries.len()) });
        }
        Ok(all)
    }

    fn sizes(&self) -> Vec<usize> {
        let full = (self.truths.facts.distinct * FULL).max(2 * SMALLEST as u64) as usize;
        let mut sizes = vec![SMALLEST];
        while sizes.last().is_some_and(|&last| last < full) {
            sizes.push(sizes.last().map_or(SMALLEST, |last| last * 2));
        }
        sizes
    }

    fn pass(&self, queries: &[QueryTruth], end: u32, hash: u8) -> Result<Vec<Marks>, Failure> {
        let trial = |memory: usize| {
            let settings =
                Settings { k: self.truths.k, memory, reading: self.args.tokens.tokens, ..Settings::default() };
            Trial::new(settings).map_err(|error| Failure::Usage(error.to_string()))
        };
        let trials = self.sizes().into_iter().map(trial).collect::<Result<Vec<_>, _>>()?;
        let salt = if hash == 0 { 0 } else { mix(hash.into()) };
        let pass = Pass { stream: self.stream, k: self.truths.k, queries, end, salt };
        let trials = run(&pass, trials, |_| {})?;
        Ok(trials.iter().map(|trial| *trial.marks()).collect())
    }

    fn points(&self, runs: &[Vec<Marks>], queries: usize) -> Vec<Point> {
        let value = |at: usize, metric: fn(&Marks) -> f64| {
            let values: Vec<f64> = runs.iter().map(|run| metric(&run[at])).collect();
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            let between = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / values.len() as f64;
            // Other queries would give another figure too: as many heads or tails. Tokens of one query go together.
            let chance = mean * (1.0 - mean) / queries as f64;
            Value { mean, error: (between + chance).sqrt() }
        };
        let point = |(at, memory): (usize, usize)| Point {
            memory: memory as f64,
            dominant_origin: value(at, |marks| marks.score.dominant_origin()),
            copied_origin: value(at, |marks| marks.score.copied_origin()).mean,
            token_freshness: value(at, |marks| marks.score.token_freshness()),
        };
        self.sizes().into_iter().enumerate().map(point).collect()
    }
}

//! `headwater eval origin`: section 3 of the origin paper on the user's own documents.

mod answer;
mod grid;
mod journal;
mod page;
mod paper;
mod row;
mod tables;
mod text;

use std::io::{IsTerminal, Write};
use std::time::Instant;

use headwater::origin::Settings;
use headwater::origin::evaluation::{Trial, Truths};
use headwater_io::write::{Output, OutputFormat, RowWriter, Target};

pub(crate) use answer::Answer;
pub(crate) use row::EvalRow;

use super::evaluation::{Pass, Stream, StreamSettings, run};
use crate::args::{EvalOriginArgs, MeasureFormat, target};
use crate::failure::Failure;
use crate::terminal::{Talk, bytes, count};
use grid::{Combination, Grid};
use journal::Journal;

/// Tables of trials that run side by side may take so much together; a single one may take more.
const SIDE_BY_SIDE: usize = 2 << 30;

pub(super) fn eval_origin(args: &EvalOriginArgs) -> Result<(), Failure> {
    let talk = Talk::new(args.talk.quiet);
    let format = format_of(args).map_err(Failure::Usage)?;
    let grid = Grid::new(args).map_err(Failure::Usage)?;
    args.input.spare(&target(args.output.as_deref())).map_err(Failure::Usage)?;
    let mut journal = Journal::open(args.journal.as_deref(), args.output.as_deref())?;
    let settings =
        StreamSettings { input: &args.input, reading: args.tokens, min_tokens: args.min_tokens, most_text: u64::MAX };
    let stream = Stream::read(&settings, &talk)?;
    let queries = args.queries.unwrap_or((stream.documents() as usize / 10).max(1));

    let mut answer = Answer::default();
    let mut work = Work { args, stream: &stream, talk: &talk, journal: &mut journal, done: 0, total: grid.len() };
    for (k, combinations) in grid.by_shingle() {
        talk.note(format_args!("working out the truth about shingles of {k} tokens"));
        let truths = stream.truth(k, queries, args.truth_memory())?;
        if truths.queries.is_empty() {
            return Err(Failure::run("no document has a dominant origin: there is nothing to ask about"));
        }
        answer.rows.extend(work.examine(&truths, queries, &combinations)?);
        answer.add_facts(&truths);
    }
    write(args, format, &answer)?;
    journal.close();
    talk.say(closing(&stream, &answer));
    Ok(())
}

/// The examination of all combinations.
struct Work<'a> {
    args: &'a EvalOriginArgs,
    stream: &'a Stream,
    talk: &'a Talk,
    journal: &'a mut Journal,
    done: usize,
    total: usize,
}

/// A combination with its memory worked out.
struct Job {
    combination: Combination,
    share: f64,
    bytes: usize,
    key: String,
}

impl Work<'_> {
    /// One row for each combination, in their order.
    fn examine(
        &mut self,
        truths: &Truths,
        queries: usize,
        combinations: &[Combination],
    ) -> Result<Vec<EvalRow>, Failure> {
        let jobs: Vec<Job> = combinations.iter().map(|one| self.job(truths, queries, one)).collect();
        let mut rows: Vec<Option<EvalRow>> = jobs.iter().map(|job| self.journal.find(&job.key).cloned()).collect();
        let known = rows.iter().flatten().count();
        if known > 0 {
            self.talk.say(format_args!("{} of {} combinations are in the journal already", known, jobs.len()));
        }
        self.done += known;
        let mut left: Vec<usize> = (0..jobs.len()).filter(|&at| rows[at].is_none()).collect();
        while let Some(&first) = left.first() {
            let group = self.group(&jobs, &left, first);
            left.retain(|at| !group.contains(at));
            let trials = group.iter().map(|&at| self.trial(&jobs[at])).collect::<Result<Vec<_>, _>>()?;
            let trials = self.pass(truths, &jobs[first], trials)?;
            for (&at, trial) in group.iter().zip(&trials) {
                let Job { combination, share, bytes, key } = &jobs[at];
                let row = EvalRow::new(combination.algorithm, truths.k, *share, *bytes, trial.marks());
                self.journal.note(key, &row)?;
                rows[at] = Some(row);
            }
            self.done += group.len();
        }
        Ok(rows.into_iter().flatten().collect())
    }

    fn job(&self, truths: &Truths, queries: usize, combination: &Combination) -> Job {
        let (share, bytes) = combination.memory(truths.facts.distinct);
        let args = self.args;
        let settings = format!(
            "{} k={} {} min={} queries={queries} seed={} bytes={bytes}",
            combination.algorithm, truths.k, args.tokens, args.min_tokens, args.seed
        );
        Job { combination: *combination, share, bytes, key: journal::key(self.stream.digest, &settings) }
    }

    /// Those that have the same selection as the first, as many as memory allows.
    fn group(&self, jobs: &[Job], left: &[usize], first: usize) -> Vec<usize> {
        let selection = jobs[first].combination.selection();
        let (mut group, mut taken) = (Vec::new(), 0);
        for &at in left.iter().filter(|&&at| jobs[at].combination.selection() == selection) {
            taken += jobs[at].bytes;
            if !group.is_empty() && taken > SIDE_BY_SIDE {
                break;
            }
            group.push(at);
        }
        group
    }

    fn trial(&self, job: &Job) -> Result<Trial, Failure> {
        let settings = Settings {
            k: job.combination.k,
            memory: job.bytes,
            reading: self.args.tokens,
            algorithm: job.combination.algorithm,
            seed: self.args.seed,
        };
        let least = grid::least_memory(&settings.algorithm);
        if job.bytes < least {
            self.talk.warn(format_args!(
                "{}: a share of {} % is {} bytes; the smallest table there is has {least} and is used instead",
                settings.algorithm, job.share, job.bytes
            ));
        }
        Trial::new(Settings { memory: job.bytes.max(least), ..settings })
            .map_err(|error| Failure::Usage(error.to_string()))
    }

    fn pass(&self, truths: &Truths, job: &Job, trials: Vec<Trial>) -> Result<Vec<Trial>, Failure> {
        let pass =
            Pass { stream: self.stream, k: truths.k, queries: &truths.queries, end: self.stream.documents(), salt: 0 };
        let (begun, all, selection) = (Instant::now(), self.stream.all_tokens(), job.combination.selection());
        let (mut seen, number) = (0, trials.len());
        run(&pass, trials, |tokens| {
            seen += tokens;
            self.talk.note(format_args!(
                "{} of {} combinations; {number} of {} at {} %, {} s",
                self.done,
                self.total,
                selection.map_or_else(|| "headwater".to_owned(), |selection| selection.to_string()),
                seen * 100 / all.max(1),
                begun.elapsed().as_secs()
            ));
        })
    }
}

fn write(args: &EvalOriginArgs, format: MeasureFormat, answer: &Answer) -> Result<(), Failure> {
    let target = target(args.output.as_deref());
    let shown = match format {
        MeasureFormat::Csv => {
            let mut rows = RowWriter::create(target, OutputFormat::Csv)?;
            answer.rows.iter().try_for_each(|row| rows.write(row))?;
            return Ok(rows.finish()?);
        }
        MeasureFormat::Json => serde_json::to_string(answer).map_err(Failure::run)? + "\n",
        MeasureFormat::Text => match args.tables() {
            Some(numbers) => tables::tables(answer, numbers),
            None => text::text(answer),
        },
        MeasureFormat::Html => {
            let mut out = Output::create(target)?;
            page::page(answer).write(&mut out)?;
            return Ok(out.finish()?);
        }
    };
    let mut out = Output::create(target)?;
    out.write_all(shown.as_bytes())?;
    Ok(out.finish()?)
}

fn format_of(args: &EvalOriginArgs) -> Result<MeasureFormat, String> {
    if let Some(format) = args.format {
        return Ok(format);
    }
    match target(args.output.as_deref()) {
        Target::Stdout if args.tables().is_some() || std::io::stdout().is_terminal() => Ok(MeasureFormat::Text),
        Target::Stdout => Ok(MeasureFormat::Json),
        Target::File(path) => match path.extension().and_then(|extension| extension.to_str()) {
            Some("txt" | "md") => Ok(MeasureFormat::Text),
            Some("json") => Ok(MeasureFormat::Json),
            Some("csv") => Ok(MeasureFormat::Csv),
            Some("html" | "htm") => Ok(MeasureFormat::Html),
            _ => Err(format!("the name {} does not tell the form of the answer; add --format", path.display())),
        },
    }
}

fn closing(stream: &Stream, answer: &Answer) -> String {
    let mut line = format!(
        "{} documents, {} queries, {} combinations; {} of text",
        count(stream.documents().into()),
        count(answer.queries),
        count(answer.rows.len() as u64),
        bytes(stream.text)
    );
    if stream.too_short > 0 {
        line += &format!("; {} documents too short", count(stream.too_short));
    }
    if let Some(problems) = stream.summary.as_ref().map(|summary| summary.problems).filter(|&problems| problems > 0) {
        line += &format!("; {} records skipped", count(problems));
    }
    line
}

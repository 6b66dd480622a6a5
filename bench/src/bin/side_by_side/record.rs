//! All that was measured, as figures: medians and spreads of the runs, growth, limits, instructions. This is what is
//! committed; tables, page and README are drawn from it.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::found::Found;
use crate::goals::{self, Verdict};
use crate::growth::{self, Curve};
use crate::instructions::{self, Count};
use crate::jobs::{self, JOBS};
use crate::limits::{self, Limit};
use crate::place::Place;
use crate::rounds::{Outcome, Run};

/// One dated record.
#[derive(Serialize, Deserialize)]
pub struct Record {
    pub date: String,
    /// Processor and cores.
    pub machine: String,
    pub rows: Vec<Row>,
    pub growth: Vec<Curve>,
    pub limits: Vec<Limit>,
    pub instructions: Vec<Count>,
    pub goals: Vec<Verdict>,
}

/// A contender on a slice.
#[derive(Clone, Serialize, Deserialize)]
pub struct Row {
    pub job: String,
    pub contender: String,
    pub size: String,
    pub bytes: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taken: Option<Figures>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<Found>,
    /// Why there are no figures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
}

/// What its runs took.
#[derive(Clone, Serialize, Deserialize)]
pub struct Figures {
    pub runs: usize,
    pub wall: Spread,
    pub cpu: Spread,
    /// Bytes.
    pub peak: Spread,
}

/// Median, least and most.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    pub median: f64,
    pub low: f64,
    pub high: f64,
}

impl Row {
    /// MB of JSONL for each CPU second.
    pub fn speed(&self) -> Option<f64> {
        self.taken.as_ref().map(|taken| self.bytes as f64 / 1e6 / taken.cpu.median)
    }

    pub fn name(&self) -> &str {
        jobs::contender(&self.job, &self.contender).map_or(&self.contender, |contender| contender.name)
    }
}

impl Record {
    /// The row of a contender on a slice.
    pub fn row(&self, job: &str, contender: &str, size: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.job == job && row.contender == contender && row.size == size)
    }

    /// The share of the machine's limit that a row reaches.
    pub fn share_of_limit(&self, row: &Row) -> Option<f64> {
        let kernel = jobs::contender(&row.job, &row.contender)?.limit?;
        let limit = self.limits.iter().find(|limit| limit.kernel == kernel)?.megabytes_per_second?;
        Some(row.speed()? / limit)
    }

    /// Puts together what lies in the working folder.
    pub fn gather(place: &Place, date: &str) -> Result<Self, Box<dyn Error>> {
        let rows = rows(&fs::read_to_string(place.runs())?)?;
        let mut record = Record {
            date: date.into(),
            machine: machine(),
            growth: growth::curves(&rows),
            rows,
            limits: limits::read(place)?,
            instructions: instructions::measured(place)?,
            goals: Vec::new(),
        };
        record.goals = goals::judge(&record);
        Ok(record)
    }

    /// The newest record in a folder, and its path.
    pub fn newest(folder: &Path) -> Result<(Self, PathBuf), Box<dyn Error>> {
        let paths = fs::read_dir(folder)?.filter_map(|entry| entry.ok().map(|entry| entry.path()));
        let newest = paths.filter(|path| path.to_string_lossy().ends_with("-side-by-side.json")).max();
        let newest = newest.ok_or("no record: run bench/run first")?;
        Ok((serde_json::from_str(&fs::read_to_string(&newest)?)?, newest))
    }
}

fn rows(runs: &str) -> Result<Vec<Row>, Box<dyn Error>> {
    let mut by_row: BTreeMap<(usize, u64, usize), Vec<Run>> = BTreeMap::new();
    for line in runs.lines() {
        let run: Run = serde_json::from_str(line)?;
        let Some(job) = JOBS.iter().position(|job| job.key == run.job) else { continue };
        let Some(at) = JOBS[job].contenders.iter().position(|one| one.key == run.contender) else { continue };
        by_row.entry((job, run.bytes, at)).or_default().push(run);
    }
    Ok(by_row.into_values().filter_map(row).collect())
}

fn row(runs: Vec<Run>) -> Option<Row> {
    let Run { job, contender, size, bytes, .. } = runs.first()?.clone();
    let mut row = Row { job, contender, size, bytes, taken: None, found: None, failed: None };
    let mut took = [const { Vec::new() }; 3];
    for run in runs {
        match run.outcome {
            Outcome::Took { wall, cpu, peak } => {
                took.iter_mut().zip([wall, cpu, peak as f64]).for_each(|(values, value)| values.push(value));
            }
            Outcome::Failed(why) => row.failed = Some(why),
            Outcome::Found(found) => row.found = Some(found),
        }
    }
    let runs = took[0].len();
    if runs > 0 {
        let [wall, cpu, peak] = took.map(spread);
        row.taken = Some(Figures { runs, wall, cpu, peak });
        row.failed = None;
    }
    Some(row)
}

fn spread(mut values: Vec<f64>) -> Spread {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    let median = if values.len() % 2 == 1 { values[middle] } else { (values[middle - 1] + values[middle]) / 2.0 };
    Spread { median, low: values[0], high: values[values.len() - 1] }
}

fn machine() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name")).unwrap_or("an unknown processor");
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{}, {cores} cores", model.trim_start_matches([' ', '\t', ':']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_become_medians_and_later_success_beats_failure() {
        let line =
            |outcome: &str| format!(r#"{{"job":"graph","contender":"default","size":"20","bytes":20,{outcome}}}"#);
        let lines = [
            r#""failed":"no""#,
            r#""took":{"wall":1.0,"cpu":2.0,"peak":3}"#,
            r#""took":{"wall":3.0,"cpu":4.0,"peak":5}"#,
            r#""took":{"wall":2.0,"cpu":9.0,"peak":4}"#,
            r#""found":{"told":"much"}"#,
        ];
        let rows = rows(&lines.map(line).join("\n")).expect("the lines are sound");
        let taken = rows[0].taken.as_ref().expect("it ran");
        assert_eq!((rows.len(), taken.runs, rows[0].failed.is_none()), (1, 3, true));
        assert_eq!(taken.wall, Spread { median: 2.0, low: 1.0, high: 3.0 });
        assert_eq!(taken.cpu.median, 4.0);
        assert_eq!(spread(vec![4.0, 2.0]).median, 3.0);
    }
}

//! All contenders of a job on one slice, in turns, several rounds; every run is a line in the file of runs, so that
//! measurements can be taken piece by piece and none is lost.

use std::error::Error;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::child;
use crate::found::{self, Found};
use crate::jobs::{Contender, Job};
use crate::place::Place;

/// What one line of the file of runs says.
#[derive(Clone, Serialize, Deserialize)]
pub struct Run {
    pub job: String,
    pub contender: String,
    pub size: String,
    /// Bytes of the slice as JSONL.
    pub bytes: u64,
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// What came of it.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    Took { wall: f64, cpu: f64, peak: u64 },
    Failed(String),
    Found(Found),
}

/// How often, and for how long at most.
pub struct Plan {
    /// With none, only what the last runs left behind is read again.
    pub rounds: usize,
    pub patience: Duration,
    /// Only these contenders; all where empty.
    pub only: Vec<String>,
    /// Only those whose growth is measured.
    pub is_growth: bool,
}

/// Measures one job on one slice and says on standard error what it is at.
pub fn measure(place: &Place, job: &Job, size: &str, plan: &Plan) -> Result<(), Box<dyn Error>> {
    let bytes = fs::metadata(place.text(size)).map_err(|error| format!("slice {size}: {error}"))?.len();
    let missing = place.missing();
    let mut log = OpenOptions::new().create(true).append(true).open(place.runs())?;
    let mut note = |contender: &Contender, outcome: Outcome| -> Result<(), Box<dyn Error>> {
        let (job, contender, size) = (job.key.into(), contender.key.into(), size.into());
        let line = serde_json::to_string(&Run { job, contender, size, bytes, outcome })?;
        Ok(writeln!(log, "{line}")?)
    };
    let mut standing: Vec<&Contender> = Vec::new();
    for contender in job.contenders.iter().filter(|contender| is_wanted(contender, bytes, plan)) {
        match contender.needs.and_then(|needs| missing.get(needs)) {
            Some(why) => note(contender, Outcome::Failed(format!("not installed: {why}")))?,
            None => standing.push(contender),
        }
    }
    for round in 0..plan.rounds {
        let mut still = Vec::new();
        // Memory that a neighbour has just given back costs less to take than memory of the host: nobody is to be always second.
        standing.reverse();
        for contender in standing {
            let command = place.fill(job, contender, size)?;
            let out = place.out(job.key, contender.key, size);
            let taken =
                child::run(&command, &out.with_extension("stdout"), &out.with_extension("stderr"), plan.patience)?;
            eprintln!(
                "{} {size} MB, round {}: {}: {:.2} s, {:.2} CPU s, {} MB{}",
                job.key,
                round + 1,
                contender.name,
                taken.wall,
                taken.cpu,
                taken.peak / 1_000_000,
                taken.failed.as_deref().map(|why| format!(": {why}")).unwrap_or_default()
            );
            match taken.failed {
                Some(why) => note(contender, Outcome::Failed(why))?,
                None => {
                    note(contender, Outcome::Took { wall: taken.wall, cpu: taken.cpu, peak: taken.peak })?;
                    still.push(contender);
                }
            }
        }
        standing = still;
    }
    // Only now, because reading what was found makes this process larger.
    for contender in standing {
        match found::read(place, job, contender, size) {
            Ok(found) => note(contender, Outcome::Found(found))?,
            Err(error) => eprintln!("{} {size} MB: {} left nothing to read: {error}", job.key, contender.name),
        }
    }
    Ok(())
}

fn is_wanted(contender: &Contender, bytes: u64, plan: &Plan) -> bool {
    let most = if plan.is_growth { contender.grows_to } else { contender.most };
    // A slice can be a little larger than its name says: generated ones count their text, and not the JSON around it.
    let fits = bytes <= u64::from(most).saturating_mul(1_100_000);
    fits && (plan.only.is_empty() || plan.only.iter().any(|only| only == contender.key))
}

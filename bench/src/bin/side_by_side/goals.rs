//! What was to be reached, and whether it is: goals as data, judged by the record alone.

use serde::{Deserialize, Serialize};

use crate::record::{Record, Row};

/// The slice on which goals are judged.
pub const SLICE: &str = "200";

/// A goal and what was measured.
#[derive(Serialize, Deserialize)]
pub struct Verdict {
    pub goal: String,
    pub wanted: f64,
    /// Nothing where a row that it needs was not measured.
    pub measured: Option<f64>,
    pub is_met: bool,
    /// Where it was missed: why, and what would be needed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

struct Goal {
    text: &'static str,
    wanted: f64,
    /// The measured figure is to be at least what is wanted, or at most.
    at_least: bool,
    figure: fn(&Record) -> Option<f64>,
    /// Said where it is missed: why, and what would be needed.
    reason: &'static str,
}

const TRACE: &str = "Reading, tokens and selection alone take some 5 ns a byte of this text in the machine's limit (record of origin speed); 150 MB/s leave 1.7 for \
    looking up, estimating, storing and answering. With a table of 64 MiB all of it takes 8 ns, with 1 GiB 9 to 15: its memory is cleared once, at the \
    pace at which the host gives it. Needed: memory that was touched before, and a table that is asked less often for the same accuracy.";
const THREADS: &str = "The first touch of a table of 1 GiB costs this virtual machine half a second and more, all of it on the one thread that asks and fills the \
    table in the order of the documents. Needed: memory that was touched before, and estimating and writing answers beside the table.";
const GRAPH: &str = "libsais is about five times as fast as the suffix array that the goal was set by (2.1 MB per CPU-second). Twenty times its speed would \
    be more than that of reading and tokenising alone. Needed: looking at fewer shingles, which would not be lossless.";
const MINHASH: &str = "Reading, tokens and shingles alone take some 5 ns a byte (as for trace), and all of it took 9 when it was last measured with nothing else \
    to do. Needed: signing in less than half of the time that is between the two.";
const MET_BEFORE: &str = "It was met in earlier records: look for what has changed since.";

const GOALS: &[Goal] = &[
    Goal {
        text: "trace, 1 GiB table, one thread: MB per CPU-second",
        wanted: 150.0,
        at_least: true,
        figure: |record| row(record, "trace", "1024-1")?.speed(),
        reason: TRACE,
    },
    Goal {
        text: "trace, 1 GiB table: wall speed of two threads against one",
        wanted: 1.7,
        at_least: true,
        figure: |record| Some(wall(row(record, "trace", "1024-1")?)? / wall(row(record, "trace", "1024-2")?)?),
        reason: THREADS,
    },
    Goal {
        text: "query of 350 words, 1 GiB table: microseconds, median",
        wanted: 50.0,
        at_least: false,
        figure: |record| row(record, "latency", "1024")?.found.as_ref()?.figures.get("p50").copied(),
        reason: MET_BEFORE,
    },
    Goal {
        text: "graph: MB per CPU-second (20 times the 2.1 once measured of a suffix array)",
        wanted: 42.0,
        at_least: true,
        figure: |record| row(record, "graph", "default")?.speed(),
        reason: MET_BEFORE,
    },
    Goal {
        text: "graph: times as fast as the suffix array of bytes in this run",
        wanted: 20.0,
        at_least: true,
        figure: |record| faster(record, ("graph", "default"), ("graph", "suffix-bytes")),
        reason: GRAPH,
    },
    Goal {
        text: "graph: its memory as a share of that of the suffix array of bytes",
        wanted: 0.25,
        at_least: false,
        figure: |record| Some(peak(row(record, "graph", "default")?)? / peak(row(record, "graph", "suffix-bytes")?)?),
        reason: MET_BEFORE,
    },
    Goal {
        text: "graph: times as fast as dolma at dolma's job",
        wanted: 2.0,
        at_least: true,
        figure: |record| faster(record, ("graph", "default"), ("graph", "dolma")),
        reason: MET_BEFORE,
    },
    Goal {
        text: "MinHash, classic: times as fast as gaoya's Python",
        wanted: 10.0,
        at_least: true,
        figure: |record| faster(record, ("cluster", "minhash"), ("cluster", "gaoya")),
        reason: MINHASH,
    },
    Goal {
        text: "MinHash, one permutation: times as fast as gaoya's Python",
        wanted: 10.0,
        at_least: true,
        figure: |record| faster(record, ("cluster", "minhash-one"), ("cluster", "gaoya")),
        reason: MINHASH,
    },
    Goal {
        text: "MinHash, classic: times as fast as the gaoya crate",
        wanted: 5.0,
        at_least: true,
        figure: |record| faster(record, ("cluster", "minhash"), ("cluster", "gaoya-crate")),
        reason: MINHASH,
    },
    Goal {
        text: "MinHash, one permutation: times as fast as the gaoya crate",
        wanted: 5.0,
        at_least: true,
        figure: |record| faster(record, ("cluster", "minhash-one"), ("cluster", "gaoya-crate")),
        reason: MINHASH,
    },
    Goal {
        text: "SpotSigs, JSONL to clusters: MB per CPU-second",
        wanted: 85.0,
        at_least: true,
        figure: |record| row(record, "cluster", "spotsigs")?.speed(),
        reason: MET_BEFORE,
    },
];

/// Goals that were missed for one reason, in their order, and that reason.
pub fn missed(verdicts: &[Verdict]) -> Vec<(Vec<&str>, &str)> {
    let mut all: Vec<(Vec<&str>, &str)> = Vec::new();
    for verdict in verdicts {
        let Some(reason) = verdict.reason.as_deref() else { continue };
        let goal = verdict.goal.trim_end_matches([' ', '≥', '≤']);
        match all.last_mut().filter(|(_, last)| *last == reason) {
            Some((goals, _)) => goals.push(goal),
            None => all.push((vec![goal], reason)),
        }
    }
    all
}

/// Judges every goal.
pub fn judge(record: &Record) -> Vec<Verdict> {
    let judge = |goal: &Goal| {
        let measured = (goal.figure)(record);
        let is_met =
            measured.is_some_and(|figure| if goal.at_least { figure >= goal.wanted } else { figure <= goal.wanted });
        let sign = if goal.at_least { "≥" } else { "≤" };
        let reason = (measured.is_some() && !is_met).then(|| goal.reason.to_owned());
        Verdict { goal: format!("{} {sign}", goal.text), wanted: goal.wanted, measured, is_met, reason }
    };
    GOALS.iter().map(judge).collect()
}

fn row<'a>(record: &'a Record, job: &str, contender: &str) -> Option<&'a Row> {
    record.row(job, contender, SLICE)
}

fn faster(record: &Record, ours: (&str, &str), other: (&str, &str)) -> Option<f64> {
    Some(row(record, ours.0, ours.1)?.speed()? / row(record, other.0, other.1)?.speed()?)
}

fn wall(row: &Row) -> Option<f64> {
    Some(row.taken.as_ref()?.wall.median)
}

fn peak(row: &Row) -> Option<f64> {
    Some(row.taken.as_ref()?.peak.median)
}

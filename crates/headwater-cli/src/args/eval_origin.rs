//! Which algorithms are examined, with how much memory, on which documents.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use headwater::origin::{Algorithm, Estimation, Eviction, Paper};
use headwater::select::Selection;
use headwater::text::Reading;

use super::list::{List, Listed};
use super::origin::Family;
use super::size::Size;
use super::{InputArgs, TalkArgs};

/// The paper's memory sizes on its blogs, as percentages of all distinct shingles (Table 2).
pub(crate) const SHARES: [f64; 8] = [34.2, 13.7, 6.8, 3.3, 1.4, 0.7, 0.3, 0.1];

#[derive(Args, Debug)]
pub(crate) struct EvalOriginArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// How many queries: the last N documents that have a dominant origin [default: a tenth of all documents]
    #[arg(long, value_name = "N", value_parser = at_least_one, help_heading = "Experiment")]
    pub(crate) queries: Option<usize>,

    /// Leave out documents with fewer tokens
    #[arg(long, value_name = "N", default_value_t = 45, help_heading = "Experiment")]
    pub(crate) min_tokens: usize,

    /// Tokens in a shingle, one or several
    #[arg(short = 'k', long, value_name = "LIST", default_value = "8", help_heading = "Experiment")]
    shingle: List<usize>,

    /// What a token is: words, chars, code (identifiers and operators) or dna (nucleotides)
    #[arg(long, value_name = "READING", default_value_t = Reading::Words, help_heading = "Experiment")]
    pub(crate) tokens: Reading,

    /// Memory for working out the truth; with less the documents, which lie on disk, are passed over more often
    #[arg(long, value_name = "SIZE", default_value = "2GiB", help_heading = "Experiment")]
    truth_memory: Size,

    /// Run all that the paper's tables need and print them, the paper's values beside ours; =8,9 only those
    /// of 1 to 11, and 12 for Figure 2
    #[arg(long, value_name = "NUMBERS", value_parser = table_numbers, num_args = 0..=1, require_equals = true, default_missing_value = "1..12", conflicts_with_all = ["algorithm", "select", "evict", "estimate", "bridge", "bucket", "share", "memory"], help_heading = "Experiment")]
    tables: Option<List<usize>>,

    /// headwater, paper, or both [default: both; only the paper's where --select, --evict or --estimate is given]
    #[arg(long, value_name = "LIST", value_enum, value_delimiter = ',', help_heading = "Algorithms")]
    algorithm: Vec<Family>,

    /// The paper's selections: NHs,4th,NM2..8, or table3 for all of its Table 3 [default: NHs]
    #[arg(long, value_name = "LIST", help_heading = "Algorithms")]
    select: Option<List<Selection>>,

    /// The paper's evictions: R, LRU, CC, LS [default: LS]
    #[arg(long, value_name = "LIST", help_heading = "Algorithms")]
    evict: Option<List<Eviction>>,

    /// The paper's estimations: NB, E, B, BE [default: BE]
    #[arg(long, value_name = "LIST", help_heading = "Algorithms")]
    estimate: Option<List<Estimation>>,

    /// The paper's T: a bridge spans fewer selected shingles than this [default: 30]
    #[arg(long, value_name = "LIST", help_heading = "Algorithms")]
    bridge: Option<List<usize>>,

    /// Entries in a bucket of the paper's table, 4 to 256 [default: 64]
    #[arg(long, value_name = "LIST", help_heading = "Algorithms")]
    bucket: Option<List<usize>>,

    /// Makes random eviction (R) repeatable
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Algorithms")]
    pub(crate) seed: u64,

    /// Memory as in the paper's Table 2: per cent of all distinct shingles at 14 bytes each [default: the paper's eight]
    #[arg(long, value_name = "LIST", conflicts_with = "memory", help_heading = "Memory")]
    share: Option<List<f64>>,

    /// Memory of the table in bytes: 1MiB,64MiB or 1MiB..1GiB
    #[arg(long, value_name = "LIST", help_heading = "Memory")]
    memory: Option<List<Size>>,

    /// Keep what is done in FILE: an interrupted run goes on from there [default: beside -o, until it is done]
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) journal: Option<PathBuf>,

    /// Write to FILE, whole or not at all, instead of standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    /// How to print it [default: what FILE's extension says, text on a terminal, else json]
    #[arg(long, value_name = "FORMAT", value_enum, help_heading = "Output")]
    pub(crate) format: Option<MeasureFormat>,

    #[command(flatten)]
    pub(crate) talk: TalkArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MeasureFormat {
    /// Tables for people
    Text,
    /// One JSON object
    Json,
    /// A line for each row
    Csv,
    /// One self-contained page with plots
    Html,
}

/// The tables of the paper, and behind them its Figure 2.
const TABLES: std::ops::RangeInclusive<usize> = 1..=12;

fn table_numbers(written: &str) -> Result<List<usize>, String> {
    let list: List<usize> = written.parse()?;
    match list.0.iter().find(|number| !TABLES.contains(number)) {
        Some(number) => Err(format!("the paper has no table {number}; write numbers from 1 to 11, or 12 for Figure 2")),
        None => Ok(list),
    }
}

fn at_least_one(written: &str) -> Result<usize, String> {
    let number = written.parse::<usize>().ok().filter(|number| *number > 0);
    number.ok_or_else(|| format!("'{written}' is no number of queries; write a whole number from 1 on"))
}

/// How much memory a table gets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Amount {
    /// Per cent of all distinct shingles, at 14 bytes each.
    Share(f64),
    Bytes(usize),
}

impl Listed for Eviction {
    fn expand(word: &str) -> Result<Vec<Self>, String> {
        word.parse().map(|one| vec![one]).map_err(|error: headwater::origin::UnknownName| error.to_string())
    }
}

impl Listed for Estimation {
    fn expand(word: &str) -> Result<Vec<Self>, String> {
        word.parse().map(|one| vec![one]).map_err(|error: headwater::origin::UnknownName| error.to_string())
    }
}

impl EvalOriginArgs {
    /// The tables of the paper that are asked for; 12 stands for Figure 2.
    pub(crate) fn tables(&self) -> Option<&[usize]> {
        self.tables.as_ref().map(|list| list.0.as_slice())
    }

    pub(crate) fn truth_memory(&self) -> usize {
        self.truth_memory.0
    }

    pub(crate) fn shingles(&self) -> Result<Vec<usize>, String> {
        match self.shingle.0.iter().find(|k| !(1..=255).contains(*k)) {
            Some(k) => Err(format!("a shingle of {k} tokens; it must have 1 to 255")),
            None => Ok(self.shingle.0.clone()),
        }
    }

    pub(crate) fn amounts(&self) -> Vec<Amount> {
        match (&self.memory, &self.share) {
            (Some(memory), _) => memory.0.iter().map(|size| Amount::Bytes(size.0)).collect(),
            (None, Some(share)) => share.0.iter().copied().map(Amount::Share).collect(),
            (None, None) => SHARES.map(Amount::Share).to_vec(),
        }
    }

    /// Every combination that was asked for, or why the choices do not go together.
    pub(crate) fn algorithms(&self) -> Result<Vec<Algorithm>, String> {
        let names_paper = self.select.is_some()
            || self.evict.is_some()
            || self.estimate.is_some()
            || self.bridge.is_some()
            || self.bucket.is_some();
        let families = match self.algorithm.as_slice() {
            [] if names_paper => vec![Family::Paper],
            [] => vec![Family::Headwater, Family::Paper],
            given => given.to_vec(),
        };
        if names_paper && !families.contains(&Family::Paper) {
            return Err("--select, --evict, --estimate, --bridge and --bucket choose among the paper's algorithms: \
                        add paper to --algorithm, or leave them out"
                .into());
        }
        let mut all = Vec::new();
        for family in families {
            match family {
                Family::Headwater => all.push(Algorithm::Headwater),
                Family::Paper => all.extend(self.papers().into_iter().map(Algorithm::Paper)),
            }
        }
        Ok(all)
    }

    fn papers(&self) -> Vec<Paper> {
        let usual = Paper::default();
        let mut all = Vec::new();
        for &select in listed(&self.select, &usual.select) {
            for &evict in listed(&self.evict, &usual.evict) {
                for &estimate in listed(&self.estimate, &usual.estimate) {
                    for &bridge in listed(&self.bridge, &(usual.bridge as usize)) {
                        for &bucket in listed(&self.bucket, &usual.bucket) {
                            let bridge = u32::try_from(bridge).unwrap_or(u32::MAX);
                            all.push(Paper { select, evict, estimate, bridge, bucket });
                        }
                    }
                }
            }
        }
        all
    }
}

fn listed<'a, T>(list: &'a Option<List<T>>, usual: &'a T) -> &'a [T] {
    list.as_ref().map_or(std::slice::from_ref(usual), |list| &list.0)
}

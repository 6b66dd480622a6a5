//! What is measured, and on which documents.

use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use headwater::neardup::IdfRange;
use headwater::text::Reading;

use super::eval_origin::EvalOriginArgs;
use super::graph::{Duplicates, MaxDf};
use super::size::Size;
use super::{InputArgs, TalkArgs};

/// One evaluation for each question.
#[derive(Debug, Subcommand)]
pub(crate) enum EvalCommand {
    /// The origin paper's experiment: dominant origin, token freshness and selected shingles against memory
    ///
    /// The exact origin of every shingle is worked out first. Then each algorithm goes through all documents in order of
    /// time, and is marked on the last N of them that have a dominant origin: how often it names that origin (DO), how many
    /// tokens it rightly calls fresh or old (TF), and which part of the shingles it sends to its table (ssr). Lists and ranges
    /// give every combination of them; 4..8, 10..100:10 and 1..64*2 are ranges.
    #[command(
        after_help = ORIGIN_EXAMPLES,
        override_usage = "headwater eval origin [OPTIONS] INPUT…"
    )]
    Origin(Box<EvalOriginArgs>),

    /// Precision, recall and F1 of near-duplicates, macro-averaged F1 and adjusted Rand index, for every method and threshold
    ///
    /// Each method's best threshold in the layout of the paper's summary tables, its own values beside ours; --plot draws F1
    /// over all thresholds.
    #[command(
        after_help = "Example:\n  headwater eval cluster licences.jsonl --truth truth.tsv --plot f1.html",
        override_usage = "headwater eval cluster [OPTIONS] --truth FILE INPUT…"
    )]
    Cluster(Box<EvalClusterArgs>),

    /// Coverage, density and average precision of the relationship graph, in the layout of the paper's tables
    ///
    /// For every score and its five thresholds, and for every modulo. Only documents that the truth names are judged: an
    /// edge counts if it touches one of them.
    #[command(
        after_help = "Example:\n  headwater eval graph rfc.jsonl --truth truth.tsv --kind obsoletes",
        override_usage = "headwater eval graph [OPTIONS] --truth FILE INPUT…"
    )]
    Graph(Box<EvalGraphArgs>),

    /// Error and interval coverage of every census method, over known splits of a collection
    #[command(
        after_help = "Example:\n  headwater eval census posts.jsonl.zst -o census.html",
        override_usage = "headwater eval census [OPTIONS] INPUT…"
    )]
    Census(Box<super::EvalCensusArgs>),
}

const ORIGIN_EXAMPLES: &str = "\
Examples:
  headwater eval origin posts.jsonl --queries 1000                  ours and the paper's best at the paper's eight memory sizes
  headwater eval origin posts.jsonl --memory 1MiB..64MiB -o quality.html
  headwater eval origin posts.jsonl --select NHs,NM2..8 --evict LS,CC --estimate BE,NB --share 3.3,0.3
  headwater eval origin posts.jsonl --tables -o tables.txt          all of the paper's tables, its values beside ours";

#[derive(Args, Debug)]
pub(crate) struct EvalClusterArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// The known clusters: a label and an id a line, parted by a tab; or two ids that belong together, and perhaps a kind
    #[arg(long, value_name = "FILE", help_heading = "Truth")]
    pub(crate) truth: PathBuf,

    /// Only pairs of these kinds belong together
    #[arg(long, value_name = "KIND", value_delimiter = ',', help_heading = "Truth")]
    pub(crate) kind: Vec<String>,

    /// Leave out documents that stand first in a line of one of these kinds
    #[arg(long, value_name = "KIND", value_delimiter = ',', help_heading = "Truth")]
    pub(crate) leave_out: Vec<String>,

    /// Judge only pairs with an original: a document that stands second in some line of the truth
    #[arg(long, help_heading = "Truth")]
    pub(crate) originals: bool,

    /// Judge documents of equal words once, under their most frequent label
    #[arg(long, help_heading = "Truth")]
    pub(crate) collapse: bool,

    /// Thresholds that are tried [default: 0.02, 0.04, … 1]
    #[arg(long, value_name = "X", value_delimiter = ',', help_heading = "Method")]
    pub(crate) threshold: Vec<f64>,

    /// Compare only what is neither too frequent nor too rare, with every method: a range of normalised IDF, as in 0.2,0.85
    #[arg(long, value_name = "LOW,HIGH", help_heading = "Method")]
    pub(crate) idf: Option<IdfRange>,

    /// How to print the tables
    #[arg(long, value_name = "FORMAT", value_enum, default_value = "text", help_heading = "Output")]
    pub(crate) format: EvalFormat,

    /// Also draw F1 over all thresholds, a line for each method, as a page
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) plot: Option<PathBuf>,

    /// Write to FILE, whole or not at all, instead of standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) talk: TalkArgs,
}

#[derive(Args, Debug)]
pub(crate) struct EvalGraphArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// The known relations: two ids a line, parted by a tab, and perhaps a kind; or a group and an id a line
    #[arg(long, value_name = "FILE", help_heading = "Truth")]
    pub(crate) truth: PathBuf,

    /// Only relations of these kinds; pairs of other kinds are counted neither as right nor as wrong
    #[arg(long, value_name = "KIND", value_delimiter = ',', help_heading = "Truth")]
    pub(crate) kind: Vec<String>,

    /// Tokens in a chunk
    #[arg(short = 'k', long, visible_alias = "shingle", value_name = "K", default_value_t = 8, value_parser = clap::value_parser!(u8).range(1..), help_heading = "Chunks")]
    pub(crate) chunk: u8,

    /// What a token is: words, chars, code (identifiers and operators) or dna (nucleotides)
    #[arg(long, value_name = "READING", default_value_t = Reading::Words, help_heading = "Chunks")]
    pub(crate) tokens: Reading,

    /// Divisors of fingerprints; the thresholds are divided too, as in the paper
    #[arg(long, value_name = "N", value_delimiter = ',', default_values = ["1", "16", "256"], help_heading = "Chunks")]
    pub(crate) modulo: Vec<NonZeroU32>,

    /// Exact duplicates: judged once, through the first of them (drop), or each (keep)
    #[arg(long, value_name = "HOW", value_enum, default_value = "drop", help_heading = "Chunks")]
    pub(crate) duplicates: Duplicates,

    /// Leave out chunks that more than this share (or, above 1, number) of documents have
    #[arg(long, value_name = "SHARE", help_heading = "Chunks")]
    pub(crate) max_df: Option<MaxDf>,

    /// Memory for counters and sorting
    #[arg(long, value_name = "SIZE", default_value = "256MiB", help_heading = "Chunks")]
    memory: Size,

    /// How to print the tables
    #[arg(long, value_name = "FORMAT", value_enum, default_value = "text", help_heading = "Output")]
    pub(crate) format: EvalFormat,

    /// Write to FILE, whole or not at all, instead of standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) talk: TalkArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EvalFormat {
    /// Tables for people, the paper's values beside ours
    Text,
    /// One JSON object
    Json,
}

impl EvalGraphArgs {
    pub(crate) fn memory(&self) -> usize {
        self.memory.0
    }
}

//! What is measured, and on which documents.

use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use headwater::text::Reading;

use super::graph::{Duplicates, MaxDf};
use super::size::Size;
use super::{InputArgs, TalkArgs};

/// One evaluation for each question.
#[derive(Debug, Subcommand)]
pub(crate) enum EvalCommand {
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

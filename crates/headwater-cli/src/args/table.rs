//! What can be done with kept tables.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::output::TalkArgs;

#[derive(Debug, Subcommand)]
pub(crate) enum TableCommand {
    /// Tell what is in a table: documents, entries, how full it is, what it has forgotten
    #[command(after_help = "Example:\n  headwater table stats news.table")]
    Stats {
        /// The tables
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// Print JSON, one object a line
        #[arg(long)]
        json: bool,
    },

    /// Check every byte of a table and every name in it
    #[command(after_help = "Example:\n  headwater table verify news.table")]
    Verify {
        /// The tables
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },

    /// Make one table of several that have the same settings
    ///
    /// Where two tables know the same text, the earlier origin stays. A bucket that overflows keeps its most useful entries.
    #[command(after_help = "Example:\n  headwater table merge monday.table tuesday.table -o week.table")]
    Merge {
        /// The tables
        #[arg(required = true, num_args = 2.., value_name = "FILE")]
        files: Vec<PathBuf>,
        /// The new table; no file of that name may be there
        #[arg(short, long, value_name = "FILE")]
        output: PathBuf,
    },

    /// Forget documents: what is copied from them later counts as new
    #[command(
        after_help = "Examples:\n  headwater table remove news.table --id post-17 --id post-18\n  headwater table remove news.table --before 2020-01-01"
    )]
    Remove {
        /// The table
        #[arg(value_name = "FILE")]
        file: PathBuf,
        #[command(flatten)]
        which: Which,
    },

    /// Write the entries of a table, one row each
    #[command(after_help = "Example:\n  headwater table export news.table -o entries.parquet")]
    Export {
        /// The table
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// Write to FILE, whole or not at all; its extension tells the form: jsonl, json, csv, tsv or parquet
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
}

#[derive(Args, Debug)]
#[group(required = true, multiple = true)]
pub(crate) struct Which {
    /// The document with this id, and all others that have it; can be given several times
    #[arg(long, value_name = "ID")]
    pub(crate) id: Vec<String>,
    /// Every document that was written before this time
    #[arg(long, value_name = "TIME")]
    pub(crate) before: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct TableArgs {
    #[command(subcommand)]
    pub(crate) command: TableCommand,
    #[command(flatten)]
    pub(crate) talk: TalkArgs,
}

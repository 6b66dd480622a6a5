//! How large collections are beside each other: what `headwater census` is asked for.

use std::io::IsTerminal;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use headwater_io::write::Target;

use super::size::Size;
use super::{InputArgs, TalkArgs, target};

#[derive(Args, Debug)]
pub(crate) struct CensusArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[command(flatten)]
    pub(crate) drawing: DrawingArgs,

    #[command(flatten)]
    pub(crate) engines: EngineArgs,

    #[command(flatten)]
    pub(crate) checking: CheckingArgs,

    /// Write to FILE, whole or not at all, instead of standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,

    /// How to print the answer [default: text on a terminal and for .txt, else json]
    #[arg(long, value_name = "FORMAT", value_enum, help_heading = "Output")]
    format: Option<CensusForm>,

    #[command(flatten)]
    pub(crate) talk: TalkArgs,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "Drawing")]
pub(crate) struct DrawingArgs {
    /// How many documents are drawn from each collection; all, where it has fewer
    #[arg(long, alias = "sample", value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) samples: u32,

    /// Where chance begins: the same seed gives the same answer
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,

    /// How often an interval is to hold the truth
    #[arg(long, value_name = "SHARE", default_value_t = 0.95, value_parser = confidence)]
    pub(crate) confidence: f64,
}

/// What is known of collections that can only be searched.
#[derive(Args, Debug)]
#[command(next_help_heading = "Search engines")]
pub(crate) struct EngineArgs {
    /// How documents are drawn [default: queries where a search endpoint (a file NAME.engine.json) is among the collections,
    /// else uniform]
    #[arg(long, value_name = "METHOD", value_enum)]
    pub(crate) method: Option<DrawBy>,

    /// Documents whose words queries are made of [default: those of the collections that can be read]
    #[arg(long, value_name = "INPUT")]
    pub(crate) vocabulary: Option<PathBuf>,

    /// A log of searches, one a line, for --method searches
    #[arg(long, value_name = "FILE", required_if_eq("method", "searches"))]
    pub(crate) log: Option<PathBuf>,

    /// Pages whose links are followed, HTML or WARC, for --method walk
    #[arg(long, value_name = "INPUT", required_if_eq("method", "walk"))]
    pub(crate) links: Option<PathBuf>,

    /// How many results a search gives
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(2..))]
    pub(crate) results: u32,

    /// Collections that are searched have only so much of each document, from its beginning
    #[arg(long, value_name = "SIZE")]
    truncate: Option<Size>,

    /// Collections that are searched give at most N results of one host
    #[arg(long, value_name = "N")]
    pub(crate) per_host: Option<usize>,
}

/// How documents are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DrawBy {
    /// Each document as likely as any other: for collections that can be read
    Uniform,
    /// Random queries of two words, one of their results; uncorrected and corrected for what queries prefer
    Queries,
    /// A log of searches, and how many results each collection has
    Searches,
    /// Random hosts, and how many pages each collection has of them
    Hosts,
    /// A random walk over links, corrected for what it prefers
    Walk,
}

impl EngineArgs {
    pub(crate) fn truncate(&self) -> Option<usize> {
        self.truncate.map(|size| size.0)
    }
}

#[derive(Args, Debug)]
#[command(next_help_heading = "Checking")]
pub(crate) struct CheckingArgs {
    /// When another collection counts as having a document
    #[arg(long, value_name = "WHAT", value_enum, default_value = "content")]
    pub(crate) by: By,

    /// How alike near-duplicates are, as a share of their shingles
    #[arg(long, value_name = "SHARE", default_value_t = 0.8, value_parser = likeness)]
    pub(crate) threshold: f64,

    /// Tokens in a shingle
    #[arg(short = 'k', long, value_name = "K", default_value_t = 8, value_parser = clap::value_parser!(u8).range(1..))]
    pub(crate) shingle: u8,
}

/// When another collection counts as having a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum By {
    /// It has the same text; in a kept table, the same id, time, address and text
    Content,
    /// It has a near-duplicate, by MinHash signature
    Near,
    /// It has the same address, or the same id where there is no address
    Address,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CensusForm {
    /// One JSON object
    Json,
    /// Tables for people
    Text,
}

#[derive(Args, Debug)]
pub(crate) struct EvalCensusArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// How many times the smaller part the larger one is
    #[arg(long, value_name = "N", value_delimiter = ',', default_values = ["1", "2", "5", "10", "20", "50", "100"], value_parser = clap::value_parser!(u32).range(1..=10_000), help_heading = "Splits")]
    pub(crate) sizes: Vec<u32>,

    /// Which percentage of the smaller part the larger one has
    #[arg(long, value_name = "P", value_delimiter = ',', default_values = ["0", "10", "25", "50", "75", "100"], value_parser = clap::value_parser!(u32).range(0..=100), help_heading = "Splits")]
    pub(crate) overlaps: Vec<u32>,

    /// How many splits there are of each size and overlap
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..), help_heading = "Splits")]
    pub(crate) rounds: u32,

    #[command(flatten)]
    pub(crate) drawing: DrawingArgs,

    /// How to print the tables [default: what FILE's extension says, else text]
    #[arg(long, value_name = "FORMAT", value_enum, help_heading = "Output")]
    format: Option<EvalCensusForm>,

    /// Write to FILE, whole or not at all, instead of standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) talk: TalkArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EvalCensusForm {
    /// Tables for people
    Text,
    /// One JSON object
    Json,
    /// A page with plots
    Html,
}

impl EvalCensusArgs {
    pub(crate) fn form(&self) -> EvalCensusForm {
        let extension =
            self.output.as_deref().and_then(|path| path.extension()).and_then(|extension| extension.to_str());
        self.format.unwrap_or(match extension {
            Some("html") => EvalCensusForm::Html,
            Some("json") => EvalCensusForm::Json,
            _ => EvalCensusForm::Text,
        })
    }

    pub(crate) fn target(&self) -> Target {
        target(self.output.as_deref())
    }
}

impl CensusArgs {
    pub(crate) fn form(&self) -> CensusForm {
        let target = self.target();
        let suits = match &target {
            Target::Stdout => std::io::stdout().is_terminal(),
            Target::File(path) => path.extension().is_some_and(|extension| extension == "txt"),
        };
        self.format.unwrap_or(if suits { CensusForm::Text } else { CensusForm::Json })
    }

    pub(crate) fn target(&self) -> Target {
        target(self.output.as_deref())
    }
}

impl DrawBy {
    pub(crate) fn name(self) -> &'static str {
        match self {
            DrawBy::Uniform => "uniform",
            DrawBy::Queries => "queries",
            DrawBy::Searches => "searches",
            DrawBy::Hosts => "hosts",
            DrawBy::Walk => "walk",
        }
    }
}

impl By {
    pub(crate) fn name(self) -> &'static str {
        match self {
            By::Content => "content",
            By::Near => "near",
            By::Address => "address",
        }
    }
}

fn confidence(written: &str) -> Result<f64, String> {
    let share = written.parse().ok().filter(|share: &f64| *share > 0.0 && *share < 1.0);
    share.ok_or_else(|| "it must lie between 0 and 1, as 0.95".into())
}

fn likeness(written: &str) -> Result<f64, String> {
    let share = written.parse().ok().filter(|share: &f64| *share > 0.0 && *share <= 1.0);
    share.ok_or_else(|| "it must be above 0 and at most 1, as 0.8".into())
}

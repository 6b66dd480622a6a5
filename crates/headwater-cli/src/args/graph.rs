//! Which documents share text: what `headwater graph` is asked for.

use std::fmt;
use std::io::IsTerminal;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use headwater::coderivative::filter::{Anchor, Pipeline, Rare};
use headwater::coderivative::{Schedule, Score};
use headwater::select::Selection;
use headwater::text::{Reading, Tokens};
use headwater_io::write::{GraphFormat, OutputFormat, Target};

use super::size::Size;
use super::{InputArgs, TalkArgs, target};

#[derive(Args, Debug)]
pub(crate) struct GraphArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// Tokens in a chunk: the shortest passage that counts as shared
    #[arg(short = 'k', long, visible_alias = "shingle", value_name = "K", default_value_t = 8, value_parser = clap::value_parser!(u8).range(1..), help_heading = "Chunks")]
    pub(crate) chunk: u8,

    /// What a token is: words, chars, code (identifiers and operators) or dna (nucleotides)
    #[arg(long, value_name = "READING", default_value_t = Reading::Words, help_heading = "Chunks")]
    pub(crate) tokens: Reading,

    #[command(flatten)]
    pub(crate) selection: ChunkArgs,

    #[command(flatten)]
    pub(crate) relation: RelationArgs,

    #[command(flatten)]
    pub(crate) output: GraphOutputArgs,

    #[command(flatten)]
    pub(crate) talk: TalkArgs,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "Chunks")]
pub(crate) struct ChunkArgs {
    /// Keep only chunks whose fingerprint is divisible by N: an index of one Nth the size that can miss pairs
    ///
    /// Scores become about one Nth, and so does the default threshold.
    #[arg(long, value_name = "N")]
    modulo: Option<NonZeroU32>,

    /// A further filter for chunks: 4th, M4, W8, Hs, or NM3, NW8, NHs without complete overlap
    ///
    /// Scores fall with the share of chunks that is kept, and so does the default threshold.
    #[arg(long, value_name = "NAME")]
    select: Option<Selection>,

    /// Keep only chunks that begin with one of these words
    #[arg(long, value_name = "WORDS")]
    anchor: Option<String>,

    /// Keep only rare chunks, those that at most N documents have; how many are left out is told
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..))]
    rare: Option<u32>,

    /// Exact duplicates: one of them takes part and the others inherit its edges, or are dropped; or all take part
    #[arg(long, value_name = "HOW", value_enum, default_value = "inherit")]
    pub(crate) duplicates: Duplicates,

    /// Memory for everything; what has no room in it goes to temporary files
    ///
    /// What is kept of the documents, the sets of those that share chunks, and the edges take what they need of it, and counters
    /// and sorting make do with the rest, but never with less than a quarter. While documents are read, about a hundred bytes for
    /// each lie beside it.
    #[arg(long, value_name = "SIZE", default_value = "256MiB")]
    memory: Size,

    /// Lengths that are counted on the way to K: as few as memory allows, or the paper's 1, 2, … K; the answer is the same
    #[arg(long, value_name = "NAME", value_enum, default_value = "fast")]
    schedule: ScheduleName,

    /// Also say how full the counters were after each pass (the paper's Figure 3)
    #[arg(long)]
    pub(crate) occupancy: bool,

    /// Continue the index in FILE with these documents, or begin one; the graph is that of all documents in it
    #[arg(long, value_name = "FILE")]
    pub(crate) index: Option<PathBuf>,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "Graph")]
pub(crate) struct RelationArgs {
    /// How a pair is scored: S1 shared chunks; S2 over the shorter length; S3 over the mean length; S4 rare chunks count more; S5 even more
    #[arg(long, value_name = "NAME", default_value_t = Score::S4)]
    pub(crate) score: Score,

    /// The least score of an edge [default: 20 for S1, 0.1 for the others]
    #[arg(long, value_name = "X")]
    threshold: Option<f64>,

    /// Leave out chunks that more than this share (or, above 1, number) of documents have; how many is told
    #[arg(long, value_name = "SHARE")]
    pub(crate) max_df: Option<MaxDf>,

    /// Only the edges of this document, with the shared passages of both sides
    #[arg(long = "for", value_name = "DOCUMENT")]
    pub(crate) subject: Option<String>,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "Output")]
pub(crate) struct GraphOutputArgs {
    /// Write to FILE, whole or not at all, instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// The form of the graph [default: what FILE's extension says, else jsonl; with --for on a terminal text]
    #[arg(long, value_name = "FORMAT", value_enum)]
    format: Option<FormatName>,

    /// Also write the shared chunks to FILE: text and documents of each; exact duplicates count as one document
    #[arg(long, value_name = "FILE")]
    pub(crate) chunks: Option<PathBuf>,

    /// Also write the connected clusters to FILE
    #[arg(long, value_name = "FILE")]
    pub(crate) clusters: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Duplicates {
    /// The first takes part; the others have its edges, and one to each other
    Inherit,
    /// The first takes part; the others are left out of the graph
    Drop,
    /// All take part like any other document
    Keep,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ScheduleName {
    Fast,
    Paper,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FormatName {
    /// One JSON object an edge
    Jsonl,
    /// One JSON array
    Json,
    /// Comma-separated
    Csv,
    /// Columns, compressed
    Parquet,
    /// XML for Gephi, yEd, networkx
    Graphml,
    /// XML for Gephi
    Gexf,
    /// For Graphviz
    Dot,
    /// One page with the graph drawn and the shared passages behind its edges
    Html,
    /// For reading: with --for, the shared passages side by side
    Text,
}

/// The form of the answers, decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GraphForm {
    Rows(OutputFormat),
    Graph(GraphFormat),
    Html,
    Text,
}

/// In how many documents a chunk may stand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum MaxDf {
    Share(f64),
    Number(u32),
}

impl ChunkArgs {
    /// The stages after SPEX, or why they cannot be.
    pub(crate) fn pipeline(&self, reading: Reading) -> Result<Pipeline, String> {
        let mut pipeline = Pipeline::default();
        if let Some(l) = self.modulo {
            pipeline.push(Selection::Modulo { l, lean: false });
        }
        match self.select {
            Some(Selection::HashBreaking { .. } | Selection::Dct { .. }) => {
                return Err("--select takes no Hb and no Dct here: their segments are no chunks of K tokens".into());
            }
            Some(select) => pipeline.push(select),
            None => {}
        }
        if let Some(words) = &self.anchor {
            let mut tokens = Tokens::new();
            tokens.read(words, reading).map_err(|error| error.to_string())?;
            if tokens.is_empty() {
                return Err(format!("--anchor {words:?} has no word in it"));
            }
            pipeline.push(Anchor::new(tokens.hashes().to_vec()));
        }
        if let Some(most) = self.rare {
            pipeline.push(Rare { most });
        }
        Ok(pipeline)
    }

    /// About which part of the chunks of `k` tokens is left by the filters that do not look at their words.
    fn kept(&self, k: u32) -> f64 {
        let one_in = |n: NonZeroU32| 1.0 / f64::from(n.get());
        let (share, is_lean) = match self.select {
            Some(Selection::Every(l)) => (one_in(l), false),
            Some(Selection::Modulo { l, lean }) => (one_in(l), lean),
            Some(Selection::Winnowing { w, lean }) => (2.0 / (f64::from(w.get()) + 1.0), lean),
            Some(Selection::Hailstorm { lean }) => ((2.0 / f64::from(k)).min(1.0), lean),
            Some(Selection::All | Selection::HashBreaking { .. } | Selection::Dct { .. }) | None => (1.0, false),
        };
        // What is left without complete overlap covers every token little more than once (Table 3 of the origin paper).
        let covering = if is_lean { 1.3 / f64::from(k) } else { 1.0 };
        self.modulo.map_or(1.0, one_in) * share.min(covering)
    }

    /// The stages in writing: the same for the same chunks.
    pub(crate) fn written(&self) -> String {
        let modulo = self.modulo.map(|modulo| format!("modulo {modulo}"));
        let select = self.select.map(|select| format!("select {select}"));
        let anchor = self.anchor.as_ref().map(|words| format!("anchor {words}"));
        let rare = self.rare.map(|most| format!("rare {most}"));
        [modulo, select, anchor, rare].into_iter().flatten().collect::<Vec<_>>().join("; ")
    }

    pub(crate) fn memory(&self) -> usize {
        self.memory.0
    }

    pub(crate) fn schedule(&self) -> Schedule {
        match self.schedule {
            ScheduleName::Fast => Schedule::Fast,
            ScheduleName::Paper => Schedule::Paper,
        }
    }
}

impl RelationArgs {
    /// The threshold that was asked for, or the usual one for this score and for so many of the chunks of `k` tokens as are kept.
    pub(crate) fn threshold(&self, chunks: &ChunkArgs, k: u32) -> Result<f64, String> {
        match self.threshold {
            Some(threshold) if threshold.is_finite() && threshold >= 0.0 => Ok(threshold),
            Some(threshold) => Err(format!("--threshold {threshold} is no score; write a number from 0 on")),
            None => {
                let usual = if self.score == Score::S1 { 20.0 } else { 0.1 };
                Ok(usual * chunks.kept(k))
            }
        }
    }
}

impl GraphOutputArgs {
    /// What the user asked for, else what the file's name says, else what suits.
    pub(crate) fn form(&self, is_search: bool) -> Result<GraphForm, String> {
        let form = match self.format {
            Some(FormatName::Jsonl) => GraphForm::Rows(OutputFormat::Jsonl),
            Some(FormatName::Json) => GraphForm::Rows(OutputFormat::Json),
            Some(FormatName::Csv) => GraphForm::Rows(OutputFormat::Csv),
            Some(FormatName::Parquet) => GraphForm::Rows(OutputFormat::Parquet),
            Some(FormatName::Graphml) => GraphForm::Graph(GraphFormat::GraphMl),
            Some(FormatName::Gexf) => GraphForm::Graph(GraphFormat::Gexf),
            Some(FormatName::Dot) => GraphForm::Graph(GraphFormat::Dot),
            Some(FormatName::Html) => GraphForm::Html,
            Some(FormatName::Text) => GraphForm::Text,
            None => match self.target() {
                Target::Stdout if is_search && std::io::stdout().is_terminal() => GraphForm::Text,
                Target::Stdout => GraphForm::Rows(OutputFormat::Jsonl),
                file => by_name(&file)
                    .ok_or_else(|| format!("the name {file} does not tell the form of the graph; add --format"))?,
            },
        };
        if form == GraphForm::Text && !is_search {
            return Err(
                "--format text shows one document's passages; add --for DOCUMENT, or choose another form".into()
            );
        }
        Ok(form)
    }

    pub(crate) fn target(&self) -> Target {
        target(self.output.as_deref())
    }
}

fn by_name(file: &Target) -> Option<GraphForm> {
    let Target::File(path) = file else { return None };
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("graphml") => Some(GraphForm::Graph(GraphFormat::GraphMl)),
        Some("gexf") => Some(GraphForm::Graph(GraphFormat::Gexf)),
        Some("dot" | "gv") => Some(GraphForm::Graph(GraphFormat::Dot)),
        Some("html" | "htm") => Some(GraphForm::Html),
        Some("txt") => Some(GraphForm::Text),
        _ => OutputFormat::of(file).map(GraphForm::Rows),
    }
}

impl MaxDf {
    /// The largest number of documents that a chunk may stand in, among so many.
    pub(crate) fn most(self, documents: u32) -> u32 {
        match self {
            MaxDf::Share(share) => (share * f64::from(documents)).floor() as u32,
            MaxDf::Number(number) => number,
        }
    }
}

impl FromStr for MaxDf {
    type Err = String;

    fn from_str(written: &str) -> Result<Self, String> {
        match written.parse::<f64>() {
            Ok(share) if share > 0.0 && share <= 1.0 => Ok(MaxDf::Share(share)),
            Ok(number) if number >= 2.0 && number.fract() == 0.0 && number <= f64::from(u32::MAX) => {
                Ok(MaxDf::Number(number as u32))
            }
            _ => Err(format!("'{written}' is neither a share of documents (0.05) nor a number of them (100)")),
        }
    }
}

impl fmt::Display for MaxDf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MaxDf::Share(share) => share.fmt(f),
            MaxDf::Number(number) => number.fmt(f),
        }
    }
}

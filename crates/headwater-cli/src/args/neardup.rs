//! How near-duplicates are found.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use headwater::neardup::{Bands, Hashing, IdfRange, Language, Measure, Method, Settings, Vocabulary};
use headwater_io::write::{OutputFormat, Target};

use super::size::Size;
use super::{TokenArgs, target};

#[derive(Args, Debug)]
pub(crate) struct NeardupArgs {
    /// What is compared, and how: auto looks at the first documents and takes spotsigs for running text, else shingles
    #[arg(long, value_name = "METHOD", value_enum, default_value = "auto", help_heading = "Method")]
    method: MethodName,

    /// The least likeness that counts, from 0 (every pair) to 1 (equal) [default: `cluster` reads it off the collection where it can;
    /// else 0.44 for spot signatures and 0.5 for all others]
    ///
    /// What documents share anyway and what copies share are two hills on the line of likenesses; `cluster` cuts in the valley
    /// between them, and says so. Where documents share nothing by chance, every shared shingle counts.
    ///
    /// A cluster holds what such pairs connect, also through others: of a page that changed step by step, the first version and
    /// the last may be less alike than this and still be in one. `dedup` keeps one document of a cluster, logs how alike to it
    /// each of the others is, and says how many are less alike than this.
    #[arg(long, value_name = "X", help_heading = "Method")]
    threshold: Option<f64>,

    /// How likeness is measured: jaccard, cosine or containment (how much of the smaller is in the larger)
    #[arg(long, value_name = "MEASURE", default_value_t = Measure::Jaccard, help_heading = "Method")]
    measure: Measure,

    /// Compare only what is neither too frequent nor too rare: a range of normalised IDF, as in 0.2,0.85
    #[arg(long, value_name = "LOW,HIGH", help_heading = "Method")]
    idf: Option<IdfRange>,

    /// Count a shingle as often as it occurs
    #[arg(long, help_heading = "Method")]
    repeats: bool,

    /// Memory for signatures, with spotsigs or shingles; the rest goes to temporary files, and the answer is the same
    /// [default: as much as they take]
    ///
    /// Beside it lie about a hundred bytes for each document, and the pairs that are found.
    #[arg(long, value_name = "SIZE", help_heading = "Method")]
    memory: Option<Size>,

    /// Languages whose function words spots stand behind, or `derive` to take the collection's most frequent short words
    /// [default: each document's own of en, de, fr, es, it, pt, nl]
    #[arg(long, value_name = "CODES", value_delimiter = ',', help_heading = "Spot signatures")]
    language: Vec<String>,

    /// The words that spots stand behind, instead of a language's
    #[arg(
        long,
        value_name = "WORDS",
        value_delimiter = ',',
        conflicts_with = "language",
        help_heading = "Spot signatures"
    )]
    antecedents: Vec<String>,

    /// The words that are passed over inside a spot, beside the antecedents
    #[arg(
        long,
        value_name = "WORDS",
        value_delimiter = ',',
        requires = "antecedents",
        help_heading = "Spot signatures"
    )]
    stop_words: Vec<String>,

    /// The paper's d: tokens from one word of a spot to the next
    #[arg(long, value_name = "D", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..), help_heading = "Spot signatures")]
    distance: u8,

    /// The paper's c: words in a spot
    #[arg(long, value_name = "C", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..), help_heading = "Spot signatures")]
    chain: u8,

    /// Entries in a MinHash sketch
    #[arg(long, value_name = "N", default_value_t = 128, help_heading = "Sketches")]
    permutations: usize,

    /// How sketches are made: classic or one-permutation
    #[arg(long, value_name = "HOW", default_value_t = Hashing::Classic, help_heading = "Sketches")]
    hashing: Hashing,

    /// Bands and rows of a sketch, as in 32x4 [default: chosen from the threshold]
    #[arg(long, value_name = "LxK", value_parser = bands, help_heading = "Sketches")]
    bands: Option<Bands>,

    /// Trust sketches instead of comparing candidates exactly
    #[arg(long, help_heading = "Sketches")]
    no_verify: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum MethodName {
    /// By the data
    Auto,
    /// Spot signatures, every pair at the threshold
    Spotsigs,
    /// Shingles, every pair at the threshold
    Shingles,
    /// Shingles, candidates by MinHash
    Minhash,
    /// Spot signatures, candidates by MinHash
    LshS,
    /// Equal words of middling frequency
    Imatch,
    /// Equal spot signatures of middling frequency
    ImatchS,
}

/// Where the words that spots stand behind come from.
#[derive(Clone, Debug)]
pub(crate) enum Words {
    Known(Vocabulary),
    /// To be counted in the collection first.
    Derived,
}

impl NeardupArgs {
    /// The method, unless the data is to decide.
    pub(crate) fn method(&self) -> Option<Method> {
        match self.method {
            MethodName::Auto => None,
            MethodName::Spotsigs => Some(Method::SpotSigs),
            MethodName::Shingles => Some(Method::Shingles),
            MethodName::Minhash => Some(Method::MinHash),
            MethodName::LshS => Some(Method::LshS),
            MethodName::Imatch => Some(Method::IMatch),
            MethodName::ImatchS => Some(Method::IMatchS),
        }
    }

    /// Whether a threshold was given.
    pub(crate) fn has_threshold(&self) -> bool {
        self.threshold.is_some()
    }

    /// How many bytes signatures may take, if that is limited.
    pub(crate) fn memory(&self) -> Option<usize> {
        self.memory.map(|size| size.0)
    }

    /// The words that spots stand behind.
    pub(crate) fn words(&self) -> Result<Words, String> {
        if !self.antecedents.is_empty() {
            let stop_words = self.stop_words.iter().map(String::as_str);
            return Ok(Words::Known(Vocabulary::given(self.antecedents.iter().map(String::as_str), stop_words)));
        }
        match self.language.as_slice() {
            [] => Ok(Words::Known(Vocabulary::of(&Language::ALL))),
            [one] if one == "derive" => Ok(Words::Derived),
            codes => {
                let languages: Result<Vec<Language>, _> = codes.iter().map(|code| code.parse()).collect();
                Ok(Words::Known(Vocabulary::of(&languages.map_err(|error| format!("{error}, or derive"))?)))
            }
        }
    }

    /// What to do with this method, or why the choices do not go together.
    pub(crate) fn settings(&self, method: Method, tokens: &TokenArgs, words: Vocabulary) -> Result<Settings, String> {
        let usual = Settings::new(method);
        let mut spots = headwater::neardup::Spots::new(words);
        (spots.distance, spots.chain) = (self.distance.into(), self.chain.into());
        let settings = Settings {
            method,
            reading: tokens.tokens,
            k: if method == Method::IMatch { 1 } else { tokens.shingle.into() },
            repeats: self.repeats,
            spots,
            measure: self.measure,
            threshold: self.threshold.unwrap_or(usual.threshold),
            idf: self.idf.or(usual.idf),
            permutations: self.permutations,
            hashing: self.hashing,
            bands: self.bands,
            verify: !self.no_verify,
        };
        settings.bound().map_err(|error| error.to_string())?;
        Ok(settings)
    }
}

fn bands(written: &str) -> Result<Bands, String> {
    let parse = || {
        let (count, rows) = written.split_once('x')?;
        Some(Bands { count: count.parse().ok()?, rows: rows.parse().ok()? })
    };
    parse().ok_or_else(|| "write bands and rows as 32x4".into())
}

/// How signatures outlive the run.
#[derive(Args, Debug)]
#[command(next_help_heading = "Index")]
pub(crate) struct SignatureIndexArgs {
    /// Continue the index of signatures in FILE with these documents, or begin one; clusters are those of all documents in it
    #[arg(long, value_name = "FILE")]
    index: Option<PathBuf>,

    /// Only ask what is like one of these documents; the index stays as it is, and any number of runs can use it at once
    #[arg(long, requires = "index")]
    no_add: bool,
}

impl SignatureIndexArgs {
    pub(crate) fn path(&self) -> Option<&Path> {
        self.index.as_deref()
    }

    pub(crate) fn is_given(&self) -> bool {
        self.index.is_some()
    }

    /// Whether the index is to stay as it is.
    pub(crate) fn asks(&self) -> bool {
        self.no_add
    }
}

#[derive(Args, Debug)]
#[command(next_help_heading = "Output")]
pub(crate) struct ClusterOutputArgs {
    /// Give every pair with its likeness instead of clusters
    #[arg(long)]
    pub(crate) pairs: bool,

    /// Also name the one document that stands for each cluster
    #[arg(long, value_name = "WHICH", value_enum, conflicts_with = "pairs")]
    pub(crate) representative: Option<Representative>,

    /// Write to FILE, whole or not at all, instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// The form of the answers [default: what FILE's extension says, else jsonl]
    #[arg(long, value_name = "FORMAT", value_enum)]
    format: Option<ClusterFormat>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ClusterFormat {
    /// One JSON object a line
    Jsonl,
    /// One JSON array
    Json,
    /// Comma-separated
    Csv,
    /// Columns, compressed
    Parquet,
    /// One page: clusters by size, members side by side with their differences marked
    Html,
}

/// The form of the answers, decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClusterForm {
    Rows(OutputFormat),
    Html,
}

/// Which document of a cluster stands for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Representative {
    /// The earliest by its time
    Earliest,
    /// The one with most tokens
    Longest,
    /// The first in the input
    First,
    /// The one that is most like all others
    Central,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RowFormat {
    /// One JSON object a line
    Jsonl,
    /// One JSON array
    Json,
    /// Comma-separated
    Csv,
    /// Separated by tabs
    Tsv,
    /// Columns, compressed
    Parquet,
}

impl ClusterOutputArgs {
    pub(crate) fn target(&self) -> Target {
        target(self.output.as_deref())
    }

    pub(crate) fn form(&self) -> Result<ClusterForm, String> {
        let rows = match self.format {
            Some(ClusterFormat::Jsonl) => Some(RowFormat::Jsonl),
            Some(ClusterFormat::Json) => Some(RowFormat::Json),
            Some(ClusterFormat::Csv) => Some(RowFormat::Csv),
            Some(ClusterFormat::Parquet) => Some(RowFormat::Parquet),
            Some(ClusterFormat::Html) => return self.page(),
            None => None,
        };
        let extension =
            self.output.as_deref().and_then(|path| path.extension()).and_then(|extension| extension.to_str());
        match (rows, extension) {
            (None, Some("html" | "htm")) => self.page(),
            _ => format_of(rows, &self.target()).map(ClusterForm::Rows),
        }
    }

    fn page(&self) -> Result<ClusterForm, String> {
        if self.pairs {
            Err("a page shows clusters; leave out --pairs or choose another form".into())
        } else {
            Ok(ClusterForm::Html)
        }
    }
}

/// What the user asked for, else what the file's name says, else JSONL.
pub(crate) fn format_of(asked: Option<RowFormat>, target: &Target) -> Result<OutputFormat, String> {
    match (asked, target) {
        (Some(format), _) => Ok(format.into()),
        (None, Target::Stdout) => Ok(OutputFormat::Jsonl),
        (None, target) => OutputFormat::of(target)
            .ok_or_else(|| format!("the name {target} does not say in which format to write; give --format")),
    }
}

impl From<RowFormat> for OutputFormat {
    fn from(format: RowFormat) -> Self {
        match format {
            RowFormat::Jsonl => OutputFormat::Jsonl,
            RowFormat::Json => OutputFormat::Json,
            RowFormat::Csv => OutputFormat::Csv,
            RowFormat::Tsv => OutputFormat::Tsv,
            RowFormat::Parquet => OutputFormat::Parquet,
        }
    }
}

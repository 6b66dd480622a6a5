//! What a made-up stream is to be like.

use std::path::PathBuf;

use clap::Args;
use headwater::generate::Settings;

use super::TalkArgs;
use super::neardup::RowFormat;
use super::size::Size;

#[derive(Args, Debug)]
pub(crate) struct GenerateArgs {
    /// How many posts [default: 10000, or as many as --size takes]
    #[arg(long, value_name = "N", help_heading = "Stream")]
    documents: Option<u64>,

    /// End when so much text is written
    #[arg(long, value_name = "SIZE", conflicts_with = "documents", help_heading = "Stream")]
    size: Option<Size>,

    /// Another seed is another stream; the same seed and options are the same bytes
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Stream")]
    seed: u64,

    /// Words of a post's own text, the median
    #[arg(long, value_name = "N", default_value_t = Settings::default().words, help_heading = "Stream")]
    words: f64,

    /// Which part of all shingles is copied from earlier posts
    #[arg(long, value_name = "SHARE", default_value_t = Settings::default().copy_ratio, help_heading = "Copies")]
    copy_ratio: f64,

    /// The probability that a copied word is changed
    #[arg(long, value_name = "SHARE", default_value_t = Settings::default().edits, help_heading = "Copies")]
    edits: f64,

    /// The shortest copied passage in words
    #[arg(long, value_name = "N", default_value_t = Settings::default().block, help_heading = "Copies")]
    block: f64,

    /// The exponent of the lengths of passages: the smaller, the longer the tail
    #[arg(long, value_name = "X", default_value_t = Settings::default().tail, help_heading = "Copies")]
    tail: f64,

    /// The exponent of Zipf's law by which posts are copied; 0 has no favourites
    #[arg(long, value_name = "X", default_value_t = Settings::default().popularity, help_heading = "Copies")]
    popularity: f64,

    /// Tokens in a shingle, for which the copy ratio and the truth hold
    #[arg(short = 'k', long = "shingle", value_name = "K", default_value_t = 8, value_parser = clap::value_parser!(u8).range(1..), help_heading = "Copies")]
    shingle: u8,

    /// Write to FILE, whole or not at all, instead of standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    /// Also write the truth to FILE, in the form of the answers of `headwater trace`
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) truth: Option<PathBuf>,

    /// The form of the posts [default: what FILE's extension says, else jsonl]
    #[arg(long, value_name = "FORMAT", value_enum, help_heading = "Output")]
    pub(crate) format: Option<RowFormat>,

    #[command(flatten)]
    pub(crate) talk: TalkArgs,
}

impl GenerateArgs {
    pub(crate) fn settings(&self) -> Settings {
        Settings {
            seed: self.seed,
            k: self.shingle.into(),
            words: self.words,
            copy_ratio: self.copy_ratio,
            edits: self.edits,
            block: self.block,
            tail: self.tail,
            popularity: self.popularity,
        }
    }

    /// The most posts, and the most bytes of text.
    pub(crate) fn limits(&self) -> (u64, u64) {
        match (self.documents, self.size) {
            (Some(documents), _) => (documents, u64::MAX),
            (None, Some(size)) => (u64::MAX, size.0 as u64),
            (None, None) => (10_000, u64::MAX),
        }
    }
}

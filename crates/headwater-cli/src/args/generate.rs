//! What a made-up stream is to be like.

use std::path::PathBuf;

use clap::Args;
use headwater::generate::{PageSettings, Settings};

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

    /// Words of a post's own text, or of an article, the median [default: 110, of articles 220]
    #[arg(long, value_name = "N", help_heading = "Stream")]
    words: Option<f64>,

    /// Which part of all shingles is copied from earlier posts, 0 to 0.7
    ///
    /// With many edits, short texts or long shingles less can be reached than is asked for, and that is told.
    #[arg(long, value_name = "SHARE", default_value_t = Settings::default().copy_ratio, help_heading = "Copies")]
    copy_ratio: f64,

    /// The probability that a copied word is changed [default: 0.01, of pages 0.02]
    #[arg(long, value_name = "SHARE", help_heading = "Copies")]
    edits: Option<f64>,

    /// The shortest copied passage in words
    #[arg(long, value_name = "N", default_value_t = Settings::default().block, help_heading = "Copies")]
    block: f64,

    /// The exponent of the lengths of passages: the smaller, the longer the tail
    #[arg(long, value_name = "X", default_value_t = Settings::default().tail, help_heading = "Copies")]
    tail: f64,

    /// The exponent of Zipf's law by which posts are copied; 0 has no favourites
    #[arg(long, value_name = "X", default_value_t = Settings::default().popularity, help_heading = "Copies")]
    popularity: f64,

    /// Tokens in a shingle, for which the copy ratio and the truth hold: 5 or more
    ///
    /// Shorter ones repeat by chance, and the truth knows only of what was planted. Among 100,000 posts a few have a shingle of 5
    /// tokens by chance, and none one of 6.
    #[arg(short = 'k', long = "shingle", value_name = "K", default_value_t = 8, value_parser = clap::value_parser!(u8).range(1..), help_heading = "Copies")]
    shingle: u8,

    /// Make framed news pages instead of posts, as HTML: articles that many invented sites print, in frames of their own
    ///
    /// Written as a web archive, or as a folder of HTML files where FILE is no name of one. The truth is a line for each page:
    /// its article and its id; pages with the same article are near-duplicates. --documents, --seed, --words and --edits are
    /// those of pages then.
    #[arg(long, conflicts_with_all = ["copy_ratio", "block", "tail", "popularity", "shingle", "format", "size"], help_heading = "Pages")]
    pub(crate) pages: bool,

    /// Take the articles from these documents instead of making them up
    #[arg(long, value_name = "INPUT", requires = "pages", help_heading = "Pages")]
    pub(crate) articles_of: Vec<PathBuf>,

    /// How many articles there are [default: one for 32 pages, as in the paper's gold set]
    #[arg(long, value_name = "N", requires = "pages", conflicts_with = "articles_of", help_heading = "Pages")]
    articles: Option<u64>,

    /// How many sites print them [default: one for 8 pages]
    #[arg(long, value_name = "N", requires = "pages", help_heading = "Pages")]
    sites: Option<u64>,

    /// Words around the article, the median over all sites
    #[arg(long, value_name = "N", default_value_t = PageSettings::default().frame, requires = "pages", help_heading = "Pages")]
    frame: f64,

    /// Write to FILE, whole or not at all, instead of standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    /// Also write the truth to FILE: of posts in the form of the answers of `headwater trace`, of pages for `headwater eval cluster`
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
        let usual = Settings::default();
        Settings {
            seed: self.seed,
            k: self.shingle.into(),
            words: self.words.unwrap_or(usual.words),
            copy_ratio: self.copy_ratio,
            edits: self.edits.unwrap_or(usual.edits),
            block: self.block,
            tail: self.tail,
            popularity: self.popularity,
        }
    }

    pub(crate) fn page_settings(&self) -> PageSettings {
        let usual = PageSettings::default();
        PageSettings {
            seed: self.seed,
            sites: self.sites.unwrap_or_else(|| self.limits().0.div_ceil(8).max(1)),
            articles: self.articles.unwrap_or_else(|| self.limits().0.div_ceil(32).max(1)),
            words: self.words.unwrap_or(usual.words),
            edits: self.edits.unwrap_or(usual.edits),
            frame: self.frame,
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

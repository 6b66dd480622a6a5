//! How origins are found.

use clap::{Args, ValueEnum};
use headwater::origin::{Algorithm, Estimation, Eviction, Paper, Settings};
use headwater::select::Selection;
use headwater::text::Reading;

use super::size::Size;

#[derive(Args, Debug)]
#[command(next_help_heading = "Tokens")]
pub(crate) struct TokenArgs {
    /// Tokens in a shingle: the shortest passage that counts as copied
    #[arg(short = 'k', long = "shingle", value_name = "K", default_value_t = 8, value_parser = clap::value_parser!(u8).range(1..))]
    pub(crate) shingle: u8,

    /// What a token is: words, chars, code (identifiers and operators) or dna (nucleotides)
    #[arg(long, value_name = "READING", default_value_t = Reading::Words)]
    pub(crate) tokens: Reading,
}

#[derive(Args, Debug)]
pub(crate) struct OriginArgs {
    /// Our own algorithm, or the paper's; naming any of --select, --evict and --estimate chooses the paper's
    #[arg(long, value_name = "NAME", value_enum, help_heading = "Selection")]
    algorithm: Option<Family>,

    /// The paper's selection of shingles: All, 4th, M4, W8, Hb3, Dct8, Hs, or NM3, NW8, NHs without complete overlap
    #[arg(long, value_name = "NAME", help_heading = "Selection")]
    select: Option<Selection>,

    /// Memory of the table of origins, which never grows, however long the stream
    #[arg(long, value_name = "SIZE", default_value = "256MiB", help_heading = "Table")]
    memory: Size,

    /// The paper's eviction from a full bucket: R, LRU, CC or LS
    #[arg(long, value_name = "NAME", help_heading = "Table")]
    evict: Option<Eviction>,

    /// Entries in a bucket of the paper's table, 4 to 256
    #[arg(long, value_name = "N", help_heading = "Table")]
    bucket: Option<usize>,

    /// Makes random eviction (R) repeatable
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Table")]
    seed: u64,

    /// The paper's estimation of what was not found: NB, E, B or BE
    #[arg(long, value_name = "NAME", help_heading = "Estimation")]
    estimate: Option<Estimation>,

    /// The paper's T: a bridge spans fewer selected shingles than this
    #[arg(long, value_name = "T", help_heading = "Estimation")]
    bridge: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Family {
    /// Our own
    Headwater,
    /// The paper's: NHs, LS and BE where not named otherwise
    Paper,
}

impl OriginArgs {
    /// What the tracer is to do, or why these choices do not go together.
    pub(crate) fn settings(&self, tokens: &TokenArgs) -> Result<Settings, String> {
        let papers: Vec<&str> = [
            ("--select", self.select.is_some()),
            ("--evict", self.evict.is_some()),
            ("--estimate", self.estimate.is_some()),
            ("--bucket", self.bucket.is_some()),
            ("--bridge", self.bridge.is_some()),
        ]
        .into_iter()
        .filter_map(|(flag, given)| given.then_some(flag))
        .collect();
        let algorithm = match self.algorithm {
            Some(Family::Headwater) if !papers.is_empty() => {
                return Err(format!(
                    "--algorithm headwater takes no {}: that is a choice of the paper's algorithms",
                    papers.join(", ")
                ));
            }
            Some(Family::Headwater) => Algorithm::Headwater,
            None if papers.is_empty() => Algorithm::Headwater,
            Some(Family::Paper) | None => {
                let usual = Paper::default();
                Algorithm::Paper(Paper {
                    select: self.select.unwrap_or(usual.select),
                    evict: self.evict.unwrap_or(usual.evict),
                    estimate: self.estimate.unwrap_or(usual.estimate),
                    bridge: self.bridge.unwrap_or(usual.bridge),
                    bucket: self.bucket.unwrap_or(usual.bucket),
                })
            }
        };
        let settings = Settings {
            k: tokens.shingle.into(),
            memory: self.memory.0,
            reading: tokens.tokens,
            algorithm,
            seed: self.seed,
        };
        settings.check().map_err(|error| error.to_string())?;
        Ok(settings)
    }
}

//! How origins are found.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use headwater::origin::{Algorithm, Estimation, Eviction, Paper, Settings};
use headwater::select::Selection;
use headwater::text::Reading;
use headwater_io::table;
use headwater_io::write::Target;

use super::duration::Span;
use super::given::Given;
use super::size::Size;

#[derive(Args, Debug)]
#[command(next_help_heading = "Tokens")]
pub(crate) struct TokenArgs {
    /// Tokens in a shingle: no shorter passage counts as copied
    #[arg(short = 'k', long = "shingle", value_name = "K", default_value_t = 8, value_parser = clap::value_parser!(u8).range(1..))]
    pub(crate) shingle: u8,

    /// What a token is: words, chars, code (identifiers and operators) or dna (nucleotides)
    #[arg(long, value_name = "READING", default_value_t = Reading::Words)]
    pub(crate) tokens: Reading,
}

#[derive(Args, Debug)]
pub(crate) struct OriginArgs {
    /// Our own algorithm, or the paper's; naming any of --select, --evict, --bucket, --estimate and --bridge chooses the paper's
    #[arg(long, value_name = "NAME", value_enum, help_heading = "Selection")]
    algorithm: Option<Family>,

    /// The paper's selection of shingles: All, 4th, M4, W8, Hb3, Dct8, Hs; NM3, NW8, NHs without complete overlap
    ///
    /// JHb3 and JDct8 join segments that are too short to what follows, where Hb3 and Dct8 leave them out: the paper's text says the one,
    /// its figures say the other. Segments have lengths of their own, also below --shingle. Dct8 also rounds so coarsely that different segments pass for copies; JDct8 hardly does.
    #[arg(long, value_name = "NAME", help_heading = "Selection")]
    select: Option<Selection>,

    /// Memory of the table of origins, which never grows, however long the stream
    ///
    /// The paper's algorithms count as the paper does, 14 to 18 bytes an entry by what eviction and estimation keep in it, whatever an
    /// entry takes here: their table may be smaller than SIZE, never larger.
    #[arg(long, value_name = "SIZE", default_value = "256MiB", help_heading = "Table")]
    memory: Size,

    /// The paper's eviction from a full bucket: R, LRU, CC or LS
    #[arg(long, value_name = "NAME", help_heading = "Table")]
    evict: Option<Eviction>,

    /// Entries in a bucket, 4 to 256, for the paper's algorithms only: our own has buckets of one size [default: 64]
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

/// How what is learnt outlives the run.
#[derive(Args, Debug)]
#[command(next_help_heading = "Table")]
pub(crate) struct MemoryArgs {
    /// Keep the table in FILE: made where there is none, else continued with the settings that it was made with
    #[arg(long, value_name = "FILE")]
    pub(crate) table: Option<PathBuf>,

    /// Only report; the table stays as it is, and any number of runs can use it at once
    #[arg(long, requires = "table")]
    pub(crate) no_add: bool,

    /// Save the table this often (a very large one less often): after a kill, the same command goes on from the last time
    #[arg(long, value_name = "SPAN", default_value = "60s", requires = "table")]
    pub(crate) checkpoint: Span,

    /// Which of all options the user wrote.
    #[arg(skip)]
    pub(crate) given: Given,
}

impl MemoryArgs {
    /// Refuses to put answers in the place of the table or of what belongs to it.
    pub(crate) fn spare(&self, target: &Target) -> Result<(), String> {
        let (Some(table), Target::File(output)) = (&self.table, target) else { return Ok(()) };
        // Neither may be there yet: folders are.
        let place = |path: &Path| {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            folder.canonicalize().ok().map(|folder| folder.join(path.file_name().unwrap_or_default()))
        };
        if table::files(table).iter().any(|file| place(file).is_some_and(|file| place(output) == Some(file))) {
            let (output, table) = (output.display(), table.display());
            return Err(format!("{output} belongs to the table {table}: the answers would take its place"));
        }
        Ok(())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Family {
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

    /// What was asked for and is not how a table was made.
    pub(crate) fn differences(
        &self,
        tokens: &TokenArgs,
        given: &Given,
        made: &Settings,
    ) -> Result<Vec<String>, String> {
        let wanted = self.settings(tokens)?;
        let chosen = ["algorithm", "select", "evict", "estimate", "bucket", "bridge"];
        let all = [
            ("shingle", format!("shingles of {} tokens", wanted.k), format!("{}", made.k), wanted.k != made.k),
            (
                "tokens",
                format!("--tokens {}", wanted.reading),
                made.reading.to_string(),
                wanted.reading != made.reading,
            ),
            (
                "memory",
                format!("--memory {}", Size(wanted.memory)),
                Size(made.memory).to_string(),
                wanted.memory != made.memory,
            ),
            ("seed", format!("--seed {}", wanted.seed), made.seed.to_string(), wanted.seed != made.seed),
        ];
        let mut differences: Vec<String> = all
            .into_iter()
            .filter(|(option, .., differ)| *differ && given.has(option))
            .map(|(_, asked, made, _)| format!("you ask for {asked}, it has {made}"))
            .collect();
        if chosen.iter().any(|option| given.has(option)) && wanted.algorithm != made.algorithm {
            differences.push(format!("you ask for the algorithm {}, it has {}", wanted.algorithm, made.algorithm));
        }
        Ok(differences)
    }
}

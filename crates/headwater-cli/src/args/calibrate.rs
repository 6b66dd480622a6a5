//! What is measured to recommend an amount of memory.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::list::List;
use super::size::Size;
use super::{InputArgs, TalkArgs, TokenArgs};

#[derive(Args, Debug)]
pub(crate) struct CalibrateArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[command(flatten)]
    pub(crate) tokens: TokenArgs,

    /// Measure on so much text, from the beginning of the stream
    #[arg(long, value_name = "SIZE", default_value = "100MB", value_parser = some_text, help_heading = "Sample")]
    sample: Size,

    /// Leave out documents with fewer tokens
    #[arg(long, value_name = "N", default_value_t = 45, help_heading = "Sample")]
    pub(crate) min_tokens: usize,

    /// How many hash functions to repeat it with
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=20), help_heading = "Sample")]
    pub(crate) hashes: u8,

    /// How many times as large the collection will grow, one or several
    #[arg(long, value_name = "LIST", default_value = "1,10", value_parser = factors, help_heading = "Forecast")]
    growth: List<f64>,

    /// The amounts of memory to forecast
    #[arg(long, value_name = "LIST", default_value = "1MiB..8GiB", help_heading = "Forecast")]
    memory: List<Size>,

    /// Recommend the least memory that loses at most so many percentage points against memory without limit
    #[arg(long, value_name = "POINTS", default_value_t = 1.0, value_parser = points, help_heading = "Forecast")]
    pub(crate) within: f64,

    /// Write to FILE, whole or not at all, instead of standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    /// How to print it [default: text on a terminal, else json]
    #[arg(long, value_name = "FORMAT", value_enum, help_heading = "Output")]
    pub(crate) format: Option<CalibrateFormat>,

    #[command(flatten)]
    pub(crate) talk: TalkArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CalibrateFormat {
    /// For people
    Text,
    /// One JSON object
    Json,
}

fn some_text(written: &str) -> Result<Size, String> {
    match written.parse::<Size>()? {
        Size(0) => Err("there is nothing to measure on no text; write how much to take, as in 100MB".into()),
        size => Ok(size),
    }
}

fn factors(written: &str) -> Result<List<f64>, String> {
    // What a list of numbers says of itself speaks of shares.
    written.parse().map_err(|_| {
        format!("'{written}' does not say how many times as large; write numbers above 0, as in 1,10 or 1..64")
    })
}

fn points(written: &str) -> Result<f64, String> {
    let points = written.parse::<f64>().ok().filter(|points| (0.0..=100.0).contains(points));
    points.ok_or_else(|| format!("'{written}' is no number of percentage points; write one from 0 to 100"))
}

impl CalibrateArgs {
    pub(crate) fn sample(&self) -> u64 {
        self.sample.0 as u64
    }

    pub(crate) fn growth(&self) -> &[f64] {
        &self.growth.0
    }

    /// Ascending.
    pub(crate) fn memory(&self) -> Vec<usize> {
        let mut sizes: Vec<usize> = self.memory.0.iter().map(|size| size.0).collect();
        sizes.sort_unstable();
        sizes
    }
}

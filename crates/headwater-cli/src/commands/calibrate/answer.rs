//! The forecast as it is printed.

use std::fmt::Write as _;

use headwater::origin::evaluation::{Expected, Forecast};
use serde::Serialize;

use headwater::census::binomial;

use crate::args::CalibrateArgs;
use crate::terminal::{bytes, count, percent};

/// Where fewer of the queries are copies, the sample does not tell how many there will be.
const LEAST_COPIES: u64 = 30;

/// Two standard errors to either side.
const CONFIDENCE: f64 = 0.95;

/// What was measured.
#[derive(Debug, Serialize)]
pub(super) struct Sample {
    pub(super) documents: u64,
    /// Bytes of text.
    pub(super) text: u64,
    /// Which part of all text that is; null where it is all.
    pub(super) part: Option<f64>,
    pub(super) shingles: u64,
    pub(super) copy_ratio: f64,
    pub(super) queries: u64,
    /// Queries whose dominant origin is another document: what DO rests on.
    pub(super) copied_queries: u64,
    pub(super) hashes: u8,
}

#[derive(Debug, Serialize)]
pub(super) struct Answer {
    sample: Sample,
    /// A collection g times as large needs g to this power times the memory for the same accuracy.
    growth_exponent: Range,
    /// Whether the sample says anything about growth.
    growth_known: bool,
    /// What memory without limit would give.
    ceiling: Ceiling,
    forecast: Vec<Line>,
    recommended: Vec<Recommended>,
}

#[derive(Debug, Serialize)]
struct Ceiling {
    #[serde(rename = "do")]
    dominant_origin: f64,
    #[serde(rename = "tf")]
    token_freshness: f64,
}

/// One amount of memory on a collection of one size.
#[derive(Debug, Serialize)]
struct Line {
    /// How many times as large as the inputs the collection is.
    growth: f64,
    memory: usize,
    #[serde(rename = "do")]
    dominant_origin: Range,
    #[serde(rename = "tf")]
    token_freshness: Range,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct Range {
    value: f64,
    low: f64,
    high: f64,
}

/// The least memory that is enough even if the collection grows in the least favourable way, and null where none of those asked
/// for is.
#[derive(Debug, Serialize)]
struct Recommended {
    growth: f64,
    memory: Option<usize>,
}

impl Sample {
    fn has_few_copies(&self) -> bool {
        self.copied_queries < LEAST_COPIES
    }

    /// How low the part of copies whose origin is named may be, where that of the few in the sample is `right`: DO, should everything
    /// that comes be a copy. Of no copies at all that is nothing.
    fn least(&self, right: f64) -> f64 {
        let copies = self.copied_queries as f64;
        binomial(right * copies, copies, CONFIDENCE).low
    }
}

impl From<Expected> for Range {
    fn from(expected: Expected) -> Self {
        let digits = |value: f64| (value * 1e4).round() / 1e4;
        Range { value: digits(expected.value), low: digits(expected.low), high: digits(expected.high) }
    }
}

impl Answer {
    pub(super) fn new(sample: Sample, forecast: &Forecast, args: &CalibrateArgs) -> Self {
        let whole = 1.0 / sample.part.unwrap_or(1.0);
        let ceiling = forecast.ceiling();
        let (mut lines, mut recommended) = (Vec::new(), Vec::new());
        for &growth in args.growth() {
            let mut enough = None;
            for memory in args.memory() {
                let (mut origin, freshness) = forecast.expect(memory as f64, growth * whole);
                if sample.has_few_copies() && growth * whole > 1.0 {
                    origin.low = origin.low.min(sample.least(forecast.of_copies(memory as f64, growth * whole)));
                }
                if enough.is_none() && forecast.loss(memory as f64, growth * whole) * 100.0 <= args.within {
                    enough = Some(memory);
                }
                lines.push(Line { growth, memory, dominant_origin: origin.into(), token_freshness: freshness.into() });
            }
            recommended.push(Recommended { growth, memory: enough });
        }
        Answer {
            sample,
            growth_exponent: forecast.exponent.into(),
            growth_known: forecast.is_known,
            ceiling: Ceiling {
                dominant_origin: ceiling.dominant_origin.mean,
                token_freshness: ceiling.token_freshness.mean,
            },
            forecast: lines,
            recommended,
        }
    }

    pub(super) fn text(&self) -> String {
        let mut page = self.about();
        let growths: Vec<f64> = self.recommended.iter().map(|one| one.growth).collect();
        let heads: Vec<String> = growths.iter().map(|growth| format!("{:<34}", head(*growth))).collect();
        let _ = writeln!(page, "\n{:>9}  {}", "memory", heads.concat().trim_end());
        let metrics = vec![format!("{:<17}{:<17}", "DO", "TF"); growths.len()].concat();
        let _ = writeln!(page, "{:>9}  {}", "", metrics.trim_end());
        let sizes = self.forecast.len() / growths.len().max(1);
        let (mut last, mut is_same): (Option<String>, bool) = (None, false);
        for at in 0..sizes {
            let lines = growths.iter().enumerate().map(|(growth, _)| &self.forecast[growth * sizes + at]);
            let cells: String = lines
                .clone()
                .map(|line| format!("{:<17}{:<17}", shown(line.dominant_origin), shown(line.token_freshness)))
                .collect();
            let memory = lines.map(|line| line.memory).next().unwrap_or_default();
            // From some amount on nothing is forgotten: the rest would repeat this line.
            if last.as_deref() == Some(cells.as_str()) && at + 1 < sizes {
                is_same = true;
                continue;
            }
            let mark = if is_same { "…" } else { "" };
            let _ = writeln!(page, "{:>9}  {}", format!("{mark}{}", size(memory)), cells.trim_end());
            (last, is_same) = (Some(cells), false);
        }
        page.push('\n');
        page += &self.recommendations();
        page
    }

    fn about(&self) -> String {
        let Sample { documents, text, part, shingles, copy_ratio, queries, copied_queries, hashes } = &self.sample;
        let part = part.map_or_else(String::new, |part| format!(", the first {} of the inputs", percent(part)));
        let growth = if self.growth_known {
            let Range { value, low, high } = self.growth_exponent;
            format!(
                "Growth: ten times the documents need about {:.1} times the memory ({:.1} to {:.1}), judged by how accuracy\n\
                 changed from a quarter to a half to all of the sample.\n",
                10f64.powf(value),
                10f64.powf(low),
                10f64.powf(high)
            )
        } else {
            "Growth: the sample does not tell, because accuracy hardly depends on memory in it; ten times the documents are\n\
             taken to need ten times the memory.\n"
                .to_owned()
        };
        let warning = if self.sample.has_few_copies() {
            "Few of the documents that were asked about are copies, and how many will be is not known: DO may get as low as it is for\n\
             copies alone, as far as these few tell. A larger --sample, or one from another part of the stream, would tell more.\n"
        } else {
            ""
        };
        format!(
            "Measured on {} of text{part}: {} documents, {} shingles, {} of them copied.\n\
             Asked about the last fifth of the documents ({}, of which {} are mostly copies), with {hashes} hash functions.\n\
             In brackets: where the figure will probably lie (two standard errors, and what growth may do).\n{growth}{warning}",
            bytes(*text),
            count(*documents),
            count(*shingles),
            percent(*copy_ratio),
            count(*queries),
            count(*copied_queries),
        )
    }

    fn recommendations(&self) -> String {
        let ceiling = &self.ceiling;
        let mut page = format!(
            "Memory without limit would give DO {:.1} and TF {:.1}.\n",
            ceiling.dominant_origin * 100.0,
            ceiling.token_freshness * 100.0
        );
        let _ = writeln!(page, "Recommended is what is enough even if growth is as unfavourable as the sample allows.");
        for Recommended { growth, memory } in &self.recommended {
            let _ = match memory {
                Some(memory) => writeln!(page, "Recommended for {}: --memory {}", head(*growth), size(*memory)),
                None => writeln!(page, "For {} none of these amounts is enough.", head(*growth)),
            };
        }
        page
    }
}

fn head(growth: f64) -> String {
    if growth == 1.0 { "these inputs".into() } else { format!("{growth} times as much") }
}

fn shown(range: Range) -> String {
    let Range { value, low, high } = range;
    format!("{:.1} ({:.0}–{:.0})", value * 100.0, low * 100.0, high * 100.0)
}

fn size(bytes: usize) -> String {
    crate::args::Size(bytes).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_copies_say_as_much_as_they_can() {
        let sample = |copied_queries: u64| Sample {
            documents: 100,
            text: 1,
            part: None,
            shingles: 1,
            copy_ratio: 0.0,
            queries: 20,
            copied_queries,
            hashes: 1,
        };
        assert_eq!((sample(0).least(0.0), sample(0).has_few_copies()), (0.0, true));
        // Ten copies, all told rightly: 0.025^(1/10).
        assert!((sample(10).least(1.0) - 0.691_5).abs() < 1e-4, "{}", sample(10).least(1.0));
        assert!(sample(10).least(0.5) < 0.2 && !sample(30).has_few_copies());
    }
}

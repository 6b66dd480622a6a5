//! The answer, for programs and for people.

use std::fmt::Write as _;
use std::io::Write;

use headwater::census::{Census, Interval, Recaptured};
use headwater_io::write::{Output, Target};
use serde::Serialize;

use crate::args::{CensusArgs, CensusForm, DrawBy};
use crate::failure::Failure;
use crate::terminal::{Talk, count};

/// What a user is told how to reach: sizes to within a twentieth.
const TIGHT: f64 = 0.05;

#[derive(Serialize)]
pub(super) struct Answer {
    collections: Vec<Collection>,
    overlap: Vec<Shared>,
    /// When another collection counts as having a document.
    by: &'static str,
    /// How documents were drawn.
    method: &'static str,
    confidence: f64,
    advice: Option<Advice>,
    /// The same without the correction for what queries or a walk prefer.
    #[serde(skip_serializing_if = "Option::is_none")]
    uncorrected: Option<Figures>,
}

/// The figures alone.
#[derive(Serialize)]
struct Figures {
    collections: Vec<Collection>,
    overlap: Vec<Shared>,
}

/// What is known of a collection before anything was drawn from it.
#[derive(Clone, Debug)]
pub(super) struct About {
    pub(super) name: String,
    /// Documents as they were read, duplicates included; none where it can only be searched.
    pub(super) documents: Option<u64>,
    /// Those that differ by what membership is checked by.
    pub(super) distinct: Option<u64>,
}

#[derive(Serialize)]
struct Collection {
    name: String,
    /// Beside the first.
    relative_size: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    /// What the size comes from: the overlaps, the draws themselves or both; where neither says anything, the count of different
    /// documents.
    basis: Basis,
    /// What the overlaps alone say, where the size comes from more.
    #[serde(skip_serializing_if = "Option::is_none")]
    by_overlap: Option<f64>,
    /// Its share of what all have together.
    coverage: Option<f64>,
    coverage_low: Option<f64>,
    coverage_high: Option<f64>,
    documents: Option<u64>,
    /// Those that differ by what membership is checked by.
    distinct: Option<u64>,
    /// How many it has, by how often the same one was drawn again.
    #[serde(skip_serializing_if = "Option::is_none")]
    recaptured: Option<Absolute>,
    /// How many it has, by the pages of the hosts that were drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    extrapolated: Option<Absolute>,
}

/// How many documents a collection has.
#[derive(Serialize)]
struct Absolute {
    size: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Basis {
    Overlap,
    /// The weights of random queries, or how far uniform draws went through the random order.
    Draws,
    /// Overlap and draws.
    Both,
    Count,
    /// Neither tells.
    None,
}

#[derive(Serialize)]
struct Shared {
    of: String,
    r#in: String,
    share: Option<f64>,
    low: f64,
    high: f64,
    sample: u64,
    /// What the sample is worth in uniform draws.
    effective: f64,
}

/// How many documents to draw for sizes that are known this well.
#[derive(Serialize)]
struct Advice {
    within: f64,
    samples: u64,
    more: u64,
    /// Whether that is every document there is.
    #[serde(skip)]
    is_all: bool,
}

impl Answer {
    pub(super) fn new(census: &Census, about: &[About], method: DrawBy, args: &CensusArgs) -> Self {
        let Figures { collections, overlap } = figures(census, about);
        let drawn = u64::from(args.drawing.samples);
        // Known only where every collection can be read.
        let most = about.iter().map(|about| about.distinct.or(about.documents)).collect::<Option<Vec<u64>>>();
        let most = most.and_then(|distinct| distinct.into_iter().max()).unwrap_or(u64::MAX);
        let advice = census.sample_for(TIGHT).map(|needed| {
            let samples = needed.min(most);
            Advice { within: TIGHT, samples, more: samples.saturating_sub(drawn), is_all: needed >= most }
        });
        Answer {
            collections,
            overlap,
            by: if method == DrawBy::Queries { "strong query" } else { args.checking.by.name() },
            method: method.name(),
            confidence: args.drawing.confidence,
            advice,
            uncorrected: None,
        }
    }

    /// Adds what the same draws say without correction.
    pub(super) fn with_uncorrected(mut self, census: &Census, about: &[About]) -> Self {
        self.uncorrected = Some(figures(census, about));
        self
    }

    /// Adds sizes by capture and recapture.
    pub(super) fn with_recaptured(mut self, recaptured: &[Recaptured]) -> Self {
        for (collection, found) in self.collections.iter_mut().zip(recaptured) {
            collection.recaptured = Some(Absolute::new(found.size, found.interval));
        }
        self
    }

    /// Adds sizes by the pages of some hosts.
    pub(super) fn with_extrapolated(mut self, extrapolated: &[Option<(f64, Interval)>]) -> Self {
        for (collection, found) in self.collections.iter_mut().zip(extrapolated) {
            collection.extrapolated = found.map(|(size, interval)| Absolute::new(Some(size), interval));
        }
        self
    }

    pub(super) fn write(&self, form: CensusForm, target: Target) -> Result<(), Failure> {
        let shown = match form {
            CensusForm::Json => serde_json::to_string(self).map_err(Failure::run)? + "\n",
            CensusForm::Text => self.tables(),
        };
        let mut out = Output::create(target)?;
        out.write_all(shown.as_bytes())?;
        Ok(out.finish()?)
    }

    fn tables(&self) -> String {
        let width =
            self.collections.iter().map(|collection| collection.name.chars().count()).max().unwrap_or(0).max(10);
        let percent = (self.confidence * 100.0).to_string();
        let mut text = format!(
            "{:width$}  relative size  {percent:>2} % interval       share of all  different documents\n",
            "collection"
        );
        for collection in &self.collections {
            let size = collection.relative_size.map_or("?".into(), figure);
            let size = if collection.basis == Basis::Count { format!("{size} *") } else { size };
            let coverage = collection.coverage.map_or("?".into(), |share| format!("{:.1} %", share * 100.0));
            let _ = writeln!(
                text,
                "{:width$}  {size:>13}  {:<20}  {coverage:>12}  {:>19}",
                collection.name,
                format!("{} to {}", bound(collection.low), bound(collection.high)),
                collection.distinct.map_or("?".into(), |distinct| count(distinct).to_string())
            );
        }
        if self.collections.iter().any(|collection| collection.basis == Basis::Count) {
            text += "* counted: the draws do not tell it, and the interval is all they say\n";
        }
        for collection in self.collections.iter().skip(1) {
            if let Some(size) = collection.by_overlap {
                let _ = writeln!(text, "{}, by overlap alone: {}", collection.name, figure(size));
            }
        }
        for collection in self.uncorrected.iter().flat_map(|figures| figures.collections.iter().skip(1)) {
            let size = collection.relative_size.map_or("?".into(), figure);
            let _ = writeln!(text, "{}, uncorrected: {size}", collection.name);
        }
        for collection in &self.collections {
            let counted =
                [("capture and recapture", &collection.recaptured), ("random hosts", &collection.extrapolated)];
            for (by, found) in counted {
                let Some(Absolute { size, low, high }) = found else { continue };
                let size = size.map_or("?".into(), figure);
                let _ = writeln!(
                    text,
                    "{}, by {by}: {size} documents, {} to {}",
                    collection.name,
                    bound(*low),
                    bound(*high)
                );
            }
        }
        if self.overlap.is_empty() {
            return text;
        }
        let _ = writeln!(text, "\n{:width$}  {:width$}  share    {percent:>2} % interval       sample", "of", "in");
        for shared in &self.overlap {
            let share = shared.share.map_or("?".into(), |share| format!("{:.1} %", share * 100.0));
            let interval = format!("{:.1} to {:.1} %", shared.low * 100.0, shared.high * 100.0);
            let _ = writeln!(
                text,
                "{:width$}  {:width$}  {share:>7}  {interval:<20}  {}",
                shared.of,
                shared.r#in,
                count(shared.sample)
            );
        }
        text
    }

    /// What the answer rests on, and how it could be surer.
    pub(super) fn advise(&self, talk: &Talk) {
        // Methods that count instead of drawing say what they counted themselves.
        if self.overlap.is_empty() {
            return;
        }
        let checked: u64 = self.overlap.iter().map(|shared| shared.sample).sum();
        let is_whole = |shared: &Shared| {
            let own = self.collections.iter().find(|collection| collection.name == shared.of);
            self.method == "uniform" && own.is_some_and(|own| own.distinct == Some(shared.sample))
        };
        let whole = self.overlap.iter().all(is_whole);
        let drawn = if whole { "every document was checked" } else { "drawn at random" };
        talk.say(format_args!("{} checks by {}; method {}, {drawn}", count(checked), self.by, self.method));
        let is_apart = self.overlap.iter().all(|shared| shared.share.is_none_or(|share| share <= 0.0));
        if is_apart && !whole {
            talk.say(
                "no overlap was found: how much is shared lies below the upper ends of the intervals of the shares",
            );
        }
        match &self.advice {
            _ if whole => {}
            None => talk.say("nothing drawn tells all sizes; a larger --samples may"),
            Some(advice) if advice.more == 0 => {}
            Some(advice) if advice.is_all => {
                let how = if self.method == "uniform" { "" } else { "--method uniform " };
                talk.say(format_args!("for exact sizes check every document ({how}--samples {})", advice.samples));
            }
            Some(advice) => talk.say(format_args!(
                "for sizes to within {:.0} % draw about {} documents of each collection, {} more (--samples {})",
                advice.within * 100.0,
                count(advice.samples),
                count(advice.more),
                advice.samples
            )),
        }
    }
}

fn figures(census: &Census, about: &[About]) -> Figures {
    let first = about[0].distinct.map(|distinct| distinct as f64);
    let collections = about.iter().zip(&census.collections).map(|(about, size)| {
        let counted = about.distinct.zip(first).map(|(own, first)| own as f64 / first);
        let relative = size.relative.or(counted);
        let basis = match (size.relative, size.by_overlap, size.by_draws) {
            (Some(_), Some(_), Some(_)) => Basis::Both,
            (Some(_), None, Some(_)) => Basis::Draws,
            (Some(_), ..) => Basis::Overlap,
            (None, ..) if counted.is_some() => Basis::Count,
            (None, ..) => Basis::None,
        };
        // A count is the truth: no interval may leave it out.
        let Interval { low, high } = size.interval;
        Collection {
            name: about.name.clone(),
            relative_size: relative,
            low: finite(relative.map_or(low, |relative| low.min(relative))),
            high: finite(relative.map_or(high, |relative| high.max(relative))),
            basis,
            by_overlap: size.by_overlap.filter(|_| basis == Basis::Both),
            coverage: size.coverage,
            coverage_low: size.coverage.and(finite(size.coverage_interval.low)),
            coverage_high: size.coverage.and(finite(size.coverage_interval.high)),
            documents: about.documents,
            distinct: about.distinct,
            recaptured: None,
            extrapolated: None,
        }
    });
    let name = |at: usize| about[at].name.clone();
    let overlap = census.overlap.iter().map(|overlap| Shared {
        of: name(overlap.of),
        r#in: name(overlap.within),
        share: overlap.share,
        low: overlap.interval.low,
        high: overlap.interval.high,
        sample: overlap.sample,
        effective: overlap.effective,
    });
    Figures { collections: collections.collect(), overlap: overlap.collect() }
}

impl Absolute {
    fn new(size: Option<f64>, Interval { low, high }: Interval) -> Self {
        Absolute { size, low: finite(low), high: finite(high) }
    }
}

/// JSON has no infinity: what nothing bounds is null.
fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

fn bound(value: Option<f64>) -> String {
    value.map_or("any".into(), figure)
}

/// Three digits that mean something.
fn figure(value: f64) -> String {
    match value {
        large if large >= 99.95 => format!("{large:.0}"),
        middle if middle >= 9.995 => format!("{middle:.1}"),
        small if small >= 0.095 || small == 0.0 => format!("{small:.2}"),
        tiny => format!("{tiny:.4}"),
    }
}

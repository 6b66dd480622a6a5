//! What `cluster` and `dedup` share: reading a collection into a search, and choosing how to search it.

use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::Arc;

use headwater::neardup::{Found, Method, Scratch, Search, Settings, TokenCounts, Vocabulary, Want};
use headwater::text::Tokens;
use headwater::{Document, Time};
use headwater_io::{Event, Inputs, Order, ReadError, ReadOptions, Summary, Threads, read};

use crate::args::{InputArgs, NeardupArgs, TokenArgs, Words};
use crate::failure::Failure;
use crate::interrupt;
use crate::terminal::{Talk, count, percent};

/// A collection that was read, and the search over it. Documents are numbered as they arrived.
pub(super) struct Gathered {
    pub(super) search: Search,
    pub(super) settings: Settings,
    pub(super) documents: Vec<Known>,
    /// How many of them, the first, are references.
    pub(super) references: u32,
    pub(super) summary: Summary,
    pub(super) inputs: Inputs,
    /// All signatures are in memory before the first answer, so time order is made there: documents are read as they stand.
    pub(super) options: ReadOptions,
    by_time: bool,
}

/// What is kept of a document beside its signature.
pub(super) struct Known {
    pub(super) id: String,
    time: Option<i64>,
    pub(super) tokens: u32,
}

/// Documents that `auto` looks at before it decides.
const SAMPLE: usize = 256;

/// A text with fewer spots than this is too short, or no running text, for its spots to say much.
const FEW_SPOTS: usize = 8;

/// Reads a collection; documents of the `references` come first. Where `again`, it can be read once more afterwards.
pub(super) fn gather(
    input: &InputArgs,
    references: &[PathBuf],
    neardup: &NeardupArgs,
    tokens: &TokenArgs,
    talk: &Talk,
    again: bool,
) -> Result<Gathered, Failure> {
    let words = neardup.words().map_err(Failure::Usage)?;
    // Wrong choices are told before anything is read.
    neardup.settings(neardup.method().unwrap_or(Method::Shingles), tokens, no_words()).map_err(Failure::Usage)?;
    let mut inputs = input.open().map_err(Failure::run)?;
    let options = ReadOptions { order: Order::Input, ..input.options() };
    if again || neardup.method().is_none() || matches!(words, Words::Derived) {
        inputs.keep(None).map_err(|error| {
            Failure::run(format_args!("cannot keep standard input: {error}; set TMPDIR to a folder with room"))
        })?;
    }
    let vocabulary = match words {
        Words::Known(vocabulary) => vocabulary,
        Words::Derived => derived(&inputs, &options, tokens)?,
    };
    let method = match neardup.method() {
        Some(method) => method,
        None => choose(&inputs, &options, neardup, tokens, &vocabulary, talk)?,
    };
    let settings = neardup.settings(method, tokens, vocabulary).map_err(Failure::Usage)?;
    let search = Search::new(settings.clone()).map_err(Failure::run)?;
    let by_time = input.options().order != Order::Input;
    let summary = Summary::default();
    let documents = Vec::new();
    let mut gathered = Gathered { search, settings, documents, references: 0, summary, inputs, options, by_time };
    if !references.is_empty() {
        let references = Inputs::open(references).map_err(Failure::run)?;
        gathered.read(&references, input.strict, talk)?;
        gathered.references = gathered.documents.len() as u32;
    }
    let inputs = std::mem::take(&mut gathered.inputs);
    gathered.summary = gathered.read(&inputs, input.strict, talk)?;
    gathered.inputs = inputs;
    Ok(gathered)
}

impl Gathered {
    fn read(&mut self, inputs: &Inputs, strict: bool, talk: &Talk) -> Result<Summary, Failure> {
        let options = self.options.clone();
        let watch = talk.watch(Arc::clone(&options.progress));
        let signer = self.search.signer();
        thread_local!(static SCRATCH: RefCell<Scratch> = RefCell::default());
        let prepare = |document: Document| {
            SCRATCH.with_borrow_mut(|scratch| {
                let signature = signer.sign(&document.text, scratch).expect("reading refuses texts of 4 GiB");
                let time = document.time.as_ref().map(Time::micros);
                (Known { id: document.id, time, tokens: scratch.tokens() as u32 }, signature)
            })
        };
        let summary = read(inputs, &options, prepare, |event| match event {
            Event::Document((document, signature)) => {
                interrupt::check()?;
                self.search.push(&signature);
                self.documents.push(document);
                Ok(())
            }
            Event::Problem(problem) if strict => Err(Failure::run(problem)),
            Event::Problem(problem) => {
                talk.warn(problem);
                Ok(())
            }
        })?;
        drop(watch);
        Ok(summary)
    }

    pub(super) fn find(&self, want: Want) -> Found {
        self.search.find(want, &Threads(self.options.threads))
    }

    /// The place of each document in time: by its time, then its arrival; one without a time stays behind the one before it.
    pub(super) fn places(&self) -> Vec<u32> {
        let mut latest = i64::MIN;
        let mut order: Vec<(i64, u32)> = (0..)
            .zip(&self.documents)
            .map(|(number, document)| {
                latest = document.time.unwrap_or(latest);
                (if self.by_time { latest } else { 0 }, number)
            })
            .collect();
        order.sort_unstable();
        let mut places = vec![0; order.len()];
        (0..).zip(&order).for_each(|(place, &(_, number))| places[number as usize] = place);
        places
    }

    /// What was read and how sure the answer is, for the closing line.
    pub(super) fn account(&self, found: &Found) -> String {
        let collection = self.search.collection();
        let mut line = format!("{}: {} documents", self.settings.method, count(u64::from(collection.documents())));
        if collection.empty() > 0 {
            let what = if self.settings.method.uses_spots() { "without a spot" } else { "without a token" };
            line += &format!(", {} {what}", count(collection.empty().into()));
        }
        let twins = collection.documents() - collection.empty() - collection.distinct();
        if twins > 0 {
            line += &format!(", {} with the signature of an earlier one", count(twins.into()));
        }
        match (found.recall, found.compared) {
            (Some(recall), Some(compared)) => {
                line += &format!("; {} candidates compared, estimated recall {}", count(compared), percent(recall));
            }
            (None, Some(compared)) => line += &format!("; {} candidates compared", count(compared)),
            (Some(_), None) => line += "; every pair at the threshold found",
            (None, None) => {}
        }
        if self.summary.problems > 0 {
            line += &format!("; {} records skipped", count(self.summary.problems));
        }
        line
    }

    /// Where spot signatures do not suit these documents, a word about it.
    pub(super) fn advise(&self, talk: &Talk) {
        let collection = self.search.collection();
        let (documents, empty) = (collection.documents(), collection.empty());
        if self.settings.method.uses_spots() && empty * 5 > documents {
            talk.say(format_args!(
                "{} of {} documents have no spot signature and are like no other: too short, no running text, or another \
                 language; --method shingles or --language derive may suit them better",
                count(empty.into()),
                count(documents.into())
            ));
        }
    }
}

/// A vocabulary for settings that are only checked.
fn no_words() -> Vocabulary {
    Vocabulary::of(&[])
}

/// Counts the short words of the whole collection, which is read once more for it.
fn derived(inputs: &Inputs, options: &ReadOptions, tokens: &TokenArgs) -> Result<Vocabulary, Failure> {
    let mut counts = TokenCounts::new();
    let options = ReadOptions { progress: Arc::default(), ..options.clone() };
    let count = |document: Document| {
        let mut read = Tokens::new();
        read.read(&document.text, tokens.tokens).expect("reading refuses texts of 4 GiB");
        let mut counts = TokenCounts::new();
        counts.add(&document.text, &read);
        counts
    };
    let outcome = read(inputs, &options, count, |event| {
        if let Event::Document(more) = event {
            counts.merge(&more);
        }
        interrupt::check()
    });
    match outcome {
        // What is wrong with the input is told by the reading that follows.
        Err(ReadError::Sink(failure)) => Err(failure),
        _ => Ok(counts.vocabulary()),
    }
}

/// Spot signatures for running text, shingles for all else: short texts, lists, source code.
fn choose(
    inputs: &Inputs,
    options: &ReadOptions,
    neardup: &NeardupArgs,
    tokens: &TokenArgs,
    vocabulary: &Vocabulary,
    talk: &Talk,
) -> Result<Method, Failure> {
    let settings = neardup.settings(Method::SpotSigs, tokens, vocabulary.clone()).map_err(Failure::Usage)?;
    let signer = Search::new(settings).map_err(Failure::run)?.signer();
    let options = ReadOptions { progress: Arc::default(), threads: 1, ..options.clone() };
    let spots = |document: Document| {
        signer.sign(&document.text, &mut Scratch::default()).map_or(0, |signature| signature.features.len())
    };
    let (mut seen, mut rich) = (0, 0);
    let outcome = read(inputs, &options, spots, |event| {
        if let Event::Document(spots) = event {
            seen += 1;
            rich += usize::from(spots >= FEW_SPOTS);
        }
        if seen == SAMPLE { Err(()) } else { Ok(()) }
    });
    // Nothing can be said of an empty collection; the reading that follows says why it is.
    drop(outcome);
    let method = if rich * 10 >= seen * 9 { Method::SpotSigs } else { Method::Shingles };
    let reason = if method == Method::SpotSigs { "running text" } else { "short texts, or no running text" };
    talk.say(format_args!("method {method}: {reason} in the first {} documents", count(seen as u64)));
    Ok(method)
}

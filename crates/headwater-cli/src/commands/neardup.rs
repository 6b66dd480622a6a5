//! What `cluster` and `dedup` share: reading a collection into a search, and choosing how to search it.

mod engine;
mod index;

use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::Arc;

use headwater::neardup::{
    Alone, Cut, Found, Method, Reason, Scratch, Search, Settings, Signer, TokenCounts, Vocabulary, Want,
};
use headwater::text::Tokens;
use headwater::{Document, Time};
use headwater_io::{Event, Inputs, Order, ReadError, ReadOptions, Summary, read};

use self::engine::Engine;
use self::index::Index;
use crate::args::{InputArgs, NeardupArgs, SignatureIndexArgs, TokenArgs, Words};
use crate::failure::Failure;
use crate::interrupt;
use crate::terminal::{Talk, count, percent};

/// A collection that was read, and the search over it. Documents are numbered as they arrived.
pub(super) struct Gathered {
    search: Engine,
    pub(super) settings: Settings,
    pub(super) documents: Vec<Known>,
    /// How many of them, the first, are references, or were in the index.
    pub(super) references: u32,
    pub(super) summary: Summary,
    pub(super) inputs: Inputs,
    /// All signatures are in memory before the first answer, so time order is made there: documents are read as they stand.
    pub(super) options: ReadOptions,
    by_time: bool,
    /// How many documents that were read have few features.
    thin: u64,
    /// Where signatures are kept, if they are.
    index: Option<Index>,
}

/// What is to be read, and how.
pub(super) struct Question<'a> {
    pub(super) input: &'a InputArgs,
    /// Collections that come first.
    pub(super) references: &'a [PathBuf],
    pub(super) neardup: &'a NeardupArgs,
    pub(super) tokens: &'a TokenArgs,
    /// Where signatures are kept.
    pub(super) index: Option<&'a SignatureIndexArgs>,
    /// Whether it is to be read once more afterwards.
    pub(super) again: bool,
    /// Whether the threshold is read off the collection where none is given.
    pub(super) derives: bool,
}

/// What is kept of a document beside its signature.
pub(super) struct Known {
    pub(super) id: String,
    time: Option<i64>,
    pub(super) tokens: u32,
}

/// Documents that `auto` looks at before it decides.
const SAMPLE: usize = 256;

/// A text with fewer spots than this is too short, or no running text, for its spots to say much: one edit changes two or three.
const FEW_SPOTS: usize = 16;

/// A valley as deep as this is clear.
const CLEAR: f64 = 0.25;

/// Reads a collection; documents of an index and of the references come first.
pub(super) fn gather(question: &Question<'_>, talk: &Talk) -> Result<Gathered, Failure> {
    let &Question { input, neardup, tokens, .. } = question;
    let words = neardup.words().map_err(Failure::Usage)?;
    // Wrong choices are told before anything is read.
    neardup.settings(neardup.method().unwrap_or(Method::Shingles), tokens, no_words()).map_err(Failure::Usage)?;
    let index = question.index.map(|args| Index::open(args, input.is_given())).transpose()?.flatten();
    let asked = neardup.method().or_else(|| index.as_ref()?.method());
    let reads = input.is_given() || index.is_none();
    let mut inputs = if reads { input.open().map_err(Failure::run)? } else { Inputs::default() };
    let options = ReadOptions { order: Order::Input, ..input.options() };
    let kept_words = index.as_ref().and_then(Index::words);
    if question.again || asked.is_none() || (matches!(words, Words::Derived) && kept_words.is_none()) {
        inputs.keep(None).map_err(|error| {
            Failure::run(format_args!("cannot keep standard input: {error}; set TMPDIR to a folder with room"))
        })?;
    }
    let vocabulary = match (words, kept_words) {
        (Words::Known(vocabulary), _) | (Words::Derived, Some(vocabulary)) => vocabulary,
        (Words::Derived, None) => derived(&inputs, &options, tokens)?,
    };
    let (method, is_provisional) = match asked {
        Some(method) => (method, false),
        None => choose(question, &inputs, &options, &vocabulary, talk)?,
    };
    // An index that has been written to cannot begin again.
    let is_provisional = is_provisional && question.derives() && index.is_none();
    let again = is_provisional.then(|| vocabulary.clone());
    let settings = neardup.settings(method, tokens, vocabulary).map_err(Failure::Usage)?;
    let mut gathered = Gathered::new(question, settings, inputs, options, index)?;
    gathered.fill(question, reads, Some(talk))?;
    if !question.derives() {
        return Ok(gathered);
    }
    let mut cut = gathered.derive_threshold()?;
    if let (Some(vocabulary), Reason::Usual) = (again, cut.reason) {
        talk.say("method spotsigs after all: the shingles of the whole collection do not tell copies apart");
        let settings = neardup.settings(Method::SpotSigs, tokens, vocabulary).map_err(Failure::Usage)?;
        let Gathered { inputs, options, .. } = gathered;
        gathered = Gathered::new(question, settings, inputs, options, None)?;
        // Problems have been told.
        gathered.fill(question, reads, None)?;
        cut = gathered.derive_threshold()?;
    }
    if !gathered.settings.method.is_imatch() {
        talk.say(why(cut, &gathered.settings));
    }
    Ok(gathered)
}

impl Gathered {
    fn new(
        question: &Question<'_>,
        settings: Settings,
        inputs: Inputs,
        options: ReadOptions,
        index: Option<Index>,
    ) -> Result<Self, Failure> {
        let search = Engine::new(&settings, question.neardup.memory())?;
        let by_time = question.input.options().order != Order::Input;
        let (documents, summary) = (Vec::new(), Summary::default());
        Ok(Gathered { search, settings, documents, references: 0, summary, inputs, options, by_time, thin: 0, index })
    }

    /// Takes the documents of the index, of the references and of the inputs; whoever listens hears of problems.
    fn fill(&mut self, question: &Question<'_>, reads: bool, talk: Option<&Talk>) -> Result<(), Failure> {
        let strict = question.input.strict;
        self.take_index()?;
        if !question.references.is_empty() {
            let references = Inputs::open(question.references).map_err(Failure::run)?;
            self.read(&references, strict, talk)?;
        }
        self.references = self.documents.len() as u32;
        if reads {
            let inputs = std::mem::take(&mut self.inputs);
            self.summary = self.read(&inputs, strict, talk)?;
            self.inputs = inputs;
        }
        Ok(())
    }

    fn read(&mut self, inputs: &Inputs, strict: bool, talk: Option<&Talk>) -> Result<Summary, Failure> {
        let options = self.options.clone();
        let watch = talk.map(|talk| talk.watch(Arc::clone(&options.progress)));
        let signer = Signer::new(&self.settings);
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
                self.thin += u64::from(signature.features.len() < FEW_SPOTS);
                let (number, new) = self.search.push(&signature)?;
                if let Some(index) = &mut self.index {
                    let features = new.then_some(signature.features.as_slice());
                    index.push(&document, self.search.roster().set(number), features)?;
                }
                self.documents.push(document);
                Ok(())
            }
            Event::Problem(problem) if strict => Err(Failure::run(problem)),
            Event::Problem(problem) => {
                if let Some(talk) = talk {
                    talk.warn(problem);
                }
                Ok(())
            }
        })?;
        drop(watch);
        Ok(summary)
    }

    /// Takes the threshold that the collection itself speaks for, where the method has one.
    fn derive_threshold(&mut self) -> Result<Cut, Failure> {
        if self.settings.method.is_imatch() {
            return Ok(Cut { threshold: self.settings.threshold, reason: Reason::Usual });
        }
        let cut = self.search.cut(self.options.threads)?;
        self.search.set_threshold(cut.threshold)?;
        self.settings.threshold = cut.threshold;
        Ok(cut)
    }

    pub(super) fn find(&mut self, want: Want) -> Result<Found, Failure> {
        self.search.find(want, self.options.threads)
    }

    /// How alike the two documents of each pair are, whatever the threshold; nothing where one of them has no signature.
    pub(super) fn likenesses(&mut self, pairs: &[(u32, u32)]) -> Result<Vec<Option<f64>>, Failure> {
        self.search.likenesses(pairs)
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
        let collection = self.search.roster();
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
        let (documents, empty) = (u64::from(self.search.roster().documents()), u64::from(self.search.roster().empty()));
        if !self.settings.method.uses_spots() {
            return;
        }
        if empty * 5 > documents {
            talk.say(format_args!(
                "{} of {} documents have no spot signature and are like no other: too short, no running text, or another \
                 language; --method shingles or --language derive may suit them better",
                count(empty),
                count(documents)
            ));
        } else if self.thin * 2 > documents {
            talk.say(format_args!(
                "{} of {} documents have fewer than {FEW_SPOTS} spot signatures: short texts, lists or code, which --method \
                 shingles suits better",
                count(self.thin),
                count(documents)
            ));
        }
    }
}

/// A threshold and what speaks for it, and how much.
fn why(Cut { threshold, reason }: Cut, settings: &Settings) -> String {
    match reason {
        Reason::Valley { depth } => {
            let sure = if depth < CLEAR { "clearly" } else { "faintly" };
            format!(
                "threshold {threshold}: {sure} the gap between what these documents share anyway and what copies share"
            )
        }
        Reason::NothingByChance => format!(
            "threshold {threshold}: these documents share nothing by chance, so that {} words in a row count",
            settings.k
        ),
        Reason::Usual => {
            format!(
                "threshold {threshold}, the usual one: the likenesses of these documents show no gap to choose another by"
            )
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

/// Spot signatures for running text, shingles for all else: short texts, lists, source code; and for running text whose shingles
/// tell copies apart by themselves, because there is nothing else around it that they would share; provisionally, until the whole
/// collection says so too.
fn choose(
    question: &Question<'_>,
    inputs: &Inputs,
    options: &ReadOptions,
    vocabulary: &Vocabulary,
    talk: &Talk,
) -> Result<(Method, bool), Failure> {
    let settings =
        |method: Method| question.neardup.settings(method, question.tokens, vocabulary.clone()).map_err(Failure::Usage);
    let spots = Signer::new(&settings(Method::SpotSigs)?);
    let mut shingles = Search::new(settings(Method::Shingles)?).map_err(Failure::run)?;
    let signer = shingles.signer();
    let options = ReadOptions { progress: Arc::default(), threads: 1, ..options.clone() };
    let sign = |document: Document| {
        let sign = |signer: &Signer| signer.sign(&document.text, &mut Scratch::default()).unwrap_or_default();
        (sign(&spots).features.len(), sign(&signer))
    };
    let (mut seen, mut rich) = (0, 0);
    let outcome = read(inputs, &options, sign, |event| {
        if let Event::Document((spots, signature)) = event {
            seen += 1;
            rich += usize::from(spots >= FEW_SPOTS);
            shingles.push(&signature);
        }
        if seen == SAMPLE { Err(()) } else { Ok(()) }
    });
    // Nothing can be said of an empty collection; the reading that follows says why it is.
    drop(outcome);
    let (method, reason, is_provisional) = if rich * 10 < seen * 9 {
        (Method::Shingles, "short texts, or no running text", false)
    } else if question.derives() && shingles.cut(&Alone).reason != Reason::Usual {
        (Method::Shingles, "running text whose shingles tell copies apart", true)
    } else {
        (Method::SpotSigs, "running text", false)
    };
    talk.say(format_args!("method {method}: {reason} in the first {} documents", count(seen as u64)));
    Ok((method, is_provisional))
}

impl Question<'_> {
    /// Whether the threshold is read off the collection.
    fn derives(&self) -> bool {
        self.derives && !self.neardup.has_threshold()
    }
}

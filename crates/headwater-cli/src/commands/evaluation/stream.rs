//! The documents of a collection as token hashes, read once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use headwater::Document;
use headwater::collection::Collection;
use headwater::origin::evaluation::Truths;
use headwater::text::{Reading, Tokens, mix};
use headwater_io::spill::{SpilledTokens, TokenSpill};
use headwater_io::{Event, Order, ReadError, Summary, read};

use crate::args::InputArgs;
use crate::failure::Failure;
use crate::interrupt;
use crate::terminal::Talk;

/// How a stream is read.
pub(crate) struct StreamSettings<'a> {
    pub(crate) input: &'a InputArgs,
    pub(crate) reading: Reading,
    /// Shorter documents take no part.
    pub(crate) min_tokens: usize,
    /// Only the documents of the first so many bytes of text take part.
    pub(crate) most_text: u64,
}

/// So many times the text that takes part is read on, to see which part of the inputs it is: readers run ahead of what is
/// delivered, and after a short way their position would say little.
const READ_ON: u64 = 10;

/// A collection in order of time.
pub(crate) struct Stream {
    pub(crate) tokens: SpilledTokens,
    /// What tells it from every other collection.
    pub(crate) digest: u64,
    /// Documents that were too short.
    pub(crate) too_short: u64,
    /// Bytes of text that takes part.
    pub(crate) text: u64,
    /// Which part of all text that is, where it is not all.
    pub(crate) part: Option<f64>,
    /// None where not all was read.
    pub(crate) summary: Option<Summary>,
    threads: usize,
}

/// A document that is ready for the spill: its tokens, their digest, and the bytes of its text.
struct Incoming {
    tokens: Vec<u64>,
    digest: u64,
    bytes: u64,
}

impl Incoming {
    fn new(document: &Document, reading: Reading) -> Self {
        let mut tokens = Tokens::new();
        tokens.read(&document.text, reading).expect("reading refuses texts of 4 GiB");
        let hashes = tokens.hashes().to_vec();
        let digest = hashes.iter().fold(hashes.len() as u64, |digest, &hash| mix(digest ^ hash));
        Incoming { tokens: hashes, digest, bytes: document.text.len() as u64 }
    }

    /// A document that takes no part any more.
    fn passed(document: &Document) -> Self {
        Incoming { tokens: Vec::new(), digest: 0, bytes: document.text.len() as u64 }
    }
}

impl Stream {
    pub(crate) fn read(settings: &StreamSettings<'_>, talk: &Talk) -> Result<Self, Failure> {
        let inputs = settings.input.open().map_err(Failure::run)?;
        let mut options = settings.input.options();
        // The whole stream is read before anything is measured: there is no reason to take it as it arrives.
        if options.order == Order::Auto && settings.most_text == u64::MAX {
            options.order = Order::Time;
        }
        interrupt::ends(&options.progress);
        let (mut spill, mut digest, mut too_short) = (TokenSpill::create(None)?, 0u64, 0);
        let (mut text, mut all_text, is_full) = (0, 0u64, AtomicBool::new(false));
        let prepare = |document: Document| {
            if is_full.load(Ordering::Relaxed) {
                Incoming::passed(&document)
            } else {
                Incoming::new(&document, settings.reading)
            }
        };
        let watch = talk.watch(Arc::clone(&options.progress));
        let outcome = read(&inputs, &options, prepare, |event| match event {
            Event::Document(incoming) => {
                interrupt::check()?;
                all_text += incoming.bytes;
                if text >= settings.most_text {
                    let is_enough = all_text >= settings.most_text.saturating_mul(READ_ON);
                    return if is_enough { Err(Failure::Enough) } else { Ok(()) };
                }
                text += incoming.bytes;
                is_full.store(text >= settings.most_text, Ordering::Relaxed);
                if incoming.tokens.len() < settings.min_tokens {
                    too_short += 1;
                } else {
                    digest = mix(digest ^ incoming.digest);
                    spill.push(&incoming.tokens)?;
                }
                Ok(())
            }
            Event::Problem(problem) if settings.input.strict => Err(Failure::run(problem)),
            Event::Problem(problem) => {
                talk.warn(problem);
                Ok(())
            }
        });
        drop(watch);
        let (seen, summary) = match outcome {
            Ok(summary) => (1.0, Some(summary)),
            Err(ReadError::Sink(Failure::Enough)) => {
                let (read, total) = (options.progress.bytes() as f64, options.progress.total());
                (total.map_or(1.0, |total| (read / total as f64).clamp(1e-9, 1.0)), None)
            }
            Err(other) => return Err(other.into()),
        };
        let part = (text < all_text).then(|| seen * text as f64 / all_text as f64);
        interrupt::check()?;
        let threads = settings.input.threads();
        let tokens = spill.finish(threads)?;
        if tokens.documents() == 0 {
            return Err(Failure::run(format_args!(
                "every document has fewer than {} tokens; --min-tokens lets shorter ones take part",
                settings.min_tokens
            )));
        }
        Ok(Stream { tokens, digest, too_short, text, part, summary, threads })
    }

    pub(crate) fn documents(&self) -> u32 {
        self.tokens.documents()
    }

    pub(crate) fn all_tokens(&self) -> usize {
        self.tokens.tokens() as usize
    }

    pub(crate) fn threads(&self) -> usize {
        self.threads
    }

    /// The truth about it, worked out in so much memory.
    pub(crate) fn truth(&self, k: usize, queries: usize, memory: usize) -> Result<Truths, Failure> {
        let truths = Truths::find(&self.tokens, k, queries, memory)?;
        interrupt::check()?;
        Ok(truths)
    }
}

//! The documents of a collection as token hashes, read once.

use std::sync::Arc;

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
    /// Stop after so many bytes of text.
    pub(crate) most_text: u64,
}

/// A collection in order of time.
pub(crate) struct Stream {
    pub(crate) tokens: SpilledTokens,
    /// What tells it from every other collection.
    pub(crate) digest: u64,
    /// Documents that were too short.
    pub(crate) too_short: u64,
    /// Bytes of text that was read.
    pub(crate) text: u64,
    /// Which part of the inputs that is, where it was not all of them.
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

impl Stream {
    pub(crate) fn read(settings: &StreamSettings<'_>, talk: &Talk) -> Result<Self, Failure> {
        let inputs = settings.input.open().map_err(Failure::run)?;
        let mut options = settings.input.options();
        // The whole stream is read before anything is measured: there is no reason to take it as it arrives.
        if options.order == Order::Auto && settings.most_text == u64::MAX {
            options.order = Order::Time;
        }
        interrupt::ends(&options.progress);
        let (mut spill, mut digest, mut too_short, mut text) = (TokenSpill::create(None)?, 0u64, 0, 0);
        let prepare = |document: Document| {
            let mut tokens = Tokens::new();
            tokens.read(&document.text, settings.reading).expect("reading refuses texts of 4 GiB");
            let hashes = tokens.hashes().to_vec();
            let digest = hashes.iter().fold(hashes.len() as u64, |digest, &hash| mix(digest ^ hash));
            Incoming { tokens: hashes, digest, bytes: document.text.len() as u64 }
        };
        let watch = talk.watch(Arc::clone(&options.progress));
        let outcome = read(&inputs, &options, prepare, |event| match event {
            Event::Document(incoming) => {
                interrupt::check()?;
                text += incoming.bytes;
                if incoming.tokens.len() < settings.min_tokens {
                    too_short += 1;
                } else {
                    digest = mix(digest ^ incoming.digest);
                    spill.push(&incoming.tokens)?;
                }
                // Not a failure of the user's making: it ends the reading, and is not reported.
                if text >= settings.most_text { Err(Failure::ReaderGone) } else { Ok(()) }
            }
            Event::Problem(problem) if settings.input.strict => Err(Failure::run(problem)),
            Event::Problem(problem) => {
                talk.warn(problem);
                Ok(())
            }
        });
        drop(watch);
        let (part, summary) = match outcome {
            Ok(summary) => (None, Some(summary)),
            Err(ReadError::Sink(Failure::ReaderGone)) => {
                let (read, total) = (options.progress.bytes() as f64, options.progress.total());
                (total.map(|total| (read / total as f64).clamp(1e-9, 1.0)), None)
            }
            Err(other) => return Err(other.into()),
        };
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

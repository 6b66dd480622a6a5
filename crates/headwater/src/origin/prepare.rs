//! All that can be done with a document without the table, so that it can run on other cores ahead of it.

use std::cell::RefCell;

use super::anchor::{self, Probe};
use super::settings::{Algorithm, Settings};
use crate::select::{Selected, Selection};
use crate::text::{Reading, TextTooLong, Tokens, fingerprints, mix, sums};

/// Turns texts into [`Prepared`] ones. Copy it to as many threads as there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preparer {
    k: usize,
    reading: Reading,
    /// The paper's selection; Headwater's own has another.
    select: Option<Selection>,
}

/// A document as the tracer wants it. Reuse one value for many documents.
///
/// It keeps only what the tracer will ask for: many wait for the table at once, and what they hold is to stay in the cache.
#[derive(Clone, Debug, Default)]
pub struct Prepared {
    by: Option<Preparer>,
    tokens: Tokens,
    shingles: usize,
    /// What the paper's algorithms look up …
    selected: Vec<Selected>,
    /// … and what Headwater's own does.
    probes: Vec<Probe>,
}

/// What is needed only while a document is prepared.
#[derive(Default)]
struct Scratch {
    fingerprints: Vec<u64>,
    selected: Vec<Selected>,
    anchors: anchor::Scratch,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// Shingles of a document after which a thread gives its scratch space back: few documents are as long, and what every thread keeps
/// counts.
const LONG: usize = 1 << 14;

impl Preparer {
    pub(super) fn new(settings: &Settings) -> Self {
        let select = match settings.algorithm {
            Algorithm::Headwater => None,
            Algorithm::Paper(paper) => Some(paper.select),
        };
        Preparer { k: settings.k, reading: settings.reading, select }
    }

    /// Reads one text.
    pub fn prepare(&self, text: &str) -> Result<Prepared, TextTooLong> {
        let mut prepared = Prepared::default();
        self.prepare_into(text, &mut prepared)?;
        Ok(prepared)
    }

    /// Reads one text in the memory of an earlier one.
    pub fn prepare_into(&self, text: &str, prepared: &mut Prepared) -> Result<(), TextTooLong> {
        prepared.tokens.read(text, self.reading)?;
        self.work_out(prepared);
        Ok(())
    }

    /// Takes a text whose tokens are known by their hashes alone; spans in reports are then positions of tokens.
    pub fn prepare_hashes(&self, hashes: &[u64], prepared: &mut Prepared) {
        prepared.tokens.take(hashes);
        self.work_out(prepared);
    }

    fn work_out(&self, prepared: &mut Prepared) {
        SCRATCH.with_borrow_mut(|scratch| {
            self.work_out_in(scratch, prepared);
            if prepared.shingles > LONG {
                *scratch = Scratch::default();
            }
        });
    }

    fn work_out_in(&self, scratch: &mut Scratch, prepared: &mut Prepared) {
        let Scratch { fingerprints: all, selected: chosen, anchors } = scratch;
        let Prepared { by, tokens, shingles, selected, probes } = prepared;
        *by = Some(*self);
        selected.clear();
        probes.clear();
        let hashes = tokens.hashes();
        *shingles = (hashes.len() + 1).saturating_sub(self.k);
        if *shingles == 0 {
            // Too short for a shingle: segments of hash-breaking could be found in it, but nothing is to be said of it.
            return;
        }
        match self.select {
            Some(select) => {
                fingerprints(hashes, self.k, all);
                select.select(hashes, all, self.k, selected);
            }
            None => {
                // Of four shingles one is selected; the others need not be scrambled.
                let all = anchor::room(all, *shingles);
                sums(hashes, self.k, all);
                Selection::Hailstorm { lean: false }.select(hashes, all, self.k, chosen);
                // A text of fewer than 2k − 2 tokens may have none. Its smallest shingle then stands for it: a copy of it all is found.
                if chosen.is_empty() {
                    chosen.extend(smallest(all, self.k));
                }
                chosen.iter_mut().for_each(|shingle| shingle.fingerprint = mix(shingle.fingerprint));
                anchor::probes(hashes, self.k, chosen, anchors, probes);
            }
        }
    }
}

/// The shingle with the smallest fingerprint, of equals the first, given what fingerprints are made of.
fn smallest(sums: &[u64], k: usize) -> Option<Selected> {
    let (position, &fingerprint) = sums.iter().enumerate().min_by_key(|(_, sum)| mix(**sum))?;
    Some(Selected { position: position as u32, tokens: k as u32, fingerprint })
}

impl Prepared {
    /// The tokens of the text with their places.
    pub fn tokens(&self) -> &Tokens {
        &self.tokens
    }

    /// Bytes that it has allocated, for the document that it holds or for an earlier one.
    pub fn memory(&self) -> usize {
        let Prepared { tokens, selected, probes, .. } = self;
        tokens.memory() + selected.capacity() * size_of::<Selected>() + probes.capacity() * size_of::<Probe>()
    }

    /// How many shingles the text has.
    pub fn shingles(&self) -> usize {
        self.shingles
    }

    /// The fingerprint of every shingle, in order: worked out once more.
    pub fn fingerprints(&self) -> Vec<u64> {
        let mut all = Vec::new();
        if let Some(preparer) = &self.by {
            fingerprints(self.tokens.hashes(), preparer.k, &mut all);
        }
        all
    }

    pub(super) fn selected(&self) -> &[Selected] {
        &self.selected
    }

    pub(super) fn probes(&self) -> &[Probe] {
        &self.probes
    }

    /// Whether `preparer` made it.
    pub(super) fn is_by(&self, preparer: &Preparer) -> bool {
        self.by.as_ref() == Some(preparer)
    }
}

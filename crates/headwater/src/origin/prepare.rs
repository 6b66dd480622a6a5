//! All that can be done with a document without the table, so that it can run on other cores ahead of it.

use super::anchor::{self, Probe};
use super::settings::{Algorithm, Settings};
use crate::select::{Selected, Selection};
use crate::text::{Reading, TextTooLong, Tokens, fingerprints};

/// Turns texts into [`Prepared`] ones. Copy it to as many threads as there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preparer {
    k: usize,
    reading: Reading,
    /// The paper's selection; Headwater's own has another.
    select: Option<Selection>,
}

/// A document as the tracer wants it. Reuse one value for many documents.
#[derive(Clone, Debug, Default)]
pub struct Prepared {
    by: Option<Preparer>,
    tokens: Tokens,
    fingerprints: Vec<u64>,
    selected: Vec<Selected>,
    probes: Vec<Probe>,
    open: Vec<(u32, u32)>,
}

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
        let Prepared { by, tokens, fingerprints: shingles, selected, probes, open } = prepared;
        *by = Some(*self);
        fingerprints(tokens.hashes(), self.k, shingles);
        let select = self.select.unwrap_or(Selection::Hailstorm { lean: false });
        if shingles.is_empty() {
            // Too short for a shingle: segments of hash-breaking could be found in it, but nothing is to be said of it.
            selected.clear();
        } else {
            select.select(tokens.hashes(), shingles, self.k, selected);
        }
        match self.select {
            None => anchor::probes(tokens.hashes(), shingles.len(), selected, open, probes),
            Some(_) => probes.clear(),
        }
    }
}

impl Prepared {
    /// The tokens of the text with their places.
    pub fn tokens(&self) -> &Tokens {
        &self.tokens
    }

    /// How many shingles the text has.
    pub fn shingles(&self) -> usize {
        self.fingerprints.len()
    }

    /// The fingerprint of every shingle, in order.
    pub fn fingerprints(&self) -> &[u64] {
        &self.fingerprints
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

//! `headwater trace --format html`: gathers what the page shows.

use std::collections::HashMap;

use headwater::origin::Report;
use headwater_io::Register;
use headwater_io::write::Sink;
use headwater_report::trace::{Piece, Source, TracePage, Traced};

use super::trace_row::Evidence;
use crate::failure::Failure;
use crate::memory::Memory;
use crate::stream::{Incoming, verdict};

/// What a browser still lists and draws at once.
const MOST_DOCUMENTS: usize = 10_000;

/// Bytes of texts: a page that is larger takes long to open and cannot be sent to anybody.
const MOST_TEXT: usize = 16 << 20;

pub(super) struct Gathering {
    page: TracePage,
    /// The place of each document that is in the page, and of each source, by the document's number.
    documents: HashMap<u32, usize>,
    sources: HashMap<u32, usize>,
    room: usize,
    out: Sink,
}

impl Gathering {
    pub(super) fn new(out: Sink, evidence: bool) -> Self {
        let (documents, sources) = (HashMap::new(), HashMap::new());
        let page = TracePage { evidence, ..TracePage::default() };
        Gathering { page, documents, sources, room: MOST_TEXT, out }
    }

    pub(super) fn add(&mut self, document: &Incoming, report: &Report, memory: &Memory) -> Result<(), Failure> {
        self.page.tokens += report.tokens() as u64;
        self.page.fresh += report.fresh_tokens() as u64;
        if self.page.documents.len() == MOST_DOCUMENTS {
            self.page.documents_left_out += 1;
            return Ok(());
        }
        let mut origins: Vec<(usize, usize)> = Vec::new();
        for segment in &report.segments {
            let source = self.source(segment.origin, &memory.register)?;
            match origins.iter_mut().find(|(known, _)| *known == source) {
                Some((_, tokens)) => *tokens += segment.tokens.len(),
                None => origins.push((source, segment.tokens.len())),
            }
        }
        origins.sort_by_key(|&(source, tokens)| (std::cmp::Reverse(tokens), source));
        let pieces = self.room.checked_sub(document.text.len()).map(|room| {
            self.room = room;
            pieces(document, report, &self.sources, self.page.evidence)
        });
        self.page.texts_left_out += usize::from(pieces.is_none());
        self.documents.insert(report.document, self.page.documents.len());
        self.page.documents.push(Traced {
            id: document.id.clone(),
            time: document.time.as_ref().map(ToString::to_string),
            url: document.url.clone(),
            verdict: verdict(document, report, memory)?,
            too_short: document.is_too_short(),
            tokens: report.tokens(),
            fresh: report.fresh_tokens(),
            pieces,
            origins,
        });
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<(), Failure> {
        self.page.write(&mut self.out)?;
        Ok(self.out.finish()?)
    }

    fn source(&mut self, number: u32, register: &Register) -> Result<usize, Failure> {
        if let Some(&known) = self.sources.get(&number) {
            return Ok(known);
        }
        let entry = register.get(number)?;
        let place = self.page.sources.len();
        self.page.sources.push(Source {
            id: entry.id.clone(),
            time: entry.time.as_ref().map(ToString::to_string),
            url: entry.url.clone(),
            document: self.documents.get(&number).copied(),
        });
        self.sources.insert(number, place);
        Ok(place)
    }
}

/// The whole text, cut where a passage begins or ends.
fn pieces(document: &Incoming, report: &Report, sources: &HashMap<u32, usize>, evidence: bool) -> Vec<Piece> {
    let (mut pieces, mut behind, mut token) = (Vec::new(), 0, 0);
    let new = |start: usize, end: usize, tokens: u32, pieces: &mut Vec<Piece>| {
        if end > start {
            pieces.push(Piece(document.text[start..end].to_owned(), -1, tokens as usize, None));
        }
    };
    for segment in &report.segments {
        new(behind, segment.bytes.start, segment.tokens.start - token, &mut pieces);
        let text = document.text[segment.bytes.clone()].to_owned();
        let said = evidence.then(|| Evidence::from(segment.evidence).to_string());
        pieces.push(Piece(text, sources[&segment.origin] as i64, segment.tokens.len(), said));
        (behind, token) = (segment.bytes.end, segment.tokens.end);
    }
    new(behind, document.text.len(), report.tokens() as u32 - token, &mut pieces);
    pieces
}

//! Chunks that stand in very many documents: told, and on request left out; never silently.

use headwater::coderivative::shared::Chunk;
use headwater::text::{Reading, Tokens};

use super::gather::Documents;
use crate::failure::Failure;
use crate::terminal::{Talk, count, percent};

/// A chunk in more documents than this, and more than this share of them, is worth a word.
const MANY: u32 = 100;
const MANY_SHARE: f64 = 0.01;

/// As many of them are quoted.
const QUOTED: usize = 5;

/// What is known of the most widespread chunks.
pub(super) struct Boilerplate {
    documents: u32,
    limit: u32,
    is_left_out: bool,
    chunks: u64,
    /// Documents that have it, and where it stands in the first of them: the most widespread, at most a few.
    widest: Vec<(u32, u32, u32)>,
}

impl Boilerplate {
    /// Looks for chunks in more than `most` documents, or where there is no such limit, in very many.
    pub(super) fn new(documents: u32, most: Option<u32>) -> Self {
        let many = ((f64::from(documents) * MANY_SHARE) as u32).max(MANY);
        Boilerplate {
            documents,
            limit: most.unwrap_or(many),
            is_left_out: most.is_some(),
            chunks: 0,
            widest: Vec::new(),
        }
    }

    pub(super) fn look(&mut self, chunk: &Chunk<'_>) {
        if chunk.documents <= self.limit {
            return;
        }
        self.chunks += 1;
        if self.widest.len() < QUOTED || self.widest.iter().any(|widest| widest.0 < chunk.documents) {
            let Some(first) = chunk.postings().next() else { return };
            self.widest.push((chunk.documents, first.document, first.position));
            self.widest.sort_unstable_by_key(|&(documents, document, position)| {
                (std::cmp::Reverse(documents), document, position)
            });
            self.widest.truncate(QUOTED);
        }
    }

    /// Says what was found.
    pub(super) fn tell(
        &self,
        documents: &mut Documents,
        length: usize,
        reading: Reading,
        talk: &Talk,
    ) -> Result<(), Failure> {
        if self.chunks == 0 {
            return Ok(());
        }
        let (chunks, limit) = (count(self.chunks), count(self.limit.into()));
        if !self.is_left_out {
            talk.say(format_args!(
                "{chunks} chunks stand in more than {limit} documents each (the widest in {}); --max-df {} leaves them out",
                percent(f64::from(self.widest[0].0) / f64::from(self.documents)),
                self.limit
            ));
            return Ok(());
        }
        talk.warn(format_args!(
            "{chunks} chunks stand in more than {limit} documents each and are left out, among them:"
        ));
        for &(held, document, position) in &self.widest {
            let text = documents.text(document)?;
            let mut tokens = Tokens::new();
            tokens.read(&text, reading).map_err(Failure::run)?;
            let chunk = text_of(&text, &tokens, position, length)?;
            talk.warn(format_args!("  in {} documents: {}", count(held.into()), one_line(chunk)));
        }
        Ok(())
    }
}

/// The text of a chunk. An index could have another text than the one that its chunks are from.
pub(super) fn text_of<'a>(text: &'a str, tokens: &Tokens, position: u32, length: usize) -> Result<&'a str, Failure> {
    let (first, last) = (position as usize, position as usize + length - 1);
    if last >= tokens.len() {
        return Err(Failure::run("the texts of the index are not those of its chunks; build it anew"));
    }
    Ok(&text[tokens.span(first).start..tokens.span(last).end])
}

/// Text with every run of white space as one space.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

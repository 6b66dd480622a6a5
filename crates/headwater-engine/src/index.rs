//! A full-text index of a collection.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::io;
use std::rc::Rc;

use headwater::Document;
use headwater::census::{host, words};
use headwater_io::spill::TextSpill;
use tantivy::collector::DocSetCollector;
use tantivy::columnar::Column;
use tantivy::query::TermQuery;
use tantivy::schema::{FAST, Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::{IndexWriter, Searcher, TantivyDocument, Term};

/// What the index may take while it is built, in bytes.
const BUILDING: usize = 64 << 20;

/// How many entries of lists are kept for words that are asked again, 4 bytes each.
const KEPT: usize = 16 << 20;

/// A collection on its way into an index.
pub struct Indexer {
    writer: IndexWriter,
    index: tantivy::Index,
    words: Field,
    number: Field,
    truncate: Option<usize>,
    documents: Vec<Known>,
    texts: TextSpill,
}

/// An index that can be asked: which documents have all these words?
pub struct Index {
    searcher: Searcher,
    words: Field,
    /// The number of each document, by segment.
    numbers: Vec<Column<u64>>,
    pub(crate) documents: Vec<Known>,
    /// The number of each document, by its address.
    places: HashMap<String, u32>,
    texts: RefCell<TextSpill>,
    lists: RefCell<Lists>,
}

/// The documents that have a word, for words that were asked before: a census asks the same words many thousand times.
#[derive(Default)]
struct Lists {
    of_words: HashMap<Box<str>, Rc<[u32]>>,
    entries: usize,
}

/// What is kept of a document in memory.
pub(crate) struct Known {
    pub(crate) address: String,
    pub(crate) host: Option<Box<str>>,
}

/// Why a collection could not be indexed or searched.
#[derive(Debug)]
pub enum IndexError {
    /// The index said so.
    Index(tantivy::TantivyError),
    /// The texts could not be kept or read.
    Texts(io::Error),
}

impl Indexer {
    /// An index of which each document has at most its first `truncate` bytes.
    pub fn new(truncate: Option<usize>) -> Result<Self, IndexError> {
        let mut schema = Schema::builder();
        // Words are cut by us, so that queries and documents agree with the rest of the house; which documents have them is all
        // that is asked.
        let indexing = TextFieldIndexing::default()
            .set_tokenizer("whitespace")
            .set_index_option(IndexRecordOption::Basic)
            .set_fieldnorms(false);
        let words = schema.add_text_field("words", TextOptions::default().set_indexing_options(indexing));
        let number = schema.add_u64_field("number", FAST);
        let index = tantivy::Index::create_in_ram(schema.build());
        let writer = index.writer_with_num_threads(1, BUILDING)?;
        let texts = TextSpill::create(None).map_err(IndexError::Texts)?;
        Ok(Indexer { writer, index, words, number, truncate, documents: Vec::new(), texts })
    }

    /// Adds a document; it is found under its address or, where it has none, its id.
    pub fn push(&mut self, document: &Document) -> Result<(), IndexError> {
        let text = document.text.as_str();
        let held = self.truncate.map_or(text, |most| &text[..text.floor_char_boundary(most)]);
        let mut indexed = TantivyDocument::new();
        indexed.add_text(self.words, words(held).join(" "));
        indexed.add_u64(self.number, self.documents.len() as u64);
        self.writer.add_document(indexed)?;
        self.texts.push(text).map_err(IndexError::Texts)?;
        let address = document.url.as_ref().unwrap_or(&document.id).clone();
        let host = host(&address).map(Into::into);
        self.documents.push(Known { host, address });
        Ok(())
    }

    /// The index, ready to be asked.
    pub fn finish(mut self) -> Result<Index, IndexError> {
        self.writer.commit()?;
        let searcher = self.index.reader()?.searcher();
        let column = |segment: &tantivy::SegmentReader| segment.fast_fields().u64("number");
        let numbers = searcher.segment_readers().iter().map(column).collect::<Result<_, _>>()?;
        let places = self.documents.iter().map(|known| known.address.clone()).zip(0..).collect();
        let texts = RefCell::new(self.texts);
        Ok(Index {
            searcher,
            words: self.words,
            numbers,
            documents: self.documents,
            places,
            texts,
            lists: RefCell::default(),
        })
    }
}

impl Index {
    /// How many documents there are.
    pub fn len(&self) -> usize {
        self.documents.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }

    /// The documents that have all these words, ascending.
    pub fn with_all(&self, words: &[&str]) -> Result<Vec<u32>, IndexError> {
        let mut lists = words.iter().map(|word| self.list(word)).collect::<Result<Vec<_>, _>>()?;
        lists.sort_by_key(|list| list.len());
        let Some((shortest, others)) = lists.split_first() else { return Ok(Vec::new()) };
        let mut found = shortest.to_vec();
        for list in others {
            retain_common(&mut found, list);
        }
        Ok(found)
    }

    /// The documents that have a word, ascending.
    fn list(&self, word: &str) -> Result<Rc<[u32]>, IndexError> {
        if let Some(known) = self.lists.borrow().of_words.get(word) {
            return Ok(Rc::clone(known));
        }
        let query = TermQuery::new(Term::from_field_text(self.words, word), IndexRecordOption::Basic);
        let found = self.searcher.search(&query, &DocSetCollector)?;
        let number = |at: tantivy::DocAddress| self.numbers[at.segment_ord as usize].first(at.doc_id);
        let mut found: Vec<u32> = found.into_iter().filter_map(number).map(|number| number as u32).collect();
        found.sort_unstable();
        let found: Rc<[u32]> = found.into();
        let mut lists = self.lists.borrow_mut();
        if lists.entries + found.len() <= KEPT {
            lists.entries += found.len();
            lists.of_words.insert(word.into(), Rc::clone(&found));
        }
        Ok(found)
    }

    /// The text of a document.
    pub fn text(&self, number: u32) -> Result<String, IndexError> {
        self.texts.borrow_mut().get(number).map_err(IndexError::Texts)
    }

    /// The document at an address.
    pub fn number(&self, address: &str) -> Option<u32> {
        self.places.get(address).copied()
    }

    /// Where a document is, or what it is called.
    pub fn address(&self, number: u32) -> &str {
        &self.documents[number as usize].address
    }
}

/// Leaves what is in a longer list too. Both ascend.
fn retain_common(found: &mut Vec<u32>, longer: &[u32]) {
    let mut rest = longer;
    found.retain(|number| {
        // Steps that double, then a search in the last of them: few looks where one list is much longer (Bentley and Yao, 1976).
        let mut step = 1;
        while rest.get(step).is_some_and(|at| at < number) {
            step *= 2;
        }
        let from = step / 2;
        let ahead = &rest[from.min(rest.len())..rest.len().min(step + 1)];
        rest = &rest[from.min(rest.len()) + ahead.partition_point(|at| at < number)..];
        rest.first() == Some(number)
    });
}

impl From<tantivy::TantivyError> for IndexError {
    fn from(error: tantivy::TantivyError) -> Self {
        IndexError::Index(error)
    }
}

impl fmt::Display for IndexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IndexError::Index(error) => write!(f, "the full-text index failed: {error}"),
            IndexError::Texts(error) => write!(f, "the texts of the index cannot be kept: {error}"),
        }
    }
}

impl std::error::Error for IndexError {}

#[cfg(test)]
mod tests {
    use super::retain_common;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn common_entries_are_those_of_a_scan(
            one in proptest::collection::btree_set(0u32..300, 0..60),
            other in proptest::collection::btree_set(0u32..300, 0..250),
        ) {
            let mut found: Vec<u32> = one.iter().copied().collect();
            retain_common(&mut found, &other.iter().copied().collect::<Vec<_>>());
            prop_assert_eq!(found, one.intersection(&other).copied().collect::<Vec<_>>());
        }
    }
}

//! Reading a collection: token hashes to the spill, names to the register, copies told.

use std::io;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use headwater::coderivative::{ContentHash, Copies, Relation};
use headwater::graph::Edge;
use headwater::text::Tokens;
use headwater::{Document, Time};
use headwater_io::spill::{TextSpill, TokenSpill};
use headwater_io::{Entry, Event, IndexReader, IndexSettings, IndexWriter, Register, Stamp, Summary, read};

use crate::args::InputArgs;
use crate::failure::Failure;
use crate::interrupt;
use crate::terminal::Talk;

/// What is to be read, and how.
pub(crate) struct Reading<'a> {
    pub(crate) input: &'a InputArgs,
    pub(crate) tokens: headwater::text::Reading,
    /// Tokens in a chunk.
    pub(crate) length: usize,
    /// Whether only the first of exact duplicates takes part.
    pub(crate) collapses: bool,
    pub(crate) keeps_text: bool,
    pub(crate) index: Option<&'a Path>,
    /// The document that is asked about.
    pub(crate) subject: Option<&'a str>,
}

/// What reading leaves.
pub(crate) struct Gathered {
    pub(crate) documents: Documents,
    pub(crate) spill: TokenSpill,
    pub(crate) subject: Option<Subject>,
    pub(crate) summary: Summary,
    /// The index that is to be written, with all documents in it.
    pub(crate) index: Option<IndexWriter>,
}

/// The document that is asked about.
pub(crate) struct Subject {
    pub(crate) document: u32,
    pub(crate) tokens: Vec<u64>,
}

/// All documents. They have three numbers: as they were read; among those that are no copies; and their place in time.
pub(crate) struct Documents {
    register: Register,
    copies: Copies,
    /// Tokens of each that is no copy.
    pub(crate) lengths: Vec<u32>,
    /// What documents are ordered by, as they were read.
    orders: Vec<i64>,
    /// The documents in order of time, as they were read; filled in the end.
    by_place: Vec<u32>,
    /// Texts of those that are no copies, where an answer shows them.
    texts: Option<TextSpill>,
    pub(crate) too_short: u64,
}

pub(crate) fn gather(args: &Reading<'_>, talk: &Talk) -> Result<Gathered, Failure> {
    let (settings, old) = open_index(args)?;
    let has_inputs = args.input.is_given();
    // Whoever asks an index a question does not change it.
    let writes = args.index.filter(|_| has_inputs);
    let index = writes.map(|path| IndexWriter::create(path, &settings)).transpose()?;
    let keeps_text = args.keeps_text;
    let mut run = Run {
        documents: Documents {
            register: Register::new(None)?,
            copies: Copies::new(),
            lengths: Vec::new(),
            orders: Vec::new(),
            by_place: Vec::new(),
            texts: keeps_text.then(|| TextSpill::create(None)).transpose()?,
            too_short: 0,
        },
        spill: TokenSpill::create(None)?,
        subject: None,
        wanted: args.subject,
        collapses: args.collapses,
        length: args.length,
        latest: i64::MIN,
        index,
    };
    let keeps_document = keeps_text || run.index.is_some();
    let reading = args.tokens;
    let prepare = |document: Document| {
        let mut tokens = Tokens::new();
        tokens.read(&document.text, reading).expect("reading refuses texts of 4 GiB");
        let hash = ContentHash::of(&document.text);
        let text = if keeps_document { document.text } else { String::new() };
        Incoming { document: Document { text, ..document }, hash, tokens: tokens.hashes().to_vec() }
    };
    if let Some(old) = &old {
        old.documents(
            args.input.threads(),
            |stored| (stored.order, prepare(stored.document)),
            |(order, incoming)| run.take(incoming, Some(order)),
        )?;
    }
    let mut summary = Summary::default();
    if has_inputs {
        let (inputs, options) = (args.input.open().map_err(Failure::run)?, args.input.options());
        let watch = talk.watch(Arc::clone(&options.progress));
        summary = read(&inputs, &options, prepare, |event| match event {
            Event::Document(document) => run.take(document, None),
            Event::Problem(problem) if args.input.strict => Err(Failure::run(problem)),
            Event::Problem(problem) => {
                talk.warn(problem);
                Ok(())
            }
        })?;
        drop(watch);
    }
    if let (Some(wanted), None) = (run.wanted, &run.subject) {
        return Err(Failure::run(format_args!(
            "no document is called {wanted:?}; --for takes the id of one of the documents that are read"
        )));
    }
    run.documents.order();
    let Run { documents, spill, subject, index, .. } = run;
    Ok(Gathered { documents, spill, subject, summary, index })
}

/// The settings of the index that is to be continued, and the index itself where there is one.
fn open_index(args: &Reading<'_>) -> Result<(IndexSettings, Option<IndexReader>), Failure> {
    let settings = IndexSettings { length: args.length as u32, reading: args.tokens };
    let Some(path) = args.index else { return Ok((settings, None)) };
    let old = IndexReader::open(path)?;
    match &old {
        Some(old) if *old.settings() != settings => {
            let IndexSettings { length, reading } = old.settings();
            Err(Failure::Usage(format!(
                "the index {} has chunks of {length} {reading}; add --chunk {length} --tokens {reading}",
                path.display()
            )))
        }
        None if !args.input.is_given() => {
            Err(Failure::run(format_args!("there is no index {}; name documents to begin one", path.display())))
        }
        _ => Ok((settings, old)),
    }
}

/// A document that is ready for the spill.
struct Incoming {
    /// Without its text unless that is kept.
    document: Document,
    hash: ContentHash,
    tokens: Vec<u64>,
}

struct Run<'a> {
    documents: Documents,
    spill: TokenSpill,
    subject: Option<Subject>,
    wanted: Option<&'a str>,
    collapses: bool,
    length: usize,
    latest: i64,
    index: Option<IndexWriter>,
}

impl Run<'_> {
    fn take(&mut self, incoming: Incoming, order: Option<i64>) -> Result<(), Failure> {
        interrupt::check()?;
        let Incoming { document, hash, tokens } = incoming;
        // A document without a time keeps its place behind the one before it.
        let order = order.or(document.time.as_ref().map(Time::micros)).unwrap_or(self.latest);
        self.latest = order;
        let all = &mut self.documents;
        let number = all.register.push(
            &document.id,
            document.time.as_ref(),
            document.url.as_deref(),
            Stamp { order, digest: 0 },
        )?;
        all.orders.push(order);
        all.too_short += u64::from(tokens.len() < self.length);
        if let Some(index) = &mut self.index {
            index.push(order, &document)?;
        }
        if self.subject.is_none() && self.wanted == Some(document.id.as_str()) {
            self.subject = Some(Subject { document: number, tokens: tokens.clone() });
        }
        let is_first = if self.collapses {
            all.copies.enter(hash)
        } else {
            all.copies.enter_alone();
            true
        };
        if is_first {
            self.spill.push(&tokens)?;
            all.lengths.push(tokens.len() as u32);
            if let Some(texts) = &mut all.texts {
                texts.push(&document.text)?;
            }
        }
        Ok(())
    }
}

impl Documents {
    pub(crate) fn len(&self) -> u32 {
        self.copies.documents()
    }

    /// How many are copies of others.
    pub(crate) fn copies(&self) -> u32 {
        self.copies.documents() - self.copies.representatives()
    }

    /// How many are no copies.
    pub(crate) fn representatives(&self) -> u32 {
        self.copies.representatives()
    }

    /// The number of a document, as it was read, among those that are no copies.
    pub(crate) fn representative(&self, document: u32) -> u32 {
        self.copies.representative(document)
    }

    /// How many documents have the text of each that is no copy.
    pub(crate) fn group_sizes(&self) -> Vec<u32> {
        self.copies.groups().iter().map(|group| group.len() as u32).collect()
    }

    /// All documents, by place in time, that have the text of each that is no copy.
    pub(crate) fn groups(&self) -> Vec<Vec<u32>> {
        let places = self.places();
        let mut groups = self.copies.groups();
        for group in &mut groups {
            group.iter_mut().for_each(|document| *document = places[*document as usize]);
            group.sort_unstable();
        }
        groups
    }

    /// Relations of copies too, from those of what are no copies.
    pub(crate) fn inherit(&self, relations: &[Relation], copies: impl Fn(u32) -> Option<(f64, u32)>) -> Vec<Relation> {
        self.copies.inherit(relations, copies)
    }

    /// The same relations between the earliest documents with these texts.
    pub(crate) fn named(&self, relations: &[Relation]) -> Vec<Relation> {
        let places = self.places();
        let groups = self.copies.groups();
        let earliest =
            |one: u32| groups[one as usize].iter().copied().min_by_key(|&document| places[document as usize]);
        let named = relations.iter().filter_map(|relation| {
            let Edge { a, b, score } = relation.edge;
            Some(Relation { edge: Edge::new(earliest(a)?, earliest(b)?, score), ..*relation })
        });
        named.collect()
    }

    /// Puts documents in order of time, then arrival.
    fn order(&mut self) {
        self.by_place = (0..self.len()).collect();
        self.by_place.sort_by_key(|&document| self.orders[document as usize]);
    }

    fn places(&self) -> Vec<u32> {
        let mut places = vec![0; self.by_place.len()];
        (0..).zip(&self.by_place).for_each(|(place, &document)| places[document as usize] = place);
        places
    }

    /// From numbers as they were read to places in time, and relations in order.
    pub(crate) fn in_time_order(&self, relations: &mut [Relation]) {
        let places = self.places();
        for relation in relations.iter_mut() {
            let Edge { a, b, score } = relation.edge;
            relation.edge = Edge::new(places[a as usize], places[b as usize], score);
        }
        relations.sort_unstable_by_key(|relation| (relation.edge.a, relation.edge.b));
    }

    /// What is known of the document at a place.
    pub(crate) fn entry(&self, place: u32) -> io::Result<Rc<Entry>> {
        self.register.get(self.by_place[place as usize])
    }

    /// The number, among those that are no copies, of the document at a place.
    pub(crate) fn representative_at(&self, place: u32) -> u32 {
        self.copies.representative(self.by_place[place as usize])
    }

    /// The place of a document that was read as this number.
    pub(crate) fn place_of(&self, document: u32) -> u32 {
        self.by_place.iter().position(|&one| one == document).unwrap_or_default() as u32
    }

    /// The text of one that is no copy.
    pub(crate) fn text(&mut self, representative: u32) -> io::Result<String> {
        self.texts.as_mut().map_or_else(|| Ok(String::new()), |texts| texts.get(representative))
    }
}

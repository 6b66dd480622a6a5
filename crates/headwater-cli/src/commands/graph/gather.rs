//! Reading a collection: token hashes to the spill, names to the register, copies told.

use std::collections::{HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use headwater::coderivative::{ContentHash, Copies, Groups, Relation};
use headwater::graph::Edge;
use headwater::text::Tokens;
use headwater::{Document, Time};
use headwater_io::spill::{SpilledTokens, StoredTokens, TextSpill, TokenSpill};
use headwater_io::{
    Entry, Event, IndexReader, IndexSettings, IndexWriter, Lock, Progress, Register, Stamp, Stored, StoredDocument,
    Summary, read,
};

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
    /// Which chunks are kept, in writing.
    pub(crate) selection: String,
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
    pub(crate) spill: SpilledTokens,
    /// The number of the document that is asked about.
    pub(crate) subject: Option<u32>,
    pub(crate) summary: Summary,
    pub(crate) index: Index,
    /// Who watches the reading can watch the rest too.
    pub(crate) progress: Arc<Progress>,
}

/// The index of the run, if it has one.
#[derive(Default)]
pub(crate) struct Index {
    /// Nobody else adds to it meanwhile: of two that continue the same, one would be lost.
    pub(crate) lock: Option<Lock>,
    /// What was there, where its shared chunks can be used: those of the documents that come first.
    pub(crate) old: Option<IndexReader>,
    /// What is to be written, with all documents in it.
    pub(crate) new: Option<IndexWriter>,
}

/// All documents. They have three numbers: as they were read; among those that are no copies; and their place in time.
pub(crate) struct Documents {
    register: Register,
    copies: Copies,
    /// Tokens of each that is no copy.
    pub(crate) lengths: Vec<u32>,
    /// What documents are ordered by, as they were read; empty in the end.
    orders: Vec<i64>,
    /// The documents in order of time, as they were read; filled in the end.
    by_place: Vec<u32>,
    /// Texts of those that are no copies, where an answer shows them.
    texts: Option<TextSpill>,
    pub(crate) too_short: u64,
}

pub(crate) fn gather(args: &Reading<'_>, talk: &Talk) -> Result<Gathered, Failure> {
    let has_inputs = args.input.is_given();
    // Whoever asks an index a question does not change it.
    let writes = args.index.filter(|_| has_inputs);
    let (settings, lock, old) = open_index(args)?;
    let index = writes.map(|path| IndexWriter::create(path, &settings, old.as_ref())).transpose()?;
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
        subject: None,
        wanted: args.subject,
        collapses: args.collapses,
        length: args.length,
        latest: i64::MIN,
        index,
        names: Names::default(),
        talk,
    };
    let mut spill = match &old {
        Some(old) => run.continue_index(old, args)?,
        None => TokenSpill::create(None)?,
    };
    let keeps_document = keeps_text || run.index.is_some();
    let reading = args.tokens;
    let prepare = |document: Document| {
        let tokens = parse(&document.text, reading);
        let hash = ContentHash::of(&document.text);
        let text = if keeps_document { document.text } else { String::new() };
        Incoming { document: Document { text, ..document }, hash, tokens }
    };
    let (mut summary, mut progress) = (Summary::default(), Arc::default());
    if has_inputs {
        let (inputs, options) = (args.input.open().map_err(Failure::run)?, args.input.options());
        progress = Arc::clone(&options.progress);
        let watch = talk.watch(Arc::clone(&options.progress));
        summary = read(&inputs, &options, prepare, |event| match event {
            Event::Document(incoming) => run.take(incoming, None, &mut spill),
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
    run.documents.close();
    let Run { documents, subject, index, .. } = run;
    let spill = spill.finish(args.input.threads())?;
    // What is stored as shared is of use only where the same chunks are asked for, and copies count once.
    let old = old.filter(|old| args.collapses && *old.settings() == settings);
    Ok(Gathered { documents, spill, subject, summary, index: Index { lock, old, new: index }, progress })
}

fn parse(text: &str, reading: headwater::text::Reading) -> Vec<u64> {
    let mut tokens = Tokens::new();
    tokens.read(text, reading).expect("reading refuses texts of 4 GiB");
    tokens.hashes().to_vec()
}

/// The settings of the index that is to be continued, a lock on it, and the index itself where there is one.
fn open_index(args: &Reading<'_>) -> Result<(IndexSettings, Option<Lock>, Option<IndexReader>), Failure> {
    let selection = args.selection.clone();
    let settings = IndexSettings { length: args.length as u32, reading: args.tokens, selection };
    let Some(path) = args.index else { return Ok((settings, None, None)) };
    if !args.collapses && args.input.is_given() {
        let why = "an index holds the words of exact duplicates once; add these documents without --duplicates keep, then \
                   ask the index with it and without documents";
        return Err(Failure::Usage(why.into()));
    }
    let lock = if args.input.is_given() { Some(Lock::of_index(path)?) } else { None };
    let old = IndexReader::open(path)?;
    match old.as_ref().map(IndexReader::settings) {
        Some(IndexSettings { length, reading, .. }) if (*length, *reading) != (settings.length, settings.reading) => {
            Err(Failure::Usage(format!(
                "the index {} has chunks of {length} {reading}; add --chunk {length} --tokens {reading}",
                path.display()
            )))
        }
        None if !args.input.is_given() => {
            Err(Failure::run(format_args!("there is no index {}; name documents to begin one", path.display())))
        }
        _ => Ok((settings, lock, old)),
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
    subject: Option<u32>,
    wanted: Option<&'a str>,
    collapses: bool,
    length: usize,
    latest: i64,
    index: Option<IndexWriter>,
    names: Names,
    talk: &'a Talk,
}

impl Run<'_> {
    /// Takes the documents of an index; their tokens stay where they are, unless copies are to take part.
    fn continue_index(&mut self, old: &IndexReader, args: &Reading<'_>) -> Result<TokenSpill, Failure> {
        let reading = args.tokens;
        if self.collapses {
            let mut next_text = 0;
            let keep = |text: String| text;
            let prepare: Option<&(dyn Fn(String) -> String + Sync)> = if args.keeps_text { Some(&keep) } else { None };
            let stored: StoredTokens = old.documents(args.input.threads(), prepare, |stored| match stored {
                Stored::Document(StoredDocument { order, hash, tokens, document }) => {
                    self.enter(&document, order, hash, tokens)?;
                    Ok(())
                }
                Stored::Text(text) => {
                    let all = &mut self.documents;
                    let is_first = all.copies.first(all.copies.representative(next_text)) == next_text;
                    next_text += 1;
                    match &mut all.texts {
                        Some(texts) if is_first => Ok(texts.push(&text).map(|_| ())?),
                        _ => Ok::<(), Failure>(()),
                    }
                }
            })?;
            if stored.documents() != self.documents.representatives() {
                return Err(Failure::run("the index does not have the words of all its documents; build it anew"));
            }
            return Ok(TokenSpill::behind(stored, None)?);
        }
        let mut spill = TokenSpill::create(None)?;
        let mut waiting: VecDeque<StoredDocument> = VecDeque::new();
        let prepare = |text: String| {
            let tokens = parse(&text, reading);
            (text, tokens)
        };
        old.documents(args.input.threads(), Some(&prepare), |stored| {
            match stored {
                Stored::Document(document) => waiting.push_back(document),
                Stored::Text((text, tokens)) => {
                    let Some(StoredDocument { order, hash, document, .. }) = waiting.pop_front() else { return Ok(()) };
                    let document = Document { text, ..document };
                    self.take(Incoming { document, hash, tokens }, Some(order), &mut spill)?;
                }
            }
            Ok::<(), Failure>(())
        })?;
        Ok(spill)
    }

    fn take(&mut self, incoming: Incoming, order: Option<i64>, spill: &mut TokenSpill) -> Result<(), Failure> {
        let Incoming { document, hash, tokens } = incoming;
        // A document without a time keeps its place behind the one before it.
        let order = order.or(document.time.as_ref().map(Time::micros)).unwrap_or(self.latest);
        if let Some(index) = &mut self.index {
            index.push(order, hash, tokens.len() as u32, &document)?;
        }
        if self.enter(&document, order, hash, tokens.len() as u32)? {
            spill.push(&tokens)?;
            if let Some(texts) = &mut self.documents.texts {
                texts.push(&document.text)?;
            }
        }
        Ok(())
    }

    /// Enters a document; tells whether it takes part.
    fn enter(&mut self, document: &Document, order: i64, hash: ContentHash, tokens: u32) -> Result<bool, Failure> {
        interrupt::check()?;
        self.latest = order;
        let all = &mut self.documents;
        let stamp = Stamp { order, digest: 0 };
        let number = all.register.push(&document.id, document.time.as_ref(), document.url.as_deref(), stamp)?;
        all.orders.push(order);
        all.too_short += u64::from((tokens as usize) < self.length);
        if self.subject.is_none() && self.wanted == Some(document.id.as_str()) {
            self.subject = Some(number);
        }
        self.names.look(&document.id, self.talk);
        let is_first = if self.collapses {
            all.copies.enter(hash)
        } else {
            all.copies.enter_alone();
            true
        };
        if is_first {
            all.lengths.push(tokens);
        }
        Ok(is_first)
    }
}

/// The ids that were seen, as hashes.
#[derive(Default)]
struct Names {
    seen: HashSet<u64>,
    told: bool,
}

impl Names {
    /// Edges name documents by id, so two documents of one name would be taken for one.
    fn look(&mut self, id: &str, talk: &Talk) {
        let mut hasher = DefaultHasher::new();
        id.hash(&mut hasher);
        if !self.told && !self.seen.insert(hasher.finish()) {
            self.told = true;
            self.seen = HashSet::new();
            talk.warn(format_args!(
                "the id {id:?} belongs to several documents; the answer names documents by id and cannot tell them apart"
            ));
        }
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

    /// Bytes that they take for as long as the run lasts, beside what is on disk.
    pub(crate) fn memory(&self) -> usize {
        self.copies.memory() + size_of_val(&*self.lengths) + size_of_val(&*self.by_place)
    }

    /// All documents, as they were read, that have the text of each that is no copy.
    pub(crate) fn groups(&self) -> Groups {
        self.copies.groups()
    }

    /// The same by place in time.
    pub(crate) fn groups_by_place(&self) -> Groups {
        let places = self.places();
        self.copies.groups().renumbered(|document| places[document as usize])
    }

    /// Relations of copies too, from those of what are no copies.
    pub(crate) fn inherit(&self, relations: &[Relation], copies: impl Fn(u32) -> Option<(f64, u32)>) -> Vec<Relation> {
        self.copies.inherit(relations, copies)
    }

    /// The same relations between the earliest documents with these texts.
    pub(crate) fn named(&self, relations: &[Relation]) -> Vec<Relation> {
        // Who comes first in time is entered last, and stays.
        let mut earliest = vec![0; self.copies.representatives() as usize];
        for &document in self.by_place.iter().rev() {
            earliest[self.copies.representative(document) as usize] = document;
        }
        let earliest = |one: u32| earliest[one as usize];
        let named = relations.iter().map(|relation| {
            let Edge { a, b, score } = relation.edge;
            Relation { edge: Edge::new(earliest(a), earliest(b), score), ..*relation }
        });
        named.collect()
    }

    /// No more documents come: puts them in order of time, then arrival, and gives back what only reading needs.
    fn close(&mut self) {
        let orders = std::mem::take(&mut self.orders);
        self.by_place = (0..self.len()).collect();
        self.by_place.sort_by_key(|&document| orders[document as usize]);
        self.copies.close();
        self.lengths.shrink_to_fit();
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

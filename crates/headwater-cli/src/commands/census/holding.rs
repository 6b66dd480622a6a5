//! What is kept of each collection: a number for each document and, where near-duplicates count, its sketch.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use headwater::Document;
use headwater::census::{Catalogue, Members, NearIndex, address, content};
use headwater::neardup::{Bands, Hashing, Sketcher};
use headwater::text::{Reading, Tokens, fingerprints};
use headwater_io::table::{Access, Table};
use headwater_io::{Event, Inputs, Order, ReadOptions, digest, read};

use super::answer::About;
use super::engines;
use crate::args::{By, CensusArgs};
use crate::failure::Failure;
use crate::interrupt;
use crate::terminal::Talk;

/// Entries of a sketch: an agreement of 80 % is told to within 4 %.
const ENTRIES: usize = 128;

/// The two crawls behind `--demo`.
const DEMO: [(&str, &[u8]); 2] = [
    ("north", include_bytes!("../../../../../testdata/crawls/north.jsonl")),
    ("south", include_bytes!("../../../../../testdata/crawls/south.jsonl")),
];

/// One collection.
pub(super) struct Holding {
    pub(super) name: String,
    pub(super) catalogue: Catalogue,
    /// Documents as they were read, duplicates included.
    pub(super) documents: u64,
    near: Option<Near>,
}

struct Near {
    index: NearIndex,
    /// The sketch of each document that has one.
    sketches: HashMap<u64, Box<[u32]>>,
}

/// Where a collection comes from.
pub(super) enum Source {
    Inputs(Inputs),
    Table(PathBuf),
    Endpoint(PathBuf),
}

/// What stands for a document.
struct Item {
    key: u64,
    sketch: Option<Box<[u32]>>,
}

impl Holding {
    pub(super) fn about(&self) -> About {
        let distinct = Some(self.catalogue.len() as u64);
        About { name: self.name.clone(), documents: Some(self.documents), distinct }
    }

    /// Whether it has a document, by its number or by a near-duplicate.
    pub(super) fn has(&self, key: u64, sketch: Option<&[u32]>) -> bool {
        self.catalogue.contains(key) || sketch.is_some_and(|sketch| self.alike(sketch) > 0)
    }

    /// How many of its documents are alike.
    pub(super) fn alike(&self, sketch: &[u32]) -> usize {
        self.near.as_ref().map_or(0, |near| near.index.alike(sketch))
    }

    pub(super) fn sketch(&self, key: u64) -> Option<&[u32]> {
        self.near.as_ref()?.sketches.get(&key).map(AsRef::as_ref)
    }
}

/// Reads all collections. Fails where one is missing or empty.
pub(super) fn read_all(args: &CensusArgs, by: By, talk: &Talk) -> Result<Vec<Holding>, Failure> {
    let sources = sources(args)?;
    let keyed = Keyed::new(args, by, sources.iter().any(|(_, source)| matches!(source, Source::Table(_))))?;
    let mut holdings = Vec::new();
    for (name, source) in sources {
        let holding = match source {
            Source::Inputs(inputs) => from_inputs(name, &inputs, &keyed, args, talk)?,
            Source::Table(path) => from_table(name, &path, by)?,
            Source::Endpoint(_) => {
                return Err(Failure::Usage(format!("{name} can only be searched: use --method queries")));
            }
        };
        holdings.push(holding);
    }
    Ok(holdings)
}

pub(super) fn sources(args: &CensusArgs) -> Result<Vec<(String, Source)>, Failure> {
    if args.input.is_demo() {
        let crawl = |(name, bytes): (&str, &'static [u8])| {
            let mut inputs = Inputs::new();
            inputs.push_bytes(&format!("{name}.jsonl"), bytes);
            (name.to_owned(), Source::Inputs(inputs))
        };
        return Ok(DEMO.map(crawl).into());
    }
    let paths = args.input.each();
    if paths.len() < 2 || paths.len() > Members::MOST {
        return Err(Failure::Usage(format!(
            "a census compares 2 to {} collections, and {} was given; each file or folder is one collection",
            Members::MOST,
            paths.len()
        )));
    }
    let open = |path: &PathBuf| {
        let source = if engines::is_endpoint(path) {
            Source::Endpoint(path.clone())
        } else if Table::is_one(path) {
            Source::Table(path.clone())
        } else {
            Source::Inputs(Inputs::open(&[path]).map_err(Failure::run)?)
        };
        Ok((path.display().to_string(), source))
    };
    paths.iter().map(open).collect()
}

fn from_inputs(
    name: String,
    inputs: &Inputs,
    keyed: &Keyed,
    args: &CensusArgs,
    talk: &Talk,
) -> Result<Holding, Failure> {
    // Order makes no difference to what a collection holds.
    let options = ReadOptions { order: Order::Input, ..args.input.options() };
    let watch = talk.watch(Arc::clone(&options.progress));
    let mut keys = Vec::new();
    let mut sketches = HashMap::new();
    let summary = read(
        inputs,
        &options,
        |document| keyed.item(&document),
        |event| match event {
            Event::Document(item) => {
                interrupt::check()?;
                keys.push(item.key);
                if let Some(sketch) = item.sketch {
                    sketches.insert(item.key, sketch);
                }
                Ok(())
            }
            Event::Problem(problem) if args.input.strict => Err(Failure::run(problem)),
            Event::Problem(problem) => {
                talk.warn(problem);
                Ok(())
            }
        },
    );
    drop(watch);
    let summary = summary.map_err(|error| match Failure::from(error) {
        Failure::Run(what) if !what.contains(&name) => Failure::Run(format!("{name}: {what}")),
        other => other,
    })?;
    let catalogue = Catalogue::new(keys);
    let near = keyed.sketcher.as_ref().map(|_| Near { index: keyed.index(&catalogue, &sketches), sketches });
    Ok(Holding { name, catalogue, documents: summary.documents, near })
}

/// The register of a kept table has all but the texts.
fn from_table(name: String, path: &Path, by: By) -> Result<Holding, Failure> {
    let opened = Table::open(path, Access::Read)?;
    let mut keys = Vec::new();
    for number in 0..opened.register.len() {
        interrupt::check()?;
        let Some(stamp) = opened.register.stamp(number)? else { continue };
        keys.push(if by == By::Address {
            let entry = opened.register.get(number)?;
            address(entry.url.as_deref().unwrap_or(&entry.id))
        } else {
            stamp.digest
        });
    }
    if keys.is_empty() {
        return Err(Failure::run(format_args!("{name}: the table has no documents")));
    }
    let documents = keys.len() as u64;
    Ok(Holding { name, catalogue: Catalogue::new(keys), documents, near: None })
}

/// How documents become numbers.
struct Keyed {
    by: By,
    /// A table knows documents by a digest of all that was read of them, so that all others must go by it too.
    as_tables: bool,
    shingle: usize,
    threshold: f64,
    sketcher: Option<Sketcher>,
}

impl Keyed {
    fn new(args: &CensusArgs, by: By, tables: bool) -> Result<Self, Failure> {
        if tables && by == By::Near {
            return Err(Failure::Usage(
                "a table keeps no texts, so that near-duplicates cannot be told; use --by content or --by address"
                    .into(),
            ));
        }
        let sketcher = (by == By::Near).then(|| Sketcher::new(ENTRIES, Hashing::OnePermutation));
        let (shingle, threshold) = (usize::from(args.checking.shingle), args.checking.threshold);
        Ok(Keyed { by, as_tables: tables, shingle, threshold, sketcher })
    }

    fn item(&self, document: &Document) -> Item {
        let key = match self.by {
            By::Address => address(document.url.as_deref().unwrap_or(&document.id)),
            By::Content if self.as_tables => digest(document),
            By::Content | By::Near => content(&document.text),
        };
        Item { key, sketch: self.sketcher.as_ref().and_then(|sketcher| self.sketch(sketcher, &document.text)) }
    }

    /// None where a text has no token. One with fewer tokens than a shingle is one shingle.
    fn sketch(&self, sketcher: &Sketcher, text: &str) -> Option<Box<[u32]>> {
        thread_local!(static SCRATCH: RefCell<(Tokens, Vec<u64>)> = RefCell::default());
        SCRATCH.with_borrow_mut(|(tokens, shingles)| {
            tokens.read(text, Reading::Words).expect("reading refuses texts of 4 GiB");
            if tokens.is_empty() {
                return None;
            }
            fingerprints(tokens.hashes(), self.shingle.min(tokens.len()), shingles);
            let mut sketch = Vec::with_capacity(ENTRIES);
            sketcher.sketch(shingles, &mut sketch);
            Some(sketch.into())
        })
    }

    fn index(&self, catalogue: &Catalogue, sketches: &HashMap<u64, Box<[u32]>>) -> NearIndex {
        let mut index = NearIndex::new(ENTRIES, Bands::choose(ENTRIES, self.threshold).rows, self.threshold);
        // In the catalogue's order, which does not hang on the map's.
        catalogue.keys().filter_map(|key| sketches.get(&key)).for_each(|sketch| index.push(sketch));
        index.finish();
        index
    }
}

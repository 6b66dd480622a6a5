//! Collections as search engines: an index for those that can be read, an endpoint for those on the network.

use std::path::Path;
use std::sync::Arc;

use headwater::census::{Engine, Lexicon};
use headwater_engine::{Description, Endpoint, Faults, Index, Indexer, Part};
use headwater_io::{Event, Inputs, Order, ReadOptions, read};

use super::answer::About;
use super::holding::{Source, sources};
use crate::args::CensusArgs;
use crate::failure::Failure;
use crate::interrupt;
use crate::terminal::Talk;

/// What a file with the description of a search service is called.
const DESCRIBED: &str = ".engine.json";

/// One collection, ready to be searched.
pub(super) struct Searched {
    pub(super) about: About,
    way: Way,
}

enum Way {
    Index(Box<Index>),
    Endpoint(Box<Description>),
}

/// Whether a path names the description of a search service.
pub(super) fn is_endpoint(path: &Path) -> bool {
    path.to_string_lossy().ends_with(DESCRIBED)
}

/// Indexes what can be read, and collects its words.
pub(super) fn open_all(args: &CensusArgs, talk: &Talk) -> Result<(Vec<Searched>, Lexicon), Failure> {
    let mut lexicon = Lexicon::new();
    let mut searched = Vec::new();
    let collects = args.engines.vocabulary.is_none();
    for (name, source) in sources(args)? {
        let (way, documents) = match source {
            Source::Inputs(inputs) => {
                let mut indexer = Indexer::new(args.engines.truncate()).map_err(Failure::run)?;
                each(&inputs, &name, args, talk, |document| {
                    if collects {
                        lexicon.add(&document.text);
                    }
                    indexer.push(&document).map_err(Failure::run)
                })?;
                let index = indexer.finish().map_err(Failure::run)?;
                let documents = index.len() as u64;
                (Way::Index(Box::new(index)), Some(documents))
            }
            Source::Endpoint(path) => {
                let wrong = |error| Failure::run(format_args!("{name}: {error}"));
                (Way::Endpoint(Box::new(Description::open(&path).map_err(wrong)?)), None)
            }
            Source::Table(_) => {
                return Err(Failure::Usage(format!("{name}: a table keeps no texts, so that it cannot be searched")));
            }
        };
        searched.push(Searched { about: About { name, documents, distinct: None }, way });
    }
    if let Some(path) = &args.engines.vocabulary {
        let inputs = Inputs::open(&[path]).map_err(Failure::run)?;
        each(&inputs, &path.display().to_string(), args, talk, |document| {
            lexicon.add(&document.text);
            Ok(())
        })?;
    }
    Ok((searched, lexicon))
}

impl Searched {
    pub(super) fn engine(&self, args: &CensusArgs) -> Result<Box<dyn Engine + '_>, Failure> {
        let wrong = |error| Failure::run(format_args!("{}: {error}", self.about.name));
        Ok(match &self.way {
            Way::Index(index) => {
                Box::new(Part::all(index, Faults { per_host: args.engines.per_host, ..Faults::default() }))
            }
            Way::Endpoint(description) => Box::new(Endpoint::new((**description).clone()).map_err(wrong)?),
        })
    }
}

/// Reads all documents of an input, one after the other.
pub(super) fn each(
    inputs: &Inputs,
    name: &str,
    args: &CensusArgs,
    talk: &Talk,
    mut take: impl FnMut(headwater::Document) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let options = ReadOptions { order: Order::Input, ..args.input.options() };
    each_with(inputs, name, &options, args.input.strict, talk, &mut take)
}

/// The same, read in a given way.
pub(super) fn each_with(
    inputs: &Inputs,
    name: &str,
    options: &ReadOptions,
    strict: bool,
    talk: &Talk,
    take: &mut dyn FnMut(headwater::Document) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let watch = talk.watch(Arc::clone(&options.progress));
    let outcome = read(
        inputs,
        options,
        |document| document,
        |event| match event {
            Event::Document(document) => {
                interrupt::check()?;
                take(document)
            }
            Event::Problem(problem) if strict => Err(Failure::run(problem)),
            Event::Problem(problem) => {
                talk.warn(problem);
                Ok(())
            }
        },
    );
    drop(watch);
    match outcome.map_err(Failure::from) {
        Err(Failure::Run(what)) if !what.contains(name) => Err(Failure::Run(format!("{name}: {what}"))),
        Err(other) => Err(other),
        Ok(_) => Ok(()),
    }
}

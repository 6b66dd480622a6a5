//! `headwater eval census`: how far each method is off, and whether its intervals hold the truth, over splits that are known.

mod biases;
mod methods;
mod split;
mod tables;

use std::collections::HashSet;
use std::io::Write;
use std::sync::Arc;

use headwater::census::{Lexicon, Links, Memory, Random, StrongQuery, Vocabulary, content, host};
use headwater_engine::{Faults, Index, Indexer, Part};
use headwater_io::write::Output;
use headwater_io::{Event, Order, ReadOptions, read};
use headwater_report::census::CensusPage;

use crate::args::{EvalCensusArgs, EvalCensusForm};
use crate::failure::Failure;
use crate::interrupt;
use crate::terminal::{Talk, count};
use methods::Method;
use split::Split;
use tables::Tally;

/// How many results an engine gives: the first hundred, as Bharat and Broder had.
const LIMIT: usize = 100;

/// Fewer documents cannot be split a hundred to one.
const LEAST: usize = 100;

/// A collection, ready to be split and asked in every way.
struct World {
    index: Index,
    /// The same with only the beginning of each document.
    truncated: Index,
    vocabulary: Vocabulary,
    /// The first words of each document: what somebody might have searched for.
    log: Vec<String>,
    /// The host, or what stands for one, of each document, by number.
    hosts: Vec<u32>,
    /// Invented links, since few collections have any: most pages link to early ones.
    links: Links,
    /// The length of each document.
    lengths: Vec<usize>,
    /// Documents that are split: of those that are nearly the same only the first, since what counts as the same to a
    /// strong query must be the same in the truth.
    different: Vec<usize>,
    /// The strong query of each document, made once.
    strong: Vec<Vec<String>>,
    /// Whether it finds the document where it is. It is asked once, as the answer is the same in every split.
    findable: Vec<bool>,
}

/// Bytes of a document that a truncating engine looks at.
const TRUNCATED: usize = 500;

pub(super) fn eval_census(args: &EvalCensusArgs) -> Result<(), Failure> {
    let talk = Talk::new(args.talk.quiet);
    let world = World::read(args, &talk)?;
    let documents = world.different.len();
    talk.say(format_args!(
        "{} different documents, {} near-duplicates left out, {} words for queries",
        count(documents as u64),
        count((world.index.len() - documents) as u64),
        count(world.vocabulary.len() as u64)
    ));
    let (mut tallies, mut memory) = (Vec::new(), Memory::new());
    let mut random = Random::new(args.drawing.seed);
    for &size in &args.sizes {
        for &overlap in &args.overlaps {
            let mut cell: Vec<Tally> = Method::ALL.iter().map(|&method| Tally::new(method, size, overlap)).collect();
            for _ in 0..args.rounds {
                let split = Split::new(&world.different, world.index.len(), size, overlap, &mut random);
                for outcome in methods::run(&world, &split, args, &mut memory, &mut random) {
                    interrupt::check()?;
                    let tally = cell.iter_mut().find(|tally| tally.method == outcome.method);
                    tally.expect("every method has its tally").add(&outcome, &split, args.drawing.samples);
                }
            }
            tallies.extend(cell);
            talk.say(format_args!("1:{size}, {overlap} % measured"));
        }
    }
    let biases = biases::simulate(&world, args, &mut memory, &mut random);
    let page: CensusPage = tables::page(&tallies, biases, documents, args);
    let mut out = Output::create(args.target())?;
    match args.form() {
        EvalCensusForm::Text => out.write_all(tables::text(&page).as_bytes())?,
        EvalCensusForm::Json => {
            serde_json::to_writer(&mut out, &page).map_err(Failure::run)?;
            out.write_all(b"\n")?;
        }
        EvalCensusForm::Html => page.write(&mut out)?,
    }
    Ok(out.finish()?)
}

impl World {
    fn read(args: &EvalCensusArgs, talk: &Talk) -> Result<Self, Failure> {
        let inputs = args.input.open().map_err(Failure::run)?;
        let options = ReadOptions { order: Order::Input, ..args.input.options() };
        let watch = talk.watch(Arc::clone(&options.progress));
        let mut indexer = Indexer::new(None).map_err(Failure::run)?;
        let mut truncated = Indexer::new(Some(TRUNCATED)).map_err(Failure::run)?;
        let (mut lexicon, mut seen) = (Lexicon::new(), HashSet::new());
        let (mut log, mut hosts, mut lengths) = (Vec::<String>::new(), Vec::new(), Vec::new());
        let mut places = std::collections::HashMap::<String, u32>::new();
        read(
            &inputs,
            &options,
            |document| document,
            |event| {
                let mut document = match event {
                    Event::Document(document) => document,
                    Event::Problem(problem) if args.input.strict => return Err(Failure::run(problem)),
                    Event::Problem(problem) => {
                        talk.warn(problem);
                        return Ok(());
                    }
                };
                interrupt::check()?;
                if !seen.insert(content(&document.text)) {
                    return Ok(());
                }
                let place = document.url.as_deref().and_then(host).unwrap_or_else(|| folder(&document.id).to_owned());
                let next = places.len() as u32;
                hosts.push(*places.entry(place).or_insert(next));
                // Each document has an address of its own, whatever its id is.
                document.url = Some(format!("{}/{}", document.id.replace('#', "/"), log.len()));
                log.push(document.text.split_whitespace().take(3).collect::<Vec<_>>().join(" "));
                lengths.push(document.text.len());
                lexicon.add(&document.text);
                indexer.push(&document).map_err(Failure::run)?;
                truncated.push(&document).map_err(Failure::run)
            },
        )?;
        drop(watch);
        let (index, truncated) = (indexer.finish().map_err(Failure::run)?, truncated.finish().map_err(Failure::run)?);
        let Checked { different, strong, findable } = Checked::of(&index, &lexicon)?;
        if different.len() < LEAST {
            return Err(Failure::run(format_args!(
                "there are {} different documents; at least {LEAST} are needed to split them",
                different.len()
            )));
        }
        let vocabulary = lexicon.vocabulary(different.len() as u64, LIMIT);
        let links = invented_links(index.len(), &mut Random::new(args.drawing.seed));
        Ok(World { index, truncated, vocabulary, log, hosts, links, lengths, different, strong, findable })
    }
}

/// What strong queries for all documents, each asked of the whole collection, tell.
struct Checked {
    different: Vec<usize>,
    strong: Vec<Vec<String>>,
    findable: Vec<bool>,
}

impl Checked {
    fn of(index: &Index, lexicon: &Lexicon) -> Result<Self, Failure> {
        let query = StrongQuery::default();
        let mut engine = Part::all(index, Faults::default());
        let (mut different, mut strong, mut findable) = (Vec::new(), Vec::new(), Vec::new());
        let mut is_different = vec![false; index.len()];
        for number in 0..index.len() {
            interrupt::check()?;
            let text = index.text(number as u32).map_err(Failure::run)?;
            let words = lexicon.rarest(&text, query.words);
            let alike = query.alike(&mut engine, &words, &text).map_err(Failure::run)?;
            let alike: Vec<u32> = alike.iter().filter_map(|hit| index.number(&hit.address)).collect();
            strong.push(words);
            findable.push(alike.contains(&(number as u32)));
            if !alike.iter().any(|&other| is_different[other as usize]) {
                is_different[number] = true;
                different.push(number);
            }
        }
        Ok(Checked { different, strong, findable })
    }
}

/// All but the last part of a name: files of one folder, as pages of one host.
fn folder(id: &str) -> &str {
    id.rsplit_once(['/', '@']).map_or(id, |(folder, _)| folder)
}

/// Each page links to its neighbour and to four others, early ones more than late ones.
fn invented_links(pages: usize, random: &mut Random) -> Links {
    let mut links = Links::new();
    for page in 0..pages {
        let early = |random: &mut Random| (pages as f64 * random.unit().powi(3)) as u32;
        let targets =
            [((page + 1) % pages) as u32, early(random), early(random), early(random), random.below(pages) as u32];
        links.push(&targets);
    }
    links
}

//! Random queries to collections that can only be searched, or are treated so.

use headwater::census::{
    Census, Drawn, Engine, Found, Lexicon, Members, Random, RandomQueries, Sample, StrongQuery, Vocabulary, address,
    recapture,
};

use super::answer::{About, Answer};
use super::engines::{self, Searched};
use super::settings;
use crate::args::{CensusArgs, DrawBy};
use crate::failure::Failure;
use crate::interrupt;
use crate::terminal::{Talk, count};

/// Queries that are asked for each document that is wanted: many find nothing.
const PATIENCE: usize = 30;

/// An engine that fails so often in a row is given up.
const GIVEN_UP: u32 = 20;

/// What was drawn from one engine.
#[derive(Default)]
struct Draws {
    plain: Sample,
    corrected: Sample,
    /// Which document, and what it stands for.
    documents: Vec<(u64, f64)>,
    failed: u64,
}

pub(super) fn by_queries(args: &CensusArgs, talk: &Talk) -> Result<Answer, Failure> {
    let (searched, lexicon) = engines::open_all(args, talk)?;
    let largest = searched.iter().filter_map(|searched| searched.about.documents).max();
    let vocabulary = vocabulary(&lexicon, largest, args)?;
    let mut engines: Vec<Box<dyn Engine + '_>> = searched.iter().map(|searched| searched.engine(args)).collect();
    let mut random = Random::new(args.drawing.seed);
    let mut draws = Vec::new();
    for from in 0..engines.len() {
        let drawn = draw(&mut engines, from, &searched, &vocabulary, &lexicon, args, &mut random)?;
        if drawn.failed > 0 {
            talk.warn(format_args!(
                "{}: {} searches of its draws were not answered and do not count",
                searched[from].about.name,
                count(drawn.failed)
            ));
        }
        draws.push(drawn);
    }
    let about: Vec<About> = searched.iter().map(|searched| searched.about.clone()).collect();
    let samples = |of: fn(&Draws) -> &Sample| draws.iter().map(|draws| of(draws).clone()).collect::<Vec<Sample>>();
    let corrected = Census::new(&samples(|draws| &draws.corrected), &settings(args));
    let plain = Census::new(&samples(|draws| &draws.plain), &settings(args));
    let sizes: Vec<_> =
        draws.iter().map(|draws| recapture(&draws.documents, args.drawing.confidence, args.drawing.seed)).collect();
    Ok(Answer::new(&corrected, &about, DrawBy::Queries, args).with_uncorrected(&plain, &about).with_recaptured(&sizes))
}

fn vocabulary(lexicon: &Lexicon, largest: Option<u64>, args: &CensusArgs) -> Result<Vocabulary, Failure> {
    if lexicon.documents() == 0 {
        return Err(Failure::Usage(
            "none of the collections can be read, so that queries need words: --vocabulary INPUT".into(),
        ));
    }
    let documents = largest.unwrap_or(u64::from(lexicon.documents()));
    let vocabulary = lexicon.vocabulary(documents, args.engines.results as usize);
    if vocabulary.len() < 2 {
        return Err(Failure::run(
            "there are not two words that are neither too common nor too rare for queries; give more documents",
        ));
    }
    Ok(vocabulary)
}

fn draw(
    engines: &mut [Box<dyn Engine + '_>],
    from: usize,
    searched: &[Searched],
    vocabulary: &Vocabulary,
    lexicon: &Lexicon,
    args: &CensusArgs,
    random: &mut Random,
) -> Result<Draws, Failure> {
    let queries = RandomQueries { vocabulary, limit: args.engines.results as usize };
    let strong = StrongQuery {
        threshold: args.checking.threshold,
        shingle: usize::from(args.checking.shingle),
        ..StrongQuery::default()
    };
    let wanted = args.drawing.samples as usize;
    let mut draws = Draws::default();
    // Failures in a row, of each engine.
    let mut silent = vec![0; engines.len()];
    for _ in 0..wanted * PATIENCE {
        interrupt::check()?;
        let (plain, corrected) = (draws.plain.len() as usize, draws.documents.len());
        if plain >= wanted && corrected >= wanted {
            break;
        }
        let Some(Drawn { hit, text, weight }) = (match queries.draw(&mut engines[from], random) {
            Ok(drawn) => {
                silent[from] = 0;
                drawn
            }
            Err(error) => {
                fail(&mut draws, &mut silent, from, searched, &error)?;
                continue;
            }
        }) else {
            continue;
        };
        let weight = weight.filter(|_| corrected < wanted);
        if plain >= wanted && weight.is_none() {
            continue;
        }
        let mut members = Members::NONE.with(from);
        let mut told = true;
        for other in (0..engines.len()).filter(|&other| other != from) {
            match strong.find(&mut engines[other], lexicon, &hit.address, &text) {
                Ok(found) => {
                    silent[other] = 0;
                    members = if found == Found::Nothing { members } else { members.with(other) };
                }
                Err(error) => {
                    fail(&mut draws, &mut silent, other, searched, &error)?;
                    told = false;
                }
            }
        }
        // A document that could not be looked for everywhere would count as missing where nobody looked.
        if told {
            if plain < wanted {
                draws.plain.push(1.0, members);
            }
            if let Some(weight) = weight {
                draws.corrected.push(weight, members);
                draws.documents.push((address(&hit.address), weight));
            }
        }
    }
    if draws.plain.is_empty() {
        let name = &searched[from].about.name;
        return Err(Failure::run(format_args!(
            "{name}: none of {} random queries found a document; is it empty, or in another language than the words?",
            count((wanted * PATIENCE) as u64)
        )));
    }
    Ok(draws)
}

fn fail(
    draws: &mut Draws,
    silent: &mut [u32],
    engine: usize,
    searched: &[Searched],
    error: &headwater::census::EngineError,
) -> Result<(), Failure> {
    draws.failed += 1;
    silent[engine] += 1;
    if silent[engine] < GIVEN_UP {
        return Ok(());
    }
    Err(Failure::run(format_args!(
        "{}: {GIVEN_UP} searches in a row failed; the last: {error}",
        searched[engine].about.name
    )))
}

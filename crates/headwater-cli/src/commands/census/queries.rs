//! Random queries to collections that can only be searched, or are treated so.

use headwater::census::{
    Census, Drawn, Engine, EngineError, Found, Lexicon, Members, Memory, Random, RandomQueries, Repeated, Sample,
    StrongQuery, Vocabulary, address, recapture,
};

use super::answer::{About, Answer};
use super::engines::{self, Searched};
use super::settings;
use crate::args::{CensusArgs, DrawBy};
use crate::failure::Failure;
use crate::interrupt;
use crate::terminal::{Talk, count};

/// Queries that are asked for each document that is wanted: many find nothing.
const PATIENCE: usize = 100;

/// An engine that fails so often in a row is given up.
const GIVEN_UP: u32 = 20;

/// What was drawn from one engine.
#[derive(Default)]
struct Draws {
    plain: Sample,
    corrected: Sample,
    /// Which document, and what it stands for.
    documents: Vec<(u64, f64)>,
}

/// Engines that are drawn from and asked.
struct Sampler<'a> {
    engines: Vec<Box<dyn Engine + 'a>>,
    searched: &'a [Searched],
    lexicon: &'a Lexicon,
    queries: RandomQueries<'a>,
    strong: StrongQuery,
    wanted: usize,
    random: Random,
    /// Failures in a row, of each engine.
    silent: Vec<u32>,
    failed: u64,
}

pub(super) fn by_queries(args: &CensusArgs, talk: &Talk) -> Result<Answer, Failure> {
    let (searched, lexicon) = engines::open_all(args, talk)?;
    let largest = searched.iter().filter_map(|searched| searched.about.documents).max();
    let vocabulary = vocabulary(&lexicon, largest, args)?;
    let engines = searched.iter().map(|searched| searched.engine(args)).collect::<Result<Vec<_>, _>>()?;
    let mut sampler = Sampler {
        silent: vec![0; engines.len()],
        engines,
        searched: &searched,
        lexicon: &lexicon,
        queries: RandomQueries { vocabulary: &vocabulary, limit: args.engines.results as usize },
        strong: StrongQuery {
            threshold: args.checking.threshold,
            shingle: usize::from(args.checking.shingle),
            ..StrongQuery::default()
        },
        wanted: args.drawing.samples as usize,
        random: Random::new(args.drawing.seed),
        failed: 0,
    };
    let mut draws = Vec::new();
    for (from, searched) in searched.iter().enumerate() {
        draws.push(sampler.draw(from)?);
        let failed = std::mem::take(&mut sampler.failed);
        if failed > 0 {
            talk.warn(format_args!(
                "{}: {} searches of its draws were not answered and do not count",
                searched.about.name,
                count(failed)
            ));
        }
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

impl Sampler<'_> {
    fn draw(&mut self, from: usize) -> Result<Draws, Failure> {
        let (mut draws, mut plain) = (Draws::default(), Repeated::new());
        for _ in 0..self.wanted * PATIENCE {
            if plain.len() as usize >= self.wanted {
                break;
            }
            let drawn = self.queries.draw_plain(&mut self.engines[from], &mut self.random);
            if let Some((Drawn { hit, .. }, members)) = self.checked(from, drawn)? {
                plain.push(address(&hit.address), 1.0, members);
            }
        }
        draws.plain = plain.sample();
        if plain.is_empty() {
            return Err(Failure::run(format_args!(
                "{}: none of {} random queries found a document; is it empty, or in another language than the words?",
                self.searched[from].about.name,
                count((self.wanted * PATIENCE) as u64)
            )));
        }
        let (mut memory, mut asked, mut drawn_in_all) = (Memory::new(), 0, 0);
        for _ in 0..self.wanted * PATIENCE {
            if draws.documents.len() >= self.wanted {
                break;
            }
            let drawn = self.queries.draw_guided(&mut self.engines[from], &mut memory, &mut self.random);
            asked += u64::from(drawn.is_ok());
            drawn_in_all += u64::from(matches!(drawn, Ok(Some(_))));
            if let Some((Drawn { hit, weight }, members)) = self.checked(from, drawn)? {
                draws.corrected.push(weight, members);
                draws.documents.push((address(&hit.address), weight));
            }
        }
        draws.corrected.tried(asked, drawn_in_all);
        Ok(draws)
    }

    /// Where else a drawn document is. Nothing where none was drawn or an engine failed: a document that could not be looked for everywhere would
    /// count as missing where nobody looked.
    fn checked(
        &mut self,
        from: usize,
        drawn: Result<Option<Drawn>, EngineError>,
    ) -> Result<Option<(Drawn, Members)>, Failure> {
        interrupt::check()?;
        let Some(drawn) = self.answered(from, drawn)?.flatten() else { return Ok(None) };
        let text = self.engines[from].fetch(&drawn.hit);
        let Some(text) = self.answered(from, text)? else { return Ok(None) };
        let mut members = Members::NONE.with(from);
        for other in (0..self.engines.len()).filter(|&other| other != from) {
            let found = self.strong.find(&mut self.engines[other], self.lexicon, &drawn.hit.address, &text);
            let Some(found) = self.answered(other, found)? else { return Ok(None) };
            members = if found == Found::Nothing { members } else { members.with(other) };
        }
        Ok(Some((drawn, members)))
    }

    /// What an engine said; nothing where it failed. Fails where it failed too often in a row.
    fn answered<T>(&mut self, engine: usize, answer: Result<T, EngineError>) -> Result<Option<T>, Failure> {
        match answer {
            Ok(answer) => {
                self.silent[engine] = 0;
                Ok(Some(answer))
            }
            Err(error) => {
                self.failed += 1;
                self.silent[engine] += 1;
                if self.silent[engine] < GIVEN_UP {
                    return Ok(None);
                }
                Err(Failure::run(format_args!(
                    "{}: {GIVEN_UP} searches in a row failed; the last: {error}",
                    self.searched[engine].about.name
                )))
            }
        }
    }
}

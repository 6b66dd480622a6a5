//! Drawing from an engine by random queries (Bharat and Broder, 1998), and what a draw is worth (Bar-Yossef and Gurevich, 2006).
//!
//! *As published*: two random words of a vocabulary, both required; the first hundred results; one of them at random. Long documents have
//! more pairs of words and are drawn more often: the induced weight W(p) of the slides. The reciprocal of the number of queries that
//! reach a document corrects it, but that number grows with the square of a document's length: of 1,000 draws a few short documents
//! then weigh more than all others together.
//!
//! *Guided*, so that there is less to correct: the two words are of a random document of the vocabulary's source. Some of the results
//! are looked at, and one is chosen in proportion to 1/d, d being the number of queries that its words make. A draw stands for
//! a(q, d) / p(q, d): p is the probability of this query and this choice, and the a(q, d) of all queries that reach a document sum up to 1,
//! which makes the weights sum up to the number of documents, on average over queries, whatever a is
//! (Broder et al., *Estimating corpus size via queries*, CIKM 2006). Here a is in proportion to x / (1 + x), x being how many
//! documents of the source, as long as this one, have the two words: queries that long documents have made, and which are therefore
//! improbable, count for little in short ones. Where the source is the collection, all weights would be nearly the same.
//!
//! Queries with more results than the engine gives reach nothing. What all a sum up to is found by trying queries of the
//! document until some have reached it: their number is in the mean the reciprocal of what is looked for.

use std::collections::HashMap;
use std::rc::Rc;

use super::engine::{Engine, EngineError, Hit};
use super::identity::address;
use super::random::Random;
use super::vocabulary::{Pair, Vocabulary, any_pair, queries};

/// Draws documents from engines.
#[derive(Clone, Copy, Debug)]
pub struct RandomQueries<'v> {
    /// The words that queries are made of, and the documents that they are taken from.
    pub vocabulary: &'v Vocabulary,
    /// How many results the engine is asked for.
    pub limit: usize,
}

/// A document that was drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// Where it is.
    pub hit: Hit,
    /// What it stands for. Weights of guided draws, those that found nothing counted as 0, have the number of documents for their mean.
    pub weight: f64,
}

/// The words of results that were looked at, so that each is fetched once. One for each engine and vocabulary.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    words: HashMap<u64, Rc<[u32]>>,
}

/// How many results of a query are looked at.
const LOOKED_AT: usize = 10;

/// How many queries have to reach a document until it is known how many do.
const RUNS: u32 = 3;

/// Searches after which that is given up, and trials that need none.
const SEARCHES: u32 = 60;
const TRIALS: u32 = 10_000;

/// Searches that may fail in the course of it.
const FAILURES: u32 = 10;

/// With fewer documents, nothing is known of how often words are together.
const GUIDES: usize = 50;

impl RandomQueries<'_> {
    /// Asks two random words, as published; none where nothing was found.
    pub fn draw_plain(&self, engine: &mut impl Engine, random: &mut Random) -> Result<Option<Drawn>, EngineError> {
        if self.vocabulary.len() < 2 {
            return Ok(None);
        }
        let pair = random.choose(self.vocabulary.len(), 2);
        let mut hits = self.search(engine, [pair[0] as u32, pair[1] as u32])?;
        if hits.is_empty() {
            return Ok(None);
        }
        let hit = hits.swap_remove(random.below(hits.len()));
        Ok(Some(Drawn { hit, weight: 1.0 }))
    }

    /// Asks two words of a random document; none where no document is reached.
    pub fn draw_guided(
        &self,
        engine: &mut impl Engine,
        memory: &mut Memory,
        random: &mut Random,
    ) -> Result<Option<Drawn>, EngineError> {
        let Some(query) = self.vocabulary.query(random) else { return Ok(None) };
        let hits = self.search(engine, query)?;
        if hits.is_empty() || hits.len() >= self.limit {
            return Ok(None);
        }
        let looked_at = random.choose(hits.len(), LOOKED_AT);
        let mut words = Vec::with_capacity(looked_at.len());
        for &at in &looked_at {
            words.push(memory.words(engine, self.vocabulary, &hits[at])?);
        }
        // An engine that reads words otherwise than we do can give a document that the query does not reach.
        let reaches = |words: &Rc<[u32]>| query.iter().all(|word| words.binary_search(word).is_ok());
        let parts: Vec<f64> =
            words.iter().map(|words| if reaches(words) { 1.0 / queries(words) } else { 0.0 }).collect();
        let all: f64 = parts.iter().sum();
        let mut left = random.unit() * all;
        let chosen = parts.iter().position(|part| {
            left -= part;
            left < 0.0
        });
        let Some(chosen) = chosen else { return Ok(None) };
        let hit = &hits[looked_at[chosen]];
        let Some(trials) = self.trials(engine, hit, &words[chosen], random)? else { return Ok(None) };
        let parts = self.vocabulary.parts(query);
        let results = hits.len() as f64 / looked_at.len() as f64;
        let asked = parts / self.vocabulary.documents() as f64;
        let weight = results * all * self.favour(parts, &words[chosen]) * trials / asked;
        Ok(Some(Drawn { hit: hit.clone(), weight }))
    }

    /// How many queries of a document it takes until one reaches it, where each is asked as often as it is favoured.
    fn trials(
        &self,
        engine: &mut impl Engine,
        hit: &Hit,
        words: &[u32],
        random: &mut Random,
    ) -> Result<Option<f64>, EngineError> {
        let (mut reached, mut searches, mut failures, mut trials) = (0, 0, 0, 0);
        while searches < SEARCHES && trials < TRIALS {
            trials += 1;
            let query = any_pair(words, random);
            if !random.chance(self.favour(self.vocabulary.parts(query), words)) {
                continue;
            }
            searches += 1;
            match self.search(engine, query) {
                Ok(found) => {
                    let is_fair = found.len() < self.limit;
                    reached += u32::from(is_fair && found.iter().any(|found| found.address == hit.address));
                }
                // If documents that were found were lost more easily than nothing is found, the size would seem less.
                Err(_) if failures < FAILURES => {
                    failures += 1;
                    trials -= 1;
                }
                Err(error) => return Err(error),
            }
            if reached == RUNS {
                return Ok(Some(f64::from(trials) / f64::from(RUNS)));
            }
        }
        Ok(None)
    }

    /// x / (1 + x): see above.
    fn favour(&self, parts: f64, words: &[u32]) -> f64 {
        let alike = parts * queries(words);
        match alike > 0.0 && self.vocabulary.documents() < GUIDES {
            true => 1.0,
            false => alike / (1.0 + alike),
        }
    }

    fn search(&self, engine: &mut impl Engine, query: Pair) -> Result<Vec<Hit>, EngineError> {
        engine.search(&query.map(|word| self.vocabulary.word(word)), self.limit)
    }
}

impl Memory {
    /// Nothing looked at yet.
    pub fn new() -> Self {
        Self::default()
    }

    fn words(
        &mut self,
        engine: &mut impl Engine,
        vocabulary: &Vocabulary,
        hit: &Hit,
    ) -> Result<Rc<[u32]>, EngineError> {
        let key = address(&hit.address);
        if let Some(known) = self.words.get(&key) {
            return Ok(Rc::clone(known));
        }
        let words: Rc<[u32]> = vocabulary.of(&engine.fetch(hit)?).into();
        self.words.insert(key, Rc::clone(&words));
        Ok(words)
    }
}

#[cfg(test)]
mod tests {
    use super::super::toy::Toy;
    use super::*;

    /// Sixty documents, half of which have three of twelve words and half nine; and a vocabulary with documents of both kinds.
    fn world(guides: usize, random: &mut Random) -> (Vec<(String, String)>, Vocabulary) {
        let words: Vec<String> = (10..22).map(|n| format!("w{n}")).collect();
        let mut document = |n: usize| {
            let chosen = random.choose(12, if n.is_multiple_of(2) { 3 } else { 9 });
            (format!("d{n}"), chosen.iter().map(|&at| words[at].as_str()).collect::<Vec<_>>().join(" "))
        };
        let mut vocabulary = Vocabulary::new(words.iter().map(String::as_str));
        let source: Vec<_> = (0..guides).map(&mut document).collect();
        source.iter().for_each(|(_, text)| vocabulary.add(vocabulary.of(text)));
        ((0..60).map(&mut document).collect(), vocabulary)
    }

    fn engine(texts: &[(String, String)]) -> Toy {
        Toy::new(&texts.iter().map(|(at, text)| (at.as_str(), text.as_str())).collect::<Vec<_>>())
    }

    /// Long documents are drawn far more often by two random words; in guided draws each stands for one, whatever the limit is.
    #[test]
    fn weights_add_up_to_one_for_each_document_that_can_be_reached() {
        // Enough guides, too few to go by, and one that is like a list of words.
        for (guides, limit) in [(80, 100), (80, 24), (20, 24), (2, 100)] {
            let mut random = Random::new(5);
            let (texts, vocabulary) = world(guides, &mut random);
            let mut engine = engine(&texts);
            let queries = RandomQueries { vocabulary: &vocabulary, limit };
            // The reference: every pair of words is asked.
            let mut reached = std::collections::HashSet::new();
            for one in 0..12 {
                for other in one + 1..12 {
                    let hits = queries.search(&mut engine, [one, other]).unwrap();
                    if vocabulary.parts([one, other]) > 0.0 && hits.len() < limit {
                        reached.extend(hits.into_iter().map(|hit| hit.address));
                    }
                }
            }
            let (mut memory, rounds) = (Memory::new(), 6_000.0);
            let mut weights: HashMap<String, (f64, f64)> = HashMap::new();
            let (mut sum, mut squares) = (0.0, 0.0);
            for _ in 0..rounds as u32 {
                let Some(drawn) = queries.draw_guided(&mut engine, &mut memory, &mut random).unwrap() else { continue };
                let own = weights.entry(drawn.hit.address).or_default();
                *own = (own.0 + drawn.weight, own.1 + drawn.weight * drawn.weight);
                (sum, squares) = (sum + drawn.weight, squares + drawn.weight * drawn.weight);
            }
            assert!(weights.keys().all(|at| reached.contains(at)));
            for at in &reached {
                let (sum, squares) = weights[at];
                let off = (sum / rounds - 1.0).abs() / (squares.sqrt() / rounds);
                assert!(off < 5.0, "{guides} guides, {limit} results: {at} weighs {}", sum / rounds);
            }
            let off = (sum / rounds - reached.len() as f64).abs() / (squares.sqrt() / rounds);
            assert!(off < 3.0, "{guides} guides, {limit} results: {}", sum / rounds);
        }
    }

    #[test]
    fn two_random_words_prefer_long_documents() {
        let mut random = Random::new(5);
        let (texts, vocabulary) = world(80, &mut random);
        let queries = RandomQueries { vocabulary: &vocabulary, limit: 100 };
        let mut engine = engine(&texts);
        let draws: Vec<Drawn> =
            (0..2000).filter_map(|_| queries.draw_plain(&mut engine, &mut random).unwrap()).collect();
        let is_long = |drawn: &&Drawn| drawn.hit.address[1..].parse::<u32>().unwrap() % 2 == 1;
        let long = draws.iter().filter(is_long).count() as f64 / draws.len() as f64;
        assert!(long > 0.8, "{long}");
        assert!(draws.iter().all(|drawn| drawn.weight == 1.0));
    }

    #[test]
    fn silence_is_told_and_nothing_found_is_nothing() {
        let mut vocabulary = Vocabulary::new(["one", "two"].into_iter());
        vocabulary.add(vec![0, 1]);
        let (none, mut random) = (Vocabulary::default(), Random::new(1));
        let mut engine = Toy::new(&[("a", "one three")]);
        for vocabulary in [&vocabulary, &none] {
            let queries = RandomQueries { vocabulary, limit: 100 };
            assert_eq!(queries.draw_plain(&mut engine, &mut random), Ok(None));
            assert_eq!(queries.draw_guided(&mut engine, &mut Memory::new(), &mut random), Ok(None));
        }
        engine.fails_every = 1;
        let queries = RandomQueries { vocabulary: &vocabulary, limit: 100 };
        assert!(queries.draw_plain(&mut engine, &mut random).is_err());
        assert!(queries.draw_guided(&mut engine, &mut Memory::new(), &mut random).is_err());
    }
}

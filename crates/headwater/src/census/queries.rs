//! Drawing from an engine by random queries (Bharat and Broder, 1998), and what that draw is worth (Bar-Yossef and Gurevich, 2006).
//!
//! Two random words of a vocabulary, both required; the first hundred results; one of them at random. Long documents have more pairs of
//! words and are drawn more often: the induced weight W(p) of the slides. Of a query with r results each is drawn with probability
//! 1/r, and d queries of the vocabulary can reach the document, so that the draw stands for r/d. Queries with more results than the
//! engine gives cannot be reached fairly and do not count; which share of a document's queries that is, is found by trying some of
//! them until one is fair: their number is in the mean the reciprocal of that share. It is tried a few times, to be surer.

use super::engine::{Engine, EngineError, Hit};
use super::lexicon::Vocabulary;
use super::random::Random;

/// Draws documents from engines.
#[derive(Clone, Copy, Debug)]
pub struct RandomQueries<'v> {
    /// The words that queries are made of.
    pub vocabulary: &'v Vocabulary,
    /// How many results the engine is asked for.
    pub limit: usize,
}

/// A document that was drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// Where it is.
    pub hit: Hit,
    /// What it says.
    pub text: String,
    /// What it stands for: the reciprocal of the probability of its draw, in units that are the same for all draws of an engine.
    /// None where its query had more results than the engine gives, so that it cannot be told.
    pub weight: Option<f64>,
}

/// How often it is tried until a query is fair.
const RUNS: u32 = 3;

/// A document whose queries are nearly all unfair is given up after so many trials.
const TRIALS: u32 = 60;

impl RandomQueries<'_> {
    /// Asks one random query; none where nothing was found.
    pub fn draw(&self, engine: &mut impl Engine, random: &mut Random) -> Result<Option<Drawn>, EngineError> {
        if self.vocabulary.len() < 2 {
            return Ok(None);
        }
        let pair = random.choose(self.vocabulary.len(), 2);
        let hits = engine.search(&[self.vocabulary.word(pair[0]), self.vocabulary.word(pair[1])], self.limit)?;
        if hits.is_empty() {
            return Ok(None);
        }
        let results = hits.len();
        let hit = hits[random.below(results)].clone();
        let text = engine.fetch(&hit)?;
        let weight = if results < self.limit { self.weight(engine, &text, results, random)? } else { None };
        Ok(Some(Drawn { hit, text, weight }))
    }

    fn weight(
        &self,
        engine: &mut impl Engine,
        text: &str,
        results: usize,
        random: &mut Random,
    ) -> Result<Option<f64>, EngineError> {
        let words = self.vocabulary.of(text);
        // An engine that reads words otherwise than we do can give a document that we would not reach.
        if words.len() < 2 {
            return Ok(None);
        }
        let queries = (words.len() * (words.len() - 1) / 2) as f64;
        let mut fair = 0;
        for trials in 1..=TRIALS {
            let pair = random.choose(words.len(), 2);
            let found = engine.search(&[&words[pair[0]], &words[pair[1]]], self.limit)?;
            fair += u32::from(found.len() < self.limit);
            if fair == RUNS {
                return Ok(Some(results as f64 * f64::from(trials) / f64::from(RUNS) / queries));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::super::toy::Toy;
    use super::*;

    /// Long documents are drawn far more often; their weights undo it.
    #[test]
    fn weights_undo_what_queries_prefer() {
        let letters: Vec<String> = (0..12).map(|n| format!("w{n}")).collect();
        let mut random = Random::new(5);
        // Half of the documents have three of the twelve words, half have nine.
        let texts: Vec<(String, String)> = (0..60)
            .map(|n| {
                let chosen = random.choose(12, if n % 2 == 0 { 3 } else { 9 });
                (format!("d{n}"), chosen.iter().map(|&at| letters[at].as_str()).collect::<Vec<_>>().join(" "))
            })
            .collect();
        let held: Vec<(&str, &str)> = texts.iter().map(|(a, t)| (a.as_str(), t.as_str())).collect();
        let mut engine = Toy::new(&held);
        let vocabulary = Vocabulary::new(letters.iter().map(String::as_str));
        let queries = RandomQueries { vocabulary: &vocabulary, limit: 100 };
        let (mut long, mut drawn, mut weight_of_long, mut weight) = (0, 0, 0.0, 0.0);
        for _ in 0..4000 {
            let Some(one) = queries.draw(&mut engine, &mut random).unwrap() else { continue };
            let is_long = one.text.len() > 20;
            drawn += 1;
            long += u32::from(is_long);
            weight += one.weight.unwrap();
            weight_of_long += if is_long { one.weight.unwrap() } else { 0.0 };
        }
        assert!(f64::from(long) / f64::from(drawn) > 0.8, "{long} of {drawn}");
        assert!((weight_of_long / weight - 0.5).abs() < 0.05, "{}", weight_of_long / weight);
    }

    #[test]
    fn silence_is_told_and_nothing_found_is_nothing() {
        let vocabulary = Vocabulary::new(["one", "two"].into_iter());
        let queries = RandomQueries { vocabulary: &vocabulary, limit: 100 };
        let mut engine = Toy::new(&[("a", "one three")]);
        assert_eq!(queries.draw(&mut engine, &mut Random::new(1)), Ok(None));
        engine.fails_every = 1;
        assert!(queries.draw(&mut engine, &mut Random::new(1)).is_err());
        let none = Vocabulary::default();
        let queries = RandomQueries { vocabulary: &none, limit: 100 };
        assert_eq!(queries.draw(&mut engine, &mut Random::new(1)), Ok(None));
    }
}

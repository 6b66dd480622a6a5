//! A whole search: texts in, alike documents out.

use super::bands::{Bands, estimated_recall};
use super::candidates::Candidates;
use super::collection::Collection;
use super::compare::Subject;
use super::cut::Cut;
use super::features::{Extractor, Scratch};
use super::idf::IdfRange;
use super::join::{Want, join};
use super::likenesses::{Likenesses, sample};
use super::matches::Matches;
use super::measure::Bound;
use super::minhash::{Sketcher, agreement};
use super::rarity::Ranked;
use super::settings::{InvalidSettings, Method, Settings};
use super::workers::Workers;
use crate::text::TextTooLong;

/// Turns texts into signatures; works on any number of threads at once.
#[derive(Clone, Debug)]
pub struct Signer {
    extractor: Extractor,
    sketcher: Option<Sketcher>,
}

/// What a search keeps of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signature {
    /// What is compared: all different.
    pub features: Vec<u64>,
    /// The sketch of the features; empty for methods that use none, and where there are no features.
    pub sketch: Vec<u32>,
}

/// Collects signatures and finds those that are alike.
#[derive(Clone, Debug)]
pub struct Search {
    settings: Settings,
    bound: Bound,
    collection: Collection,
    /// The sketch of each different set.
    sketches: Vec<u32>,
}

/// What a search found, and how sure it is.
#[derive(Clone, Debug)]
pub struct Found {
    /// The documents that are alike.
    pub matches: Matches,
    /// Of all pairs of different sets that are alike enough, the share that was found: 1 for exact methods, estimated for
    /// verified candidates, nothing where it cannot be told.
    pub recall: Option<f64>,
    /// How many candidate pairs were compared, for methods that have candidates.
    pub compared: Option<u64>,
    /// The bands that candidates came from.
    pub bands: Option<Bands>,
}

impl Signer {
    /// What these settings ask for.
    pub fn new(settings: &Settings) -> Self {
        let sketches = settings.method.uses_sketches();
        let sketcher = sketches.then(|| Sketcher::new(settings.permutations, settings.hashing));
        Signer { extractor: Extractor::new(settings.features(), settings.reading), sketcher }
    }

    /// The signature of one text.
    pub fn sign(&self, text: &str, scratch: &mut Scratch) -> Result<Signature, TextTooLong> {
        Ok(self.signature(self.extractor.extract(text, scratch)?.to_vec()))
    }

    /// The signature of a text whose features are known.
    pub fn signature(&self, features: Vec<u64>) -> Signature {
        let mut sketch = Vec::new();
        if let Some(sketcher) = &self.sketcher
            && !features.is_empty()
        {
            sketch.reserve_exact(sketcher.permutations());
            sketcher.sketch(&features, &mut sketch);
        }
        Signature { features, sketch }
    }
}

impl Search {
    /// A search with nothing in it yet.
    pub fn new(settings: Settings) -> Result<Self, InvalidSettings> {
        let bound = settings.bound()?;
        Ok(Search { settings, bound, collection: Collection::new(), sketches: Vec::new() })
    }

    /// What turns texts into signatures for this search.
    pub fn signer(&self) -> Signer {
        Signer::new(&self.settings)
    }

    /// Adds the next document in time order. Gives its number, and whether no document before had its features.
    pub fn push(&mut self, signature: &Signature) -> (u32, bool) {
        let (document, new) = self.collection.push(&signature.features);
        if new {
            self.sketches.extend_from_slice(&signature.sketch);
        }
        (document, new)
    }

    /// Enters a signature before the documents that have it: how a search is put together again from what was kept of it.
    /// `false` for one without features, or that is there already.
    pub fn enter(&mut self, signature: &Signature) -> bool {
        let new = self.collection.enter(&signature.features);
        if new {
            self.sketches.extend_from_slice(&signature.sketch);
        }
        new
    }

    /// Adds the next document by the number of its signature, counted as they were entered, if it has features. `false`
    /// where there is no such signature.
    pub fn add(&mut self, signature: Option<u32>) -> bool {
        self.collection.add(signature)
    }

    /// What has been added.
    pub fn collection(&self) -> &Collection {
        &self.collection
    }

    /// The threshold that the collection itself speaks for; the one that is set where it does not, or where features are filtered.
    pub fn cut(&self, workers: &impl Workers) -> Cut {
        let usual = self.bound.threshold();
        if self.settings.method.is_imatch() || self.settings.idf.is_some() {
            return Cut::usual(usual);
        }
        let sets = self.collection.sets();
        let members = sample((0..sets.len()).map(|set| sets.get(set).len() as u32));
        let likenesses = Likenesses::measure(sets, &members, self.bound.measure(), workers);
        Cut::of(&likenesses, sets.len(), self.settings.is_telling(), usual)
    }

    /// Looks for pairs of at least this likeness from now on.
    pub fn set_threshold(&mut self, threshold: f64) -> Result<(), InvalidSettings> {
        self.settings.threshold = threshold;
        self.bound = self.settings.bound()?;
        Ok(())
    }

    /// Finds what is alike.
    pub fn find(&self, want: Want, workers: &impl Workers) -> Found {
        match self.settings.method {
            Method::IMatch | Method::IMatchS => {
                let range = self.settings.idf.unwrap_or(IdfRange::I_MATCH);
                let filtered = range.filter(&self.collection);
                Found { matches: Matches::new(filtered.roster(), &[]), recall: None, compared: None, bands: None }
            }
            Method::SpotSigs | Method::Shingles => self.with_filter(|collection, _| {
                let found = join(&Ranked::new(collection.sets(), workers), self.bound, want, workers);
                Found {
                    matches: Matches::new(collection.roster(), &found),
                    recall: Some(1.0),
                    compared: None,
                    bands: None,
                }
            }),
            Method::MinHash | Method::LshS => self.with_filter(|collection, sketches| {
                let bands = self.bands();
                let candidates = Candidates {
                    sets: collection.sets(),
                    sketches,
                    entries: self.settings.permutations,
                    bands,
                    bound: self.bound,
                    verify: self.settings.verify,
                };
                let (found, compared) = candidates.find(want, workers);
                let jaccards = found.iter().map(|found| found.similarity);
                let is_estimable = self.settings.verify && self.bound.measure() == super::Measure::Jaccard;
                let recall = is_estimable.then(|| estimated_recall(bands, jaccards)).flatten();
                Found {
                    matches: Matches::new(collection.roster(), &found),
                    recall,
                    compared: Some(compared),
                    bands: Some(bands),
                }
            }),
        }
    }

    /// How alike the two documents of each pair are, as the method measures it and whatever the threshold; nothing where one of
    /// them has no features. Pairs with the same first document are best asked for one after the other.
    pub fn likenesses(&self, pairs: &[(u32, u32)]) -> Vec<Option<f64>> {
        if self.settings.method.is_imatch() {
            let filtered = self.settings.idf.unwrap_or(IdfRange::I_MATCH).filter(&self.collection);
            let set = |document: u32| filtered.roster().set(document);
            // To I-Match two documents are the same or they are not.
            let likeness = |&(one, other): &(u32, u32)| Some(f64::from(u8::from(set(one)? == set(other)?)));
            return pairs.iter().map(likeness).collect();
        }
        self.with_filter(|collection, sketches| {
            if self.settings.method.uses_sketches() && !self.settings.verify {
                let entries = self.settings.permutations;
                let sketch = |document: u32| {
                    let set = collection.roster().set(document)?;
                    Some(&sketches[set as usize * entries..][..entries])
                };
                return pairs.iter().map(|&(one, other)| Some(agreement(sketch(one)?, sketch(other)?))).collect();
            }
            let mut subject = Subject::new(self.bound.measure());
            let mut of = None;
            let likeness = |&(one, other): &(u32, u32)| {
                if of.replace(one) != Some(one) {
                    subject.fill(collection.features_of(one));
                }
                subject.likeness(collection.features_of(other))
            };
            pairs.iter().map(likeness).collect()
        })
    }

    fn bands(&self) -> Bands {
        let chosen = || {
            // What is at the threshold of another measure can be well below it in Jaccard, which is what sketches follow.
            let least = match self.bound.measure() {
                super::Measure::Jaccard => self.bound.threshold(),
                super::Measure::Cosine => self.bound.threshold() / (2.0 - self.bound.threshold()),
                super::Measure::Containment => self.bound.threshold() / 4.0,
            };
            Bands::choose(self.settings.permutations, least)
        };
        self.settings.bands.unwrap_or_else(chosen)
    }

    /// Runs the search on what the IDF filter leaves, if there is one.
    fn with_filter<T>(&self, search: impl Fn(&Collection, &[u32]) -> T) -> T {
        let Some(range) = self.settings.idf else { return search(&self.collection, &self.sketches) };
        let filtered = range.filter_scaled(&self.collection);
        let mut sketches = Vec::new();
        if self.settings.method.uses_sketches() {
            let sketcher = Sketcher::new(self.settings.permutations, self.settings.hashing);
            (0..filtered.distinct()).for_each(|set| sketcher.sketch(filtered.sets().get(set), &mut sketches));
        }
        search(&filtered, &sketches)
    }
}

#[cfg(test)]
mod tests {
    use super::super::measure::Measure;
    use super::super::workers::Alone;
    use super::*;

    /// Every document shares half of its features with the one before it, so that all hang together.
    fn chain(settings: Settings) -> Search {
        let mut search = Search::new(settings).unwrap();
        let signer = search.signer();
        for start in (0..8).map(|n| n * 20) {
            search.push(&signer.signature((start + 1..=start + 40).map(crate::text::mix).collect()));
        }
        search.push(&Signature::default());
        search
    }

    #[test]
    fn likenesses_are_those_of_the_pairs_that_are_found_and_reach_below_the_threshold() {
        for method in [Method::SpotSigs, Method::Shingles, Method::MinHash, Method::LshS] {
            for (measure, neighbours) in [(Measure::Jaccard, 1.0 / 3.0), (Measure::Containment, 0.5)] {
                let search = chain(Settings { threshold: 0.3, measure, idf: None, ..Settings::new(method) });
                assert_eq!(
                    search.likenesses(&[(0, 1), (0, 2), (1, 2), (3, 3), (3, 8)]),
                    [Some(neighbours), Some(0.0), Some(neighbours), Some(1.0), None]
                );
                for edge in search.find(Want::Pairs, &Alone).matches.pairs() {
                    assert_eq!(search.likenesses(&[(edge.b, edge.a)]), [Some(edge.score)], "{method}");
                }
            }
        }
    }

    #[test]
    fn unverified_sketches_are_what_is_compared() {
        let search = chain(Settings { verify: false, threshold: 0.1, ..Settings::new(Method::MinHash) });
        let found: Vec<_> = search.find(Want::Pairs, &Alone).matches.pairs().collect();
        assert!(!found.is_empty());
        for edge in found {
            assert_eq!(search.likenesses(&[(edge.a, edge.b)]), [Some(edge.score)]);
        }
    }

    #[test]
    fn to_i_match_documents_are_the_same_or_not() {
        let mut search = Search::new(Settings::new(Method::IMatch)).unwrap();
        for features in [&[1u64, 2, 5][..], &[1, 2, 6], &[3, 4, 7], &[3, 4, 8]] {
            search.push(&Signature { features: features.to_vec(), sketch: Vec::new() });
        }
        assert_eq!(search.likenesses(&[(0, 1), (0, 2)]), [Some(1.0), Some(0.0)]);
    }
}

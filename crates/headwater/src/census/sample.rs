//! Documents that were drawn from one collection, and in which others each was found.

use std::collections::BTreeMap;

/// A set of collections, by their numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Members(u64);

/// The outcome of drawing and checking. Documents that fared alike are only counted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sample {
    groups: BTreeMap<(u64, Members), u64>,
    evidence: Option<Evidence>,
}

/// What the draws themselves tell of the size of the collection, without any overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Evidence {
    /// How often it was tried to draw, where the weights of all trials have the size of the collection for their mean.
    Trials(u64),
    /// The part of a random order of everything up to which all was drawn; 1 for the whole collection.
    Reach(f64),
}

/// Documents that fared alike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Group {
    /// How many.
    pub(super) count: u64,
    /// What each stands for: 1 where all are drawn with the same probability, else its reciprocal, in any unit.
    pub(super) weight: f64,
    /// Where each was found.
    pub(super) found: Members,
}

impl Members {
    /// How many collections can be told apart.
    pub const MOST: usize = 64;

    /// No collection.
    pub const NONE: Members = Members(0);

    /// All collections below this number.
    pub fn all(collections: usize) -> Self {
        Members(if collections >= Self::MOST { u64::MAX } else { (1 << collections) - 1 })
    }

    /// Those that a question is answered with yes for.
    pub fn of(collections: usize, is_in: impl FnMut(usize) -> bool) -> Self {
        let mut is_in = is_in;
        (0..collections).filter(|&at| is_in(at)).fold(Members::NONE, Members::with)
    }

    /// One more.
    #[must_use]
    pub fn with(self, collection: usize) -> Self {
        Members(self.0 | 1 << collection)
    }

    /// Whether a collection is among them.
    pub fn has(self, collection: usize) -> bool {
        self.0 >> collection & 1 == 1
    }

    /// How many there are.
    pub fn count(self) -> u32 {
        self.0.count_ones()
    }
}

impl Sample {
    /// Nothing drawn yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a document that was drawn and found in these collections. `weight` is 1 for uniform draws, else the reciprocal of the
    /// probability with which the document is drawn, in any unit; what is not above 0 is not counted.
    pub fn push(&mut self, weight: f64, found: Members) {
        if weight > 0.0 && weight.is_finite() {
            *self.groups.entry((weight.to_bits(), found)).or_default() += 1;
        }
    }

    /// Says how often it was tried to draw, where trials that brought nothing weigh 0 and the mean weight of a trial is the size
    /// of the collection, in a unit that all samples share. Of what was drawn some may be missing here, as it could not be
    /// checked: as many trials are then left out.
    pub fn tried(&mut self, trials: u64, drawn: u64) {
        let checked = self.len() as f64 / drawn.max(1) as f64;
        self.evidence = Some(Evidence::Trials((trials as f64 * checked).round() as u64));
    }

    /// Says that these are all documents of the collection up to this part of a random order of everything there is (see
    /// [`Catalogue::draw`](super::Catalogue::draw)). Where k documents lie within the part r, the last of them at its end, there are (k − 1)/r
    /// in all, without bias and with a standard error of 1/√k of it (Bar-Yossef et al. 2002; Beyer et al. 2007).
    pub fn reached(&mut self, reach: f64) {
        self.evidence = Some(Evidence::Reach(reach));
    }

    /// The same sample where nothing is known of how it was drawn: only overlaps tell sizes then.
    #[must_use]
    pub fn by_overlap(self) -> Self {
        Sample { evidence: None, ..self }
    }

    /// Whether every document of the collection is in it: what it says is then no estimate.
    pub fn is_whole(&self) -> bool {
        !self.is_empty() && matches!(self.evidence, Some(Evidence::Reach(reach)) if reach >= 1.0)
    }

    pub(super) fn evidence(&self) -> Option<Evidence> {
        self.evidence
    }

    /// The size of the collection that the draws themselves tell, where they do: in documents where it was drawn in a random order,
    /// else in the unit of the weights.
    pub fn size(&self) -> Option<f64> {
        let all: f64 = self.groups().map(Group::total).sum();
        let drawn = self.len() as f64;
        let size = match self.evidence? {
            Evidence::Trials(trials) => all / trials as f64,
            Evidence::Reach(reach) if reach < 1.0 => all / drawn * (drawn - 1.0) / reach,
            Evidence::Reach(_) => all,
        };
        (size > 0.0 && size.is_finite()).then_some(size)
    }

    /// How many documents were drawn.
    pub fn len(&self) -> u64 {
        self.groups.values().sum()
    }

    /// Whether none was.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    pub(super) fn groups(&self) -> impl Iterator<Item = Group> {
        self.groups.iter().map(|(&(bits, found), &count)| Group { count, weight: f64::from_bits(bits), found })
    }

    /// The share of the collection that is also in another.
    pub fn share_in(&self, other: usize) -> Option<f64> {
        let all: f64 = self.groups().map(|group| group.total()).sum();
        let hits: f64 = self.groups().filter(|group| group.found.has(other)).map(|group| group.total()).sum();
        (all > 0.0).then(|| hits / all)
    }

    /// What the sample is worth in uniform draws (Kish 1965): fewer the more the weights differ.
    pub fn effective(&self) -> f64 {
        let all: f64 = self.groups().map(|group| group.total()).sum();
        let squares: f64 = self.groups().map(|group| group.total() * group.weight).sum();
        if squares > 0.0 { all * all / squares } else { 0.0 }
    }
}

/// Draws that prefer some documents, which come again and again.
///
/// What such draws say is not surer than as many draws of different documents would make it: a document counts once, with the weight
/// of all its draws.
#[derive(Clone, Debug, Default)]
pub struct Repeated {
    documents: BTreeMap<u64, (f64, Members)>,
    draws: u64,
}

impl Repeated {
    /// Nothing drawn yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a draw of a document that stands for `weight` and was found in these collections.
    pub fn push(&mut self, document: u64, weight: f64, found: Members) {
        let (total, members) = self.documents.entry(document).or_default();
        *total += weight;
        *members = found;
        self.draws += 1;
    }

    /// How many draws there were.
    pub fn len(&self) -> u64 {
        self.draws
    }

    /// Whether there was none.
    pub fn is_empty(&self) -> bool {
        self.draws == 0
    }

    /// The documents that were drawn.
    pub fn sample(&self) -> Sample {
        let mut sample = Sample::new();
        self.documents.values().for_each(|&(weight, found)| sample.push(weight, found));
        sample
    }
}

impl Group {
    pub(super) fn total(self) -> f64 {
        self.count as f64 * self.weight
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_and_worth() {
        let mut sample = Sample::new();
        assert_eq!((sample.share_in(1), sample.effective()), (None, 0.0));
        for _ in 0..3 {
            sample.push(1.0, Members::NONE.with(0));
        }
        sample.push(1.0, Members::all(2));
        assert_eq!((sample.len(), sample.share_in(1), sample.effective()), (4, Some(0.25), 4.0));
        sample.push(f64::NAN, Members::NONE);
        sample.push(0.0, Members::NONE);
        assert_eq!(sample.len(), 4);
        // A document drawn with a quarter of the probability stands for four.
        sample.push(4.0, Members::all(2));
        assert_eq!(sample.share_in(1), Some(5.0 / 8.0));
        assert_eq!((sample.effective(), sample.size()), (64.0 / 20.0, None));
        sample.tried(16, 5);
        assert_eq!((sample.size(), sample.evidence()), (Some(0.5), Some(Evidence::Trials(16))));
        // Half of the drawn ones could not be checked.
        sample.tried(32, 10);
        assert_eq!(sample.size(), Some(0.5));
        assert_eq!(sample.clone().by_overlap().size(), None);
        // Five documents, of the weight of eight, in a tenth of the order: there are forty, of the weight of 64.
        sample.reached(0.1);
        assert_eq!((sample.size(), sample.is_whole()), (Some(64.0), false));
        sample.reached(1.0);
        assert_eq!((sample.size(), sample.is_whole()), (Some(8.0), true));
        let mut nothing = Sample::new();
        nothing.reached(1.0);
        assert!(!nothing.is_whole(), "nothing says nothing");
        let mut one = Sample::new();
        one.push(1.0, Members::NONE);
        one.reached(0.5);
        assert_eq!((one.size(), Sample::new().size()), (None, None));
    }

    #[test]
    fn draws_of_the_same_document() {
        let mut draws = Repeated::new();
        assert!(draws.is_empty() && draws.sample().is_empty());
        for document in [7, 7, 7, 8] {
            draws.push(document, 1.0, if document == 7 { Members::all(2) } else { Members::NONE.with(0) });
        }
        let sample = draws.sample();
        assert_eq!((draws.len(), sample.len(), sample.share_in(1)), (4, 2, Some(0.75)));
        assert_eq!(sample.effective(), 16.0 / 10.0);
    }

    #[test]
    fn sets_of_collections() {
        let some = Members::of(5, |at| at % 2 == 0);
        assert_eq!((some.count(), some.has(4), some.has(3)), (3, true, false));
        assert_eq!(Members::all(64).count(), 64);
    }
}

//! Features by how many documents have them: the paper's IDF filter, which drops the most and the least frequent.
//!
//! The inverse document frequency is normalised to run from 0 (every document has the feature) to 1 (one document has it):
//! ln(N/df) / ln N. Taken by the letter the range does not scale: an upper end of 0.85 drops what two documents share as soon as
//! there are 102 of them, and what seven share among a million. For methods that compare, what two documents share is evidence at any
//! size, so the upper end only ever drops what a single document has; and a document that would be left with nothing
//! keeps all. I-Match, which hashes what the filter leaves, takes the range as it is.

use std::fmt;
use std::str::FromStr;

use super::collection::Collection;

/// The normalised inverse document frequencies that are kept, both ends included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IdfRange {
    low: f64,
    high: f64,
}

impl IdfRange {
    /// The range that the paper found best for I-Match.
    pub const I_MATCH: IdfRange = IdfRange { low: 0.4, high: 0.75 };

    /// From `low` to `high`, within 0 to 1.
    pub fn new(low: f64, high: f64) -> Result<Self, NoRange> {
        let within = 0.0..=1.0;
        if within.contains(&low) && within.contains(&high) && low <= high {
            Ok(IdfRange { low, high })
        } else {
            Err(NoRange)
        }
    }

    fn has(self, frequency: u32, documents: u32) -> bool {
        (self.low..=self.high).contains(&normalised(frequency, documents))
    }

    /// As the paper has it.
    pub(super) fn filter(self, collection: &Collection) -> Collection {
        let frequencies = collection.document_frequencies();
        collection.retain(|feature| self.has(frequencies[&feature], collection.documents()))
    }

    /// Without dropping what documents share, nor all that a document has.
    pub(super) fn filter_scaled(self, collection: &Collection) -> Collection {
        let documents = collection.documents();
        let frequencies = collection.document_frequencies();
        let kept = |feature: &u64| {
            let frequency = frequencies[feature];
            let idf = normalised(frequency, documents);
            idf >= self.low && (idf <= self.high || frequency > 1)
        };
        let mut filtered = Collection::new();
        for document in 0..documents {
            let all = collection.features_of(document);
            let some: Vec<u64> = all.iter().copied().filter(kept).collect();
            filtered.push(if some.is_empty() { all } else { &some });
        }
        filtered
    }
}

fn normalised(frequency: u32, documents: u32) -> f64 {
    if documents < 2 {
        return 1.0;
    }
    let (frequency, documents) = (f64::from(frequency.max(1)), f64::from(documents));
    (documents / frequency).ln() / documents.ln()
}

/// Two numbers that are no range of normalised IDF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoRange;

impl fmt::Display for NoRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an IDF range is two numbers from 0 to 1, the smaller first, as in 0.2,0.85")
    }
}

impl std::error::Error for NoRange {}

impl FromStr for IdfRange {
    type Err = NoRange;

    fn from_str(range: &str) -> Result<Self, NoRange> {
        let (low, high) = range.split_once(',').ok_or(NoRange)?;
        let number = |text: &str| text.trim().parse::<f64>().map_err(|_| NoRange);
        IdfRange::new(number(low)?, number(high)?)
    }
}

impl fmt::Display for IdfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.low, self.high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collection(sets: &[&[u64]]) -> Collection {
        let mut collection = Collection::new();
        for set in sets {
            collection.push(set);
        }
        collection
    }

    #[test]
    fn the_scale_runs_from_everyone_to_one() {
        assert_eq!(normalised(1500, 1500), 0.0);
        assert_eq!(normalised(1, 1500), 1.0);
        assert!((normalised(2, 1500) - 0.905).abs() < 0.001, "what made the range fail at that size");
    }

    #[test]
    fn by_the_letter_only_the_range_stays() {
        // Four documents: 9 in all (0), 2 in two (0.5), the others in one each (1).
        let all = collection(&[&[9, 2, 10], &[9, 2, 11], &[9, 12], &[9, 13]]);
        let kept = IdfRange::new(0.4, 0.75).unwrap().filter(&all);
        assert_eq!(kept.features_of(0), [2]);
        assert_eq!(kept.features_of(2), [] as [u64; 0]);
        assert_eq!(kept.roster().set(0), kept.roster().set(1));
    }

    #[test]
    fn scaled_it_keeps_what_is_shared_and_empties_no_document() {
        let all = collection(&[&[9, 2, 10], &[9, 2, 11], &[9, 12], &[9]]);
        let kept = IdfRange::new(0.2, 0.4).unwrap().filter_scaled(&all);
        assert_eq!(kept.features_of(0), [2], "0.5 is above the range, but two documents share it");
        assert_eq!(kept.features_of(2), [9, 12], "nothing would be left");
        assert_eq!(kept.features_of(3), [9]);
    }

    #[test]
    fn ranges_as_people_write_them() {
        assert_eq!("0.2, 0.85".parse(), IdfRange::new(0.2, 0.85));
        for wrong in ["", "0.5", "0.9,0.1", "-1,0.5", "0,nan", "a,b"] {
            assert_eq!(wrong.parse::<IdfRange>(), Err(NoRange), "{wrong}");
        }
    }
}

//! Sorting more occurrences than memory holds: they wait in bins, each of which fits, in memory or on disk.
//!
//! What is put into a bin comes out in the same order, so that occurrences which are put in order of document and position
//! need only be sorted by what the bin was chosen by.

use std::convert::Infallible;

use crate::text::part;

/// One place where a chunk of tokens stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Occurrence {
    /// The fingerprint of the chunk.
    pub fingerprint: u64,
    /// The document.
    pub document: u32,
    /// The position of its first token.
    pub position: u32,
}

/// Where occurrences wait to be sorted: in memory, or on disk where there are more.
pub trait Bins {
    /// Why they can fail.
    type Error;

    /// Puts occurrences into a bin, behind those that are there. As many bins are needed as [`bins`] says.
    fn put(&mut self, bin: usize, occurrences: &[Occurrence]) -> Result<(), Self::Error>;

    /// Empties all bins: runs `work` on each, perhaps several at once, and hands the results to `deliver` in order.
    fn drain<R: Send>(
        self,
        work: impl Fn(&mut Vec<Occurrence>) -> R + Sync,
        deliver: impl FnMut(R) -> Result<(), Self::Error>,
    ) -> Result<(), Self::Error>;
}

/// How many bins occurrences of so many tokens need, so that several fit in so many bytes of memory at once.
pub fn bins(tokens: u64, memory: usize) -> usize {
    let bytes = tokens.saturating_mul(size_of::<Occurrence>() as u64);
    // Several are worked on at a time, each with a copy of itself.
    let bin = (memory as u64 / 16).clamp(1 << 16, 8 << 20);
    bytes.div_ceil(bin).clamp(1, 1 << 12) as usize
}

/// Occurrences ordered by bin.
#[derive(Debug)]
pub struct Binned {
    sorted: Vec<Occurrence>,
    ends: Vec<u32>,
}

impl Binned {
    /// By the leading bits of their fingerprints, so that bins in order are fingerprints in order.
    pub fn by_fingerprint(found: &[Occurrence], bins: usize) -> Self {
        Binned::by(found, bins, |one| part(one.fingerprint, bins))
    }

    /// By the bin that each is given, below `bins`; among those of one bin the order stays.
    pub fn by(found: &[Occurrence], bins: usize, bin_of: impl Fn(&Occurrence) -> usize) -> Self {
        let mut ends = vec![0u32; bins + 1];
        found.iter().for_each(|one| ends[bin_of(one) + 1] += 1);
        for bin in 0..bins {
            ends[bin + 1] += ends[bin];
        }
        let mut sorted = vec![Occurrence::default(); found.len()];
        for one in found {
            let place = &mut ends[bin_of(one)];
            sorted[*place as usize] = *one;
            *place += 1;
        }
        ends.pop();
        Binned { sorted, ends }
    }

    /// How many occurrences there are.
    pub fn len(&self) -> usize {
        self.sorted.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.sorted.is_empty()
    }

    /// The bins that are not empty, with their numbers.
    pub fn bins(&self) -> impl Iterator<Item = (usize, &[Occurrence])> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let ranges = starts.zip(&self.ends).map(|(start, &end)| &self.sorted[start as usize..end as usize]);
        ranges.enumerate().filter(|(_, occurrences)| !occurrences.is_empty())
    }
}

/// Sorts a bin by fingerprint and keeps the order of arrival among equals.
///
/// One scatter by the bits in which the fingerprints of a bin differ first leaves a handful to each slot: several times
/// faster than sorting by comparison from the start.
pub fn sort(bin: &mut Vec<Occurrence>) {
    let (low, high) =
        bin.iter().fold((u64::MAX, 0), |(low, high), one| (low.min(one.fingerprint), high.max(one.fingerprint)));
    if bin.len() < 64 || low >= high {
        return bin.sort_by_key(|one| one.fingerprint);
    }
    let slots = (bin.len() / 4).next_power_of_two();
    // The widest shift that still tells as many slots apart as there are.
    let shift = (64 - (high - low).leading_zeros()).saturating_sub(slots.trailing_zeros());
    let slot = |one: &Occurrence| ((one.fingerprint - low) >> shift) as usize;
    let mut ends = vec![0u32; slots + 1];
    bin.iter().for_each(|one| ends[slot(one) + 1] += 1);
    for at in 0..slots {
        ends[at + 1] += ends[at];
    }
    let mut sorted = vec![Occurrence::default(); bin.len()];
    for one in bin.iter() {
        let place = &mut ends[slot(one)];
        sorted[*place as usize] = *one;
        *place += 1;
    }
    let mut start = 0;
    for &end in &ends[..slots] {
        sorted[start..end as usize].sort_by_key(|one| one.fingerprint);
        start = end as usize;
    }
    *bin = sorted;
}

/// Bins in memory.
#[derive(Debug)]
pub struct MemoryBins {
    bins: Vec<Vec<Occurrence>>,
}

impl MemoryBins {
    /// So many empty bins.
    pub fn new(bins: usize) -> Self {
        MemoryBins { bins: vec![Vec::new(); bins] }
    }
}

impl Bins for MemoryBins {
    type Error = Infallible;

    fn put(&mut self, bin: usize, occurrences: &[Occurrence]) -> Result<(), Infallible> {
        self.bins[bin].extend_from_slice(occurrences);
        Ok(())
    }

    fn drain<R: Send>(
        self,
        work: impl Fn(&mut Vec<Occurrence>) -> R + Sync,
        deliver: impl FnMut(R) -> Result<(), Infallible>,
    ) -> Result<(), Infallible> {
        self.bins.into_iter().map(|mut bin| work(&mut bin)).try_for_each(deliver)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sorting_is_stable(numbers in proptest::collection::vec((0u64..50, any::<u16>()), 0..3000), wide in any::<bool>()) {
            let fingerprint = |(small, large): (u64, u16)| if wide { crate::text::mix(u64::from(large)) } else { 900 + small };
            let mut bin: Vec<Occurrence> = numbers.iter().zip(0..)
                .map(|(&number, at)| Occurrence { fingerprint: fingerprint(number), document: at / 3, position: at })
                .collect();
            let mut expected = bin.clone();
            expected.sort();
            sort(&mut bin);
            prop_assert_eq!(bin, expected);
        }
    }
}

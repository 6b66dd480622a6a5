//! Membership of near-duplicates: sketches of a collection, found again by what some of their entries are.
//!
//! A sketch is any sequence of numbers of which two agree in about the share in which their documents are alike (MinHash). The index
//! cuts it into bands: whoever agrees with a document in all entries of a band is compared with it, and nobody else.

use crate::text::mix;

/// Sketches of a collection's documents.
#[derive(Clone, Debug)]
pub struct NearIndex {
    entries: usize,
    rows: usize,
    threshold: f64,
    sketches: Vec<u32>,
    /// The hash of each band of each sketch, and the sketch's number; ascending once [`NearIndex::finish`] was called.
    bands: Vec<(u64, u32)>,
}

impl NearIndex {
    /// For sketches of so many entries, in bands of so many; alike are those that agree in at least this share.
    pub fn new(entries: usize, rows: usize, threshold: f64) -> Self {
        assert!(rows > 0 && rows <= entries, "a band has at least one entry and at most all");
        NearIndex { entries, rows, threshold, sketches: Vec::new(), bands: Vec::new() }
    }

    /// Adds a document.
    pub fn push(&mut self, sketch: &[u32]) {
        assert_eq!(sketch.len(), self.entries, "all sketches are of one length");
        let number = (self.sketches.len() / self.entries) as u32;
        self.sketches.extend_from_slice(sketch);
        self.bands.extend(hashes(sketch, self.rows).map(|hash| (hash, number)));
    }

    /// To be called after the last document, before the first question.
    pub fn finish(&mut self) {
        self.bands.sort_unstable();
    }

    /// How many documents of the collection are alike this one.
    pub fn alike(&self, sketch: &[u32]) -> usize {
        let mut candidates: Vec<u32> = Vec::new();
        for hash in hashes(sketch, self.rows) {
            let from = self.bands.partition_point(|band| band.0 < hash);
            candidates.extend(self.bands[from..].iter().take_while(|band| band.0 == hash).map(|band| band.1));
        }
        candidates.sort_unstable();
        candidates.dedup();
        candidates.into_iter().filter(|&number| self.agreement(number, sketch) >= self.threshold).count()
    }

    fn agreement(&self, number: u32, sketch: &[u32]) -> f64 {
        let at = number as usize * self.entries;
        let same = self.sketches[at..at + self.entries].iter().zip(sketch).filter(|(a, b)| a == b).count();
        same as f64 / self.entries as f64
    }
}

fn hashes(sketch: &[u32], rows: usize) -> impl Iterator<Item = u64> {
    let hash = |(band, entries): (usize, &[u32])| {
        entries.iter().fold(band as u64, |hash, &entry| mix(hash ^ u64::from(entry)))
    };
    sketch.chunks_exact(rows).enumerate().map(hash)
}

#[cfg(test)]
mod tests {
    use super::super::Random;
    use super::*;

    #[test]
    fn finds_what_a_scan_finds() {
        let mut random = Random::new(3);
        let original: Vec<u32> = (0..64).map(|_| random.next_u64() as u32).collect();
        let mut all = Vec::new();
        for changed in 0..64 {
            let mut sketch = original.clone();
            random.choose(64, changed).into_iter().for_each(|at| sketch[at] ^= 1);
            all.push(sketch);
        }
        let mut index = NearIndex::new(64, 2, 0.8);
        all.iter().for_each(|sketch| index.push(sketch));
        index.finish();
        for sketch in &all {
            let agrees =
                |other: &&Vec<u32>| other.iter().zip(sketch).filter(|(a, b)| a == b).count() as f64 >= 0.8 * 64.0;
            assert_eq!(index.alike(sketch), all.iter().filter(agrees).count());
        }
        assert_eq!(index.alike(&[0; 64]), 0);
    }
}

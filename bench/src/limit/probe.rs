//! Looking up in a table that no cache holds: buckets of a kibibyte.

use headwater::text::mix;

/// Words of eight bytes in a bucket, and in its first line.
const BUCKET: usize = 128;
const LINE: usize = 8;

/// A table full of numbers.
pub struct Table {
    words: Vec<u64>,
}

impl Table {
    pub fn new(bytes: usize) -> Self {
        Table { words: (0..bytes as u64 / 8).map(mix).collect() }
    }

    fn bucket(&self, number: u64) -> &[u64] {
        let buckets = self.words.len() / BUCKET;
        let at = ((u128::from(mix(number)) * buckets as u128) >> 64) as usize * BUCKET;
        &self.words[at..at + BUCKET]
    }

    /// Compares with every word of the bucket.
    pub fn scan(&self, probes: u64) -> u64 {
        (0..probes).map(|probe| self.bucket(probe).iter().filter(|&&word| word == probe).count() as u64).sum()
    }

    /// Looks at a line of short tags, then at the one line that they point to.
    pub fn tag_line(&self, probes: u64) -> u64 {
        let look = |probe: u64| {
            let bucket = self.bucket(probe);
            let tags = bucket[..LINE].iter().fold(0, |tags, word| tags ^ word);
            bucket[LINE + tags as usize % (BUCKET - LINE)]
        };
        (0..probes).fold(0, |sum, probe| sum ^ look(probe))
    }

    /// Each probe depends on what the last one found: nothing can be fetched ahead.
    pub fn dependent(&self, probes: u64) -> u64 {
        (0..probes).fold(0, |found, probe| self.bucket(found ^ probe)[0])
    }
}

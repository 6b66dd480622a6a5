//! The names of the fields that records have, for the message that says which there are.

/// Names of fields with the number of records that have each, bounded whatever the input does.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    seen: Vec<(Box<str>, u64)>,
    /// Where the next name probably stands: records of one file have their fields in one order.
    next: usize,
    /// Records that were looked at more closely.
    looked_inside: usize,
}

/// Names that are kept: beyond this they are keys of a map rather than fields.
const MOST_NAMES: usize = 256;

/// Records of a chunk that are looked at more closely: enough to name their fields, few enough to cost nothing.
const MOST_LOOKS: usize = 8;

/// Bytes of a name that is kept.
const LONGEST_NAME: usize = 128;

impl Names {
    /// Begins a record.
    pub(crate) fn begin(&mut self) {
        self.next = 0;
    }

    /// Counts a field of the current record.
    pub(crate) fn note(&mut self, name: &str) {
        self.add(name, 1);
    }

    /// Whether one more record may be looked at more closely.
    pub(crate) fn may_look_inside(&mut self) -> bool {
        self.looked_inside += 1;
        self.looked_inside <= MOST_LOOKS
    }

    /// Counts the fields that `count` records have in common.
    pub(crate) fn note_all<'a>(&mut self, names: impl Iterator<Item = &'a str>, count: u64) {
        names.for_each(|name| self.add(name, count));
    }

    pub(crate) fn merge(&mut self, other: &Names) {
        for (name, count) in &other.seen {
            self.add(name, *count);
        }
    }

    /// All names with their counts, by name.
    pub(crate) fn into_sorted(mut self) -> Vec<(String, u64)> {
        self.seen.sort();
        self.seen.into_iter().map(|(name, count)| (name.into(), count)).collect()
    }

    fn add(&mut self, name: &str, count: u64) {
        let at = match self.seen.get(self.next) {
            Some((known, _)) if **known == *name => Some(self.next),
            _ => self.seen.iter().position(|(known, _)| **known == *name),
        };
        match at {
            Some(at) => {
                self.seen[at].1 += count;
                self.next = at + 1;
            }
            None if self.seen.len() < MOST_NAMES && name.len() <= LONGEST_NAME => {
                self.seen.push((name.into(), count));
                self.next = self.seen.len();
            }
            None => {}
        }
    }
}

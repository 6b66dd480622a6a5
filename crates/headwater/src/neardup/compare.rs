//! How alike two sets are, whatever the threshold: what a search is asked about documents that belong together only through others.

use super::candidates::Table;
use super::measure::Measure;

/// One set, to compare others with.
pub(super) struct Subject {
    measure: Measure,
    table: Table,
    size: u32,
}

impl Subject {
    pub(super) fn new(measure: Measure) -> Self {
        Subject { measure, table: Table::default(), size: 0 }
    }

    /// Takes another set, all different.
    pub(super) fn fill(&mut self, features: &[u64]) {
        self.table.fill(features);
        self.size = features.len() as u32;
    }

    /// How alike another set is; nothing where one of the two is empty.
    pub(super) fn likeness(&self, features: &[u64]) -> Option<f64> {
        if self.size == 0 || features.is_empty() {
            return None;
        }
        let overlap = self.table.overlap(features, 0)?;
        Some(self.measure.of(overlap, self.size, features.len() as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_compared_below_every_threshold() {
        let mut subject = Subject::new(Measure::Jaccard);
        assert_eq!(subject.likeness(&[1]), None, "with nothing there is no likeness");
        subject.fill(&[1, 2, 3, 4]);
        assert_eq!(subject.likeness(&[4, 9]), Some(0.2));
        assert_eq!(subject.likeness(&[9]), Some(0.0));
        assert_eq!(subject.likeness(&[4, 3, 2, 1]), Some(1.0));
        assert_eq!(subject.likeness(&[]), None);
        subject.fill(&[7]);
        assert_eq!(subject.likeness(&[1, 2, 3, 4]), Some(0.0), "nothing is left of the set before");
    }
}

//! All: the baseline that keeps every shingle (section 2.1).

use super::{Selected, shingle};

pub(super) fn select(shingles: &[u64], k: usize, out: &mut Vec<Selected>) {
    out.extend((0..shingles.len()).map(|position| shingle(shingles, k, position)));
}

//! Every l-th: the shingles at positions 0, l, 2l, … (section 2.1).

use std::num::NonZeroU32;

use super::{Selected, shingle};

pub(super) fn select(shingles: &[u64], k: usize, l: NonZeroU32, out: &mut Vec<Selected>) {
    out.extend((0..shingles.len()).step_by(l.get() as usize).map(|position| shingle(shingles, k, position)));
}

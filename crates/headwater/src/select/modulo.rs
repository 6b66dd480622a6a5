//! Modulo l: the shingles whose fingerprint is divisible by l (section 2.1). Context-free: whether a shingle is kept
//! depends on nothing but the shingle.

use std::num::NonZeroU32;

use super::{Selected, shingle};

pub(super) fn select(shingles: &[u64], k: usize, l: NonZeroU32, out: &mut Vec<Selected>) {
    let l = u64::from(l.get());
    let divisible = (0..shingles.len()).filter(|&position| shingles[position].is_multiple_of(l));
    out.extend(divisible.map(|position| shingle(shingles, k, position)));
}

//! MinHash of 128 entries.

const ENTRIES: usize = 128;

/// Every hash through 128 multiplications and additions.
pub fn classic(hashes: &[u64], sketch: &mut [u32; ENTRIES]) {
    if is_x86_feature_detected!("avx2") {
        // SAFETY: just asked for.
        unsafe { classic_avx2(hashes, sketch) }
    } else {
        classic_anywhere(hashes, sketch);
    }
}

#[target_feature(enable = "avx2")]
fn classic_avx2(hashes: &[u64], sketch: &mut [u32; ENTRIES]) {
    classic_anywhere(hashes, sketch);
}

#[inline(always)]
fn classic_anywhere(hashes: &[u64], sketch: &mut [u32; ENTRIES]) {
    let multipliers: [u32; ENTRIES] = std::array::from_fn(|at| (at as u32).wrapping_mul(0x9e37_79b9) | 1);
    sketch.fill(u32::MAX);
    for &hash in hashes {
        let hash = (hash >> 32) as u32;
        for (entry, multiplier) in sketch.iter_mut().zip(&multipliers) {
            *entry = (*entry).min(hash.wrapping_mul(*multiplier).wrapping_add(*multiplier >> 1));
        }
    }
}

/// Every hash into one of 128 places.
pub fn one_permutation(hashes: &[u64], sketch: &mut [u32; ENTRIES]) {
    sketch.fill(u32::MAX);
    for &hash in hashes {
        let entry = &mut sketch[(hash >> 57) as usize];
        *entry = (*entry).min(hash as u32);
    }
}

//! The inner loop of classic MinHash: thirty-two permutations of every element, their minima kept in registers.
//!
//! Without AVX2 a multiplication of 32-bit lanes takes several instructions; with it this loop is four times as fast, and wider
//! registers take fewer steps still, so the processor is asked at run time.

/// Permutations that are worked on at a time: as many as fit the registers with their two parameters each.
pub(super) const LANES: usize = 32;

/// For each permutation `x → a x + b` (mod 2³², `a` odd) the least value over all elements.
pub(super) type Minima = fn(elements: &[u32], a: &[u32; LANES], b: &[u32; LANES]) -> [u32; LANES];

pub(super) fn portable(elements: &[u32], a: &[u32; LANES], b: &[u32; LANES]) -> [u32; LANES] {
    minima(elements, a, b)
}

#[inline(always)]
fn minima(elements: &[u32], a: &[u32; LANES], b: &[u32; LANES]) -> [u32; LANES] {
    let mut least = [u32::MAX; LANES];
    for &element in elements {
        for lane in 0..LANES {
            least[lane] = least[lane].min(element.wrapping_mul(a[lane]).wrapping_add(b[lane]));
        }
    }
    least
}

#[cfg(target_arch = "x86_64")]
pub(super) use x86::fastest;

#[cfg(not(target_arch = "x86_64"))]
pub(super) fn fastest() -> Minima {
    portable
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    #![expect(unsafe_code, reason = "functions for newer processors may only be called after asking the processor")]

    use super::{LANES, Minima, minima, portable};

    pub(in super::super) fn fastest() -> Minima {
        if is_x86_feature_detected!("avx512f") {
            asked_for_avx512
        } else if is_x86_feature_detected!("avx2") {
            asked
        } else {
            portable
        }
    }

    fn asked_for_avx512(elements: &[u32], a: &[u32; LANES], b: &[u32; LANES]) -> [u32; LANES] {
        // SAFETY: `fastest` hands this function out only where the processor has AVX-512.
        unsafe { avx512(elements, a, b) }
    }

    #[target_feature(enable = "avx512f")]
    fn avx512(elements: &[u32], a: &[u32; LANES], b: &[u32; LANES]) -> [u32; LANES] {
        minima(elements, a, b)
    }

    fn asked(elements: &[u32], a: &[u32; LANES], b: &[u32; LANES]) -> [u32; LANES] {
        // SAFETY: `fastest` hands this function out only where the processor has AVX2.
        unsafe { avx2(elements, a, b) }
    }

    #[target_feature(enable = "avx2")]
    fn avx2(elements: &[u32], a: &[u32; LANES], b: &[u32; LANES]) -> [u32; LANES] {
        minima(elements, a, b)
    }
}

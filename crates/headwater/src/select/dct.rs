//! DCT p: the segments of hash-breaking under a fingerprint made of the leading coefficients of a discrete cosine
//! transform of their token hashes, so that small changes often leave it as it was (section 2.1, after Seo and Croft).
//!
//! The paper does not say how: we take token hashes as numbers from -1 to 1, an orthonormal DCT-II, and of its first 16 coefficients 4
//! bits each. How far apart two coefficients must be to be told apart is open as well. `Dct` rounds to whole numbers, as the prototype
//! of our research notes seems to have done: its figures come out, and many different segments have one fingerprint. `JDct` rounds
//! to quarters, which gives the token freshness of the paper's Table 6.

use std::f64::consts::{FRAC_PI_2, PI};
use std::num::NonZeroU32;

use super::{Selected, hash_breaking};
use crate::text::mix;

/// Coefficients in a fingerprint, 4 bits each.
const COEFFICIENTS: usize = 16;

pub(super) fn select(tokens: &[u64], p: NonZeroU32, joined: bool, out: &mut Vec<Selected>) {
    // The coefficients of random values in [-1, 1] deviate by 0.58, so that sixteen quarters still hold nearly all of them.
    let steps = if joined { 4.0 } else { 1.0 };
    out.extend(hash_breaking::segments(tokens, p, joined).map(|range| Selected {
        position: range.start as u32,
        tokens: range.len() as u32,
        fingerprint: fingerprint(&tokens[range], steps),
    }));
}

/// Every coefficient in so many `steps` for one. Linear in the segment: only the leading coefficients are computed.
fn fingerprint(segment: &[u64], steps: f64) -> u64 {
    let length = segment.len();
    let mut packed = 0u64;
    for frequency in 0..COEFFICIENTS {
        let mut sum = 0.0;
        for (at, &token) in segment.iter().enumerate() {
            let value = token as f64 / (1u64 << 63) as f64 - 1.0;
            sum += value * cosine((2 * at + 1) * frequency, length);
        }
        let scale = if frequency == 0 { 1.0 } else { 2.0 };
        let coefficient = sum * (scale / length as f64).sqrt();
        let step = (coefficient * steps).round().clamp(-8.0, 7.0) as i64 + 8;
        packed |= (step as u64) << (4 * frequency);
    }
    mix(packed)
}

/// cos(π·numerator / (2·length)) from additions and multiplications alone, so that it is the same on every machine.
fn cosine(numerator: usize, length: usize) -> f64 {
    let turn = (numerator % (4 * length)) as f64 / (2 * length) as f64 * PI;
    let turn = if turn > PI { 2.0 * PI - turn } else { turn };
    let (turn, sign) = if turn > FRAC_PI_2 { (PI - turn, -1.0) } else { (turn, 1.0) };
    let square = turn * turn;
    let mut term = 1.0;
    let mut sum = 1.0;
    for n in 1..=8 {
        term *= -square / f64::from((2 * n - 1) * (2 * n));
        sum += term;
    }
    sign * sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cosine_is_the_cosine() {
        for length in [1, 2, 7, 100] {
            for numerator in 0..10 * length {
                let expected = (PI * numerator as f64 / (2 * length) as f64).cos();
                assert!((cosine(numerator, length) - expected).abs() < 1e-9, "{numerator}/{length}");
            }
        }
    }

    #[test]
    fn a_small_change_at_a_late_place_often_keeps_the_fingerprint() {
        let original: Vec<u64> = (1..=40).map(mix).collect();
        let kept = (0..40).filter(|&at| {
            let mut changed = original.clone();
            changed[at] = changed[at].wrapping_add(1 << 56);
            fingerprint(&changed, 4.0) == fingerprint(&original, 4.0)
        });
        assert!(kept.count() > 10);
    }
}

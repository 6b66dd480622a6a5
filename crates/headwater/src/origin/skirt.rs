//! Skirts: a few bits about the text on either side of a shingle, kept with it.

use super::anchor::Probe;

/// Tokens on either side of a shingle of which an entry keeps one bit each.
pub(crate) const SKIRT: u32 = 11;

/// The low bits of a running hash over the tokens to the left and to the right of a shingle, nearest token first.
///
/// The hash runs on behind a token that differs, so that every later bit differs with probability ½: an edit
/// cannot be stepped over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Skirts {
    pub(crate) left: u16,
    pub(crate) right: u16,
}

/// A bit of the running hash that Hailstorm does not look at, so that being selected says nothing about it.
const SKIRT_BIT: u32 = 31;

/// Gives each probe, which is a shingle of `k` of the tokens, its skirts.
///
/// With a token the hash is rotated by one and the token's own is added without carry, so the bit after j tokens is the sum of
/// one bit of each: bit 31 of the last, bit 30 of the one before, and so on. Of a token only the eleven bits from 31 down count, and a
/// skirt is the sum of them over its tokens, each a bit further on than the last: all can be worked out at once. That gives the
/// nearest token the highest bit; skirts are turned round in the end.
pub(super) fn put_on(probes: &mut [Probe], tokens: &[u64], k: usize) {
    fastest()(probes, tokens, k);
}

type Sew = fn(&mut [Probe], &[u64], usize);

/// As many tokens as are summed at once: one more than count, and of the last no bit is left.
const WIDTH: usize = SKIRT as usize + 1;
type Side = [u64; WIDTH];

/// The bits of a token that count, and where they begin.
const BITS: u64 = ((1 << SKIRT) - 1) << LOWEST;
const LOWEST: u32 = SKIRT_BIT + 1 - SKIRT;

/// How far the tokens on the right are shifted, in order of the text; those on the left the other way round.
const RIGHT: Side = {
    let mut shifts = [0; WIDTH];
    let mut at = 0;
    while at < WIDTH {
        shifts[at] = LOWEST as u64 + at as u64;
        at += 1;
    }
    shifts
};
const LEFT: Side = {
    let mut shifts = [0; WIDTH];
    let mut at = 0;
    while at < WIDTH {
        shifts[at] = RIGHT[WIDTH - 1 - at];
        at += 1;
    }
    shifts
};

/// `sum` adds up the bits that count of some tokens, each shifted as far as is said beside it.
#[inline(always)]
fn sew_with(probes: &mut [Probe], tokens: &[u64], k: usize, sum: impl Fn(&Side, &Side) -> u64) {
    for probe in probes {
        let start = probe.position as usize;
        let (before, behind) = (&tokens[..start], &tokens[start + k..]);
        let left = match before.last_chunk() {
            Some(side) => sum(side, &LEFT),
            None => sum(&short_of(before, WIDTH - before.len()), &LEFT),
        };
        let right = match behind.first_chunk() {
            Some(side) => sum(side, &RIGHT),
            None => sum(&short_of(behind, 0), &RIGHT),
        };
        probe.skirts = Skirts { left: turned(left), right: turned(right) };
    }
}

/// Fewer tokens than there are places, the first in place `from`: what is not there leaves the hash as it is.
fn short_of(tokens: &[u64], from: usize) -> Side {
    let mut side = [0; WIDTH];
    side[from..from + tokens.len()].copy_from_slice(tokens);
    side
}

#[inline(always)]
fn turned(skirt: u64) -> u16 {
    static TURNED: [u16; 1 << SKIRT] = {
        let mut turned = [0; 1 << SKIRT];
        let mut bits = 0;
        while bits < turned.len() {
            turned[bits] = (bits as u16).reverse_bits() >> (u16::BITS - SKIRT);
            bits += 1;
        }
        turned
    };
    TURNED[skirt as usize % TURNED.len()]
}

fn portable(probes: &mut [Probe], tokens: &[u64], k: usize) {
    sew_with(probes, tokens, k, |side, shifts| {
        side.iter().zip(shifts).fold(0, |sum, (token, shift)| sum ^ (token & BITS) >> shift)
    });
}

#[cfg(target_arch = "x86_64")]
use x86::fastest;

#[cfg(not(target_arch = "x86_64"))]
fn fastest() -> Sew {
    portable
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    #![expect(unsafe_code, reason = "functions for newer processors may only be called after asking the processor")]

    use std::arch::x86_64::*;

    use super::{BITS, Probe, Sew, Side, WIDTH, portable, sew_with};

    pub(super) fn fastest() -> Sew {
        // SAFETY: the processor has been asked.
        if is_x86_feature_detected!("avx2") { |probes, tokens, k| unsafe { avx2(probes, tokens, k) } } else { portable }
    }

    #[target_feature(enable = "avx2")]
    fn avx2(probes: &mut [Probe], tokens: &[u64], k: usize) {
        sew_with(probes, tokens, k, |side, shifts| {
            let four = |at: usize| {
                let bits = _mm256_and_si256(load(side, at), _mm256_set1_epi64x(BITS.cast_signed()));
                _mm256_srlv_epi64(bits, load(shifts, at))
            };
            let four = _mm256_xor_si256(_mm256_xor_si256(four(0), four(4)), four(8));
            let two = _mm_xor_si128(_mm256_castsi256_si128(four), _mm256_extracti128_si256::<1>(four));
            _mm_cvtsi128_si64(_mm_xor_si128(two, _mm_unpackhi_epi64(two, two))).cast_unsigned()
        });
    }

    /// Four of the numbers, from `at` on.
    #[target_feature(enable = "avx2")]
    fn load(side: &Side, at: usize) -> __m256i {
        debug_assert!(at + 4 <= WIDTH);
        // SAFETY: these are the 32 bytes that are loaded, inside of the array; the load needs no alignment.
        unsafe { _mm256_loadu_si256(side.as_ptr().add(at).cast()) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use crate::text::mix;

    fn skirts(tokens: &[u64], start: usize, end: usize) -> Skirts {
        let [portable, fastest] = [portable as Sew, fastest()].map(|sew| {
            let mut probes = [Probe { place: 0, position: start as u32, skirts: Skirts::default(), tag: 0, level: 0 }];
            sew(&mut probes, tokens, end - start);
            probes[0].skirts
        });
        assert_eq!(portable, fastest);
        portable
    }

    /// The running hash taken word by word, nearest token first.
    fn run<'t>(tokens: impl Iterator<Item = &'t u64>) -> u16 {
        let (mut hash, mut bits) = (0u64, 0);
        for (at, token) in tokens.chain(std::iter::repeat(&0)).take(SKIRT as usize).enumerate() {
            hash = hash.rotate_left(1) ^ token;
            bits |= ((hash >> SKIRT_BIT) as u16 & 1) << at;
        }
        bits
    }

    proptest! {
        #[test]
        fn skirts_are_those_of_the_running_hash(tokens in vec(any::<u64>(), 0..40), start in 0usize..40, length in 0usize..12) {
            let start = start.min(tokens.len());
            let end = (start + length).min(tokens.len());
            let expected = Skirts { left: run(tokens[..start].iter().rev()), right: run(tokens[end..].iter()) };
            prop_assert_eq!(skirts(&tokens, start, end), expected);
        }

        /// Two skirts agree as far as the tokens do, and then in about every other bit.
        #[test]
        fn skirts_tell_where_the_text_differs(seed in 0u64..1000, change in 0usize..11) {
            let mut tokens: Vec<u64> = (0..40).map(|n| mix(seed * 100 + n)).collect();
            let before = skirts(&tokens, 16, 24);
            tokens[15 - change] = mix(seed + 1_000_000);
            tokens[24 + change] = mix(seed + 2_000_000);
            let after = skirts(&tokens, 16, 24);
            prop_assert!((before.left ^ after.left).trailing_zeros() as usize >= change);
            prop_assert!((before.right ^ after.right).trailing_zeros() as usize >= change);
            prop_assert!(before.left < 1 << SKIRT && before.right < 1 << SKIRT);
        }
    }

    #[test]
    fn a_difference_is_soon_noticed() {
        let missed = (0..4000u64).filter(|&seed| {
            let tokens: Vec<u64> = (0..40).map(|n| mix(seed * 100 + n)).collect();
            let mut other = tokens.clone();
            other[24] = mix(seed + 1_000_000);
            let differing = skirts(&tokens, 16, 24).right ^ skirts(&other, 16, 24).right;
            differing.trailing_zeros() >= 4
        });
        let missed = missed.count();
        assert!((150..350).contains(&missed), "one in sixteen gets past four tokens, here {missed} of 4000");
    }

    #[test]
    fn ends_of_the_document_count_as_text() {
        let tokens: Vec<u64> = (0..20).map(mix).collect();
        let whole = skirts(&tokens, 0, 20);
        assert_eq!(whole.left, whole.right);
        assert_ne!(skirts(&tokens, 4, 12).left, skirts(&tokens[1..], 3, 11).left);
    }
}

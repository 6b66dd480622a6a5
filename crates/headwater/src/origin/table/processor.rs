//! What the tables ask of the processor itself: a cache line ahead of its use, and eight numbers compared at once. The only unsafe
//! code of the tables.

#![expect(
    unsafe_code,
    reason = "prefetching has no safe form, and comparing many numbers at once none that is as fast"
)]

/// Starts fetching the line that `byte` lies in: without that every bucket is waited for in turn.
#[inline(always)]
pub(super) fn prefetch(byte: &u8) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch reads nothing into the program and faults on no address; this one is of a live byte.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(byte).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = byte;
}

/// Numbers of 16 bits that are worked out at once: as many as fill a register of the processor.
pub(super) const LANES: usize = 8;

/// The least of eight numbers, and where it stands first.
#[inline(always)]
pub(super) fn least_of(eight: [i16; LANES]) -> (usize, i16) {
    let least = eight.into_iter().fold(i16::MAX, i16::min);
    let bits = eight.iter().rev().fold(0, |bits, &number| bits << 16 | u128::from(number.cast_unsigned()));
    let marks = alike(bits, u16::MAX, least.cast_unsigned());
    ((marks.trailing_zeros() / 2) as usize, least)
}

/// For eight numbers of 16 bits, the first lowest: two ones for each that is `number` in the bits of `mask`.
#[inline(always)]
pub(super) fn alike(eight: u128, mask: u16, number: u16) -> u16 {
    #[cfg(target_arch = "x86_64")]
    {
        // SAFETY: every x86-64 has SSE2.
        unsafe { alike_sse2(eight, mask, number) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    alike_anywhere(eight, mask, number)
}

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "sse2")]
fn alike_sse2(eight: u128, mask: u16, number: u16) -> u16 {
    use std::arch::x86_64::*;
    let all = |number: u16| _mm_set1_epi16(number.cast_signed());
    let eight = _mm_set_epi64x((eight >> 64) as i64, eight as i64);
    let alike = _mm_cmpeq_epi16(_mm_and_si128(eight, all(mask)), all(number));
    _mm_movemask_epi8(alike) as u16
}

#[cfg(any(test, not(target_arch = "x86_64")))]
fn alike_anywhere(eight: u128, mask: u16, number: u16) -> u16 {
    (0..8).filter(|at| (eight >> (16 * at)) as u16 & mask == number).fold(0, |marks, at| marks | 0b11 << (2 * at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_first_of_the_least(eight: [i16; LANES], few in proptest::array::uniform8(-2i16..2)) {
            for eight in [eight, few] {
                let plain = eight.iter().enumerate().min_by_key(|&(_, number)| number);
                prop_assert_eq!(Some(least_of(eight)), plain.map(|(at, &number)| (at, number)));
            }
        }

        #[test]
        fn compared_one_by_one(eight: u128, few in 0u16..3, at in 0u32..8) {
            let eight = eight & !(0xffff << (16 * at)) | u128::from(few) << (16 * at);
            for (mask, number) in [(0xffff, few), (3, few), (0x0fff, (eight >> 64) as u16 & 0x0fff)] {
                prop_assert_eq!(alike(eight, mask, number), alike_anywhere(eight, mask, number));
            }
        }
    }
}

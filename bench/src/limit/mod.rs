//! The machine's limit for text: what the fastest kernel that we can write does, with all that a product needs left out.
//! Beside it, in the modules below, the usual ways to do each part: what a design gains or loses by its choice.
//!
//! Only ASCII letters are folded; all other characters are letters as they are written, and each of Chinese and Japanese is a word
//! by itself, so that a text has about as many tokens here as the product finds in it. No spans, no composing, sixteen readable
//! bytes assumed behind every text. Each job is stated as a share of this.

pub mod hash;
pub mod memory;
pub mod parse;
pub mod probe;
pub mod roll;
pub mod sketch;
pub mod tokens;

use std::arch::x86_64::*;

const SEEDS: [u64; 2] = [0xa076_1d64_78bd_642f, 0xe703_7ed1_a0b4_28db];
const BASE: u64 = 0x9fb2_1c65_1e98_df25;
const LOWER: u64 = 0x2020_2020_2020_2020;
const K: usize = 8;

/// Room that is used again and again.
#[derive(Default)]
pub struct Room {
    hashes: Vec<u64>,
    shingles: Vec<u64>,
    minima: Vec<u64>,
}

/// Tokens, hashes, rolling fingerprints and Hailstorm of `text[..length]`; gives the number of selected shingles, so that
/// nothing can be optimised away. `text` has at least 64 bytes behind `length`.
pub fn fused(text: &[u8], length: usize, room: &mut Room) -> u64 {
    assert!(text.len() >= length + 64);
    // SAFETY: asked for here; the text has the readable bytes behind it that the kernel loads.
    unsafe {
        assert!(is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2"));
        tokens(text, length, room);
        shingles(room);
        hailstorm(room)
    }
}

/// Only where tokens begin: their number.
pub fn masks(text: &[u8], length: usize) -> u64 {
    assert!(text.len() >= length + 64);
    // SAFETY: the text has the readable bytes behind it that the kernel loads, and AVX2 was asked for.
    unsafe {
        assert!(is_x86_feature_detected!("avx2"));
        starts(text, length)
    }
}

#[target_feature(enable = "avx2,popcnt")]
unsafe fn starts(text: &[u8], length: usize) -> u64 {
    let mut edges = Edges::default();
    (0..length).step_by(64).fold(0, |number, at| {
        // SAFETY: 64 bytes behind the end are readable.
        let (starts, _) = unsafe { edges.next(text.as_ptr().add(at), length - at) };
        number + u64::from(starts.count_ones())
    })
}

/// What goes over from one block of 64 bytes to the next.
#[derive(Default)]
struct Edges {
    /// Whether a token goes on.
    inside: u64,
    /// Where a character that is a word by itself ends.
    lone: u64,
}

impl Edges {
    /// Where tokens start and end in the 64 bytes from `block` on, of which `left` or more are text.
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn next(&mut self, block: *const u8, left: usize) -> (u64, u64) {
        // SAFETY: the caller has 64 readable bytes.
        let ((low, low_lone), (high, high_lone)) = unsafe { (classes(block), classes(block.add(32))) };
        let text = if left < 64 { (1u64 << left) - 1 } else { u64::MAX };
        let (word, lone) = ((low | high << 32) & text, (low_lone | high_lone << 32) & text);
        let before = word << 1 | self.inside;
        let starts = word & (!before | lone | lone << 3 | self.lone);
        let ends = before & (!word | starts);
        (self.inside, self.lone) = (word >> 63, lone >> 61);
        (starts, ends)
    }
}

/// Only the first part: tokens and their hashes.
pub fn hashed(text: &[u8], length: usize, room: &mut Room) -> u64 {
    assert!(text.len() >= length + 64);
    // SAFETY: as above.
    unsafe { tokens(text, length, room) };
    room.hashes.len() as u64
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
unsafe fn tokens(text: &[u8], length: usize, room: &mut Room) {
    room.hashes.clear();
    room.hashes.reserve(length / 2 + 64);
    let mut out = room.hashes.as_mut_ptr();
    let base = text.as_ptr();
    let mut edges = Edges::default();
    let mut start = 0;
    for at in (0..length).step_by(64) {
        // SAFETY: 64 bytes behind the end are readable; the reserved room holds a hash for every second byte.
        unsafe {
            let was_inside = edges.inside != 0;
            let (mut starts, mut ends) = edges.next(base.add(at), length - at);
            if was_inside && ends != 0 {
                *out = hash(base.add(start), at + ends.trailing_zeros() as usize - start);
                out = out.add(1);
                ends &= ends - 1;
            }
            while ends != 0 {
                let from = starts.trailing_zeros() as usize;
                *out = hash(base.add(at + from), ends.trailing_zeros() as usize - from);
                out = out.add(1);
                starts &= starts - 1;
                ends &= ends - 1;
            }
            if starts != 0 {
                start = at + starts.trailing_zeros() as usize;
            }
        }
    }
    // SAFETY: `out` moved one place for each hash that was written.
    unsafe {
        if edges.inside != 0 {
            *out = hash(base.add(start), length - start);
            out = out.add(1);
        }
        let count = out.offset_from(room.hashes.as_ptr()) as usize;
        room.hashes.set_len(count);
    }
}

/// For 32 bytes: which may belong to a word, and which begin a character that is one by itself: those of Chinese and Japanese,
/// which have three bytes.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn classes(bytes: *const u8) -> (u64, u64) {
    // SAFETY: the caller has 32 readable bytes.
    let bytes = unsafe { _mm256_loadu_si256(bytes.cast()) };
    let between = |bytes, first: u8, last: u8| {
        let above = _mm256_sub_epi8(bytes, _mm256_set1_epi8(first as i8));
        _mm256_cmpeq_epi8(_mm256_min_epu8(above, _mm256_set1_epi8((last - first) as i8)), above)
    };
    let lower = _mm256_or_si256(bytes, _mm256_set1_epi8(0x20));
    let ascii = _mm256_or_si256(between(lower, b'a', b'z'), between(bytes, b'0', b'9'));
    // Only the highest bit of each byte counts, which is set in bytes that are not ASCII.
    let bits = |bytes| _mm256_movemask_epi8(bytes) as u32 as u64;
    (bits(_mm256_or_si256(ascii, bytes)), bits(between(bytes, 0xe3, 0xe9)))
}

#[inline(always)]
unsafe fn hash(token: *const u8, length: usize) -> u64 {
    // SAFETY: sixteen bytes are readable behind every token.
    let (first, second) =
        unsafe { (token.cast::<u64>().read_unaligned(), token.add(8).cast::<u64>().read_unaligned()) };
    let (first, second) = match length {
        0..=8 => ((first | LOWER) & u64::MAX >> (64 - 8 * length), 0),
        9..=16 => (first | LOWER, (second | LOWER) & u64::MAX >> (128 - 8 * length)),
        _ => (first | LOWER, second ^ length as u64),
    };
    let product = u128::from(first ^ SEEDS[0]) * u128::from(second ^ SEEDS[1]);
    (product >> 64) as u64 ^ product as u64
}

#[target_feature(enable = "avx2,bmi2")]
fn shingles(room: &mut Room) {
    room.shingles.clear();
    if room.hashes.len() < K {
        return;
    }
    let leading = BASE.wrapping_pow(K as u32);
    let (first, rest) = room.hashes.split_at(K);
    let mut rolling = first.iter().fold(0u64, |rolling, &hash| rolling.wrapping_mul(BASE).wrapping_add(hash));
    room.shingles.reserve(rest.len() + 1);
    room.shingles.push(rolling);
    room.shingles.extend(room.hashes.iter().zip(rest).map(|(gone, come)| {
        rolling = rolling.wrapping_mul(BASE).wrapping_add(come.wrapping_sub(gone.wrapping_mul(leading)));
        rolling
    }));
}

#[target_feature(enable = "avx2,bmi2")]
fn hailstorm(room: &mut Room) -> u64 {
    if room.hashes.len() < K {
        return 0;
    }
    let Room { hashes, minima, shingles } = room;
    let count = shingles.len();
    minima.clear();
    minima.extend(hashes.iter().zip(&hashes[1..]).map(|(a, b)| *a.min(b)));
    for at in 0..minima.len().saturating_sub(2) {
        minima[at] = minima[at].min(minima[at + 2]);
    }
    let mut selected = 0u64;
    for at in 0..count {
        let least = minima[at].min(minima[at + 4]);
        let chosen = hashes[at] == least || hashes[at + K - 1] == least;
        selected = selected.wrapping_add(if chosen { shingles[at] } else { 0 });
    }
    selected
}

//! Finds the runs of bytes that may be words: ASCII letters and digits, and everything that is not ASCII.
//!
//! Sixty-four bytes at a time become one mask of 64 bits; where a run begins and ends is then bit arithmetic. The masks are
//! made with AVX2 where the machine has it (found out at run time) and with plain 64-bit arithmetic elsewhere.

/// How many bytes are searched at a time: few, so that a short document does not pay for room that it does not use.
pub(super) const CHUNK: usize = 1024;

/// How many runs a chunk can have, with one more for a run that began before it and one that goes on behind it.
const MOST_RUNS: usize = CHUNK / 2 + 2;

const BLOCK: usize = 64;

/// The runs of one chunk, each a range of byte offsets into the text.
pub(super) struct Runs {
    starts: [u32; MOST_RUNS],
    ends: [u32; MOST_RUNS],
    started: usize,
    ended: usize,
    inside: bool,
    find: fn(&mut Runs, &[u8], usize),
}

impl Runs {
    pub(super) fn new() -> Self {
        Self::with(fastest())
    }

    fn with(find: fn(&mut Runs, &[u8], usize)) -> Self {
        let none = [0; MOST_RUNS];
        Runs { starts: none, ends: none, started: 0, ended: 0, inside: false, find }
    }

    /// The same search without special instructions: the reference for tests, and the path for other machines.
    #[cfg(test)]
    pub(super) fn portable() -> Self {
        Self::with(find_portable)
    }

    /// Searches the chunk of `text` that begins at `at`; a run that goes on behind it is left for the next call.
    pub(super) fn search(&mut self, text: &[u8], at: usize) {
        self.starts[0] = self.starts[self.ended];
        self.started -= self.ended;
        self.ended = 0;
        (self.find)(self, text, at);
        if at + CHUNK >= text.len() && self.inside {
            self.ends[self.ended] = text.len() as u32;
            self.ended += 1;
            self.inside = false;
        }
    }

    /// Where each complete run starts and ends.
    pub(super) fn spans(&self) -> (&[u32], &[u32]) {
        (&self.starts[..self.ended], &self.ends[..self.ended])
    }

    #[inline(always)]
    fn find_with(&mut self, text: &[u8], at: usize, mask: impl Fn(&[u8; BLOCK]) -> u64) {
        let chunk = &text[at..text.len().min(at + CHUNK)];
        let (blocks, rest) = chunk.as_chunks::<BLOCK>();
        let mut from = at as u32;
        for block in blocks {
            self.note(from, mask(block));
            from += BLOCK as u32;
        }
        if !rest.is_empty() {
            let mut block = [0; BLOCK];
            block[..rest.len()].copy_from_slice(rest);
            self.note(from, mask(&block));
        }
    }

    #[inline(always)]
    fn note(&mut self, from: u32, word: u64) {
        let before = word << 1 | u64::from(self.inside);
        note_bits(&mut self.starts, &mut self.started, from, word & !before);
        note_bits(&mut self.ends, &mut self.ended, from, before & !word);
        self.inside = word >> 63 != 0;
    }
}

/// Writes the offsets of the set bits. Eight at a time: 64 bytes of most texts have nine to sixteen words, so that the number of
/// turns is nearly always two.
#[inline(always)]
fn note_bits(offsets: &mut [u32; MOST_RUNS], count: &mut usize, from: u32, mut bits: u64) {
    let mut at = *count;
    *count += bits.count_ones() as usize;
    while bits != 0 {
        if let Some(eight) = offsets[at..].first_chunk_mut::<8>() {
            for offset in eight {
                *offset = from + bits.trailing_zeros();
                bits &= bits.wrapping_sub(1);
            }
            at += 8;
        } else {
            offsets[at] = from + bits.trailing_zeros();
            bits &= bits - 1;
            at += 1;
        }
    }
}

fn find_portable(runs: &mut Runs, text: &[u8], at: usize) {
    runs.find_with(text, at, |block| {
        let (words, _) = block.as_chunks::<8>();
        let masks = words.iter().enumerate().map(|(at, &word)| word_bytes(u64::from_le_bytes(word)) << (8 * at));
        masks.fold(0, |all, mask| all | mask)
    });
}

const fn each(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

/// One bit for each of eight bytes: set for ASCII letters and digits and for all that is not ASCII.
#[inline(always)]
fn word_bytes(bytes: u64) -> u64 {
    let seven = bytes & each(0x7f);
    // Adding 0x80 - x to a byte below 0x80 sets its highest bit exactly where the byte is at least x.
    let at_least = |bytes: u64, x: u8| bytes + each(0x80 - x);
    let lower = seven | each(0x20);
    let letter = at_least(lower, b'a') & !at_least(lower, b'z' + 1);
    let digit = at_least(seven, b'0') & !at_least(seven, b'9' + 1);
    let marks = ((letter | digit | bytes) & each(0x80)) >> 7;
    marks.wrapping_mul(0x0102_0408_1020_4080) >> 56
}

#[cfg(target_arch = "x86_64")]
use x86::fastest;

#[cfg(not(target_arch = "x86_64"))]
fn fastest() -> fn(&mut Runs, &[u8], usize) {
    find_portable
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    #![expect(unsafe_code, reason = "functions for newer processors may only be called after asking the processor")]

    use std::arch::x86_64::*;

    use super::{BLOCK, Runs, find_portable};

    pub(super) fn fastest() -> fn(&mut Runs, &[u8], usize) {
        let newer = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt");
        if newer { find_asked } else { find_portable }
    }

    fn find_asked(runs: &mut Runs, text: &[u8], at: usize) {
        // SAFETY: `fastest` hands this function out only where the processor has all the features.
        unsafe { find_avx2(runs, text, at) }
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn find_avx2(runs: &mut Runs, text: &[u8], at: usize) {
        runs.find_with(text, at, |block| {
            let (low, high) = block.split_at(BLOCK / 2);
            u64::from(mask(low)) | u64::from(mask(high)) << 32
        });
    }

    /// For 32 bytes: a bit for each that may belong to a word.
    #[target_feature(enable = "avx2")]
    fn mask(half: &[u8]) -> u32 {
        debug_assert!(half.len() == BLOCK / 2);
        // SAFETY: the slice has the 32 bytes that are loaded; the load needs no alignment.
        let bytes = unsafe { _mm256_loadu_si256(half.as_ptr().cast()) };
        let lower = _mm256_or_si256(bytes, _mm256_set1_epi8(0x20));
        let letter = between(lower, b'a', b'z');
        let digit = between(bytes, b'0', b'9');
        // Only the highest bit of each byte counts, which is set in bytes that are not ASCII.
        _mm256_movemask_epi8(_mm256_or_si256(_mm256_or_si256(letter, digit), bytes)).cast_unsigned()
    }

    #[target_feature(enable = "avx2")]
    fn between(bytes: __m256i, first: u8, last: u8) -> __m256i {
        let above = _mm256_sub_epi8(bytes, _mm256_set1_epi8(first.cast_signed()));
        let most = _mm256_set1_epi8((last - first).cast_signed());
        _mm256_cmpeq_epi8(_mm256_min_epu8(above, most), above)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn all(mut runs: Runs, text: &[u8]) -> Vec<(u32, u32)> {
        let mut found = Vec::new();
        for at in (0..text.len()).step_by(CHUNK) {
            runs.search(text, at);
            let (starts, ends) = runs.spans();
            found.extend(starts.iter().copied().zip(ends.iter().copied()));
        }
        found
    }

    fn naive(text: &[u8]) -> Vec<(u32, u32)> {
        let word = |at: usize| text.get(at).is_some_and(|b| b.is_ascii_alphanumeric() || !b.is_ascii());
        let starts = (0..text.len()).filter(|&at| word(at) && (at == 0 || !word(at - 1)));
        starts
            .map(|at| (at as u32, (at..=text.len()).find(|&end| !word(end)).expect("the end ends it") as u32))
            .collect()
    }

    fn check(text: &[u8]) {
        let expected = naive(text);
        assert_eq!(all(Runs::portable(), text), expected);
        assert_eq!(all(Runs::new(), text), expected);
    }

    #[test]
    fn every_byte_is_told_right() {
        check(&(0..=255).collect::<Vec<u8>>());
        (0..=255u8).for_each(|byte| check(&[b' ', byte, b' ', byte, byte]));
    }

    #[test]
    fn runs_cross_blocks_and_chunks() {
        for length in [0, 1, 63, 64, 65, 127, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK] {
            check(&vec![b'a'; length]);
            check(&vec![b' '; length]);
            check(&b"a ".repeat(length));
            check(&b" a".repeat(length));
        }
    }

    proptest! {
        #[test]
        fn any_bytes_give_the_same_runs_on_every_path(text in proptest::collection::vec(any::<u8>(), 0..9000)) {
            check(&text);
        }

        #[test]
        fn any_words_give_the_same_runs_on_every_path(text in "([a-zA-Z0-9]{1,90}[ ,.]{1,3}){0,200}") {
            check(text.as_bytes());
        }
    }
}

//! Finds the runs of bytes that may be words: ASCII letters and digits, and everything that is not ASCII.
//!
//! Sixty-four bytes at a time become one mask of 64 bits; where a run begins and ends is then bit arithmetic. The masks are
//! made with AVX-512 or AVX2 where the machine has it (found out at run time) and with plain 64-bit arithmetic elsewhere.
//!
//! The commonest characters that are neither ASCII nor part of a word, quotation marks, dashes and frames of tables, are left out
//! here already: a run with such a one in it would have to be cut character by character.

/// How many bytes are searched at a time: few, so that a short document does not pay for room that it does not use.
pub(super) const CHUNK: usize = 1024;

/// How many runs a chunk can have, with one more for a run that began before it and one that goes on behind it.
const MOST_RUNS: usize = CHUNK / 2 + 2;

const BLOCK: usize = 64;

/// How many runs can begin in a block.
const MOST_IN_BLOCK: usize = BLOCK / 2;

/// Where something begins or ends, in order, with room for what is written behind the last.
type Offsets = [u32; MOST_RUNS + MOST_IN_BLOCK];

/// The runs of one chunk, each a range of byte offsets into the text.
pub(super) struct Runs {
    starts: Offsets,
    ends: Offsets,
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
        let none = [0; _];
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

    /// `masks` tells which bytes of a block may belong to a word, and which may begin a sign; `note` writes down where bits are set.
    #[inline(always)]
    fn find_with(
        &mut self,
        text: &[u8],
        at: usize,
        masks: impl Fn(&[u8; BLOCK]) -> [u64; 2],
        note: impl Fn(&mut Offsets, usize, u32, u64) + Copy,
    ) {
        let chunk = &text[at..text.len().min(at + CHUNK)];
        let (blocks, rest) = chunk.as_chunks::<BLOCK>();
        let mut from = at as u32;
        let mask = |block: &[u8; BLOCK]| {
            let [words, signs] = masks(block);
            if signs == 0 { words } else { without_signs(block, words, signs) }
        };
        for block in blocks {
            self.note(from, mask(block), note);
            from += BLOCK as u32;
        }
        if !rest.is_empty() {
            let mut block = [0; BLOCK];
            block[..rest.len()].copy_from_slice(rest);
            self.note(from, mask(&block), note);
        }
    }

    #[inline(always)]
    fn note(&mut self, from: u32, word: u64, note: impl Fn(&mut Offsets, usize, u32, u64) + Copy) {
        let before = word << 1 | u64::from(self.inside);
        let (starts, ends) = (word & !before, before & !word);
        note(&mut self.starts, self.started, from, starts);
        note(&mut self.ends, self.ended, from, ends);
        self.started += starts.count_ones() as usize;
        self.ended += ends.count_ones() as usize;
        self.inside = word >> 63 != 0;
    }
}

/// What signs of three bytes in UTF-8 begin with, of those that are looked for.
const SIGN: u8 = 0xe2;

/// Takes the bytes of signs out of the word bytes of a block; one that goes on in the next block stays.
fn without_signs(block: &[u8; BLOCK], mut words: u64, mut begins: u64) -> u64 {
    while begins != 0 {
        let at = begins.trailing_zeros() as usize;
        begins &= begins - 1;
        let is_sign = match block[at + 1..] {
            // From the hyphen U+2010 to U+2027: dashes, quotation marks, daggers, bullets, the ellipsis.
            [0x80, third, ..] => matches!(third, 0x90..=0xa7),
            // U+2500 to U+25FF: frames, blocks, shapes. What stands third belongs to the sign, since texts are UTF-8.
            [0x94..=0x97, _, ..] => true,
            _ => false,
        };
        words &= !((u64::from(is_sign) * 0b111) << at);
    }
    words
}

/// Writes the offsets of the set bits from place `at` on. Eight at a time: 64 bytes of most texts have nine to sixteen words, so that
/// the number of turns is nearly always two.
#[inline(always)]
fn note_bits(offsets: &mut Offsets, mut at: usize, from: u32, mut bits: u64) {
    while bits != 0 {
        let eight = offsets[at..].first_chunk_mut::<8>().expect("there is room behind the last");
        for offset in eight {
            *offset = from + bits.trailing_zeros();
            bits &= bits.wrapping_sub(1);
        }
        at += 8;
    }
}

fn find_portable(runs: &mut Runs, text: &[u8], at: usize) {
    let masks = |block: &[u8; BLOCK]| {
        [word_bytes, sign_bytes].map(|marks: fn(u64) -> u64| {
            let (eights, _) = block.as_chunks::<8>();
            let masks =
                eights.iter().enumerate().map(|(at, &eight)| bits(marks(u64::from_le_bytes(eight))) << (8 * at));
            masks.fold(0, |all, mask| all | mask)
        })
    };
    runs.find_with(text, at, masks, note_bits);
}

const fn each(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

/// The highest bits of eight bytes, pushed together.
#[inline(always)]
fn bits(bytes: u64) -> u64 {
    ((bytes & each(0x80)) >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// The highest bit is set in every byte that begins what may be a sign.
#[inline(always)]
fn sign_bytes(bytes: u64) -> u64 {
    let other = bytes ^ each(SIGN);
    !(((other & each(0x7f)) + each(0x7f)) | other)
}

/// The highest bit is set in ASCII letters and digits and in all that is not ASCII.
#[inline(always)]
fn word_bytes(bytes: u64) -> u64 {
    let seven = bytes & each(0x7f);
    // Adding 0x80 - x to a byte below 0x80 sets its highest bit exactly where the byte is at least x.
    let at_least = |bytes: u64, x: u8| bytes + each(0x80 - x);
    let lower = seven | each(0x20);
    let letter = at_least(lower, b'a') & !at_least(lower, b'z' + 1);
    let digit = at_least(seven, b'0') & !at_least(seven, b'9' + 1);
    letter | digit | bytes
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

    use super::{BLOCK, MOST_IN_BLOCK, Offsets, Runs, SIGN, find_portable, note_bits};

    type Find = fn(&mut Runs, &[u8], usize);

    pub(super) fn fastest() -> Find {
        every().next().unwrap_or(find_portable)
    }

    /// What this processor can do, the fastest first.
    pub(super) fn every() -> impl Iterator<Item = Find> {
        let newer = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt");
        let newest = newer
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vbmi2");
        // SAFETY: the processor has been asked for all the features.
        let avx512: Find = |runs, text, at| unsafe { find_avx512(runs, text, at) };
        // SAFETY: as above.
        let avx2: Find = |runs, text, at| unsafe { find_avx2(runs, text, at) };
        [newest.then_some(avx512), newer.then_some(avx2)].into_iter().flatten()
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,bmi1,bmi2,popcnt")]
    fn find_avx512(runs: &mut Runs, text: &[u8], at: usize) {
        let masks = |block: &[u8; BLOCK]| {
            // SAFETY: the block has the 64 bytes that are loaded; the load needs no alignment.
            let bytes = unsafe { _mm512_loadu_si512(block.as_ptr().cast()) };
            let between = |bytes: __m512i, first: u8, last: u8| {
                let above = _mm512_sub_epi8(bytes, _mm512_set1_epi8(first.cast_signed()));
                _mm512_cmple_epu8_mask(above, _mm512_set1_epi8((last - first).cast_signed()))
            };
            let lower = _mm512_or_si512(bytes, _mm512_set1_epi8(0x20));
            let words = between(lower, b'a', b'z') | between(bytes, b'0', b'9') | _mm512_movepi8_mask(bytes);
            [words, _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(SIGN.cast_signed()))]
        };
        runs.find_with(text, at, masks, |offsets, at, from, bits| note_avx512(offsets, at, from, bits));
    }

    /// As [`note_bits`], all at once: the numbers of the bytes are pushed together to those whose bits are set.
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi2")]
    fn note_avx512(offsets: &mut Offsets, at: usize, from: u32, bits: u64) {
        static NUMBERS: [u8; BLOCK] = {
            let mut numbers = [0; BLOCK];
            let mut at = 0;
            while at < BLOCK {
                numbers[at] = at as u8;
                at += 1;
            }
            numbers
        };
        let offsets: &mut [u32; MOST_IN_BLOCK] =
            offsets[at..].first_chunk_mut().expect("there is room behind the last");
        // SAFETY: there are the 64 bytes that are loaded; the load needs no alignment.
        let numbers = unsafe { _mm512_loadu_si512(NUMBERS.as_ptr().cast()) };
        let set = _mm512_maskz_compress_epi8(bits, numbers);
        let sixteen =
            |numbers: __m128i| _mm512_add_epi32(_mm512_cvtepu8_epi32(numbers), _mm512_set1_epi32(from.cast_signed()));
        let (low, high) = (sixteen(_mm512_castsi512_si128(set)), sixteen(_mm512_extracti32x4_epi32::<1>(set)));
        // SAFETY: there is room for the two times sixteen numbers of four bytes that are stored; the stores need no alignment.
        unsafe {
            _mm512_storeu_si512(offsets.as_mut_ptr().cast(), low);
            _mm512_storeu_si512(offsets.as_mut_ptr().add(16).cast(), high);
        }
    }

    #[expect(
        clippy::redundant_closure,
        reason = "a closure is compiled for this processor too, which finds set bits with one instruction"
    )]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn find_avx2(runs: &mut Runs, text: &[u8], at: usize) {
        let masks = |block: &[u8; BLOCK]| {
            let (low, high) = block.split_at(BLOCK / 2);
            let (low, high) = (masks(low), masks(high));
            [0, 1].map(|which| u64::from(low[which]) | u64::from(high[which]) << 32)
        };
        runs.find_with(text, at, masks, |offsets, at, from, bits| note_bits(offsets, at, from, bits));
    }

    /// For 32 bytes: a bit for each that may belong to a word, and one for each that may begin a sign.
    #[target_feature(enable = "avx2")]
    fn masks(half: &[u8]) -> [u32; 2] {
        debug_assert!(half.len() == BLOCK / 2);
        // SAFETY: the slice has the 32 bytes that are loaded; the load needs no alignment.
        let bytes = unsafe { _mm256_loadu_si256(half.as_ptr().cast()) };
        let lower = _mm256_or_si256(bytes, _mm256_set1_epi8(0x20));
        let letter = between(lower, b'a', b'z');
        let digit = between(bytes, b'0', b'9');
        // Only the highest bit of each byte counts, which is set in bytes that are not ASCII.
        let word = _mm256_or_si256(_mm256_or_si256(letter, digit), bytes);
        let sign = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(SIGN.cast_signed()));
        [word, sign].map(|bytes| _mm256_movemask_epi8(bytes).cast_unsigned())
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
        let byte = |at: usize| text.get(at).copied().unwrap_or(0);
        let is_sign = |at: usize| {
            let is_whole = at % BLOCK + 3 <= BLOCK;
            is_whole
                && matches!([byte(at), byte(at + 1), byte(at + 2)], [0xe2, 0x80, 0x90..=0xa7] | [0xe2, 0x94..=0x97, _])
        };
        let in_sign = |at: usize| (at.saturating_sub(2)..=at).any(is_sign);
        let word = |at: usize| text.get(at).is_some_and(|b| b.is_ascii_alphanumeric() || !b.is_ascii()) && !in_sign(at);
        let starts = (0..text.len()).filter(|&at| word(at) && (at == 0 || !word(at - 1)));
        starts
            .map(|at| (at as u32, (at..=text.len()).find(|&end| !word(end)).expect("the end ends it") as u32))
            .collect()
    }

    fn check(text: &[u8]) {
        let expected = naive(text);
        assert_eq!(all(Runs::portable(), text), expected);
        #[cfg(target_arch = "x86_64")]
        x86::every().for_each(|find| assert_eq!(all(Runs::with(find), text), expected));
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

    #[test]
    fn signs_are_no_part_of_a_run() {
        let spans = |text: &str| {
            let all = all(Runs::new(), text.as_bytes());
            all.into_iter().map(|(start, end)| text[start as usize..end as usize].to_owned()).collect::<Vec<String>>()
        };
        assert_eq!(spans("│ don’t “stop” — here…"), ["don", "t", "stop", "here"]);
        // What joins words, and what counts as a number, is not told here.
        assert_eq!(spans("a\u{200d}b ⅷ"), ["a\u{200d}b", "ⅷ"]);
    }

    proptest! {
        #[test]
        fn any_bytes_give_the_same_runs_on_every_path(text in proptest::collection::vec(any::<u8>(), 0..9000)) {
            check(&text);
        }

        #[test]
        fn any_text_gives_the_same_runs_on_every_path(text in "([a-zé水 ]|[\u{2000}-\u{2030}]|[\u{24f0}-\u{2610}]){0,300}") {
            check(text.as_bytes());
        }

        #[test]
        fn any_words_give_the_same_runs_on_every_path(text in "([a-zA-Z0-9]{1,90}[ ,.]{1,3}){0,200}") {
            check(text.as_bytes());
        }
    }
}

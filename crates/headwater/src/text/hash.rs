//! The hash of one token: of its folded spelling in UTF-8, sixteen bytes at a time.
//!
//! Each step folds a product of two 64-bit words to 64 bits. A token holds no zero byte, so padding the last sixteen bytes
//! with zeros keeps different spellings apart. Two given tokens collide with a probability of about 2⁻⁶⁴: among a million
//! different tokens the odds that any two collide are about one in 37 million.

const SEEDS: [u64; 2] = [0xa076_1d64_78bd_642f, 0xe703_7ed1_a0b4_28db];

/// Sets the bit that tells lower from upper case in ASCII letters; digits have it already.
const LOWER: u64 = 0x2020_2020_2020_2020;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// The hash of the ASCII letters and digits `bytes[start..end]`, case-folded; `None` where a byte is not ASCII.
#[inline(always)]
pub(super) fn ascii(bytes: &[u8], start: usize, end: usize) -> Option<u64> {
    let length = end - start;
    let Some(window) = bytes.get(start..start + 16) else { return ascii_in_steps(&bytes[start..end]) };
    let (first, second) = words(window);
    if length <= 8 {
        let first = first & leading(length);
        return (first & HIGH == 0).then(|| step(0, first | (LOWER & leading(length)), 0));
    }
    if length <= 16 {
        let second = second & leading(length - 8);
        return ((first | second) & HIGH == 0).then(|| step(0, first | LOWER, second | (LOWER & leading(length - 8))));
    }
    ascii_in_steps(&bytes[start..end])
}

fn ascii_in_steps(token: &[u8]) -> Option<u64> {
    token.is_ascii().then(|| written_in_steps(token))
}

/// The hash of a token of which at most ASCII letters need folding.
#[inline]
pub(super) fn written(bytes: &[u8], start: usize, end: usize) -> u64 {
    let length = end - start;
    match bytes.get(start..start + 16) {
        Some(window) if length <= 8 => step(0, lower(words(window).0 & leading(length)), 0),
        Some(window) if length <= 16 => {
            let (first, second) = words(window);
            step(0, lower(first), lower(second & leading(length - 8)))
        }
        _ => written_in_steps(&bytes[start..end]),
    }
}

fn written_in_steps(token: &[u8]) -> u64 {
    let mut state = 0;
    for part in token.chunks(16) {
        let mut window = [0; 16];
        window[..part.len()].copy_from_slice(part);
        window.make_ascii_lowercase();
        let (first, second) = words(&window);
        state = step(state, first, second);
    }
    state
}

/// Hashes a token character by character, giving what [`ascii`] gives for the same spelling.
#[derive(Clone, Copy, Default)]
pub(super) struct Hasher {
    state: u64,
    pending: [u8; 20],
    length: usize,
}

impl Hasher {
    /// A hasher into which one character has gone.
    #[inline]
    pub(super) fn of(character: char) -> Self {
        let mut hasher = Hasher::default();
        hasher.push(character);
        hasher
    }

    #[inline]
    pub(super) fn push(&mut self, character: char) {
        if self.length >= 16 {
            let window: [u8; 16] = std::array::from_fn(|at| self.pending[at]);
            self.absorb(&window);
            self.pending.copy_within(16.., 0);
            self.length -= 16;
        }
        self.length += character.encode_utf8(&mut self.pending[self.length..]).len();
    }

    /// The hash of what was pushed; the hasher is as new afterwards.
    #[inline]
    pub(super) fn finish(&mut self) -> u64 {
        self.pending[self.length..].fill(0);
        let mut window: [u8; 16] = std::array::from_fn(|at| self.pending[at]);
        self.absorb(&window);
        if self.length > 16 {
            window = [0; 16];
            window[..4].copy_from_slice(&self.pending[16..]);
            self.absorb(&window);
        }
        let hash = self.state;
        self.state = 0;
        self.length = 0;
        hash
    }

    #[inline]
    fn absorb(&mut self, window: &[u8; 16]) {
        let (first, second) = words(window);
        self.state = step(self.state, first, second);
    }
}

/// A token of at most sixteen bytes, followed by zeros; `None` for a longer one.
#[inline(always)]
pub(super) fn window(bytes: &[u8], start: usize, end: usize) -> Option<u128> {
    let length = end - start;
    if length > 16 {
        return None;
    }
    let mut window = [0; 16];
    match bytes.get(start..start + 16) {
        Some(bytes) => window.copy_from_slice(bytes),
        None => window[..length].copy_from_slice(&bytes[start..end]),
    }
    Some(u128::from_le_bytes(window) & u128::MAX >> (128 - 8 * length))
}

/// The hash of a folded window.
#[inline(always)]
pub(super) fn of_window(window: u128) -> u64 {
    step(0, window as u64, (window >> 64) as u64)
}

/// Whether a window holds nothing but UTF-8 characters of two bytes.
#[inline(always)]
pub(super) fn all_in_pairs(window: u128) -> bool {
    const LEADING_BITS: u128 = u128::from_le_bytes(repeat([0xe0, 0xc0]));
    const PAIRS: u128 = u128::from_le_bytes(repeat([0xc0, 0x80]));
    let used = u128::MAX >> (window.leading_zeros() & !7);
    window & LEADING_BITS == PAIRS & used
}

/// The two bits that tell the kind of each byte of UTF-8.
#[inline(always)]
pub(super) fn lead_bits(window: u128) -> u128 {
    window & const { u128::from_le_bytes([0xc0; 16]) }
}

/// The highest bit of each byte that begins a UTF-8 character of two bytes; `None` where a character has more.
#[inline(always)]
pub(super) fn leads(window: u128) -> Option<u128> {
    let leads = window & window << 1 & const { u128::from_le_bytes([0x80; 16]) };
    (leads & window << 2 == 0).then_some(leads)
}

const fn repeat([first, second]: [u8; 2]) -> [u8; 16] {
    let mut bytes = [first; 16];
    let mut at = 1;
    while at < 16 {
        bytes[at] = second;
        at += 2;
    }
    bytes
}

/// A window with the upper-case ASCII letters in it in lower case.
#[inline(always)]
pub(super) fn lower_ascii(window: u128) -> u128 {
    u128::from(lower(window as u64)) | u128::from(lower((window >> 64) as u64)) << 64
}

/// The hash of a token of one character.
#[inline]
pub(super) fn character(character: char) -> u64 {
    let mut bytes = [0; 8];
    character.encode_utf8(&mut bytes);
    step(0, u64::from_le_bytes(bytes), 0)
}

#[inline(always)]
fn step(state: u64, first: u64, second: u64) -> u64 {
    let product = u128::from(first ^ SEEDS[0] ^ state) * u128::from(second ^ SEEDS[1] ^ state.rotate_left(32));
    (product >> 64) as u64 ^ product as u64
}

/// The two little-endian words of sixteen bytes.
#[inline(always)]
fn words(window: &[u8]) -> (u64, u64) {
    let word = |from: usize| u64::from_le_bytes(std::array::from_fn(|at| window[from + at]));
    (word(0), word(8))
}

/// Eight bytes with the upper-case ASCII letters among them in lower case.
#[inline(always)]
fn lower(bytes: u64) -> u64 {
    let seven = bytes & !HIGH;
    let at_least = |letter: u8| seven + u64::from_ne_bytes([0x80 - letter; 8]);
    let upper = at_least(b'A') & !at_least(b'Z' + 1) & !bytes & HIGH;
    bytes | upper >> 2
}

/// A mask of the first `length` bytes of a little-endian word; `length` is 1 to 8.
#[inline(always)]
fn leading(length: usize) -> u64 {
    u64::MAX >> (64 - 8 * length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn in_characters(token: &str) -> u64 {
        let mut hasher = Hasher::default();
        token.chars().for_each(|c| hasher.push(c.to_ascii_lowercase()));
        hasher.finish()
    }

    proptest! {
        #[test]
        fn every_way_to_hash_a_token_agrees(token in "[a-zA-Z0-9]{1,70}", before in "[ -~]{0,3}", behind in "[ -~]{0,30}") {
            let text = format!("{before} {token} {behind}");
            let start = before.len() + 1;
            let expected = in_characters(&token);
            prop_assert_eq!(ascii(text.as_bytes(), start, start + token.len()), Some(expected));
            prop_assert_eq!(written(text.as_bytes(), start, start + token.len()), expected);
        }

        #[test]
        fn folding_ascii_leaves_other_bytes_alone(token in "\\PC{1,20}", behind in "\\PC{0,20}") {
            let text = format!("{token}{behind}");
            prop_assert_eq!(written(text.as_bytes(), 0, token.len()), in_characters(&token));
        }

        #[test]
        fn a_longer_spelling_in_other_scripts_is_hashed_whole(a in "\\PC{1,30}", b in "\\PC{1,30}") {
            prop_assert_eq!(a.to_ascii_lowercase() == b.to_ascii_lowercase(), in_characters(&a) == in_characters(&b));
        }
    }

    #[test]
    fn a_character_alone_is_a_token_of_one_character() {
        for c in ['a', 'é', '水', '𠮷'] {
            assert_eq!(character(c), in_characters(&c.to_string()));
        }
    }

    #[test]
    fn a_token_that_is_not_ascii_is_left_to_the_caller() {
        for text in ["é", "waté", "watérfalls", "waterfallsandriversétangs"] {
            assert_eq!(ascii(text.as_bytes(), 0, text.len()), None);
            let padded = format!("{text}                    ");
            assert_eq!(ascii(padded.as_bytes(), 0, text.len()), None);
        }
    }
}

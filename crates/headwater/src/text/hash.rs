//! The hash of one token: of its folded spelling in UTF-8, sixteen bytes at a time.
//!
//! Each step folds a product of two 64-bit words to 64 bits. A token holds no zero byte, so padding the last sixteen bytes
//! with zeros keeps different spellings apart. Two given tokens collide with a probability of about 2⁻⁶⁴: among a million
//! different tokens the odds that any two collide are about one in 37 million.

const SEEDS: [u64; 2] = [0xa076_1d64_78bd_642f, 0xe703_7ed1_a0b4_28db];

const HIGH: u64 = 0x8080_8080_8080_8080;

/// Hashes a token window by window, given how to fold one that is not all ASCII; `None` where that cannot be done.
#[inline(always)]
pub(super) fn of_token(
    bytes: &[u8],
    start: usize,
    end: usize,
    fold: impl Fn(Window) -> Option<[u64; 2]>,
) -> Option<u64> {
    let add = |state: u64, at: usize, end: usize| {
        let window = Window::new(bytes, at, end);
        let [first, second] = if window.is_ascii() { window.words.map(lower_letters) } else { fold(window)? };
        Some(step(state, first, second))
    };
    if end - start <= 16 {
        return add(0, start, end);
    }
    (start..end).step_by(16).try_fold(0, |state, at| add(state, at, end.min(at + 16)))
}

/// The hash of a token if it is all ASCII, and whether it is.
#[inline(always)]
pub(super) fn of_ascii(bytes: &[u8], start: usize, end: usize) -> (u64, bool) {
    // Two halves for every word, though most fit in one: which do is hard to foretell, and a wrong guess costs more than the other.
    match bytes.get(start..start + 16).filter(|_| end - start <= 16) {
        Some(window) => {
            let window = Window::of(window, end - start);
            let [first, second] = window.words.map(lower_letters);
            (step(0, first, second), window.is_ascii())
        }
        None => long(bytes, start, end),
    }
}

/// Not inlined: in the loop over all words it would take the registers that the short ones need.
#[inline(never)]
fn long(bytes: &[u8], start: usize, end: usize) -> (u64, bool) {
    let is_ascii = bytes[start..end].is_ascii();
    (if is_ascii { written(bytes, start, end) } else { 0 }, is_ascii)
}

/// The hash of a token of which at most ASCII letters need folding.
#[inline]
pub(super) fn written(bytes: &[u8], start: usize, end: usize) -> u64 {
    of_token(bytes, start, end, |window| Some(window.lower())).expect("every window can be folded")
}

/// Up to sixteen bytes of a token as two little-endian words, filled up with zeros.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) words: [u64; 2],
    /// Ones where there are bytes.
    used: [u64; 2],
}

impl Window {
    #[inline(always)]
    fn new(bytes: &[u8], start: usize, end: usize) -> Self {
        match bytes.get(start..start + 16) {
            Some(window) => Window::of(window, end - start),
            None => {
                let mut window = [0; 16];
                window[..end - start].copy_from_slice(&bytes[start..end]);
                Window::of(&window, end - start)
            }
        }
    }

    /// The first `length` of sixteen bytes.
    #[inline(always)]
    fn of(bytes: &[u8], length: usize) -> Self {
        let (first, second) = words(bytes);
        let used = USED[length];
        Window { words: [first & used[0], second & used[1]], used }
    }

    #[inline(always)]
    fn is_ascii(self) -> bool {
        (self.words[0] | self.words[1]) & HIGH == 0
    }

    /// Folds the ASCII letters in a window that has other bytes too.
    #[inline(always)]
    pub(super) fn lower(self) -> [u64; 2] {
        self.words.map(|half| {
            let seven = half & !HIGH;
            let at_least = |letter: u8| seven + u64::from_ne_bytes([0x80 - letter; 8]);
            let upper = at_least(b'A') & !at_least(b'Z' + 1) & !half & HIGH;
            half | upper >> 2
        })
    }

    /// Whether `words` holds UTF-8 characters of two bytes wherever this window has bytes, and nothing else.
    #[inline(always)]
    pub(super) fn is_all_pairs(self, words: [u64; 2]) -> bool {
        let differ = |half: usize| words[half] & 0xc0e0_c0e0_c0e0_c0e0 ^ 0x80c0_80c0_80c0_80c0 & self.used[half];
        differ(0) | differ(1) == 0
    }
}

/// Folds ASCII letters and digits: only letters have bit 6, and bit 5 makes them lower case.
#[inline(always)]
fn lower_letters(half: u64) -> u64 {
    half | (half & (HIGH >> 1)) >> 1
}

/// Looked up and not computed: whether a word has more than eight bytes is a coin toss in many languages.
static USED: [[u64; 2]; 17] = used();

const fn used() -> [[u64; 2]; 17] {
    let mut used = [[0; 2]; 17];
    let mut length = 1;
    while length <= 16 {
        let first = if length < 8 { length } else { 8 };
        used[length] = [leading(first), if length > 8 { leading(length - 8) } else { 0 }];
        length += 1;
    }
    used
}

/// A mask of the first `length` bytes of a little-endian word; `length` is 1 to 8.
const fn leading(length: usize) -> u64 {
    u64::MAX >> (64 - 8 * length)
}

/// The highest bit of each byte that begins a UTF-8 character of several.
#[inline(always)]
pub(super) fn leads(window: u128) -> u128 {
    window & window << 1 & u128::from_ne_bytes([0x80; 16])
}

/// What each two bytes of UTF-8 stand for, in the place of the two bytes.
#[inline(always)]
pub(super) fn codes(half: u64) -> u64 {
    (half & 0x001f_001f_001f_001f) << 6 | half >> 8 & 0x003f_003f_003f_003f
}

/// Hashes a token character by character, giving what the windows give for the same spelling.
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

/// The hash of a token of one character.
#[inline]
pub(super) fn character(character: char) -> u64 {
    let mut bytes = [0; 8];
    character.encode_utf8(&mut bytes);
    step(0, u64::from_le_bytes(bytes), 0)
}

/// How many Chinese characters of the block that has nearly all of them, U+4E00 to U+9FFF, a text in UTF-8 begins with.
#[inline(always)]
pub(super) fn ideographs(text: &[u8]) -> usize {
    // Bytes of UTF-8 are in order as their characters are.
    const FIRST: u32 = 0xe4_b8_80;
    const LAST: u32 = 0xe9_bf_bf;
    let is_one =
        |&[first, second, third]: &[u8; 3]| (FIRST..=LAST).contains(&u32::from_be_bytes([0, first, second, third]));
    text.as_chunks().0.iter().take_while(|character| is_one(character)).count()
}

/// The hash of the token that is one character of three bytes in UTF-8.
#[inline(always)]
pub(super) fn of_three(&[first, second, third]: &[u8; 3]) -> u64 {
    step(0, u64::from(u32::from_le_bytes([first, second, third, 0])), 0)
}

#[inline(always)]
fn step(state: u64, first: u64, second: u64) -> u64 {
    let product = u128::from(first ^ SEEDS[0] ^ state) * u128::from(second ^ SEEDS[1] ^ state.rotate_left(32));
    (product >> 64) as u64 ^ product as u64
}

/// The two little-endian words of sixteen bytes.
#[inline(always)]
fn words(window: &[u8]) -> (u64, u64) {
    (word(&window[..8]), word(&window[8..16]))
}

#[inline(always)]
fn word(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(std::array::from_fn(|at| bytes[at]))
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
            prop_assert_eq!(of_token(text.as_bytes(), start, start + token.len(), |_| None), Some(expected));
            prop_assert_eq!(written(text.as_bytes(), start, start + token.len()), expected);
            prop_assert_eq!(of_ascii(text.as_bytes(), start, start + token.len()), (expected, true));
        }

        #[test]
        fn folding_ascii_leaves_other_bytes_alone(token in "[\\p{L}\\p{N}]{1,20}", behind in "\\PC{0,20}") {
            let text = format!("{token}{behind}");
            prop_assert_eq!(written(text.as_bytes(), 0, token.len()), in_characters(&token));
        }

        #[test]
        fn a_longer_spelling_in_other_scripts_is_hashed_whole(a in "\\PC{1,30}", b in "\\PC{1,30}") {
            prop_assert_eq!(a.eq_ignore_ascii_case(&b), in_characters(&a) == in_characters(&b));
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
            let padded = format!("{text}                    ");
            for bytes in [text.as_bytes(), padded.as_bytes()] {
                assert_eq!(of_token(bytes, 0, text.len(), |_| None), None);
                assert!(!of_ascii(bytes, 0, text.len()).1);
            }
        }
    }
}

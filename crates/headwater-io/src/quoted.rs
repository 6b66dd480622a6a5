//! The insides of JSON strings: where one ends, and what it says.
//!
//! A text is one long string with an escape in every line or two: calls that search and copy from one to the next cost more
//! than what they do. So many bytes at a time become one mask, a bit for each, and are copied whole. The masks are made with
//! AVX2 where the machine has it (found out at run time) and with plain 64-bit arithmetic elsewhere.

use std::borrow::Cow;

const BLOCK: usize = 64;
type Block = [u8; BLOCK];

/// As many as are copied at once: the more, the more often some of it is taken back.
const HALF: usize = BLOCK / 2;
type Half = [u8; HALF];

/// Where the closing quote stands of the string whose insides begin at `start`. `None` where there is none, and where the
/// string has an escape that JSON does not know or a bare control character.
pub(crate) fn closing_quote(bytes: &[u8], start: usize) -> Option<usize> {
    // Most keys and names end before a block would have been worth it.
    for (at, byte) in bytes.iter().enumerate().skip(start).take(BLOCK / 4) {
        match byte {
            b'"' => return Some(at),
            b'\\' | 0..0x20 => break,
            _ => {}
        }
    }
    (fastest().closing_quote)(bytes, start)
}

/// The text of a JSON string, given with its quotes and already checked by [`closing_quote`].
pub(crate) fn unescape(quoted: &str) -> Result<Cow<'_, str>, String> {
    match memchr::memchr(b'\\', quoted.as_bytes()) {
        None => Ok(Cow::Borrowed(&quoted[1..quoted.len() - 1])),
        Some(_) => read(quoted, 1).map(|(text, _)| Cow::Owned(text)),
    }
}

/// What a JSON string says whose insides begin at `start`, and where its closing quote stands: in one go. An error where
/// [`closing_quote`] finds none, and where an escape is half a character.
pub(crate) fn read(json: &str, start: usize) -> Result<(String, usize), String> {
    (fastest().read)(json, start)
}

/// What a string says and where its closing quote stands, or what is wrong with it.
type Said = Result<(String, usize), String>;

/// The loops over blocks, for one kind of processor.
#[derive(Clone, Copy)]
struct Loops {
    closing_quote: fn(&[u8], usize) -> Option<usize>,
    read: fn(&str, usize) -> Said,
}

const PORTABLE: Loops = Loops {
    closing_quote: |bytes, start| closing_quote_with(bytes, start, |block| each_word(block, marks)),
    read: |json, start| read_with(json, start, |half| each_word(half, marks) as u32),
};

/// `marks` tells the quotes, backslashes and control characters of a block.
#[inline(always)]
fn closing_quote_with(bytes: &[u8], start: usize, marks: impl Fn(&Block) -> u64) -> Option<usize> {
    let mut at = start;
    'blocks: while at < bytes.len() {
        let mut found = of_block(bytes, at, &marks);
        while found != 0 {
            let within = found.trailing_zeros() as usize;
            match bytes[at + within] {
                b'"' => return Some(at + within),
                b'\\' => {
                    let behind = within + escape_length(&bytes[at + within..])?;
                    if behind >= BLOCK {
                        at += behind;
                        continue 'blocks;
                    }
                    found &= u64::MAX << behind;
                }
                _ => return None,
            }
        }
        at += BLOCK;
    }
    None
}

/// The bytes of the escape that `bytes` begin with.
#[inline(always)]
fn escape_length(bytes: &[u8]) -> Option<usize> {
    let letter = *bytes.get(1)?;
    if SHORT[usize::from(letter)] != 0 {
        return Some(2);
    }
    (letter == b'u' && bytes.get(2..6)?.iter().all(u8::is_ascii_hexdigit)).then_some(6)
}

/// `marks` tells the quotes, backslashes and control characters of half a block.
#[inline(always)]
fn read_with(json: &str, start: usize, marks: impl Fn(&Half) -> u32) -> Said {
    let bytes = json.as_bytes();
    let mut text = Vec::with_capacity(json.len() - start + HALF);
    let mut at = start;
    loop {
        if let Some(half) = bytes[at..].first_chunk::<HALF>() {
            let length = text.len();
            text.extend_from_slice(half);
            let found = marks(half);
            if found == 0 {
                at += HALF;
                continue;
            }
            // What was copied from the mark on is taken back.
            let within = found.trailing_zeros() as usize;
            text.truncate(length + within);
            at += within;
        }
        match *bytes.get(at).ok_or("broken JSON: a string without an end")? {
            b'"' => {
                // Room was made for all that follows in the record; where the string is little of it, that is given back.
                if text.capacity() > 2 * text.len() + BLOCK {
                    text.shrink_to_fit();
                }
                return Ok((checked(text), at));
            }
            b'\\' => at += say(&json[at + 1..], &mut text)?,
            0..0x20 => return Err("broken JSON: a control character in a string".into()),
            plain => {
                text.push(plain);
                at += 1;
            }
        }
    }
}

/// Bytes that are the characters of a text as a text.
#[expect(unsafe_code, reason = "checking what was checked takes as long as unescaping where a text is not all ASCII")]
#[inline]
fn checked(text: Vec<u8>) -> String {
    debug_assert!(std::str::from_utf8(&text).is_ok());
    // SAFETY: `read_with` puts in whole characters only: stretches of a text between backslashes, which are never inside a
    // character, and between them one character for each escape.
    unsafe { String::from_utf8_unchecked(text) }
}

/// The mask of the block that begins at `at`, or of as much of it as there is.
#[inline(always)]
fn of_block(bytes: &[u8], at: usize, mask: impl Fn(&Block) -> u64) -> u64 {
    match bytes[at..].first_chunk() {
        Some(block) => mask(block),
        None => {
            let rest = &bytes[at..];
            let mut block = [b' '; BLOCK];
            block[..rest.len()].copy_from_slice(rest);
            mask(&block)
        }
    }
}

/// Appends the character of an escape, given without its backslash; tells how long it is with it.
#[inline(always)]
fn say(escape: &str, text: &mut Vec<u8>) -> Result<usize, String> {
    let letter = *escape.as_bytes().first().ok_or("broken JSON: a string ends inside an escape")?;
    match SHORT[usize::from(letter)] {
        0 => {
            let (character, length) = unicode(escape)?;
            text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            Ok(1 + length)
        }
        character => {
            text.push(character);
            Ok(2)
        }
    }
}

/// What an escape of one letter stands for, by that letter; 0 where there is none. Which one comes next is hard to foretell, so it
/// is looked up and not branched on.
const SHORT: [u8; 256] = {
    let mut short = [0; 256];
    let known = [(b'"', b'"'), (b'\\', b'\\'), (b'/', b'/'), (b'b', 8), (b'f', 12), (b'n', 10), (b'r', 13), (b't', 9)];
    let mut at = 0;
    while at < known.len() {
        short[known[at].0 as usize] = known[at].1;
        at += 1;
    }
    short
};

/// The character of an escape such as `uD83D\uDE00`, and its length.
#[cold]
fn unicode(escape: &str) -> Result<(char, usize), String> {
    let unit = |escape: &str| {
        let digits = escape.strip_prefix('u')?.get(..4)?;
        // A sign would be taken for part of the number.
        digits.bytes().all(|digit| digit.is_ascii_hexdigit()).then(|| u16::from_str_radix(digits, 16).ok())?
    };
    let bad = || format!("broken JSON: a lone surrogate \\{}", escape.get(..5).unwrap_or(escape));
    let high = unit(escape).ok_or_else(bad)?;
    if let Some(character) = char::from_u32(u32::from(high)) {
        return Ok((character, 5));
    }
    let low = escape[5..].strip_prefix('\\').and_then(unit).ok_or_else(bad)?;
    match char::decode_utf16([high, low]).next() {
        Some(Ok(character)) if character as u32 >= 0x1_0000 => Ok((character, 11)),
        _ => Err(bad()),
    }
}

/// The highest bit of each byte that is a quote, a backslash or a control character.
fn marks(word: u64) -> u64 {
    equal(word, b'"') | equal(word, b'\\') | below(word, 0x20)
}

/// Gathers the highest bits of the bytes of what `high` makes of each eight bytes.
#[inline(always)]
fn each_word(bytes: &[u8], high: impl Fn(u64) -> u64) -> u64 {
    let (words, _) = bytes.as_chunks::<8>();
    let masks = words.iter().enumerate().map(|(at, &word)| {
        let bits = (high(u64::from_le_bytes(word)) & each(0x80)) >> 7;
        (bits.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * at)
    });
    masks.fold(0, |all, mask| all | mask)
}

const fn each(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

/// The highest bit of each byte that is `byte`, which is ASCII.
fn equal(word: u64, byte: u8) -> u64 {
    below(word ^ each(byte), 1)
}

/// The highest bit of each byte that is below `limit`, which is ASCII.
fn below(word: u64, limit: u8) -> u64 {
    // Adding 0x80 − x to a byte below 0x80 sets its highest bit exactly where the byte is at least x.
    !(word | ((word & each(0x7f)) + each(0x80 - limit)))
}

#[cfg(target_arch = "x86_64")]
use x86::fastest;

#[cfg(not(target_arch = "x86_64"))]
fn fastest() -> Loops {
    PORTABLE
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    #![expect(unsafe_code, reason = "functions for newer processors may only be called after asking the processor")]

    use std::arch::x86_64::*;

    use super::{HALF, Loops, PORTABLE, Said, closing_quote_with, read_with};

    pub(super) fn fastest() -> Loops {
        let newer = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi1");
        if newer { AVX2 } else { PORTABLE }
    }

    const AVX2: Loops = Loops {
        // SAFETY: `fastest` hands these out only where the processor has the features.
        closing_quote: |bytes, start| unsafe { closing_quote_avx2(bytes, start) },
        // SAFETY: as above.
        read: |json, start| unsafe { read_avx2(json, start) },
    };

    #[target_feature(enable = "avx2,bmi1")]
    fn closing_quote_avx2(bytes: &[u8], start: usize) -> Option<usize> {
        closing_quote_with(bytes, start, |block| {
            let (low, high) = block.split_at(HALF);
            // The compiler would take the mask apart again into 64 truth values; what comes out of the box is a number.
            std::hint::black_box(u64::from(marks(low)) | u64::from(marks(high)) << HALF)
        })
    }

    #[target_feature(enable = "avx2,bmi1")]
    fn read_avx2(json: &str, start: usize) -> Said {
        read_with(json, start, |half| marks(half))
    }

    #[target_feature(enable = "avx2")]
    fn marks(half: &[u8]) -> u32 {
        let half = load(half);
        let special = _mm256_or_si256(equal(half, b'"'), equal(half, b'\\'));
        let control = _mm256_cmpeq_epi8(_mm256_min_epu8(half, _mm256_set1_epi8(0x1f)), half);
        mask(_mm256_or_si256(special, control))
    }

    #[target_feature(enable = "avx2")]
    fn load(half: &[u8]) -> __m256i {
        debug_assert!(half.len() == HALF);
        // SAFETY: the slice has the 32 bytes that are loaded; the load needs no alignment.
        unsafe { _mm256_loadu_si256(half.as_ptr().cast()) }
    }

    /// The highest bit of each byte.
    #[target_feature(enable = "avx2")]
    fn mask(half: __m256i) -> u32 {
        _mm256_movemask_epi8(half).cast_unsigned()
    }

    #[target_feature(enable = "avx2")]
    fn equal(half: __m256i, byte: u8) -> __m256i {
        _mm256_cmpeq_epi8(half, _mm256_set1_epi8(byte.cast_signed()))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What the general parser makes of the insides of a string.
    fn reference(raw: &str) -> Option<String> {
        serde_json::from_str(&format!("\"{raw}\"")).ok()
    }

    fn said(loops: Loops, raw: &str) -> Option<String> {
        let quoted = format!("\"{raw}\"");
        let end = (loops.closing_quote)(quoted.as_bytes(), 1)?;
        assert_eq!(closing_quote(quoted.as_bytes(), 1), Some(end), "with and without a short beginning");
        if end + 1 != quoted.len() {
            return None;
        }
        let read = (loops.read)(&quoted, 1);
        let behind = (loops.read)(&format!("{quoted}, {}", "x".repeat(1000)), 1);
        assert_eq!(behind, read);
        assert!(behind.is_ok_and(|(text, _)| text.capacity() <= 2 * text.len() + BLOCK) || read.is_err());
        assert_eq!(unescape(&quoted).ok().as_deref(), read.as_ref().ok().map(|(text, _)| text.as_str()));
        let (text, closing) = read.ok()?;
        assert_eq!(closing, end);
        Some(text)
    }

    #[test]
    fn escapes() {
        let check = |raw: &str, expected: Option<&str>| {
            for pad in [0, 1, 50, 57, 58, 59, 60, 61, 62, 63, 64, 127] {
                let (raw, expected) = ("é".repeat(pad) + raw, expected.map(|text| "é".repeat(pad) + text));
                for loops in [PORTABLE, fastest()] {
                    assert_eq!(said(loops, &raw), expected, "{raw}");
                }
                assert_eq!(reference(&raw), expected, "{raw}");
            }
        };
        check("", Some(""));
        check(r#"a\"b\\\/\n\t\r\b\f"#, Some("a\"b\\/\n\t\r\u{8}\u{c}"));
        check(r"\u00e9\ud83d\ude00\u0041", Some("é😀A"));
        for bad in
            [r"\x", r"\u12g4", r"\u123", "\u{1}", r"\ud83d", r"\ud83dx", r"\ude00", r"\ud83d\u0041", "\\", "a\"b"]
        {
            check(bad, None);
        }
    }

    proptest! {
        #[test]
        fn as_the_general_parser_has_it(
            raw in proptest::collection::vec(
                prop_oneof![
                    4 => "[ -!#-\\[\\]-~é😀]{0,70}",
                    2 => prop_oneof![Just("\\n".to_owned()), Just("\\\\".to_owned()), Just("\\\"".to_owned()), Just("\\u00e9".to_owned())],
                    1 => "(\\\\u[0-9a-fA-F]{4}|\\\\[a-z]|[\u{0}-\u{1f}]|\"|\\\\){0,2}",
                ],
                0..12,
            )
        ) {
            let raw: String = raw.concat();
            for loops in [PORTABLE, fastest()] {
                prop_assert_eq!(said(loops, &raw), reference(&raw), "{}", raw);
            }
        }
    }
}

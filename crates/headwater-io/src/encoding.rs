//! Bytes to text, for files that do not say what they are written in.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// Text, and how it was come by.
#[derive(Debug)]
pub(crate) struct Decoded {
    pub(crate) text: String,
    /// The encoding's name, as the WHATWG spells it (and `UTF-32`, which it does not know).
    pub(crate) encoding: &'static str,
    /// Some bytes made no sense and stand as U+FFFD.
    pub(crate) lossy: bool,
}

/// An encoding that a byte order mark or the places of zero bytes give away.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Wide {
    Utf8,
    Utf16(&'static Encoding),
    Utf32 { big: bool },
}

/// Decodes the bytes of one document: by its byte order mark, by what it or its server `declared`, as UTF-8 where that fits, by
/// where zero bytes stand, and else by its letter statistics.
pub(crate) fn decode(bytes: Vec<u8>, declared: Option<&'static Encoding>) -> Decoded {
    if let Some((wide, length)) = of_mark(&bytes) {
        return decode_wide(wide, &bytes[length..]);
    }
    if let Some(wide) = of_zero_pattern(&bytes) {
        return decode_wide(wide, &bytes);
    }
    // ISO-2022-JP is seven-bit: it would pass for UTF-8.
    if declared.is_none_or(|encoding| encoding == UTF_8) && !is_iso_2022_jp(&bytes) {
        match String::from_utf8(bytes) {
            Ok(text) => Decoded { text, encoding: UTF_8.name(), lossy: false },
            Err(error) => decode_legacy(error.as_bytes()),
        }
    } else {
        decode_as(declared.unwrap_or(encoding_rs::ISO_2022_JP), &bytes)
    }
}

/// The encoding of a byte order mark, and the mark's length.
pub(crate) fn of_mark(bytes: &[u8]) -> Option<(Wide, usize)> {
    match bytes {
        [0xff, 0xfe, 0, 0, ..] => Some((Wide::Utf32 { big: false }, 4)),
        [0, 0, 0xfe, 0xff, ..] => Some((Wide::Utf32 { big: true }, 4)),
        [0xef, 0xbb, 0xbf, ..] => Some((Wide::Utf8, 3)),
        [0xff, 0xfe, ..] => Some((Wide::Utf16(UTF_16LE), 2)),
        [0xfe, 0xff, ..] => Some((Wide::Utf16(UTF_16BE), 2)),
        _ => None,
    }
}

/// UTF-16 and UTF-32 without a mark: their spaces and line ends put zero bytes on one side of every pair, and hardly any on the other.
pub(crate) fn of_zero_pattern(bytes: &[u8]) -> Option<Wide> {
    let sample = &bytes[..bytes.len().min(64 << 10)];
    let mut zeros = [0usize; 4];
    for four in sample.chunks_exact(4) {
        for (count, &byte) in zeros.iter_mut().zip(four) {
            *count += usize::from(byte == 0);
        }
    }
    let fours = sample.len() / 4;
    if fours < 2 {
        return None;
    }
    let all = |count: usize| count == fours;
    if all(zeros[3]) && zeros[2] * 10 > fours * 9 && zeros[0] == 0 {
        return Some(Wide::Utf32 { big: false });
    }
    if all(zeros[0]) && zeros[1] * 10 > fours * 9 && zeros[3] == 0 {
        return Some(Wide::Utf32 { big: true });
    }
    let (even, odd) = (zeros[0] + zeros[2], zeros[1] + zeros[3]);
    // One in twenty: fewer zero bytes are more likely stray ones in an eight-bit text than the spaces of a sixteen-bit one.
    let enough = |count: usize| count >= 4 && count * 20 >= fours * 2;
    if enough(odd) && even * 50 <= odd {
        Some(Wide::Utf16(UTF_16LE))
    } else if enough(even) && odd * 50 <= even {
        Some(Wide::Utf16(UTF_16BE))
    } else {
        None
    }
}

fn decode_wide(wide: Wide, bytes: &[u8]) -> Decoded {
    match wide {
        Wide::Utf8 => match std::str::from_utf8(bytes) {
            Ok(text) => Decoded { text: text.into(), encoding: UTF_8.name(), lossy: false },
            Err(_) => decode_as(UTF_8, bytes),
        },
        Wide::Utf16(encoding) => decode_as(encoding, bytes),
        Wide::Utf32 { big } => {
            let mut lossy = !bytes.len().is_multiple_of(4);
            let text = bytes.chunks_exact(4).map(|four| {
                let four = [four[0], four[1], four[2], four[3]];
                let code = if big { u32::from_be_bytes(four) } else { u32::from_le_bytes(four) };
                char::from_u32(code).unwrap_or_else(|| {
                    lossy = true;
                    char::REPLACEMENT_CHARACTER
                })
            });
            let text = text.collect();
            Decoded { text, encoding: "UTF-32", lossy }
        }
    }
}

fn decode_as(encoding: &'static Encoding, bytes: &[u8]) -> Decoded {
    let (text, lossy) = encoding.decode_without_bom_handling(bytes);
    Decoded { text: text.into_owned(), encoding: encoding.name(), lossy }
}

/// Text that is not UTF-8 throughout: UTF-8 with some damage, or one of the older encodings.
fn decode_legacy(bytes: &[u8]) -> Decoded {
    let (mut good, mut bad) = (0usize, 0usize);
    for chunk in bytes.utf8_chunks() {
        good += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        bad += usize::from(!chunk.invalid().is_empty());
    }
    // Older encodings hardly ever form a valid sequence by chance.
    if good >= 2 * bad {
        return decode_as(UTF_8, bytes);
    }
    let mut detector = chardetng::EncodingDetector::new(chardetng::Iso2022JpDetection::Allow);
    detector.feed(bytes, true);
    decode_as(detector.guess(None, chardetng::Utf8Detection::Allow), bytes)
}

/// Whether a seven-bit text switches to Japanese: `ESC $ @`, `ESC $ B` or `ESC ( J`.
fn is_iso_2022_jp(bytes: &[u8]) -> bool {
    let sample = &bytes[..bytes.len().min(64 << 10)];
    sample.is_ascii()
        && memchr::memchr_iter(0x1b, sample).any(|at| matches!(sample.get(at + 1..at + 3), Some(b"$@" | b"$B" | b"(J")))
}

//! The text of a line of JSONL.

use std::borrow::Cow;

use serde::Deserialize;

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    text: Cow<'a, str>,
}

/// By serde_json, borrowed where nothing is escaped.
pub fn serde(line: &[u8]) -> usize {
    serde_json::from_slice::<Line>(line).map_or(0, |line| line.text.len())
}

/// By sonic-rs, one field alone.
pub fn sonic(line: &[u8]) -> usize {
    crate::collection::text_of(line).len()
}

/// By hand: finds the field, copies from one backslash to the next. Trusts its input.
pub fn by_hand(line: &[u8], out: &mut Vec<u8>) -> usize {
    out.clear();
    let mark = b"\"text\": \"";
    let Some(at) = memchr::memmem::find(line, mark) else { return 0 };
    let mut rest = &line[at + mark.len()..];
    while let Some(at) = memchr::memchr2(b'"', b'\\', rest) {
        out.extend_from_slice(&rest[..at]);
        if rest[at] == b'"' {
            break;
        }
        match rest[at + 1] {
            b'n' => out.push(b'\n'),
            b't' => out.push(b'\t'),
            b'u' => {
                let digits = std::str::from_utf8(&rest[at + 2..at + 6]).unwrap_or("fffd");
                let character = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32).unwrap_or('\u{fffd}');
                out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                rest = &rest[at + 6..];
                continue;
            }
            other => out.push(other),
        }
        rest = &rest[at + 2..];
    }
    out.len()
}

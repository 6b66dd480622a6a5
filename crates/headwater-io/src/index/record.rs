//! What an index keeps of a document beside its text and its tokens, as bytes.
//!
//! Its order (8 bytes), the hash of its text (16), a byte that tells how its time is written, the time (8), and as variable
//! bytes the number of its tokens, and each with its length before it: the time's text, the address (one more than its
//! length, 0 for none), the id.

use headwater::coderivative::{ContentHash, put_number, take_number};
use headwater::{Document, Time};

use super::StoredDocument;

const NO_TIME: u8 = 0;
const NUMBER: u8 = 1;
const TEXT: u8 = 2;

/// Appends what is kept of a document.
pub(super) fn encode(out: &mut Vec<u8>, order: i64, hash: ContentHash, tokens: u32, document: &Document) {
    let (tag, moment, written) = match &document.time {
        None => (NO_TIME, 0, String::new()),
        Some(time) => match time.as_number() {
            Some(number) => (NUMBER, number, String::new()),
            None => (TEXT, time.micros(), time.to_string()),
        },
    };
    out.extend_from_slice(&order.to_le_bytes());
    out.extend_from_slice(&hash.to_bytes());
    out.push(tag);
    out.extend_from_slice(&moment.to_le_bytes());
    put_number(out, tokens.into());
    part(out, written.as_bytes(), 0);
    match &document.url {
        Some(url) => part(out, url.as_bytes(), 1),
        None => out.push(0),
    }
    part(out, document.id.as_bytes(), 0);
}

/// Takes a document off the front, without its text; `None` where there is none.
pub(super) fn decode(bytes: &mut &[u8]) -> Option<StoredDocument> {
    let order = i64::from_le_bytes(some(bytes)?);
    let hash = ContentHash::from_bytes(some(bytes)?);
    let [tag] = some(bytes)?;
    let moment = i64::from_le_bytes(some(bytes)?);
    let tokens = u32::try_from(take_number(bytes)?).ok()?;
    let written = text(bytes, 0)??;
    let time = match tag {
        NO_TIME => None,
        NUMBER => Some(Time::from_number(moment)),
        TEXT => Some(Time::from_micros(moment, &written)),
        _ => return None,
    };
    let url = text(bytes, 1)?;
    let id = text(bytes, 0)??;
    Some(StoredDocument { order, hash, tokens, document: Document { id, time, url, text: String::new() } })
}

/// Appends a text with its length before it.
pub(super) fn part(out: &mut Vec<u8>, bytes: &[u8], more: u64) {
    put_number(out, bytes.len() as u64 + more);
    out.extend_from_slice(bytes);
}

/// A text with a length that is `more` too large; `Some(None)` where there is none.
pub(super) fn text(bytes: &mut &[u8], more: u64) -> Option<Option<String>> {
    let Some(length) = take_number(bytes)?.checked_sub(more) else { return Some(None) };
    let (text, rest) = bytes.split_at_checked(usize::try_from(length).ok()?)?;
    *bytes = rest;
    Some(Some(String::from_utf8(text.to_vec()).ok()?))
}

/// Takes bytes off the front.
pub(super) fn some<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (some, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*some)
}

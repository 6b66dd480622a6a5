//! A document as the bytes of a run.
//!
//! A record is its key (8 bytes), the length of the rest (8 bytes), and the rest: flags (1), the moment (8) if there is
//! a time, the lengths of id, url and written time (8 each), and then these three and the text, which takes what is left.
//! Numbers are little-endian. Runs never outlive the process, so the layout is free to change.

use std::io;

use headwater::{Document, Time};

/// Bytes of a record before its body: key and body length.
pub(super) const HEAD: usize = 16;

/// Bytes of a body before its strings: flags, time, three lengths.
const FIXED: usize = 1 + 8 + 3 * 8;

const HAS_URL: u8 = 1;
const TIME_NUMBER: u8 = 2;
const TIME_TEXT: u8 = 4;

/// Hands the record of `document` to `put`, piece by piece.
pub(super) fn encode(micros: i64, document: &Document, mut put: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
    let mut flags = 0;
    let mut moment = 0;
    let mut written = String::new();
    if let Some(time) = &document.time {
        match time.as_number() {
            Some(number) => {
                flags |= TIME_NUMBER;
                moment = number;
            }
            None => {
                flags |= TIME_TEXT;
                moment = time.micros();
                written = time.to_string();
            }
        }
    }
    if document.url.is_some() {
        flags |= HAS_URL;
    }
    let url = document.url.as_deref().unwrap_or_default();
    let body = FIXED + document.id.len() + url.len() + written.len() + document.text.len();

    let mut head = [0; HEAD + FIXED];
    head[..HEAD].copy_from_slice(&encode_head(micros, body as u64));
    head[16] = flags;
    head[17..25].copy_from_slice(&moment.to_le_bytes());
    head[25..33].copy_from_slice(&(document.id.len() as u64).to_le_bytes());
    head[33..41].copy_from_slice(&(url.len() as u64).to_le_bytes());
    head[41..].copy_from_slice(&(written.len() as u64).to_le_bytes());
    put(&head)?;
    put(document.id.as_bytes())?;
    put(url.as_bytes())?;
    put(written.as_bytes())?;
    put(document.text.as_bytes())
}

/// The head of a record: its key and body length.
pub(super) fn encode_head(micros: i64, length: u64) -> [u8; HEAD] {
    let mut head = [0; HEAD];
    head[..8].copy_from_slice(&micros.to_le_bytes());
    head[8..].copy_from_slice(&length.to_le_bytes());
    head
}

/// The key and body length at the head of a record.
pub(super) fn decode_head(head: [u8; HEAD]) -> (i64, u64) {
    let (key, length) = head.split_at(8);
    (i64::from_le_bytes(eight(key)), u64::from_le_bytes(eight(length)))
}

/// Reads a body of `length` bytes back; `take` appends the next so many bytes of the run to a vector.
pub(super) fn decode_body(
    length: u64,
    mut take: impl FnMut(usize, &mut Vec<u8>) -> io::Result<()>,
) -> io::Result<Document> {
    let mut fixed = Vec::with_capacity(FIXED);
    take(FIXED, &mut fixed)?;
    let number = |at: usize| u64::from_le_bytes(eight(&fixed[at..at + 8]));
    let flags = fixed[0];
    let moment = i64::from_le_bytes(eight(&fixed[1..9]));
    let [id, url, written] = [number(9), number(17), number(25)];
    let text = [FIXED as u64, id, url, written].into_iter().try_fold(length, u64::checked_sub).ok_or_else(damaged)?;

    let mut string = |length: u64| {
        let length = usize::try_from(length).map_err(|_| damaged())?;
        let mut bytes = Vec::with_capacity(length);
        take(length, &mut bytes)?;
        String::from_utf8(bytes).map_err(|_| damaged())
    };
    let (id, url, written, text) = (string(id)?, string(url)?, string(written)?, string(text)?);
    let time = match flags & (TIME_NUMBER | TIME_TEXT) {
        TIME_NUMBER => Some(Time::from_number(moment)),
        TIME_TEXT => Some(Time::from_micros(moment, &written)),
        _ => None,
    };
    Ok(Document { id, time, url: (flags & HAS_URL != 0).then_some(url), text })
}

/// What a run that does not say what was written to it ends in.
pub(super) fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the temporary file of the sort by time was damaged while it was in use")
}

fn eight(bytes: &[u8]) -> [u8; 8] {
    let mut eight = [0; 8];
    eight.copy_from_slice(bytes);
    eight
}

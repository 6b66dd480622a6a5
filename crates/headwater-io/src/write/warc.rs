//! Text as records of a web archive.

use std::io::{self, Write};

use headwater::Time;
use twox_hash::XxHash3_128;

use super::Sink;
use crate::time::written;

/// Writes the text of a page as a `conversion` record, which is how archives keep what was made of a page.
pub fn write_conversion(uri: &str, time: Option<&Time>, text: &str, sink: &mut Sink) -> io::Result<()> {
    // A line end would begin another field of the header.
    let uri: String = uri.chars().map(|character| if character.is_control() { ' ' } else { character }).collect();
    write!(sink, "WARC/1.1\r\nWARC-Type: conversion\r\nWARC-Target-URI: {uri}\r\n")?;
    let date = time.map(|time| written(time.micros()));
    if let Some(date) = &date {
        write!(sink, "WARC-Date: {date}\r\n")?;
    }
    let name = name(&format!("{uri}\n{}\n{text}", date.unwrap_or_default()));
    write!(sink, "WARC-Record-ID: <urn:uuid:{name}>\r\nContent-Type: text/plain; charset=utf-8\r\n")?;
    write!(sink, "Content-Length: {}\r\n\r\n{text}\r\n\r\n", text.len())?;
    sink.part()
}

/// A UUID of version 8, which leaves the numbers to whoever makes it: here the record's own content, so that the same run writes
/// the same file.
fn name(content: &str) -> String {
    let hash = XxHash3_128::oneshot(content.as_bytes());
    let hash = hash & !(0xf << 76) & !(0b11 << 62) | 8 << 76 | 0b10 << 62;
    let digits = format!("{hash:032x}");
    format!("{}-{}-{}-{}-{}", &digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_uuids() {
        let made = name("a");
        assert_eq!((made.len(), &made[14..15]), (36, "8"), "{made}");
        assert!("89ab".contains(&made[19..20]), "{made}");
        assert_ne!(made, name("b"));
    }
}

//! One file, one document: plain text, source code, and pages of HTML.

use std::io::Read;

use crate::chunk::{Body, Output, Receive};
use crate::encoding::{self, Decoded};
use crate::fields::{Record, Value};
use crate::html;
use crate::limits::Limits;
use crate::pipeline::Stopped;
use crate::problem::At;
use crate::read::HtmlText;
use crate::stream::Stream;

/// Reads the whole stream as one piece, unless it is too long.
pub(crate) fn cut(stream: &mut Stream, limits: &Limits, output: &Output<'_>) -> Result<(), Stopped> {
    let mut bytes = Vec::new();
    match stream.by_ref().take(limits.record() as u64 + 1).read_to_end(&mut bytes) {
        Ok(_) if bytes.len() > limits.record() => output.problem(At::Whole, limits.refusal("file")),
        Ok(_) => output.send(Body::Whole(bytes)),
        Err(error) => output.problem(At::Whole, limits.damage(&error, stream.unpacked())),
    }
}

/// A file of text; its name is the document's.
pub(crate) fn parse_text(bytes: Vec<u8>, receive: &mut dyn Receive) {
    let Decoded { text, encoding, lossy } = encoding::decode(bytes, None);
    receive.decoded(encoding, lossy);
    receive.record(At::Whole, Record { text: Value::Text(text.into()), ..Record::default() });
}

/// A page; its name is the document's.
pub(crate) fn parse_html(bytes: Vec<u8>, mode: HtmlText, receive: &mut dyn Receive) {
    let declared = html::declared_encoding(&bytes);
    let Decoded { text, encoding, lossy } = encoding::decode(bytes, declared);
    match html::text(&text, mode) {
        Ok(text) => {
            receive.decoded(encoding, lossy);
            receive.record(At::Whole, Record { text: Value::Text(text.into()), ..Record::default() });
        }
        Err(what) => receive.problem(At::Whole, what),
    }
}

//! The answer about one document, as programs get it (the interface's JSONL, and the same in the other formats).

use std::fmt;
use std::io;
use std::rc::Rc;

use headwater::Time;
use headwater::origin::{EvidenceCounts, Report};
use headwater_io::write::{DataType, Field, Row, Schema, SchemaRef};
use headwater_io::{Entry, Register};
use serde::{Serialize, Serializer};

use super::digits::number;

#[derive(Default, Serialize)]
pub(super) struct TraceRow {
    id: String,
    time: Option<WrittenTime>,
    url: Option<String>,
    tokens: usize,
    fresh_tokens: usize,
    dominant_origin: Option<Name>,
    dominant_share: f64,
    segments: Vec<SegmentRow>,
}

#[derive(Serialize)]
pub(super) struct SegmentRow {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) origin: Name,
    pub(super) tokens: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) evidence: Option<Evidence>,
}

/// The name of a document. The register's are shared: a name for each passage would be copied more often than any other text.
pub(super) enum Name {
    Own(String),
    Known(Rc<Entry>),
}

/// A time as the document had it: a number stays a number.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum WrittenTime {
    Number(i64),
    Text(String),
}

/// How many tokens rest on which evidence.
#[derive(Serialize)]
pub(super) struct Evidence {
    found: u32,
    aligned: u32,
    bridged: u32,
    expanded: u32,
}

/// The document that the answer is about.
pub(super) struct Named<'a> {
    pub(super) id: &'a str,
    pub(super) time: Option<&'a Time>,
    pub(super) url: Option<&'a str>,
}

impl TraceRow {
    /// Makes it the answer about another document, in the same memory.
    pub(super) fn refill(
        &mut self,
        document: &Named<'_>,
        report: &Report,
        register: &Register,
        evidence: bool,
    ) -> io::Result<()> {
        // Where it was only asked about, the document itself is not in the register.
        let name = |number: u32| match number == report.document {
            true => Ok(Name::Own(document.id.to_owned())),
            false => register.get(number).map(Name::Known),
        };
        document.id.clone_into(&mut self.id);
        self.time = document.time.map(WrittenTime::from);
        match document.url {
            Some(url) => url.clone_into(self.url.get_or_insert_default()),
            None => self.url = None,
        }
        self.tokens = report.tokens();
        self.fresh_tokens = report.fresh_tokens();
        self.dominant_origin = report.dominant.map(name).transpose()?;
        // More digits would be noise: the share is itself an estimate.
        self.dominant_share = (report.dominant_share * 1e4).round() / 1e4;
        self.segments.clear();
        for segment in &report.segments {
            self.segments.push(SegmentRow {
                start: segment.bytes.start,
                end: segment.bytes.end,
                origin: name(segment.origin)?,
                tokens: segment.tokens.len(),
                evidence: evidence.then(|| segment.evidence.into()),
            });
        }
        Ok(())
    }
}

impl Serialize for Name {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl Name {
    fn as_str(&self) -> &str {
        match self {
            Name::Own(id) => id,
            Name::Known(entry) => &entry.id,
        }
    }
}

impl From<&Time> for WrittenTime {
    fn from(time: &Time) -> Self {
        match time.as_number() {
            Some(number) => WrittenTime::Number(number),
            None => WrittenTime::Text(time.to_string()),
        }
    }
}

impl Row for TraceRow {
    /// There are more passages than anything else in an answer. Their members have names that need no escapes, and the names of
    /// their origins mostly need none either: looking at each byte alone took as long as finding the passages.
    fn json(&self, out: &mut Vec<u8>) -> io::Result<()> {
        let TraceRow { id, time, url, tokens, fresh_tokens, dominant_origin, dominant_share, segments } = self;
        out.extend_from_slice(b"{\"id\":");
        string(out, id)?;
        out.extend_from_slice(b",\"time\":");
        match time {
            Some(WrittenTime::Text(time)) => string(out, time)?,
            time => serde_json::to_writer(&mut *out, time)?,
        }
        out.extend_from_slice(b",\"url\":");
        optional(out, url.as_deref())?;
        out.extend_from_slice(b",\"tokens\":");
        number(out, *tokens as u64);
        out.extend_from_slice(b",\"fresh_tokens\":");
        number(out, *fresh_tokens as u64);
        out.extend_from_slice(b",\"dominant_origin\":");
        optional(out, dominant_origin.as_ref().map(Name::as_str))?;
        out.extend_from_slice(b",\"dominant_share\":");
        serde_json::to_writer(&mut *out, dominant_share)?;
        out.extend_from_slice(b",\"segments\":[");
        for (at, SegmentRow { start, end, origin, tokens, evidence }) in segments.iter().enumerate() {
            out.extend_from_slice(if at == 0 { b"{\"start\":" } else { b",{\"start\":" });
            number(out, *start as u64);
            out.extend_from_slice(b",\"end\":");
            number(out, *end as u64);
            out.extend_from_slice(b",\"origin\":");
            string(out, origin.as_str())?;
            out.extend_from_slice(b",\"tokens\":");
            number(out, *tokens as u64);
            if let Some(evidence) = evidence {
                out.extend_from_slice(b",\"evidence\":");
                serde_json::to_writer(&mut *out, evidence)?;
            }
            out.push(b'}');
        }
        out.extend_from_slice(b"]}");
        Ok(())
    }

    fn schema() -> SchemaRef {
        let field = |name: &str, kind: DataType| Field::new(name, kind, false);
        let optional = |name: &str| Field::new(name, DataType::Utf8, true);
        let counts = ["found", "aligned", "bridged", "expanded"].map(|name| field(name, DataType::UInt32));
        let segment = DataType::Struct(
            [
                field("start", DataType::UInt64),
                field("end", DataType::UInt64),
                field("origin", DataType::Utf8),
                field("tokens", DataType::UInt64),
                Field::new("evidence", DataType::Struct(counts.into_iter().collect()), true),
            ]
            .into_iter()
            .collect(),
        );
        Schema::new(vec![
            field("id", DataType::Utf8),
            optional("time"),
            optional("url"),
            field("tokens", DataType::UInt64),
            field("fresh_tokens", DataType::UInt64),
            optional("dominant_origin"),
            field("dominant_share", DataType::Float64),
            field("segments", DataType::List(field("item", segment).into())),
        ])
        .into()
    }
}

fn optional(out: &mut Vec<u8>, text: Option<&str>) -> io::Result<()> {
    match text {
        Some(text) => string(out, text),
        None => {
            out.extend_from_slice(b"null");
            Ok(())
        }
    }
}

fn string(out: &mut Vec<u8>, text: &str) -> io::Result<()> {
    if !is_plain(text.as_bytes()) {
        return Ok(serde_json::to_writer(out, text)?);
    }
    out.push(b'"');
    out.extend_from_slice(text.as_bytes());
    out.push(b'"');
    Ok(())
}

/// Whether nothing in it needs an escape. Many bytes are looked at together, the last of them perhaps twice.
fn is_plain(text: &[u8]) -> bool {
    const MANY: usize = 16;
    fn all_plain(bytes: &[u8]) -> bool {
        bytes.iter().fold(true, |plain, &byte| plain & (byte >= b' ') & (byte != b'"') & (byte != b'\\'))
    }
    match text.last_chunk::<MANY>() {
        Some(last) => text.as_chunks::<MANY>().0.iter().all(|bytes| all_plain(bytes)) && all_plain(last),
        None => all_plain(text),
    }
}

impl Evidence {
    /// Tokens that were inferred beyond what the table showed.
    pub(super) fn expanded(&self) -> u32 {
        self.expanded
    }
}

impl From<EvidenceCounts> for Evidence {
    fn from(counts: EvidenceCounts) -> Self {
        Evidence { found: counts.found, aligned: counts.aligned, bridged: counts.bridged, expanded: counts.expanded }
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts =
            [("found", self.found), ("aligned", self.aligned), ("bridged", self.bridged), ("expanded", self.expanded)];
        let mut first = true;
        for (name, tokens) in parts.into_iter().filter(|(_, tokens)| *tokens > 0) {
            write!(f, "{}{tokens} {name}", if first { "" } else { ", " })?;
            first = false;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_what_serde_makes_of_it() {
        let known = |id: &str| Name::Known(Rc::new(Entry { id: id.into(), time: None, url: None }));
        let segment = |start, origin, evidence| SegmentRow { start, end: start + 7, origin, tokens: 2, evidence };
        let evidence = || Some(Evidence { found: 1, aligned: 2, bridged: 0, expanded: 4_000_000_000 });
        let odd = "a \"b\"\\c\n\u{1}\u{7f}é\u{2028}😀/";
        let row = |id: &str, segments: Vec<SegmentRow>| TraceRow {
            id: id.into(),
            time: Some(WrittenTime::Text("2024-05-01".into())),
            url: Some(format!("https://r.example/{id}")),
            tokens: usize::MAX,
            fresh_tokens: 0,
            dominant_origin: Some(known(id)),
            dominant_share: 0.3333,
            segments,
        };
        let rows = [
            row("plain", vec![]),
            row(
                "a name of more than sixteen and even thirty-two bytes",
                vec![segment(3, known("a quote at its \"end\""), None)],
            ),
            row(odd, vec![segment(0, known("x"), None)]),
            row("", vec![segment(0, known(odd), evidence()), segment(19, Name::Own(odd.into()), evidence())]),
            TraceRow { time: None, url: None, dominant_origin: None, dominant_share: 1.0, ..row("é", vec![]) },
            TraceRow { time: Some(WrittenTime::Number(-5)), dominant_share: 0.0, ..row("\t", vec![]) },
        ];
        for row in rows {
            let mut out = b"before".to_vec();
            row.json(&mut out).expect("memory takes all");
            let expected = [b"before".to_vec(), serde_json::to_vec(&row).expect("a row is JSON")].concat();
            assert_eq!(String::from_utf8_lossy(&out), String::from_utf8_lossy(&expected));
        }
    }
}

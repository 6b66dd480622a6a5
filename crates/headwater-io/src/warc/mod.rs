//! Web archives: pages with their HTTP headers (WARC), or their text alone (WET).

mod http;

use std::collections::BTreeMap;
use std::io;

use crate::chunk::{Body, Output, Receive};
use crate::encoding::{self, Decoded};
use crate::fields::{Record, Value};
use crate::html;
use crate::limits::Limits;
use crate::pipeline::Stopped;
use crate::problem::At;
use crate::read::HtmlText;
use crate::stream::Stream;
use crate::time;
use crate::window::{CHUNK, Window};

/// Records on their way to a worker.
#[derive(Default)]
pub(crate) struct Batch {
    records: Vec<Raw>,
    /// Records that are no documents, by kind.
    passed_over: BTreeMap<String, u64>,
    weight: usize,
}

/// A record that may hold a document.
struct Raw {
    offset: u64,
    head: Head,
    body: Vec<u8>,
}

/// What the header of a record says.
#[derive(Debug, Default, PartialEq)]
struct Head {
    kind: String,
    id: Option<String>,
    uri: Option<String>,
    date: Option<String>,
    content_type: String,
    length: u64,
}

/// A header that has not ended by then is none.
const LONGEST_HEAD: usize = 64 << 10;

/// Cuts a stream into records; where a header makes no sense, goes on with the next that does. `with_text` is false where only times
/// are wanted: then bodies are passed over.
pub(crate) fn cut(stream: &mut Stream, with_text: bool, limits: &Limits, output: &Output<'_>) -> Result<(), Stopped> {
    let mut cutter = Cutter {
        is_live: stream.is_live,
        window: Window::new(stream, limits.record()),
        batch: Batch::default(),
        limits,
        output,
    };
    loop {
        let offset = cutter.window.offset();
        match cutter.record(with_text) {
            Ok(Next::Record) => {}
            Ok(Next::End) => return cutter.send(),
            Ok(Next::Refused { at, what, resume }) => {
                cutter.send()?;
                output.problem(At::Byte(at), what)?;
                match cutter.resume(resume) {
                    Ok(true) => {}
                    Ok(false) => return Ok(()),
                    Err(error) => {
                        return output
                            .problem(At::Byte(cutter.window.offset()), limits.damage(&error, cutter.window.offset()));
                    }
                }
            }
            Err(Trouble::Stopped) => return Err(Stopped),
            Err(Trouble::Read(error)) => {
                cutter.send()?;
                let reached = cutter.window.offset() + cutter.window.bytes().len() as u64;
                return output.problem(At::Byte(offset), limits.damage(&error, reached));
            }
        }
    }
}

/// Reads the records of a batch.
pub(crate) fn parse(batch: Batch, mode: HtmlText, limits: &Limits, receive: &mut dyn Receive) {
    for (kind, count) in batch.passed_over {
        receive.pass_over(&kind, count);
    }
    for Raw { offset, head, body } in batch.records {
        let at = At::Byte(offset);
        let (Decoded { text, encoding, lossy }, is_html) = match page(&head, body, limits) {
            Ok(page) => page,
            Err(Unread::PassOver(kind)) => {
                receive.pass_over(&kind, 1);
                continue;
            }
            Err(Unread::Problem(what)) => {
                receive.problem(at, what);
                continue;
            }
        };
        let text = if is_html { html::text(&text, mode) } else { Ok(text) };
        match text {
            Ok(text) => {
                receive.decoded(encoding, lossy);
                receive.record(at, head.record(text));
            }
            Err(what) => receive.problem(at, what),
        }
    }
}

/// Reads the times of a batch.
pub(crate) fn parse_times(batch: Batch, receive: &mut dyn Receive) {
    for Raw { offset, head, .. } in batch.records {
        receive.record(At::Byte(offset), head.record(String::new()));
    }
}

/// Why a record gives no document.
enum Unread {
    PassOver(String),
    Problem(String),
}

/// The decoded page of a record, and whether it is HTML.
fn page(head: &Head, body: Vec<u8>, limits: &Limits) -> Result<(Decoded, bool), Unread> {
    let (media, body) = if head.kind == "response" && head.content_type.starts_with("application/http") {
        let response = http::Response::parse(body, limits.record()).map_err(Unread::Problem)?;
        if !(200..300).contains(&response.status) {
            return Err(Unread::PassOver(format!("response with status {}", response.status)));
        }
        (response.content_type, response.body)
    } else {
        (head.content_type.clone(), body)
    };
    let charset =
        http::parameter(&media, "charset").and_then(|label| encoding_rs::Encoding::for_label(label.as_bytes()));
    let media = media.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let is_html = match media.as_str() {
        "text/html" | "application/xhtml+xml" => true,
        "text/plain" => false,
        // A server that says nothing still sends pages now and then.
        "" => body.trim_ascii_start().starts_with(b"<"),
        other => return Err(Unread::PassOver(format!("{} of type {}", head.kind, short(other)))),
    };
    let declared = charset.or_else(|| if is_html { html::declared_encoding(&body) } else { None });
    Ok((encoding::decode(body, declared), is_html))
}

impl Head {
    /// Reads a header block, its empty last line included.
    fn parse(block: &[u8]) -> Result<Head, String> {
        let (rest, (_, fields, length)) =
            warc::parser::headers(block).map_err(|_| "not the header of a WARC record".to_string())?;
        if !rest.trim_ascii().is_empty() {
            let line = rest.split(|&byte| byte == b'\n').next().unwrap_or_default();
            return Err(format!(
                "header of a WARC record with a line that is none: {}",
                short(&String::from_utf8_lossy(line))
            ));
        }
        let mut head = Head { length: length as u64, ..Head::default() };
        let mut has_length = false;
        for (name, value) in fields {
            let value = || String::from_utf8_lossy(value).trim().to_owned();
            match name.to_ascii_lowercase().as_str() {
                "warc-type" => head.kind = value().to_ascii_lowercase(),
                "warc-record-id" => head.id = Some(value()),
                // Version 1.0 of the standard puts addresses in angle brackets by mistake, and some writers follow it.
                "warc-target-uri" => head.uri = Some(value().trim_matches(['<', '>']).to_owned()),
                "warc-date" => head.date = Some(value()),
                "content-type" => head.content_type = value(),
                "content-length" => has_length = true,
                _ => {}
            }
        }
        if !has_length {
            return Err("header of a WARC record without Content-Length".into());
        }
        Ok(head)
    }

    /// Whether a record of this kind may hold a document.
    fn is_wanted(&self) -> bool {
        matches!(self.kind.as_str(), "response" | "conversion" | "resource")
    }

    fn record(self, text: String) -> Record<'static> {
        let url = self.uri.clone();
        let value = |text: Option<String>| text.map_or(Value::Absent, |text| Value::Text(text.into()));
        let time = match self.date {
            Some(date) => match time::of_text(&date) {
                Some(time) => Value::Moment(time),
                None => Value::Text(date.into()),
            },
            None => Value::Absent,
        };
        Record { text: Value::Text(text.into()), id: value(self.uri.or(self.id)), time, url: value(url), whole: None }
    }
}

/// What the cutter found next.
enum Next {
    Record,
    End,
    Refused { at: u64, what: String, resume: Resume },
}

/// How to go on behind a record that was refused.
enum Resume {
    /// The next line that begins like a record.
    Search,
    /// Nothing is left.
    End,
}

enum Trouble {
    Stopped,
    Read(io::Error),
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        Trouble::Read(error)
    }
}

impl From<Stopped> for Trouble {
    fn from(_: Stopped) -> Self {
        Trouble::Stopped
    }
}

struct Cutter<'s, 'o> {
    is_live: bool,
    window: Window<'s>,
    batch: Batch,
    limits: &'o Limits,
    output: &'o Output<'o>,
}

impl Cutter<'_, '_> {
    /// Reads one record into the batch.
    fn record(&mut self, with_text: bool) -> Result<Next, Trouble> {
        if !self.skip_blank()? {
            return Ok(Next::End);
        }
        let offset = self.window.offset();
        let refused = |what: String| Ok(Next::Refused { at: offset, what, resume: Resume::Search });
        let Some(end) = self.head_end()? else {
            return refused(format!("not a WARC record: no header ends within {LONGEST_HEAD} bytes"));
        };
        let head = match Head::parse(&self.window.bytes()[..end]) {
            Ok(head) => head,
            Err(what) => return refused(what),
        };
        self.window.discard(end);
        let length = head.length;
        if head.is_wanted() && length > self.limits.record() as u64 {
            return refused(format!("record says that it has {length} bytes: {}", self.limits.refusal("it")));
        }
        let cut_short = |there: u64| {
            let what = format!("record says that it has {length} bytes; the file ends after {there} of them");
            Ok(Next::Refused { at: offset, what, resume: Resume::End })
        };
        if !head.is_wanted() || !with_text {
            let skipped = self.window.skip(length)?;
            if skipped < length {
                return cut_short(skipped);
            }
            if head.is_wanted() {
                self.batch.records.push(Raw { offset, head, body: Vec::new() });
            } else {
                *self.batch.passed_over.entry(format!("{} record", short(&head.kind))).or_default() += 1;
            }
            self.batch.weight += size_of::<Raw>();
        } else {
            let wanted = length as usize;
            while self.window.bytes().len() < wanted {
                if !self.window.fill()? {
                    return cut_short(self.window.bytes().len() as u64);
                }
            }
            let body = self.window.bytes()[..wanted].to_vec();
            self.window.discard(wanted);
            self.batch.weight += size_of::<Raw>() + body.len();
            self.batch.records.push(Raw { offset, head, body });
        }
        if self.batch.weight >= CHUNK || self.is_live {
            self.send()?;
        }
        Ok(Next::Record)
    }

    /// Passes over the empty lines between records; tells whether anything follows.
    fn skip_blank(&mut self) -> io::Result<bool> {
        loop {
            let blank = self.window.bytes().iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            self.window.discard(blank);
            if !self.window.bytes().is_empty() {
                return Ok(true);
            }
            if !self.window.fill()? {
                return Ok(false);
            }
        }
    }

    /// Where the header ends, its empty line included.
    fn head_end(&mut self) -> io::Result<Option<usize>> {
        loop {
            let bytes = &self.window.bytes()[..self.window.bytes().len().min(LONGEST_HEAD)];
            // Some writers end lines with a newline alone.
            let ends = [b"\r\n\r\n".as_slice(), b"\n\n"];
            let found = ends.iter().filter_map(|end| Some(memchr::memmem::find(bytes, end)? + end.len())).min();
            if found.is_some() || bytes.len() == LONGEST_HEAD || !self.window.fill()? {
                return Ok(found);
            }
        }
    }

    /// Finds the next record; false where there is none.
    fn resume(&mut self, resume: Resume) -> io::Result<bool> {
        const MARK: &[u8] = b"\nWARC/";
        if matches!(resume, Resume::End) {
            return Ok(false);
        }
        loop {
            if let Some(found) = memchr::memmem::find(self.window.bytes(), MARK) {
                self.window.discard(found + 1);
                return Ok(true);
            }
            let passed = self.window.bytes().len().saturating_sub(MARK.len() - 1);
            self.window.discard(passed);
            if !self.window.fill()? {
                return Ok(false);
            }
        }
    }

    fn send(&mut self) -> Result<(), Stopped> {
        let batch = std::mem::take(&mut self.batch);
        if batch.records.is_empty() && batch.passed_over.is_empty() {
            Ok(())
        } else {
            self.output.send(Body::Warc(batch))
        }
    }
}

impl Batch {
    pub(crate) fn weight(&self) -> usize {
        self.weight
    }
}

/// The beginning of something that a stranger wrote, for messages and counters.
fn short(text: &str) -> String {
    let text = text.split(';').next().unwrap_or_default().trim();
    match text.char_indices().nth(60) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

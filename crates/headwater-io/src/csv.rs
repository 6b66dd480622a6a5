//! Comma- and tab-separated values under a header row.

use std::borrow::Cow;
use std::sync::Arc;

use serde::Serializer;
use serde::ser::SerializeMap;

use crate::chunk::{Body, Output, Receive};
use crate::fields::{Fields, Record, Value};
use crate::limits::Limits;
use crate::pipeline::Stopped;
use crate::problem::At;
use crate::stream::Stream;
use crate::window::{CHUNK, Window};

/// What the header row says.
#[derive(Debug)]
pub(crate) struct Header {
    delimiter: u8,
    names: Vec<String>,
}

/// Cuts a stream where a row ends: at a newline outside quotes. Reads no further than the header where that has no column `text`.
pub(crate) fn cut(
    stream: &mut Stream,
    delimiter: u8,
    text: &str,
    limits: &Limits,
    output: &Output<'_>,
) -> Result<(), Stopped> {
    let is_live = stream.is_live;
    let mut window = Window::new(stream, limits.record());
    let mut rows = Rows::new(delimiter);
    let mut sender = Sender { delimiter, text, header: None, line: 1, output };
    let mut retries = Retries::default();
    let (mut end, mut seen) = (0, 0);
    let mut is_skipping = false;
    loop {
        let filled = window.fill();
        let is_last = !matches!(filled, Ok(true));
        if is_skipping {
            let newline = memchr::memchr(b'\n', window.bytes());
            window.discard(newline.map_or(window.bytes().len(), |at| at + 1));
            sender.line += u64::from(newline.is_some());
            is_skipping = newline.is_none();
        }
        // Looks through what is new; a refused row starts it over behind the row's first line.
        while !is_skipping {
            while let Some(next) = rows.end(&window.bytes()[seen..]) {
                seen += next;
                end = seen;
                if sender.header.is_none() {
                    break;
                }
            }
            if sender.header.is_some() || end == 0 {
                seen = window.bytes().len();
            }
            if end > 0 && (sender.header.is_none() || is_last || is_live || seen >= CHUNK) {
                let bytes = window.take(end);
                seen -= end;
                end = 0;
                if !sender.send(bytes)? {
                    return Ok(());
                }
                continue;
            }
            let is_unclosed = matches!(filled, Ok(false)) && rows.is_quoted();
            if seen <= limits.record() && !is_unclosed {
                break;
            }
            let what = if rows.is_quoted() { "quoted field is not closed: row" } else { "row" };
            let what = if is_unclosed {
                "quoted field is not closed before the end of the file".into()
            } else {
                limits.refusal(what)
            };
            output.problem(At::Line(sender.line), what)?;
            let newline = memchr::memchr(b'\n', window.bytes());
            let known = retries.refuse(window.offset(), seen);
            window.discard(newline.map_or(seen, |at| at + 1));
            sender.line += u64::from(newline.is_some());
            if let Some(known) = known {
                let known = known.saturating_sub(window.offset()) as usize;
                let Some(passed) = sender.send_lines(&window.bytes()[..known])? else { return Ok(()) };
                window.discard(passed);
            }
            rows = Rows::new(delimiter);
            seen = 0;
            is_skipping = newline.is_none();
        }
        match filled {
            Ok(true) => {}
            Ok(false) => {
                let bytes = window.take(window.bytes().len());
                return if bytes.is_empty() { Ok(()) } else { sender.send_last(bytes) };
            }
            Err(error) => {
                let offset = window.offset() + window.bytes().len() as u64;
                return output.problem(At::Line(sender.line), limits.damage(&error, offset));
            }
        }
    }
}

/// How often rows may be looked for anew where quotes are not closed. Each time may lead through all that is held, and get on
/// by no more than a line.
#[derive(Default)]
struct Retries {
    /// How far the first of them saw, and how many bytes the others may still look at.
    until: u64,
    left: usize,
}

impl Retries {
    /// Enough for the few rows that are broken by accident.
    const TIMES: usize = 4;

    /// Counts a row that was refused after `seen` bytes from `offset`. Where that was once too often, the place up to which
    /// rows should be looked for in some other way.
    fn refuse(&mut self, offset: u64, seen: usize) -> Option<u64> {
        if offset >= self.until {
            *self = Retries { until: offset + seen as u64, left: Self::TIMES.saturating_mul(seen) };
            return None;
        }
        self.left = self.left.saturating_sub(seen);
        (self.left == 0).then(|| std::mem::take(&mut self.until))
    }
}

/// Hands rows on, the first of them as the header.
struct Sender<'o, 'f> {
    delimiter: u8,
    text: &'o str,
    header: Option<Arc<Header>>,
    /// The line on which the next row begins.
    line: u64,
    output: &'o Output<'f>,
}

impl Sender<'_, '_> {
    /// Hands on whole rows, or the header alone where there is none yet; `false` where that has no column with the text.
    fn send(&mut self, bytes: Vec<u8>) -> Result<bool, Stopped> {
        let first = self.line;
        self.line += memchr::memchr_iter(b'\n', &bytes).count() as u64;
        match &self.header {
            None => self.header = Header::of(self.delimiter, &bytes),
            Some(header) => {
                self.output.send(Body::Csv { header: header.clone(), first, bytes })?;
                return Ok(true);
            }
        }
        match &self.header {
            Some(header) if !header.names.iter().any(|name| name == self.text) => {
                self.output.send(Body::Csv { header: header.clone(), first, bytes: Vec::new() })?;
                Ok(false)
            }
            _ => Ok(true),
        }
    }

    /// Hands on what stands behind the last newline of the file.
    fn send_last(self, bytes: Vec<u8>) -> Result<(), Stopped> {
        let first = self.line;
        match self.header {
            Some(header) => self.output.send(Body::Csv { header, first, bytes }),
            None => match Header::of(self.delimiter, &bytes) {
                Some(header) => self.output.send(Body::Csv { header, first, bytes: Vec::new() }),
                None => Ok(()),
            },
        }
    }

    /// Hands on every whole line as a row and names those that are none: how many bytes that were, or nothing where
    /// [`Sender::send`] says that this is the end.
    fn send_lines(&mut self, bytes: &[u8]) -> Result<Option<usize>, Stopped> {
        // Lines from `start` to `at` are rows that wait to be handed on.
        let (mut start, mut at) = (0, 0);
        for newline in memchr::memchr_iter(b'\n', bytes) {
            let behind = newline + 1;
            let is_row = Rows::new(self.delimiter).end(&bytes[at..behind]).is_some();
            let due = match is_row {
                true if self.header.is_some() && behind - start < CHUNK => start..start,
                true => start..behind,
                false => start..at,
            };
            if !due.is_empty() {
                start = due.end;
                if !self.send(bytes[due].to_vec())? {
                    return Ok(None);
                }
            }
            if !is_row {
                let what = "quoted field is not closed on its line; none may go on behind it here, as quotes above are never closed";
                self.output.problem(At::Line(self.line), what)?;
                self.line += 1;
                start = behind;
            }
            at = behind;
        }
        if start < at && !self.send(bytes[start..at].to_vec())? {
            return Ok(None);
        }
        Ok(Some(at))
    }
}

/// Reads the rows of a chunk.
pub(crate) fn parse(header: &Header, first: u64, bytes: &[u8], fields: &Fields, receive: &mut dyn Receive) {
    let columns = Columns::of(header, fields);
    let mut row = Row::default();
    let mut rows = Rows::new(header.delimiter);
    let (mut rest, mut line, mut count) = (bytes, first, 0);
    while !rest.is_empty() {
        let (raw, after) = rest.split_at(rows.end(rest).unwrap_or(rest.len()));
        rest = after;
        let at = At::Line(line);
        line += memchr::memchr_iter(b'\n', raw).count() as u64;
        if raw.trim_ascii().is_empty() {
            continue;
        }
        count += 1;
        row.read(raw, header.delimiter);
        if row.ends.len() != header.names.len() {
            receive.problem(at, format!("row has {} fields, the header {}", row.ends.len(), header.names.len()));
            continue;
        }
        let whole = if fields.whole { header.object(&row).map(Some) } else { Ok(None) };
        match whole.and_then(|whole| Ok(Record { whole, ..columns.record(&row)? })) {
            Ok(record) => receive.record(at, record),
            Err(what) => receive.problem(at, what),
        }
    }
    receive.names().note_all(header.names.iter().map(String::as_str), count.max(1));
    if columns.text.is_none() && count == 0 {
        receive.record(At::Line(1), Record::default());
    }
}

impl Header {
    /// The header in the first row that is not blank.
    fn of(delimiter: u8, bytes: &[u8]) -> Option<Arc<Header>> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        if bytes.trim_ascii().is_empty() {
            return None;
        }
        let mut row = Row::default();
        row.read(bytes, delimiter);
        let names =
            (0..row.ends.len()).map(|index| String::from_utf8_lossy(row.field(index)).trim().to_owned()).collect();
        Some(Arc::new(Header { delimiter, names }))
    }

    /// A row as an object of JSON.
    fn object(&self, row: &Row) -> Result<Cow<'static, str>, String> {
        let mut json = Vec::with_capacity(row.bytes.len() + 16 * self.names.len());
        let mut object = serde_json::Serializer::new(&mut json);
        let mut members = object.serialize_map(Some(self.names.len())).map_err(|error| error.to_string())?;
        for (index, name) in self.names.iter().enumerate() {
            members.serialize_entry(name, row.text(index)?).map_err(|error| error.to_string())?;
        }
        SerializeMap::end(members).map_err(|error| error.to_string())?;
        String::from_utf8(json).map(Cow::Owned).map_err(|error| error.to_string())
    }
}

/// Where the wanted fields stand in a row.
struct Columns {
    text: Option<usize>,
    id: Option<usize>,
    time: Option<usize>,
    url: Option<usize>,
}

impl Columns {
    fn of(header: &Header, fields: &Fields) -> Columns {
        let find = |name: &str| header.names.iter().position(|column| column == name);
        Columns { text: find(&fields.text), id: find(&fields.id), time: find(&fields.time), url: find(&fields.url) }
    }

    fn record<'a>(&self, row: &'a Row) -> Result<Record<'a>, String> {
        let value = |column: Option<usize>| match column {
            None => Ok(Value::Absent),
            Some(index) => row.text(index).map(|text| Value::Text(Cow::Borrowed(text))),
        };
        // These files cannot tell an empty field from none: only an empty text is taken at its word.
        let optional =
            |column| value(column).map(|value| if value == Value::Text("".into()) { Value::Absent } else { value });
        Ok(Record {
            text: value(self.text)?,
            id: optional(self.id)?,
            time: optional(self.time)?,
            url: optional(self.url)?,
            whole: None,
        })
    }
}

/// The fields of one row, unquoted.
#[derive(Default)]
struct Row {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Row {
    fn read(&mut self, raw: &[u8], delimiter: u8) {
        let raw = raw.strip_suffix(b"\n").unwrap_or(raw);
        let raw = raw.strip_suffix(b"\r").unwrap_or(raw);
        // Row ends are found by us; a return inside a field is part of it.
        let mut reader =
            csv_core::ReaderBuilder::new().delimiter(delimiter).terminator(csv_core::Terminator::Any(b'\n')).build();
        self.bytes.resize(raw.len() + 1, 0);
        self.ends.resize(memchr::memchr_iter(delimiter, raw).count() + 2, 0);
        let (mut read, mut written, mut ended) = (0, 0, 0);
        loop {
            let (result, input, output, ends) =
                reader.read_record(&raw[read..], &mut self.bytes[written..], &mut self.ends[ended..]);
            read += input;
            written += output;
            ended += ends;
            match result {
                // An empty input is how the reader is told that there is no more.
                csv_core::ReadRecordResult::InputEmpty => {}
                csv_core::ReadRecordResult::OutputFull => self.bytes.resize(2 * self.bytes.len(), 0),
                csv_core::ReadRecordResult::OutputEndsFull => self.ends.resize(2 * self.ends.len(), 0),
                csv_core::ReadRecordResult::Record | csv_core::ReadRecordResult::End => break,
            }
        }
        self.ends.truncate(ended);
    }

    fn text(&self, index: usize) -> Result<&str, String> {
        std::str::from_utf8(self.field(index))
            .map_err(|error| format!("invalid UTF-8 in field {}, byte {}", index + 1, error.valid_up_to() + 1))
    }

    fn field(&self, index: usize) -> &[u8] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.bytes[start..self.ends[index]]
    }
}

/// Finds the ends of rows.
struct Rows {
    delimiter: u8,
    state: State,
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    FieldStart,
    Plain,
    Quoted,
    /// Behind a quote inside quotes: it closes the field unless another follows.
    QuoteInQuotes,
}

impl Rows {
    fn new(delimiter: u8) -> Rows {
        Rows { delimiter, state: State::FieldStart }
    }

    fn is_quoted(&self) -> bool {
        self.state == State::Quoted
    }

    /// How far `bytes` goes to the end of the current row, if that is in it; else all of them are passed.
    fn end(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut at = 0;
        while at < bytes.len() {
            match self.state {
                State::Quoted => match memchr::memchr(b'"', &bytes[at..]) {
                    Some(quote) => {
                        at += quote + 1;
                        self.state = State::QuoteInQuotes;
                    }
                    None => return None,
                },
                State::Plain => match memchr::memchr2(self.delimiter, b'\n', &bytes[at..]) {
                    Some(found) => {
                        at += found + 1;
                        self.state = State::FieldStart;
                        if bytes[at - 1] == b'\n' {
                            return Some(at);
                        }
                    }
                    None => return None,
                },
                State::FieldStart if bytes[at] == b'"' => {
                    at += 1;
                    self.state = State::Quoted;
                }
                State::QuoteInQuotes if bytes[at] == b'"' => {
                    at += 1;
                    self.state = State::Quoted;
                }
                State::FieldStart | State::QuoteInQuotes => self.state = State::Plain,
            }
        }
        None
    }
}

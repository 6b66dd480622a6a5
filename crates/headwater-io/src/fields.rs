//! Which fields of a record make a document.

use std::borrow::Cow;

use headwater::{Document, Time};
use serde::Serialize;

use crate::problem::Place;
use crate::time;

/// The names of the fields that make a document.
///
/// A dotted name reaches inside objects: `meta.date` is the `date` of the record's `meta`. Where a record has a field that is
/// literally called `meta.date`, that one is taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fields {
    /// The text itself. Default: `text`.
    pub text: String,
    /// The document's name. Default: `id`.
    pub id: String,
    /// When it was written. Default: `time`.
    pub time: String,
    /// Where it can be found. Default: `url`.
    pub url: String,
    /// Whether a document gets its whole record instead of its text, for those who pass records on: an object of JSON as it
    /// stands in the input, or made of the columns of a row. A document that is no record, such as a page, becomes one with
    /// its text in the field `text`. Default: no.
    pub whole: bool,
}

impl Default for Fields {
    fn default() -> Self {
        Fields { text: "text".into(), id: "id".into(), time: "time".into(), url: "url".into(), whole: false }
    }
}

/// What a record has in one field, before anybody asks what it should be.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Value<'a> {
    /// There is no such field.
    #[default]
    Absent,
    /// The field is there and says nothing.
    Null,
    /// A string.
    Text(Cow<'a, str>),
    /// A number as it was written.
    Number(Cow<'a, str>),
    /// A moment that the format itself knows as one.
    Moment(Time),
    /// Something that is none of these; its name for messages, such as "an object".
    Other(&'static str),
}

/// One record of an input.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Record<'a> {
    pub(crate) text: Value<'a>,
    pub(crate) id: Value<'a>,
    pub(crate) time: Value<'a>,
    pub(crate) url: Value<'a>,
    /// The record itself as JSON; none where it is not wanted, or is no record.
    pub(crate) whole: Option<Cow<'a, str>>,
}

impl Record<'_> {
    /// The document that this record holds, or why it holds none.
    pub(crate) fn into_document(self, place: &Place, fields: &Fields, max: usize) -> Result<Document, String> {
        let text = match self.text {
            Value::Text(text) => text,
            Value::Absent => return Err(format!("no field {:?} with the text", fields.text)),
            other => return Err(format!("field {:?} is {}, not text", fields.text, other.kind())),
        };
        if text.len() > max {
            return Err(too_long(text.len(), max));
        }
        let id = match self.id {
            Value::Text(id) | Value::Number(id) => id.into_owned(),
            Value::Absent | Value::Null => place.id(),
            other => return Err(format!("field {:?} is {}, not a name", fields.id, other.kind())),
        };
        let url = match self.url {
            Value::Text(url) => Some(url.into_owned()),
            Value::Absent | Value::Null => None,
            other => return Err(format!("field {:?} is {}, not an address", fields.url, other.kind())),
        };
        let time = self.time.into_time(&fields.time)?;
        let text = match self.whole {
            _ if !fields.whole => text.into_owned(),
            Some(whole) => whole.into_owned(),
            None => made_record(&id, time.as_ref(), url.as_deref(), &text)?,
        };
        Ok(Document { id, time, url, text })
    }
}

/// A record for a document that comes from none.
fn made_record(id: &str, time: Option<&Time>, url: Option<&str>, text: &str) -> Result<String, String> {
    let time = time.map(|time| match time.as_number() {
        Some(number) => serde_json::Value::from(number),
        None => serde_json::Value::from(time.to_string()),
    });
    #[derive(Serialize)]
    struct Made<'a> {
        id: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        time: Option<serde_json::Value>,
        #[serde(skip_serializing_if = "Option::is_none")]
        url: Option<&'a str>,
        text: &'a str,
    }
    serde_json::to_string(&Made { id, time, url, text }).map_err(|error| error.to_string())
}

impl Value<'_> {
    /// The moment that this field of name `field` states, if it states one.
    pub(crate) fn into_time(self, field: &str) -> Result<Option<Time>, String> {
        match self {
            Value::Absent | Value::Null => Ok(None),
            Value::Moment(time) => Ok(Some(time)),
            Value::Text(text) => match time::of_text(&text) {
                Some(time) => Ok(Some(time)),
                None => Err(format!("field {field:?} is {}, which is no time", shown(&text))),
            },
            Value::Number(text) => match time::of_number(&text) {
                Some(time) => Ok(Some(time)),
                None => Err(format!("field {field:?} is {}, which is no time", shown(&text))),
            },
            Value::Other(kind) => Err(format!("field {field:?} is {kind}, not a time")),
        }
    }

    fn kind(&self) -> &'static str {
        match self {
            Value::Absent => "absent",
            Value::Null => "null",
            Value::Text(_) => "a string",
            Value::Number(_) => "a number",
            Value::Moment(_) => "a time",
            Value::Other(kind) => kind,
        }
    }
}

/// What to say of a text above the limit.
pub(crate) fn too_long(length: usize, max: usize) -> String {
    format!("text of {length} bytes is longer than the limit of {max} bytes for one document")
}

/// `text` in quotes for a message, cut short where it is long.
fn shown(text: &str) -> String {
    const MOST: usize = 40;
    match text.char_indices().nth(MOST) {
        None => format!("{text:?}"),
        Some((end, _)) => format!("{:?}…", &text[..end]),
    }
}

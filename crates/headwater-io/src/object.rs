//! One JSON object to one record, taking only the fields that are wanted.

use std::borrow::Cow;
use std::fmt;

use memchr::memmem::Finder;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::fields::{Fields, Record, Value};
use crate::names::Names;
use crate::quoted::{self, unescape};
use crate::walk::{self, walk};

/// The fields to take from every object.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    paths: Vec<(Slot, String)>,
    /// The name of the time where nothing else is wanted, and a search for it in quotes.
    alone: Option<(String, Finder<'static>)>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Slot {
    Text,
    Id,
    Time,
    Url,
}

impl Wanted {
    /// All fields of a document.
    pub(crate) fn document(fields: &Fields) -> Wanted {
        let paths =
            [(Slot::Text, &fields.text), (Slot::Id, &fields.id), (Slot::Time, &fields.time), (Slot::Url, &fields.url)];
        Wanted { paths: paths.into_iter().map(|(slot, path)| (slot, path.clone())).collect(), alone: None }
    }

    /// The time alone, for a first look: of a record that is not as it should be, a time may be told all the same.
    pub(crate) fn time(fields: &Fields) -> Wanted {
        let quoted = Finder::new(&format!("\"{}\"", fields.time)).into_owned();
        Wanted { paths: vec![(Slot::Time, fields.time.clone())], alone: Some((fields.time.clone(), quoted)) }
    }

    /// Whether nothing but the time is wanted.
    pub(crate) fn is_time_alone(&self) -> bool {
        self.alone.is_some()
    }

    /// Where nothing but the time is wanted and `json` has it in plain sight: the record with that alone.
    pub(crate) fn time_alone<'a>(&self, json: &'a [u8]) -> Option<Record<'a>> {
        let (name, quoted) = self.alone.as_ref()?;
        let raw = std::str::from_utf8(alone(json, name, quoted)?).ok()?;
        Some(Record { time: value_of(raw).ok()?, ..Record::default() })
    }

    /// The record that `json` holds, or what is wrong with it. Field names are noted as they go by.
    pub(crate) fn record<'a>(&self, json: &'a str, names: &mut Names) -> Result<Record<'a>, String> {
        self.time_alone(json.as_bytes()).map_or_else(|| self.whole(json, names), Ok)
    }

    /// As [`Wanted::record`], where [`Wanted::time_alone`] has looked in vain.
    pub(crate) fn whole<'a>(&self, json: &'a str, names: &mut Names) -> Result<Record<'a>, String> {
        if !json.starts_with('{') {
            return Err(match serde_json::from_str::<IgnoredAny>(json) {
                Ok(_) => "not a JSON object".into(),
                Err(error) => broken(&error),
            });
        }
        let paths = &self.paths;
        let found = match fast(json, paths, names) {
            Some(found) => found,
            None => slow(json, paths, names)?,
        };
        let Found { values: [text, id, time, url], said } = found;
        if text.is_none() && said.is_none() && paths[0].0 == Slot::Text && names.may_look_inside() {
            note_inner(json, names);
        }
        let value = |raw: Option<(usize, &'a str)>| raw.map_or(Ok(Value::Absent), |(_, raw)| value_of(raw));
        Ok(Record {
            text: said.map_or_else(|| value(text), |said| Ok(Value::Text(Cow::Owned(said))))?,
            id: value(id)?,
            time: value(time)?,
            url: value(url)?,
            whole: Some(json.into()),
        })
    }
}

/// The value under `name`, without a look at what follows it; `None` where another may count, or where there is none.
///
/// A text mostly stands behind its time, and finding its end takes longer than seeing that the name does not come again.
fn alone<'a>(json: &'a [u8], name: &str, quoted: &Finder<'_>) -> Option<&'a [u8]> {
    let mut found = None;
    walk(json, |key, at| {
        let end = walk::value(json, at)?;
        if &json[key] == name.as_bytes() {
            found = Some(&json[at..end]);
            return None;
        }
        Some(end)
    });
    found.filter(|_| quoted.find_iter(json).nth(1).is_none())
}

/// Finds the values of a record that is as it should be.
fn fast<'a>(json: &'a str, paths: &[(Slot, String)], names: &mut Names) -> Option<Found<'a>> {
    let mut found = Found::default();
    let mut keys = Vec::with_capacity(16);
    walk(json.as_bytes(), |key, at| {
        let key = &json[key];
        keys.push(key);
        // The text is most of a record: it is read where it stands, and not first searched for its end.
        if matches!(&paths[0], (Slot::Text, path) if path == key) {
            found.said = None;
            if json[at..].starts_with('"') {
                let (said, quote) = quoted::read(json, at + 1).ok()?;
                found.said = Some(said);
                // What is the text can be the name as well.
                found.look(&paths[1..], 0, key, &json[at..=quote])?;
                return Some(quote + 1);
            }
        }
        let end = walk::value(json.as_bytes(), at)?;
        found.look(paths, 0, key, &json[at..end])?;
        Some(end)
    })?;
    names.begin();
    keys.into_iter().for_each(|key| names.note(key));
    Some(found)
}

/// Finds the values of any record, or what is wrong with it.
fn slow<'a>(json: &'a str, paths: &[(Slot, String)], names: &mut Names) -> Result<Found<'a>, String> {
    let paths: Vec<(Slot, &str)> = paths.iter().map(|(slot, path)| (*slot, path.as_str())).collect();
    names.begin();
    let mut found = Found::default();
    let mut deserializer = serde_json::Deserializer::from_str(json);
    let visitor = Object { paths: &paths, level: 0, found: &mut found, names: Some(names) };
    deserializer.deserialize_map(visitor).and_then(|()| deserializer.end()).map_err(|error| broken(&error))?;
    Ok(found)
}

/// Takes note of strings that lie deeper in a record whose text was not found: one of them may be meant.
fn note_inner(json: &str, names: &mut Names) {
    const DEEPEST: usize = 4;
    let Ok(value) = serde_json::from_str::<serde_json::Value>(json) else { return };
    let mut open = vec![(String::new(), &value, 0)];
    while let Some((path, value, depth)) = open.pop() {
        match value {
            serde_json::Value::Object(map) if depth < DEEPEST => {
                let dot = if path.is_empty() { "" } else { "." };
                open.extend(map.iter().map(|(key, value)| (format!("{path}{dot}{key}"), value, depth + 1)));
            }
            serde_json::Value::String(_) if depth > 1 => names.note(&path),
            _ => {}
        }
    }
}

/// What was found of the fields.
#[derive(Default)]
struct Found<'a> {
    /// Raw values by slot, each with the level of the object in which it was found.
    values: [Option<(usize, &'a str)>; 4],
    /// What the text says, where it was read already; it counts then.
    said: Option<String>,
}

impl<'a> Found<'a> {
    /// Takes the value of a field where it is wanted, or looks inside it where something in it may be.
    fn look<P: AsRef<str>>(&mut self, paths: &[(Slot, P)], level: usize, key: &str, raw: &'a str) -> Option<()> {
        let mut inner = Vec::new();
        for (slot, path) in paths {
            let slot = *slot;
            match path.as_ref().strip_prefix(key) {
                Some("") => self.put(slot, level, raw),
                Some(rest) => inner.extend(rest.strip_prefix('.').map(|rest| (slot, rest))),
                None => {}
            }
        }
        if inner.is_empty() || !raw.starts_with('{') {
            return Some(());
        }
        walk(raw.as_bytes(), |key, at| {
            let end = walk::value(raw.as_bytes(), at)?;
            self.look(&inner, level + 1, &raw[key], &raw[at..end])?;
            Some(end)
        })
    }

    /// A value further out wins: it is under a literal name where the other took a path. Of equals, the last counts, as usual in JSON.
    fn put(&mut self, slot: Slot, level: usize, raw: &'a str) {
        let place = &mut self.values[slot as usize];
        if place.is_none_or(|(there, _)| level <= there) {
            *place = Some((level, raw));
        }
    }
}

/// Visits an object for the paths that may lead into it.
struct Object<'p, 'f, 'a> {
    paths: &'p [(Slot, &'p str)],
    level: usize,
    found: &'f mut Found<'a>,
    /// Only of the outermost object.
    names: Option<&'f mut Names>,
}

impl<'a> Visitor<'a> for Object<'_, '_, 'a> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'a>>(mut self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key_seed(Key)? {
            if let Some(names) = &mut self.names {
                names.note(&key);
            }
            let is_wanted =
                |path: &str| path.strip_prefix(&*key).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
            if !self.paths.iter().any(|(_, path)| is_wanted(path)) {
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            let raw = map.next_value::<&'a RawValue>()?.get();
            let mut inner = Vec::new();
            for &(slot, path) in self.paths {
                match path.strip_prefix(&*key) {
                    Some("") => self.found.put(slot, self.level, raw),
                    Some(rest) => inner.extend(rest.strip_prefix('.').map(|rest| (slot, rest))),
                    None => {}
                }
            }
            if !inner.is_empty() && raw.starts_with('{') {
                let object = Object { paths: &inner, level: self.level + 1, found: self.found, names: None };
                serde_json::Deserializer::from_str(raw).deserialize_map(object).map_err(serde::de::Error::custom)?;
            }
        }
        Ok(())
    }
}

/// A key, borrowed where it has no escapes.
struct Key;

impl<'a> DeserializeSeed<'a> for Key {
    type Value = Cow<'a, str>;

    fn deserialize<D: Deserializer<'a>>(self, deserializer: D) -> Result<Cow<'a, str>, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'a> Visitor<'a> for Key {
    type Value = Cow<'a, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_borrowed_str<E>(self, key: &'a str) -> Result<Cow<'a, str>, E> {
        Ok(Cow::Borrowed(key))
    }

    fn visit_str<E>(self, key: &str) -> Result<Cow<'a, str>, E> {
        Ok(Cow::Owned(key.to_owned()))
    }
}

/// What a raw JSON value is.
fn value_of(raw: &str) -> Result<Value<'_>, String> {
    Ok(match raw.as_bytes().first() {
        Some(b'"') => Value::Text(unescape(raw)?),
        Some(b'n') => Value::Null,
        Some(b'{') => Value::Other("an object"),
        Some(b'[') => Value::Other("an array"),
        Some(b't' | b'f') => Value::Other("a truth value"),
        _ => Value::Number(Cow::Borrowed(raw)),
    })
}

/// What the JSON parser says, without its idea of lines: a record knows its own.
fn broken(error: &serde_json::Error) -> String {
    let said = error.to_string();
    let what = said.split(" at line ").next().unwrap_or(&said);
    format!("broken JSON: {what} at column {}", error.column())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;

    /// Values by slot, as the general parser finds them.
    fn reference<'a>(json: &'a str, wanted: &Wanted) -> [Value<'a>; 4] {
        let found = slow(json, &wanted.paths, &mut Names::default()).unwrap();
        found.values.map(|raw| raw.map_or(Value::Absent, |(_, raw)| value_of(raw).unwrap()))
    }

    proptest! {
        /// Fields in any order, several of one name, one inside another: the short ways find what the general parser finds.
        #[test]
        fn the_short_ways_find_the_same(
            fields in proptest::collection::vec(
                (
                    select(vec!["text", "id", "time", "url", "meta", "other", "text.b"]),
                    prop_oneof![
                        "\"[a-z ]{0,40}\"",
                        Just("\"a \\\"time\\\" \\n b\"".to_owned()),
                        Just("\"time\"".to_owned()),
                        Just("null".to_owned()),
                        Just("2009".to_owned()),
                        Just("{\"text\":\"x\",\"time\":1,\"b\":\"y\"}".to_owned()),
                    ],
                ),
                0..7,
            ),
            text in select(vec!["text", "meta.text", "text.b"]),
            id in select(vec!["id", "text"]),
        ) {
            let fields: Vec<String> = fields.iter().map(|(key, value)| format!("\"{key}\": {value}")).collect();
            let json = format!("{{{}}}", fields.join(", "));
            let names = Fields { text: text.into(), id: id.into(), ..Fields::default() };
            let wanted = Wanted::document(&names);
            let record = wanted.record(&json, &mut Names::default()).unwrap();
            let expected = reference(&json, &wanted);
            prop_assert_eq!([record.text, record.id, record.time.clone(), record.url], expected, "{}", json);
            let alone = Wanted::time(&names).record(&json, &mut Names::default()).unwrap();
            prop_assert_eq!(alone.time, record.time, "{}", json);
        }
    }
}

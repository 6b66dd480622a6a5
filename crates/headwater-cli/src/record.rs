//! Records of JSON that are passed on with everything they have, save that their text is another.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::value::RawValue;

/// The text of a record: the field of this name or, where it is dotted, what it reaches inside objects. A record that was
/// made of a document that is none has its text in the field [`MADE`].
pub(crate) fn text_of(record: &str, field: &str) -> Option<String> {
    value_of(record, field).or_else(|| value_of(record, MADE))
}

const MADE: &str = "text";

/// What a record has in a field.
fn value_of(record: &str, field: &str) -> Option<String> {
    let object: Object<'_> = serde_json::from_str(record).ok()?;
    if let Some(value) = object.get(field) {
        return serde_json::from_str(value).ok();
    }
    let (outer, inner) = field.split_once('.')?;
    value_of(object.get(outer)?, inner)
}

/// The names of a record's fields, in their order.
pub(crate) fn names_of(record: &str) -> Vec<String> {
    let object = serde_json::from_str(record).map_or(Vec::new(), |object: Object<'_>| object.0);
    object.into_iter().map(|(name, _)| name).collect()
}

/// The record with another text, all else as it stands but in one line; none where it has no text.
pub(crate) fn with_text(record: &str, field: &str, text: &str) -> Option<Box<RawValue>> {
    with_value(record, field, text).or_else(|| with_value(record, MADE, text))
}

/// The record as it stands but in one line.
pub(crate) fn in_one_line(mut record: String) -> Option<Box<RawValue>> {
    // Line ends stand only between the tokens of JSON, never inside: without them the record is one line.
    if record.contains(['\n', '\r']) {
        record = record.replace(['\n', '\r'], " ");
    }
    RawValue::from_string(record).ok()
}

fn with_value(record: &str, field: &str, text: &str) -> Option<Box<RawValue>> {
    let mut object: Object<'_> = serde_json::from_str(record).ok()?;
    let (name, new) = match object.get(field) {
        Some(_) => (field, RawValue::from_string(serde_json::to_string(text).ok()?).ok()?),
        None => {
            let (outer, inner) = field.split_once('.')?;
            (outer, with_value(object.get(outer)?, inner, text)?)
        }
    };
    object.set(name, &new);
    in_one_line(serde_json::to_string(&object).ok()?)
}

/// The fields of an object in their order, each as it is written.
struct Object<'a>(Vec<(String, &'a RawValue)>);

impl<'a> Object<'a> {
    /// The last field of a name counts, as it does in reading.
    fn get(&self, name: &str) -> Option<&'a str> {
        self.0.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value.get())
    }

    fn set<'b>(&mut self, name: &str, value: &'b RawValue)
    where
        'b: 'a,
    {
        self.0.iter_mut().filter(|(known, _)| known == name).for_each(|(_, old)| *old = value);
    }
}

impl<'de> Deserialize<'de> for Object<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields;

        impl<'de> Visitor<'de> for Fields {
            type Value = Object<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Object(fields))
            }
        }

        deserializer.deserialize_map(Fields)
    }
}

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        self.0.iter().try_for_each(|(name, value)| map.serialize_entry(name, value))?;
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_text_changes() {
        let check = |record: &str, field: &str, old: Option<&str>, expected: Option<&str>| {
            assert_eq!(text_of(record, field).as_deref(), old, "{record}");
            assert_eq!(with_text(record, field, "n\"w").as_deref().map(RawValue::get), expected, "{record}");
        };
        check(
            r#"{"z":1.50,"text":"old","a":[1, 2]}"#,
            "text",
            Some("old"),
            Some(r#"{"z":1.50,"text":"n\"w","a":[1, 2]}"#),
        );
        check(r#"{"a":{"b":"old","c":0},"d":null}"#, "a.b", Some("old"), Some(r#"{"a":{"b":"n\"w","c":0},"d":null}"#));
        check(r#"{"a.b":"old"}"#, "a.b", Some("old"), Some(r#"{"a.b":"n\"w"}"#));
        check("{\"text\":\"old\",\"a\":[1,\n2]}", "text", Some("old"), Some(r#"{"text":"n\"w","a":[1, 2]}"#));
        check(r#"{"body":"old"}"#, "text", None, None);
        check("plain text", "text", None, None);
        check(r#"{"text":7}"#, "text", None, Some(r#"{"text":"n\"w"}"#));
    }
}

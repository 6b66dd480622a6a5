//! The fields of a JSON object at the speed of memory, for objects that are well-formed.
//!
//! Long strings are what a document is made of, and the general parser looks at them eight bytes at a time. Here the ends of strings
//! are found with vector instructions; all that is not a string is small and is left to the general parser to judge. Whatever is in
//! the least unusual is not judged at all: the caller then asks the general parser, which also knows what to say about it.

use std::ops::Range;

use serde::de::IgnoredAny;

use crate::quoted::closing_quote;

/// Calls `field` with the place of each key and the place where its value begins, to be told where it ends: with [`value`], unless one
/// knows better. `None` where `bytes` are not an object, not well-formed, or have a key with escapes in it; some fields may have been
/// told by then. Whether strings are UTF-8 is not asked.
pub(crate) fn walk(bytes: &[u8], mut field: impl FnMut(Range<usize>, usize) -> Option<usize>) -> Option<()> {
    let mut at = blank(bytes, expect(bytes, 0, b'{')?);
    if bytes.get(at) == Some(&b'}') {
        return ends(bytes, at + 1);
    }
    loop {
        let end = string(bytes, at)?;
        let key = at + 1..end - 1;
        if bytes[key.clone()].contains(&b'\\') {
            return None;
        }
        at = blank(bytes, expect(bytes, blank(bytes, end), b':')?);
        at = blank(bytes, field(key, at)?);
        match bytes.get(at)? {
            b',' => at = blank(bytes, at + 1),
            b'}' => return ends(bytes, at + 1),
            _ => return None,
        }
    }
}

/// Where the value ends that begins at `at`.
pub(crate) fn value(bytes: &[u8], at: usize) -> Option<usize> {
    let end = match bytes.get(at)? {
        b'"' => return string(bytes, at),
        b'{' | b'[' => brackets(bytes, at)?,
        _ => at + bytes[at..].iter().position(|byte| b",}] \t\n\r".contains(byte))?,
    };
    serde_json::from_slice::<IgnoredAny>(&bytes[at..end]).is_ok().then_some(end)
}

/// Where the string ends that begins at `at`, its closing quote included.
fn string(bytes: &[u8], at: usize) -> Option<usize> {
    let start = expect(bytes, at, b'"')?;
    closing_quote(bytes, start).map(|end| end + 1)
}

/// Where the bracket closes that opens at `at`, whatever stands between.
fn brackets(bytes: &[u8], at: usize) -> Option<usize> {
    let (mut depth, mut at) = (0usize, at);
    loop {
        match bytes.get(at)? {
            b'"' => {
                at = string(bytes, at)?;
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return Some(at);
        }
    }
}

/// The place behind `byte`, which must stand at `at`.
fn expect(bytes: &[u8], at: usize, byte: u8) -> Option<usize> {
    (bytes.get(at) == Some(&byte)).then_some(at + 1)
}

/// The first place from `at` on that is not blank.
fn blank(bytes: &[u8], at: usize) -> usize {
    at + bytes[at..].iter().take_while(|byte| b" \t\n\r".contains(byte)).count()
}

/// Whether nothing but blanks follows.
fn ends(bytes: &[u8], at: usize) -> Option<()> {
    (blank(bytes, at) == bytes.len()).then_some(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn fields(json: &str) -> Option<Vec<(&str, &str)>> {
        let mut fields = Vec::new();
        walk(json.as_bytes(), |key, at| {
            let end = value(json.as_bytes(), at)?;
            fields.push((&json[key], &json[at..end]));
            Some(end)
        })
        .map(|()| fields)
    }

    #[test]
    fn objects() {
        let check =
            |json: &str, expected: Option<&[(&str, &str)]>| assert_eq!(fields(json).as_deref(), expected, "{json}");
        check("{}", Some(&[]));
        check(" {}", None);
        check("{ } ", Some(&[]));
        check(
            r#"{"a":1,"b" : "x\"}\\" , "c":[{"d":"]"},-1.5e3,null]}"#,
            Some(&[("a", "1"), ("b", r#""x\"}\\""#), ("c", r#"[{"d":"]"},-1.5e3,null]"#)]),
        );
        for bad in [
            "",
            "{",
            "[]",
            "{\"a\"}",
            "{\"a\":}",
            "{\"a\":1,}",
            "{\"a\":1}}",
            "{\"a\":01}",
            "{\"a\":tru}",
            "{\"a\":\"\\x\"}",
            "{\"a\":\"\\u12g4\"}",
            "{\"a\":\"\u{1}\"}",
            "{\"a\":[1,]}",
            "{\"a\":[}",
            "{\"a\":{]}",
            "{\"a\\u0062\":1}",
            "{\"a\":\"x",
            "{\"a\":1 2}",
            "{a:1}",
        ] {
            check(bad, None);
        }
    }

    proptest! {
        /// What is accepted is well-formed: the general parser accepts it as well.
        #[test]
        fn accepts_only_json(json in r#"\{("[ab\\"]{0,2}"[:, ]{0,2}("[x\\"nu0]{0,6}"|[0-9.e-]{1,4}|\[[0-9,\]\[]{0,4}\]|true|nul?l?)[,} ]{0,2}){0,3}\}?"#) {
            if fields(&json).is_some() {
                prop_assert!(serde_json::from_str::<IgnoredAny>(&json).is_ok(), "{}", json);
            }
        }
    }
}

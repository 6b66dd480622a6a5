//! JSON that is no lines: an array of objects, or objects one after the other, however they are laid out.

use std::ops::Range;

use crate::chunk::{Body, Output, Receive};
use crate::limits::Limits;
use crate::object::Wanted;
use crate::pipeline::Stopped;
use crate::problem::At;
use crate::stream::Stream;
use crate::window::{CHUNK, Window};

/// Cuts a stream between the elements of its array, without ever holding more than a few of them.
pub(crate) fn cut(stream: &mut Stream, limits: &Limits, output: &Output<'_>) -> Result<(), Stopped> {
    let is_live = stream.is_live;
    let mut window = Window::new(stream, limits.record());
    let mut scanner = Scanner::default();
    let mut record = 1;
    let mut elements: Vec<Range<usize>> = Vec::new();
    // How far the window has been looked through, and where the element begins that is still open.
    let (mut seen, mut start) = (0, None);
    // Inside an element that was refused.
    let mut is_skipping = false;
    loop {
        let filled = window.fill();
        let is_last = !matches!(filled, Ok(true));
        if seen == 0 && window.offset() == 0 && window.bytes().starts_with(b"\xef\xbb\xbf") {
            seen = 3;
        }
        while let Some((length, step)) = scanner.step(&window.bytes()[seen..]) {
            match step {
                Step::Begin => start = Some(seen + length),
                Step::End if is_skipping => (is_skipping, start) = (false, None),
                Step::End => elements.extend(start.take().map(|start| start..seen + length)),
            }
            seen += length;
        }
        seen = window.bytes().len();
        let pending = start.unwrap_or(seen);
        if !elements.is_empty() && (is_last || is_live || seen >= CHUNK) {
            let (first, elements) = (record, std::mem::take(&mut elements));
            record += elements.len() as u64;
            let bytes = window.take(pending);
            output.send(Body::Json { first, elements, bytes })?;
            (seen, start) = (seen - pending, start.map(|_| 0));
        } else if elements.is_empty() {
            window.discard(pending);
            (seen, start) = (seen - pending, start.map(|_| 0));
        }
        if start.is_some() && is_skipping {
            window.discard(seen);
            seen = 0;
        } else if elements.is_empty() && start.is_some() && seen > limits.record() {
            output.problem(At::Record(record), limits.refusal("element"))?;
            record += 1;
            is_skipping = true;
            window.discard(seen);
            seen = 0;
        }
        match filled {
            Ok(true) => {}
            Ok(false) if is_skipping => return Ok(()),
            Ok(false) => {
                // A bare value ends with the file; anything else that is still open will be called broken by the parser.
                if start.is_some() && scanner.is_array_swallowed() {
                    let what = format!(
                        "broken JSON: a bracket of this element is not closed: the {seen} bytes from it to the end of the file are skipped, \
                         with all elements in them"
                    );
                    output.problem(At::Record(record), what)?;
                } else if start.is_some() {
                    let bytes = window.take(seen);
                    let elements = std::iter::once(0..bytes.len()).collect();
                    output.send(Body::Json { first: record, elements, bytes })?;
                } else if scanner.is_inside() {
                    output.problem(
                        At::Record(record),
                        "broken JSON: the array is not closed before the end of the file",
                    )?;
                }
                return Ok(());
            }
            Err(error) => {
                let offset = window.offset() + seen as u64;
                return output.problem(At::Record(record), limits.damage(&error, offset));
            }
        }
    }
}

/// Reads the elements of a chunk.
pub(crate) fn parse(first: u64, elements: &[Range<usize>], bytes: &[u8], wanted: &Wanted, receive: &mut dyn Receive) {
    for (number, element) in (first..).zip(elements) {
        let at = At::Record(number);
        let json = match simdutf8::compat::from_utf8(&bytes[element.clone()]) {
            Ok(json) => json.trim_ascii(),
            Err(error) => {
                receive.problem(at, format!("invalid UTF-8 at byte {} of the record", error.valid_up_to() + 1));
                continue;
            }
        };
        match wanted.record(json, receive.names()) {
            Ok(record) => receive.record(at, record),
            Err(what) => receive.problem(at, what),
        }
    }
}

/// Follows strings and brackets, and nothing else: whether an element is well-formed is for its parser to say.
///
/// An element that lacks closing brackets must not take those behind it along. So where a bracket closes another kind than is
/// open, what stands between is taken for closed; and an object that begins in another where a name should stand is the next
/// element.
#[derive(Default)]
struct Scanner {
    /// Open brackets, that of the outermost array included.
    depth: usize,
    /// Which of the outermost of them are those of arrays, from the lowest bit on.
    arrays: u128,
    /// The last byte that is no space of what was passed before.
    last: u8,
    /// 1 inside an outermost array, whose elements are the records; else 0.
    base: usize,
    is_string: bool,
    is_escaped: bool,
    /// Inside an element.
    is_open: bool,
}

enum Step {
    /// An element begins behind the bytes passed.
    Begin,
    /// An element ends behind the bytes passed.
    End,
}

impl Scanner {
    fn is_inside(&self) -> bool {
        self.depth > 0
    }

    /// Whether, at the end of a file that was not cut short, an element has taken the end of the array for its own.
    fn is_array_swallowed(&self) -> bool {
        self.base == 1 && self.depth > 1 && !self.is_string && self.last == b']'
    }

    /// Passes bytes up to the next beginning or end of an element: how many, and which.
    fn step(&mut self, bytes: &[u8]) -> Option<(usize, Step)> {
        let mut at = 0;
        while at < bytes.len() {
            if self.is_string {
                at += self.string(&bytes[at..]);
                continue;
            }
            let byte = bytes[at];
            if !self.is_open {
                match byte {
                    b' ' | b'\t' | b'\n' | b'\r' | b',' => at += 1,
                    b'[' if self.depth == 0 => {
                        (self.depth, self.base) = (1, 1);
                        at += 1;
                    }
                    b']' if self.base == 1 => {
                        (self.depth, self.base) = (0, 0);
                        at += 1;
                    }
                    _ => {
                        self.is_open = true;
                        return Some((at, Step::Begin));
                    }
                }
                continue;
            }
            let is_end = match byte {
                b'"' => {
                    self.is_string = true;
                    at += 1;
                    continue;
                }
                b'{' if self.is_next_element(&bytes[..at]) => {
                    (self.depth, self.is_open) = (self.base, false);
                    return Some((at, Step::End));
                }
                b'{' | b'[' => {
                    self.open(byte == b'[');
                    false
                }
                b'}' | b']' if self.depth > self.base => {
                    self.close(byte == b']');
                    self.depth == self.base
                }
                // Ends a bare value, or an element with a bracket too many. Outside an array a closing bracket is part of the nonsense.
                b',' | b'\n' if self.depth == self.base => {
                    self.is_open = false;
                    return Some((at, Step::End));
                }
                b']' if self.depth == self.base && self.base == 1 => {
                    self.is_open = false;
                    return Some((at, Step::End));
                }
                _ => false,
            };
            at += 1;
            if is_end {
                self.is_open = false;
                return Some((at, Step::End));
            }
        }
        self.last = self.last_of(bytes);
        None
    }

    /// Whether brackets at this depth are told apart.
    fn is_known(depth: usize) -> bool {
        depth <= u128::BITS as usize
    }

    fn is_array(&self, depth: usize) -> bool {
        self.arrays >> (depth - 1) & 1 == 1
    }

    fn open(&mut self, is_array: bool) {
        self.depth += 1;
        if Self::is_known(self.depth) {
            let place = self.depth - 1;
            self.arrays = self.arrays & !(1 << place) | u128::from(is_array) << place;
        }
    }

    /// Closes the innermost bracket of the kind, and all in it. Where the element has none, the bracket is taken for a slip of
    /// the one that is open.
    fn close(&mut self, is_array: bool) {
        let fits = |depth: &usize| !Self::is_known(*depth) || self.is_array(*depth) == is_array;
        self.depth = (self.base + 1..=self.depth).rev().find(fits).unwrap_or(self.depth) - 1;
    }

    /// Whether an object that begins here stands in another one, and not as the value of a name.
    fn is_next_element(&self, before: &[u8]) -> bool {
        let is_in_object = self.depth > self.base && Self::is_known(self.depth) && !self.is_array(self.depth);
        is_in_object && matches!(self.last_of(before), b',' | b'}')
    }

    fn last_of(&self, passed: &[u8]) -> u8 {
        passed.trim_ascii_end().last().copied().unwrap_or(self.last)
    }

    /// Passes the rest of a string, as far as it is there.
    fn string(&mut self, bytes: &[u8]) -> usize {
        let mut at = usize::from(std::mem::take(&mut self.is_escaped));
        while at < bytes.len() {
            let Some(found) = memchr::memchr2(b'"', b'\\', &bytes[at..]) else { return bytes.len() };
            at += found + 1;
            if bytes[at - 1] == b'"' {
                self.is_string = false;
                return at;
            }
            at += 1;
        }
        // The escaped byte is yet to come.
        self.is_escaped = at > bytes.len();
        bytes.len()
    }
}

#[cfg(test)]
mod tests {
    use super::Scanner;

    /// Where elements begin and end does not depend on how the bytes arrive.
    #[test]
    fn cut_anywhere() {
        let bytes: &[u8] =
            br#"[{"a":{"b":"}, "} , {"c":[1, {"d":2} } , {"e": {"f":"\""}} ,{"g":{}, {"h":"," , {"i":1}]"#;
        let steps = |cut: usize| {
            let (mut scanner, mut at, mut places) = (Scanner::default(), 0, Vec::new());
            for end in [cut, bytes.len()] {
                while let Some((length, _)) = scanner.step(&bytes[at..end]) {
                    at += length;
                    places.push(at);
                }
                at = end;
            }
            places
        };
        let whole = steps(0);
        assert_eq!(whole.len(), 2 * 6, "{whole:?}");
        (0..=bytes.len()).for_each(|cut| assert_eq!(steps(cut), whole, "{cut}"));
    }
}

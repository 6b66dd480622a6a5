//! Where sentences end.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

/// What closes a sentence even at the end of a line.
const TERMINATORS: &[char] = &['.', '!', '?', '…', ':', ';', '。', '！', '？', '।', '؟', '۔'];

/// What the lines of a list, a table, a quotation or a heading begin with.
const LINE_MARKS: &[char] = &['-', '*', '+', '•', '·', '–', '—', '#', '|', '>', '=', '_', '~', '`'];

/// The sentences of a text in order, each with the white space behind it: together they are all of the text.
///
/// Unicode's own rule (UAX #29), with one change: it ends a sentence at every line break, but a line that is broken
/// only for want of width is no end. A sentence goes on in the next line unless it was closed, that line is empty or indented,
/// or it begins as the lines of lists, tables and headings do.
///
/// ```
/// let text = "It rained. The weir,\nhe said, held.\n\nA heading\n- one\n- two";
/// let sentences: Vec<&str> = headwater::text::sentences(text).into_iter().map(|range| text[range].trim()).collect();
/// assert_eq!(sentences, ["It rained.", "The weir,\nhe said, held.", "A heading", "- one", "- two"]);
/// ```
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for (start, piece) in text.split_sentence_bound_indices() {
        let end = start + piece.len();
        match found.last_mut() {
            Some(last) if piece.trim().is_empty() || goes_on(&text[last.clone()], piece) => last.end = end,
            _ => found.push(start..end),
        }
    }
    found
}

/// Whether what follows is the rest of a sentence whose line was broken.
fn goes_on(sentence: &str, next: &str) -> bool {
    let visible = sentence.trim_end();
    let breaks = sentence[visible.len()..].matches('\n').count();
    breaks == 1
        && visible.contains(char::is_alphanumeric)
        && !visible.trim_end_matches(['"', '”', '’', ')', ']']).ends_with(TERMINATORS)
        && !next.starts_with(char::is_whitespace)
        && !next.starts_with(LINE_MARKS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(text: &str, expected: &[&str]) {
        let found: Vec<&str> = sentences(text).into_iter().map(|range| text[range].trim_end()).collect();
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn sentences_end_where_readers_think_they_do() {
        check("", &[]);
        check("One. Two! Three?", &["One.", "Two!", "Three?"]);
        check("a line that is\nbroken goes on\nand ends. Next", &["a line that is\nbroken goes on\nand ends.", "Next"]);
        check("Title\n\nText here.", &["Title", "Text here."]);
        check("He said \"no.\"\nShe left.", &["He said \"no.\"", "She left."]);
        check("水路は長い。川へ流れる。", &["水路は長い。", "川へ流れる。"]);
        check("first\n    code\nback", &["first", "    code\nback"]);
        check("windows\r\nlines go on. Yes", &["windows\r\nlines go on.", "Yes"]);
    }

    proptest! {
        #[test]
        fn together_they_are_the_text(text in "[a-z .!?\n\r水。-]{0,80}") {
            let mut end = 0;
            for range in sentences(&text) {
                prop_assert_eq!(range.start, end);
                prop_assert!(range.end > range.start);
                end = range.end;
            }
            prop_assert_eq!(end, text.len());
        }
    }
}

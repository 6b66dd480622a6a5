//! A document with only its new text.

use std::ops::Range;

use super::report::Report;
use crate::text::{Tokens, sentences};

/// How old text is cut out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cut {
    /// Exactly the old words go.
    #[default]
    Words,
    /// Whole sentences stay or go: those that are more than half new stay.
    Sentences,
}

/// Punctuation that belongs to what stood before it, and means nothing where that is gone.
const CLOSERS: &[char] =
    &['.', ',', ';', ':', '!', '?', ')', ']', '}', '”', '’', '»', '…', '、', '。', '！', '？', '，', '）', '」'];

/// Punctuation that belongs to what follows.
const OPENERS: &[char] = &['(', '[', '{', '“', '‘', '«', '（', '「'];

/// The new text of a document, in its order; empty where nothing is new.
///
/// With [`Cut::Words`] its tokens are exactly the fresh ones of the report. Where something was cut out, punctuation that closed
/// or opened it goes too, and of the white space on both sides the wider remains.
pub fn new_text(text: &str, tokens: &Tokens, report: &Report, cut: Cut) -> String {
    if report.segments.is_empty() {
        return text.to_owned();
    }
    let pieces = match cut {
        Cut::Words => between(text, report),
        Cut::Sentences => fresh_sentences(text, tokens, report),
    };
    join(text, &pieces)
}

/// What lies between the segments and has a token.
fn between(text: &str, report: &Report) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let (mut byte, mut token) = (0, 0);
    let end = (text.len(), report.tokens() as u32);
    let segments = report.segments.iter().map(|segment| (segment.bytes.clone(), segment.tokens.clone()));
    for (bytes, tokens) in segments.chain([(end.0..end.0, end.1..end.1)]) {
        if tokens.start > token {
            pieces.push(byte..bytes.start);
        }
        (byte, token) = (bytes.end, tokens.end);
    }
    pieces
}

fn fresh_sentences(text: &str, tokens: &Tokens, report: &Report) -> Vec<Range<usize>> {
    let mut pieces: Vec<Range<usize>> = Vec::new();
    let (mut token, mut stays) = (0, true);
    for sentence in sentences(text) {
        let first = token;
        while token < tokens.len() && tokens.span(token).start < sentence.end {
            token += 1;
        }
        let fresh = (first..token).filter(|&at| report.is_fresh(at)).count();
        // What has no words (a rule, a row of stars) goes with what stands before it.
        if token > first {
            stays = 2 * fresh > token - first;
        }
        match pieces.last_mut() {
            Some(last) if stays && last.end == sentence.start => last.end = sentence.end,
            _ if stays => pieces.push(sentence),
            _ => {}
        }
    }
    pieces
}

/// The pieces one behind the other, mended at the seams.
fn join(text: &str, pieces: &[Range<usize>]) -> String {
    let mut out = String::new();
    for piece in pieces {
        let mut new = &text[piece.clone()];
        if piece.start > 0 {
            new = without_closers(new);
        }
        if piece.end < text.len() {
            let visible = new.trim_end();
            let kept = visible.trim_end_matches(OPENERS);
            // An opener that something follows within the piece is not at its end.
            new = if kept.len() < visible.len() { kept } else { new };
        }
        let gap = [trailing(&out), leading(new)].into_iter().max_by_key(|gap| width(gap)).unwrap_or("").to_owned();
        out.truncate(out.trim_end().len());
        if !out.is_empty() {
            let glued = gap.is_empty()
                && out.ends_with(char::is_alphanumeric)
                && new.trim_start().starts_with(char::is_alphanumeric);
            out += if glued { " " } else { &gap };
        }
        out += if out.is_empty() && piece.start == 0 { new } else { new.trim_start() };
    }
    if pieces.last().is_some_and(|last| last.end < text.len()) {
        out.truncate(out.trim_end().len());
    }
    out
}

/// A piece without the punctuation that closed what was cut out before it.
fn without_closers(piece: &str) -> &str {
    let rest = piece.trim_start_matches(CLOSERS);
    // A straight quotation mark closes where nothing but space is behind it.
    match rest.strip_prefix(['"', '\'']) {
        Some(behind) if behind.is_empty() || behind.starts_with(char::is_whitespace) => behind,
        _ => rest,
    }
}

fn trailing(text: &str) -> &str {
    &text[text.trim_end().len()..]
}

fn leading(text: &str) -> &str {
    &text[..text.len() - text.trim_start().len()]
}

/// A paragraph's end is wider than a line's, and that wider than a space.
fn width(gap: &str) -> usize {
    gap.matches('\n').count() * 1000 + gap.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::origin::report::{Evidence, EvidenceCounts, Segment};
    use crate::text::Reading;
    use proptest::prelude::*;

    /// A report in which the tokens that `old` says are old.
    fn report(tokens: &Tokens, old: impl Fn(usize) -> bool) -> Report {
        let mut report = Report::default();
        report.restart(1, tokens.len());
        for at in (0..tokens.len()).filter(|&at| old(at)) {
            report.evidence[at] = Evidence::Found;
            let span = tokens.span(at);
            match report.segments.last_mut() {
                Some(last) if last.tokens.end == at as u32 => {
                    (last.tokens.end, last.bytes.end) = (at as u32 + 1, span.end)
                }
                _ => report.segments.push(Segment {
                    tokens: at as u32..at as u32 + 1,
                    bytes: span,
                    origin: 0,
                    evidence: EvidenceCounts::default(),
                }),
            }
        }
        report
    }

    fn check(text: &str, old: Range<usize>, cut: Cut, expected: &str) {
        let mut tokens = Tokens::new();
        tokens.read(text, Reading::Words).unwrap();
        let report = report(&tokens, |at| old.contains(&at));
        assert_eq!(new_text(text, &tokens, &report, cut), expected, "{text:?} without {old:?}");
    }

    #[test]
    fn what_is_cut_out_leaves_no_scar() {
        check("one two three four", 1..3, Cut::Words, "one four");
        check("He wrote: (a b c) and left.", 2..5, Cut::Words, "He wrote: and left.");
        check("Old text here. New text.", 0..3, Cut::Words, "New text.");
        check("New text. Old text here.", 2..5, Cut::Words, "New text.");
        check("New one.\n\nOld para here.\n\nNew two.", 2..5, Cut::Words, "New one.\n\nNew two.");
        check("He said \"old words\" twice", 2..4, Cut::Words, "He said \" twice");
        check("all of it is old", 0..5, Cut::Words, "");
        check("  nothing is old\n", 0..0, Cut::Words, "  nothing is old\n");
        check("- old item\n- new item", 0..2, Cut::Words, "- new item");
        check("ab水cd", 1..2, Cut::Words, "ab cd");
    }

    #[test]
    fn no_half_sentences() {
        let text = "He came in. The old words that everybody knows. And he left again.";
        check(text, 4..8, Cut::Sentences, "He came in. And he left again.");
        check(text, 4..5, Cut::Sentences, text);
        check(text, 0..3, Cut::Sentences, "The old words that everybody knows. And he left again.");
        check(text, 0..13, Cut::Sentences, "");
        check("A. ***\nB c d.", 0..1, Cut::Sentences, "B c d.");
    }

    proptest! {
        #[test]
        fn the_tokens_that_stay_are_the_fresh_ones(
            text in "[a-c .,()\n\"水é-]{0,60}",
            old in proptest::collection::vec(any::<bool>(), 60),
        ) {
            let mut tokens = Tokens::new();
            tokens.read(&text, Reading::Words).unwrap();
            let report = report(&tokens, |at| old[at]);
            let fresh: Vec<u64> = (0..tokens.len()).filter(|&at| !old[at]).map(|at| tokens.hashes()[at]).collect();
            let mut left = Tokens::new();
            left.read(&new_text(&text, &tokens, &report, Cut::Words), Reading::Words).unwrap();
            prop_assert_eq!(left.hashes(), &fresh[..]);

            let (mut whole, mut at) = (Vec::new(), 0);
            for sentence in sentences(&text) {
                let mut own = Tokens::new();
                own.read(&text[sentence], Reading::Words).unwrap();
                let fresh = (at..at + own.len()).filter(|&at| !old[at]).count();
                at += own.len();
                if 2 * fresh > own.len() {
                    whole.extend_from_slice(own.hashes());
                }
            }
            prop_assume!(at == tokens.len());
            left.read(&new_text(&text, &tokens, &report, Cut::Sentences), Reading::Words).unwrap();
            prop_assert_eq!(left.hashes(), &whole[..]);
        }
    }
}

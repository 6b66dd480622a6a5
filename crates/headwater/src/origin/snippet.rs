//! The best new passage of a document, for whoever shows it in a list (the paper's use (c): better snippets).

use std::ops::Range;

use super::report::Report;
use crate::text::{Tokens, sentences};

/// A passage that shows what is new.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snippet {
    /// The positions of its tokens.
    pub tokens: Range<usize>,
    /// Where it stands in the text.
    pub bytes: Range<usize>,
    /// How many of its tokens are new.
    pub fresh: usize,
    /// Whether it begins where a sentence does.
    pub begins_sentence: bool,
}

/// To begin with a sentence is worth as much as this part of the passage being new, and to end with one half of that.
const SENTENCE: usize = 5;

/// The passage of at most `words` tokens that shows best what is new: most new tokens, and whole sentences where that costs
/// little; the first of equals. None where nothing is new.
pub fn snippet(text: &str, tokens: &Tokens, report: &Report, words: usize) -> Option<Snippet> {
    let length = words.min(tokens.len());
    if length == 0 {
        return None;
    }
    let (begins, ends) = edges(text, tokens);
    let mut fresh: usize = (0..length).filter(|&at| report.is_fresh(at)).count();
    let mut best: Option<(usize, Snippet)> = None;
    for (start, &begins_sentence) in begins[..=tokens.len() - length].iter().enumerate() {
        let end = start + length;
        let whole =
            if begins_sentence { 2 * length / SENTENCE } else { 0 } + if ends[end - 1] { length / SENTENCE } else { 0 };
        let score = 2 * fresh + whole;
        if fresh > 0 && best.as_ref().is_none_or(|(most, _)| score > *most) {
            let bytes = tokens.span(start).start..tokens.span(end - 1).end;
            best = Some((score, Snippet { tokens: start..end, bytes, fresh, begins_sentence }));
        }
        if end < tokens.len() {
            fresh = fresh + usize::from(report.is_fresh(end)) - usize::from(report.is_fresh(start));
        }
    }
    best.map(|(_, snippet)| snippet)
}

/// For each token whether it is the first of a sentence, and whether it is the last.
fn edges(text: &str, tokens: &Tokens) -> (Vec<bool>, Vec<bool>) {
    let (mut begins, mut ends) = (vec![false; tokens.len()], vec![false; tokens.len()]);
    let mut token = 0;
    for sentence in sentences(text) {
        let first = token;
        while token < tokens.len() && tokens.span(token).start < sentence.end {
            token += 1;
        }
        if token > first {
            begins[first] = true;
            ends[token - 1] = true;
        }
    }
    (begins, ends)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::origin::report::Evidence;
    use crate::text::Reading;
    use proptest::prelude::*;

    fn best(text: &str, old: impl Fn(usize) -> bool, words: usize) -> Option<(String, usize)> {
        let mut tokens = Tokens::new();
        tokens.read(text, Reading::Words).unwrap();
        let mut report = Report::default();
        report.restart(1, tokens.len());
        for at in (0..tokens.len()).filter(|&at| old(at)) {
            report.evidence[at] = Evidence::Found;
        }
        snippet(text, &tokens, &report, words).map(|snippet| (text[snippet.bytes].to_owned(), snippet.fresh))
    }

    #[test]
    fn the_new_sentence_is_shown() {
        let text = "Old words are here. This is quite new. More old words follow here.";
        let old = |at: usize| !(4..8).contains(&at);
        assert_eq!(best(text, old, 4), Some(("This is quite new".into(), 4)));
        assert_eq!(best(text, old, 2), Some(("This is".into(), 2)), "it begins with a sentence where it can");
        assert_eq!(best(text, |_| true, 4), None);
        assert_eq!(best(text, |_| false, 100).map(|(_, fresh)| fresh), Some(13), "all of a short text");
        assert_eq!(best("", |_| false, 4), None);
        assert_eq!(best(text, |_| false, 0), None);
    }

    proptest! {
        /// No passage of that length has more new tokens than what whole sentences may cost.
        #[test]
        fn near_the_most_that_can_be_had(old in proptest::collection::vec(any::<bool>(), 1..60), words in 1usize..20) {
            let text = (0..old.len()).map(|at| if at % 7 == 6 { "End. " } else { "word " }).collect::<String>();
            let length = words.min(old.len());
            let most = old.windows(length).map(|window| window.iter().filter(|old| !**old).count()).max().unwrap();
            match best(&text, |at| old[at], words) {
                None => prop_assert_eq!(most, 0),
                Some((_, fresh)) => prop_assert!(2 * fresh + 3 * length / SENTENCE >= 2 * most),
            }
        }
    }
}

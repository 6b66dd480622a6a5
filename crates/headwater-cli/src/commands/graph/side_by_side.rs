//! `--for DOCUMENT`: its co-derivatives, with what they share on both sides.

use std::io::Write;

use headwater::coderivative::{Relation, shared_passages};
use headwater::text::{Reading, Tokens};
use headwater_io::write::Output;

use super::Plan;
use super::gather::Documents;
use super::rows::{Offsets, PassageRow, rounded};
use crate::args::GraphArgs;
use crate::failure::Failure;
use crate::terminal::count;

/// A passage with its text on both sides: equal words, perhaps different spelling and layout.
pub(super) struct Passage {
    pub(super) a: Offsets,
    pub(super) b: Offsets,
    pub(super) tokens: usize,
}

/// What two texts share, in bytes.
pub(super) fn compare(a: &str, b: &str, length: usize, reading: Reading) -> Result<Vec<Passage>, Failure> {
    let (mut ours, mut theirs) = (Tokens::new(), Tokens::new());
    ours.read(a, reading).map_err(Failure::run)?;
    theirs.read(b, reading).map_err(Failure::run)?;
    let bytes = |tokens: &Tokens, range: &std::ops::Range<u32>| Offsets {
        start: tokens.span(range.start as usize).start,
        end: tokens.span(range.end as usize - 1).end,
    };
    let shared = shared_passages(ours.hashes(), theirs.hashes(), length);
    let passages = shared.iter().map(|passage| Passage {
        a: bytes(&ours, &passage.a),
        b: bytes(&theirs, &passage.b),
        tokens: passage.a.len(),
    });
    Ok(passages.collect())
}

/// The passages of an edge as programs get them.
pub(super) fn passages(
    relation: &Relation,
    documents: &mut Documents,
    plan: &Plan,
    reading: Reading,
) -> Result<Vec<PassageRow>, Failure> {
    let (a, b) = texts(relation, documents)?;
    let passages = compare(&a, &b, plan.extract.length, reading)?;
    let rows = passages.into_iter().map(|Passage { a: ours, b: theirs, tokens }| PassageRow {
        a: ours,
        b: theirs,
        tokens,
        text: a[ours.start..ours.end].to_owned(),
    });
    Ok(rows.collect())
}

fn texts(relation: &Relation, documents: &mut Documents) -> Result<(String, String), Failure> {
    let (a, b) = (documents.representative_at(relation.edge.a), documents.representative_at(relation.edge.b));
    Ok((documents.text(a)?, documents.text(b)?))
}

/// Columns of each side, and between them.
const SIDE: usize = 58;
const GUTTER: &str = " │ ";

/// The answer for people: partners by score, and every shared passage in two columns.
pub(super) fn write(
    args: &GraphArgs,
    plan: &Plan,
    subject: u32,
    relations: &[Relation],
    documents: &mut Documents,
) -> Result<(), Failure> {
    let mut out = Output::create(args.output.target())?;
    let place = documents.place_of(subject);
    writeln!(out, "{}", heading(documents, place)?)?;
    if relations.is_empty() {
        let score = plan.relate.score;
        writeln!(out, "  shares too little with any other document for {score} ≥ {}", plan.relate.threshold)?;
    }
    let mut by_score: Vec<&Relation> = relations.iter().collect();
    by_score.sort_by(|one, other| other.edge.score.total_cmp(&one.edge.score));
    for relation in by_score {
        let (a, b) = texts(relation, documents)?;
        let is_first = relation.edge.a == place;
        let partner = if is_first { relation.edge.b } else { relation.edge.a };
        let (score, chunks) = (rounded(relation.edge.score), count(relation.chunks.into()));
        writeln!(out, "\n{}\n  {} {score}, {chunks} chunks", heading(documents, partner)?, plan.relate.score)?;
        for Passage { a: ours, b: theirs, tokens } in compare(&a, &b, plan.extract.length, args.tokens)? {
            let (ours, theirs) = (&a[ours.start..ours.end], &b[theirs.start..theirs.end]);
            let (left, right) = if is_first { (ours, theirs) } else { (theirs, ours) };
            writeln!(out, "\n  {tokens} words")?;
            for line in columns(left, right) {
                writeln!(out, "  {}", line.trim_end())?;
            }
        }
    }
    Ok(out.finish()?)
}

fn heading(documents: &Documents, place: u32) -> Result<String, Failure> {
    let entry = documents.entry(place)?;
    let parts = [Some(entry.id.clone()), entry.time.as_ref().map(ToString::to_string), entry.url.clone()];
    Ok(parts.into_iter().flatten().collect::<Vec<_>>().join("  "))
}

/// Two texts as the lines of two columns.
fn columns(left: &str, right: &str) -> Vec<String> {
    let (left, right) = (fold(left, SIDE), fold(right, SIDE));
    let rows = left.len().max(right.len());
    let line = |lines: &[String], row: usize| lines.get(row).cloned().unwrap_or_default();
    let padded = |text: String| {
        let missing = SIDE.saturating_sub(unicode_width::UnicodeWidthStr::width(text.as_str()));
        text + &" ".repeat(missing)
    };
    (0..rows).map(|row| padded(line(&left, row)) + GUTTER + &line(&right, row)).collect()
}

/// Folds a text into lines of at most so many columns, at spaces where it can.
fn fold(text: &str, width: usize) -> Vec<String> {
    let (mut lines, mut line, mut used) = (Vec::new(), String::new(), 0);
    for word in text.split_whitespace() {
        let wide = unicode_width::UnicodeWidthStr::width(word);
        if used > 0 && used + 1 + wide > width {
            lines.push(std::mem::take(&mut line));
            used = 0;
        }
        if used > 0 {
            line.push(' ');
            used += 1;
        }
        for character in word.chars() {
            let wide = unicode_width::UnicodeWidthChar::width(character).unwrap_or(0);
            if used + wide > width {
                lines.push(std::mem::take(&mut line));
                used = 0;
            }
            line.push(character);
            used += wide;
        }
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_no_wider_than_asked_and_nothing_is_lost() {
        for text in ["", "one two three four five", "incomprehensibilities", "水路は長い 川へ", "a  b\n\nc"] {
            for width in [2, 5, 11] {
                let lines = fold(text, width);
                assert!(lines.iter().all(|line| unicode_width::UnicodeWidthStr::width(line.as_str()) <= width));
                let letters = |text: &str| text.split_whitespace().collect::<String>();
                assert_eq!(letters(&lines.concat()), letters(text));
            }
        }
    }
}

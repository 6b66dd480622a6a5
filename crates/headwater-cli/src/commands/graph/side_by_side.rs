//! `--for DOCUMENT`: its co-derivatives, with what they share on both sides.

use std::io::Write;

use anstyle::Style;
use headwater::coderivative::{Relation, shared_passages};
use headwater::text::{Reading, Tokens};
use headwater_io::write::Output;

use super::Plan;
use super::gather::Documents;
use super::rows::{Offsets, PassageRow, rounded};
use crate::args::GraphArgs;
use crate::failure::Failure;
use crate::terminal::{Part, columns, count};

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

/// Columns of each side.
const SIDE: usize = 58;

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
            let (left, right) = (paragraph(left), paragraph(right));
            let plain = |text| [Part { text, style: Style::new() }];
            for line in columns(&plain(&left), &plain(&right), SIDE) {
                writeln!(out, "  {line}")?;
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

/// A text as one paragraph: layout is not what is compared.
fn paragraph(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

//! What was found, for people and for programs.

use std::collections::BTreeMap;
use std::fmt::Display;

use headwater_io::{Fields, Summary};
use serde_json::json;

use super::findings::Findings;
use crate::stream::mixed_times;
use crate::terminal::{bytes, count, percent};

/// Entries of a list that are shown to people; programs get all.
const SHOWN: usize = 12;

pub(super) fn text(findings: &Findings, summary: &Summary, fields: &Fields) -> String {
    let mut page = Page::default();
    page.line("documents", count(summary.documents));
    page.line("read", size(summary));
    page.list("formats", summary.formats.iter().map(|(format, documents)| (format.to_string(), *documents)));
    page.list("compression", summary.compressions.iter().map(|(kind, inputs)| (kind.to_string(), *inputs)));
    page.list("encodings", summary.encodings.iter().map(|(name, documents)| ((*name).to_owned(), *documents)));
    page.list("passed over", summary.passed_over.iter().map(|(kind, records)| (kind.clone(), *records)));
    if !summary.fields.is_empty() {
        let named = summary.fields.iter().map(|(name, records)| format!("{name} ({})", count(*records)));
        page.line("fields", shorten(named.collect()));
    }
    if findings.documents > 0 {
        contents(&mut page, findings, summary, fields);
    }
    if summary.lossy > 0 {
        page.line("undecodable", format_args!("{} documents have bytes that stand as U+FFFD", count(summary.lossy)));
    }
    page.line(
        "problems",
        if summary.problems == 0 { "none".into() } else { format!("{} records skipped", count(summary.problems)) },
    );
    let mut problems: Vec<_> = findings.problems.values().collect();
    problems.sort_by_key(|(times, _)| std::cmp::Reverse(*times));
    for (times, first) in problems.into_iter().take(SHOWN) {
        page.line("", format_args!("{} × {first}", count(*times)));
    }
    page.text
}

fn contents(page: &mut Page, findings: &Findings, summary: &Summary, fields: &Fields) {
    page.line("text", bytes(findings.bytes));
    let per = findings.tokens / findings.documents;
    let (shortest, longest) = (count(findings.shortest), count(findings.longest));
    page.line(
        "tokens",
        format_args!("{}; {} a document ({shortest} to {longest})", count(findings.tokens), count(per)),
    );
    page.line("shingles", format_args!("{} of {} tokens", count(findings.shingles), findings.k));
    if findings.too_short > 0 {
        let empty =
            if findings.empty > 0 { format!(", {} without any token", count(findings.empty)) } else { String::new() };
        page.line(
            "too short",
            format_args!("{} with fewer than {} tokens{empty}", count(findings.too_short), findings.k),
        );
    }
    match &summary.time_range {
        Some((first, last)) => page.line("times", format_args!("{first} to {last}{}", order(summary))),
        None => {
            page.line("times", format_args!("none: documents are taken in input order (no field {:?})", fields.time))
        }
    }
    page.line("addresses", format_args!("in {} documents", count(findings.with_url)));
    page.list("scripts", findings.scripts.clone().into_iter());
    let of = if findings.sampled < findings.documents {
        format!(" (of {} looked at)", count(findings.sampled))
    } else {
        String::new()
    };
    let languages = ranked(findings.languages.clone().into_iter());
    page.line("languages", format_args!("{}{of}", shorten(languages)));
    let most = findings.lengths.values().copied().max().unwrap_or(1);
    for (at, (bits, documents)) in findings.lengths.iter().enumerate() {
        let bar = "█".repeat((documents * 30).div_ceil(most) as usize);
        let below = if *bits == 0 {
            "0".to_owned()
        } else {
            format!("{} to {}", count(1 << (bits - 1)), count((1u64 << bits) - 1))
        };
        let label = if at == 0 { "lengths" } else { "" };
        page.line(label, format_args!("{below:>21} tokens {bar} {}", count(*documents)));
    }
}

fn size(summary: &Summary) -> String {
    match summary.bytes_decompressed {
        unpacked if unpacked > summary.bytes => format!("{}, {} decompressed", bytes(summary.bytes), bytes(unpacked)),
        _ => bytes(summary.bytes).to_string(),
    }
}

fn order(summary: &Summary) -> String {
    let mut said = String::new();
    if summary.late > 0 {
        said += &format!("; {} documents stand behind later ones (trace will sort them)", count(summary.late));
    } else {
        said += ", in order";
    }
    if summary.without_time > 0 {
        said += &format!(
            "; {} without a time ({})",
            count(summary.without_time),
            percent(summary.without_time as f64 / summary.documents as f64)
        );
    }
    if summary.has_mixed_times() {
        said += &format!("; {}", mixed_times(summary));
    }
    said
}

#[derive(Default)]
struct Page {
    text: String,
}

impl Page {
    fn line(&mut self, label: &str, value: impl Display) {
        self.text += &format!("{label:<12} {value}\n");
    }

    fn list(&mut self, label: &str, entries: impl Iterator<Item = (String, u64)>) {
        let entries = ranked(entries);
        if !entries.is_empty() {
            self.line(label, shorten(entries));
        }
    }
}

/// `name (count)`, the most frequent first.
fn ranked(entries: impl Iterator<Item = (String, u64)>) -> Vec<String> {
    let mut entries: Vec<_> = entries.collect();
    entries.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    entries.into_iter().map(|(name, times)| format!("{name} ({})", count(times))).collect()
}

fn shorten(entries: Vec<String>) -> String {
    let more = entries.len().saturating_sub(SHOWN);
    let shown = entries[..entries.len() - more].join(", ");
    if more == 0 { shown } else { format!("{shown} and {more} more") }
}

pub(super) fn json(findings: &Findings, summary: &Summary) -> serde_json::Result<String> {
    let times = summary.time_range.as_ref().map(|(first, last)| [first.to_string(), last.to_string()]);
    let problems: BTreeMap<_, _> = findings
        .problems
        .iter()
        .map(|(kind, (times, first))| (kind, json!({"count": times, "first": first})))
        .collect();
    let fields: BTreeMap<_, _> = summary.fields.iter().cloned().collect();
    let value = json!({
        "documents": summary.documents,
        "bytes": summary.bytes,
        "bytes_decompressed": summary.bytes_decompressed,
        "formats": summary.formats.iter().map(|(format, documents)| (format.to_string(), *documents)).collect::<BTreeMap<_, _>>(),
        "compressions": summary.compressions.iter().map(|(kind, inputs)| (kind.to_string(), *inputs)).collect::<BTreeMap<_, _>>(),
        "encodings": summary.encodings,
        "passed_over": summary.passed_over,
        "fields": fields,
        "text_bytes": findings.bytes,
        "tokens": findings.tokens,
        "shingles": findings.shingles,
        "too_short": findings.too_short,
        "empty": findings.empty,
        "shortest": if findings.documents > 0 { Some(findings.shortest) } else { None },
        "longest": findings.longest,
        "times": times,
        "without_time": summary.without_time,
        "late": summary.late,
        "with_url": findings.with_url,
        "scripts": findings.scripts,
        "languages": findings.languages,
        "languages_of": findings.sampled,
        "lossy": summary.lossy,
        "problems": summary.problems,
        "problem_kinds": problems,
    });
    Ok(serde_json::to_string_pretty(&value)? + "\n")
}

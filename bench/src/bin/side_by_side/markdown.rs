//! The record as Markdown: one file of tables, and the short table of the README.

use std::fmt::Write as _;

use crate::found::grouped;
use crate::goals::{self, SLICE};
use crate::growth::Curve;
use crate::jobs::{self, JOBS, Job};
use crate::record::{Record, Row, Spread};

/// The whole record.
pub fn write(record: &Record) -> String {
    let mut out = format!(
        "# Side by side, {}\n\nWritten by `bench/run`; the figures are in the file of the same name that ends in `.json`. {}, shared with \
         other work: CPU seconds count more than wall seconds. Every row is the median of its runs, with the least and the most in \
         brackets where there were several; contenders of a table ran in turns. MB are those of the slice as JSONL. Peak memory is \
         that of the largest process. MB per CPU-second of different jobs must not be divided by each other.\n",
        record.date, record.machine
    );
    goals_section(record, &mut out);
    for job in JOBS {
        table(record, job, &mut out);
    }
    growth(record, &mut out);
    limits(record, &mut out);
    instructions(record, &mut out);
    out
}

fn goals_section(record: &Record, out: &mut String) {
    out.push_str("\n## Goals\n\nOn the slice of 200 MB.\n\n| goal | wanted | measured | |\n|---|---|---|---|\n");
    for verdict in &record.goals {
        let measured = verdict.measured.map_or("not measured".into(), figure);
        let said = match (verdict.measured, verdict.is_met) {
            (None, _) => "",
            (_, true) => "met",
            (_, false) => "**missed**",
        };
        let _ = writeln!(out, "| {} | {} | {measured} | {said} |", verdict.goal, figure(verdict.wanted));
    }
    let missed = goals::missed(&record.goals);
    if !missed.is_empty() {
        out.push_str("\nWhy goals were missed, and what would be needed:\n\n");
    }
    for (goals, reason) in missed {
        let _ = writeln!(out, "- *{}.* {reason}", goals.join("; "));
    }
}

fn table(record: &Record, job: &Job, out: &mut String) {
    let rows: Vec<&Row> = record.rows.iter().filter(|row| row.job == job.key).collect();
    if rows.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n## {}\n\n{}\n", job.title, job.note);
    out.push_str(
        "| who | MB | MB/CPU-s | CPU s | wall s | peak MB | found | agreement: found, right | of the limit |\n\
         |---|---|---|---|---|---|---|---|---|\n",
    );
    for row in rows {
        line(record, row, out);
    }
}

fn line(record: &Record, row: &Row, out: &mut String) {
    let contender = jobs::contender(&row.job, &row.contender);
    let remark = contender.map_or("", |contender| contender.remark);
    let name = match contender.is_some_and(|contender| contender.is_ours) {
        true => format!("**{}**", row.name()),
        false => row.name().to_owned(),
    };
    let name = if remark.is_empty() { name } else { format!("{name} ({remark})") };
    let Some(taken) = &row.taken else {
        let why = row.failed.as_deref().unwrap_or("nothing was measured");
        let _ = writeln!(out, "| {name} | {} | – | | | | {} | | |", size(row), escape(why));
        return;
    };
    let found = row.found.as_ref();
    let agreement = found.and_then(|found| found.agreement);
    let _ = writeln!(
        out,
        "| {name} | {} | {} | {} | {} | {} | {} | {} | {} |",
        size(row),
        row.speed().map_or(String::new(), figure),
        spread(&taken.cpu, 1.0),
        spread(&taken.wall, 1.0),
        figure(taken.peak.median / 1e6),
        found.map_or(String::new(), |found| escape(&found.told)),
        agreement.map_or(String::new(), |both| format!("{:.2} %, {:.2} %", 100.0 * both.found, 100.0 * both.right)),
        record.share_of_limit(row).map_or(String::new(), |share| format!("{:.0} %", 100.0 * share)),
    );
}

fn growth(record: &Record, out: &mut String) {
    if record.growth.is_empty() {
        return;
    }
    out.push_str(
        "\n## Growth\n\nCPU seconds / peak MB at each size in MB; time and memory are proportional to the size to the power of the last two \
         columns, fitted by least squares over logarithms.\n\n| who | text | sizes | time | memory |\n|---|---|---|---|---|\n",
    );
    for curve in &record.growth {
        let points = curve.points.iter().map(|point| {
            format!("{:.0}: {} / {}", point.bytes as f64 / 1e6, figure(point.cpu), figure(point.peak / 1e6))
        });
        let text = if curve.is_generated { "generated" } else { "documentation" };
        let points = points.collect::<Vec<_>>().join("; ");
        let _ = writeln!(
            out,
            "| {} | {text} | {points} | {:.2} | {:.2} |",
            curve_name(curve),
            curve.time_exponent,
            curve.memory_exponent
        );
    }
}

fn limits(record: &Record, out: &mut String) {
    if record.limits.is_empty() {
        return;
    }
    out.push_str(
        "\n## The machine's limits\n\nOne core, in memory (`cargo bench --bench limits`), built for any x86-64 as the program is; medians.\n\n\
         | kernel | MB/s | ns a probe |\n|---|---|---|\n",
    );
    for limit in &record.limits {
        let _ = writeln!(
            out,
            "| {} | {} | {} |",
            limit.kernel,
            limit.megabytes_per_second.map_or(String::new(), figure),
            limit.nanoseconds.map_or(String::new(), figure)
        );
    }
}

fn instructions(record: &Record, out: &mut String) {
    if record.instructions.is_empty() {
        return;
    }
    out.push_str(
        "\n## Instructions\n\nOf the hot kernels on a fixed generated input, by callgrind; the change is against `bench/instructions.tsv`.\n\n\
         | kernel | instructions | change |\n|---|---|---|\n",
    );
    for count in &record.instructions {
        let change = count.change().map_or("new".into(), |change| format!("{:+.2} %", 100.0 * change));
        let _ = writeln!(out, "| {} | {} | {change} |", count.kernel, grouped(count.instructions));
    }
}

/// The rows of the README: a job, ours, and who else does it.
const SHORT: [(&str, &str); 11] = [
    ("trace", "1024-1"),
    ("graph", "default"),
    ("graph", "suffix-bytes"),
    ("graph", "dolma"),
    ("cluster", "minhash"),
    ("cluster", "minhash-one"),
    ("cluster", "shingles"),
    ("cluster", "gaoya-crate"),
    ("cluster", "gaoya"),
    ("cluster", "rensa"),
    ("cluster", "datasketch"),
];

/// The table of the README, from the slice on which goals are judged, or from the largest that was measured.
pub fn short(record: &Record) -> String {
    let mut out = String::from(
        "| who | MB | MB per CPU-second | peak MB | found | agreement: found, right |\n|---|---|---|---|---|---|\n",
    );
    for (job, contender) in SHORT {
        let rows = record.rows.iter().filter(|row| row.job == job && row.contender == contender && row.taken.is_some());
        let row = record
            .row(job, contender, SLICE)
            .filter(|row| row.taken.is_some())
            .or_else(|| rows.max_by_key(|row| row.bytes));
        let Some((row, taken)) = row.and_then(|row| Some((row, row.taken.as_ref()?))) else { continue };
        let found = row.found.as_ref();
        let agreement = found.and_then(|found| found.agreement);
        let is_ours = jobs::contender(job, contender).is_some_and(|contender| contender.is_ours);
        let (open, close) = if is_ours { ("`", "`") } else { ("", "") };
        let _ = writeln!(
            out,
            "| {open}{}{close} | {} | {} | {} | {} | {} |",
            row.name(),
            size(row),
            row.speed().map_or(String::new(), figure),
            figure(taken.peak.median / 1e6),
            found.map_or(String::new(), |found| escape(&found.told)),
            agreement.map_or(String::new(), |both| format!("{:.1} %, {:.1} %", 100.0 * both.found, 100.0 * both.right)),
        );
    }
    out
}

/// What a curve is called.
pub fn curve_name(curve: &Curve) -> &str {
    jobs::contender(&curve.job, &curve.contender).map_or(&curve.contender, |contender| contender.name)
}

/// Three figures that count.
pub fn figure(value: f64) -> String {
    match value {
        _ if value >= 1000.0 => grouped(value.round() as u64),
        _ if value >= 100.0 => format!("{value:.0}"),
        _ if value >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

/// A median with its ends, where they differ.
pub fn spread(spread: &Spread, unit: f64) -> String {
    let median = figure(spread.median / unit);
    if spread.low == spread.high {
        return median;
    }
    format!("{median} ({}–{})", figure(spread.low / unit), figure(spread.high / unit))
}

fn size(row: &Row) -> String {
    let kind = if row.size.starts_with('g') { " generated" } else { "" };
    format!("{:.0}{kind}", row.bytes as f64 / 1e6)
}

fn escape(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_three_places() {
        assert_eq!([0.034, 3.456, 34.56, 345.6, 3456.7].map(figure), ["0.03", "3.46", "34.6", "346", "3,457"]);
        assert_eq!(spread(&Spread { median: 2.0, low: 1.0, high: 3.0 }, 1.0), "2.00 (1.00–3.00)");
        assert_eq!(spread(&Spread { median: 2.0, low: 2.0, high: 2.0 }, 1.0), "2.00");
    }
}

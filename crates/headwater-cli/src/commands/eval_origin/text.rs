//! The answer for people: a line for each combination, a column for each amount of memory.

use std::fmt::Write as _;

use super::answer::{Answer, averages};
use crate::terminal::{bytes, count};

pub(super) fn text(answer: &Answer) -> String {
    let mut page = facts(answer);
    let groups = answer.by_combination();
    // Combinations that were given the same memory stand under one head.
    for part in groups.chunk_by(|one, next| sizes(&one.1) == sizes(&next.1)) {
        page.push('\n');
        let rows = &part[0].1;
        let mut table = vec![head("DO/TF in per cent", rows.iter().map(|row| format!("{} %", row.share)).collect())];
        let sizes = rows.iter().map(|row| bytes(row.bytes as u64).to_string()).collect();
        table.push(line(String::new(), sizes, ["", "", ""].map(str::to_owned)));
        for (name, rows) in part {
            let (origin, freshness, overall) = averages(rows);
            let cells =
                rows.iter().map(|row| format!("{}/{}", percent(row.dominant_origin), percent(row.token_freshness)));
            let ssr = rows.iter().map(|row| row.ssr).sum::<f64>() / rows.len() as f64;
            let last = [format!("{}/{}", percent(origin), percent(freshness)), percent(overall), percent(ssr)];
            table.push(line(name.clone(), cells.collect(), last));
        }
        aligned(&table, &mut page);
    }
    page
}

pub(super) fn facts(answer: &Answer) -> String {
    format!(
        "{} documents, {} shingles, {} of them different; {} % are copied, in blocks of {:.0} tokens on average\n\
         {} % of the documents have a dominant origin; of the {} queries {} % are their own; {} % of their tokens are fresh\n",
        count(answer.documents),
        count(answer.shingles),
        count(answer.distinct_shingles),
        percent(answer.copy_ratio),
        answer.block_tokens,
        percent(answer.with_dominant_origin),
        count(answer.queries),
        percent(answer.self_dominant),
        percent(answer.fresh_tokens),
    )
}

/// A share as the paper prints it.
pub(super) fn percent(share: f64) -> String {
    format!("{:.1}", share * 100.0)
}

fn sizes(rows: &[&super::EvalRow]) -> Vec<usize> {
    rows.iter().map(|row| row.bytes).collect()
}

fn head(what: &str, cells: Vec<String>) -> Vec<String> {
    line(what.into(), cells, ["average", "overall", "ssr"].map(str::to_owned))
}

fn line(name: String, cells: Vec<String>, last: [String; 3]) -> Vec<String> {
    [name].into_iter().chain(cells).chain(last).collect()
}

/// Columns as wide as their widest cell; the first is flush left.
fn aligned(table: &[Vec<String>], page: &mut String) {
    let columns = table.iter().map(Vec::len).max().unwrap_or(0);
    let width = |at: usize| table.iter().filter_map(|line| line.get(at)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|at| width(at).unwrap_or(0)).collect();
    for line in table {
        let mut out = String::new();
        for (at, cell) in line.iter().enumerate() {
            let _ =
                if at == 0 { write!(out, "{cell:<0$}", widths[0]) } else { write!(out, "  {cell:>0$}", widths[at]) };
        }
        page.push_str(out.trim_end());
        page.push('\n');
    }
}

//! The paper's layout: a row for each score, a column for each threshold, its own values in brackets behind ours.

use std::fmt::Write as _;

use super::{Answer, Row};

/// Thresholds of a score.
const COLUMNS: usize = 5;

/// Table 2: coverage in per cent on the paper's *webdata + xml*, every chunk; one cell cannot be read any more.
const WEBDATA: [[&str; COLUMNS]; 4] = [
    ["100.0", "–", "97.2", "36.1", "8.3"],
    ["100.0", "100.0", "100.0", "83.3", "58.3"],
    ["100.0", "100.0", "91.7", "72.2", "52.8"],
    ["100.0", "100.0", "97.2", "91.7", "58.3"],
];

/// Tables 3 and 4: coverage and average precision in per cent on the paper's *linuxdocs*, for modulo 1, 16 and 256.
const LINUXDOCS: [(u32, [[&str; COLUMNS]; 4]); 3] = [
    (
        1,
        [
            ["100/70", "89/71", "56/93", "36/95", "34/100"],
            ["100/57", "100/75", "100/92", "89/94", "57/100"],
            ["98/75", "96/84", "94/100", "84/100", "47/100"],
            ["99/83", "96/91", "94/100", "78/100", "30/100"],
        ],
    ),
    (
        16,
        [
            ["90/72", "88/76", "56/94", "36/96", "34/100"],
            ["90/75", "90/75", "80/94", "78/100", "57/100"],
            ["88/82", "86/91", "74/100", "74/100", "47/100"],
            ["88/85", "86/93", "86/93", "69/100", "60/100"],
        ],
    ),
    (
        256,
        [
            ["54/95", "54/95", "54/95", "54/95", "34/97"],
            ["54/97", "54/97", "54/97", "54/97", "44/97"],
            ["54/97", "54/100", "54/100", "51/100", "42/100"],
            ["54/97", "54/100", "54/100", "44/100", "31/100"],
        ],
    ),
];

pub(super) fn show(answer: &Answer) -> String {
    let mut page = String::new();
    for rows in answer.rows.chunk_by(|one, next| one.modulo == next.modulo) {
        let modulo = rows[0].modulo;
        if modulo == 1 {
            let heading = "Table 2: coverage in per cent (the paper's on webdata + xml)";
            table(&mut page, heading, rows, Some(&WEBDATA), |cell| format!("{:.1}", cell.coverage * 100.0));
        }
        let number = if modulo == 1 { "Table 3" } else { "Table 4" };
        let heading =
            format!("{number}, modulo {modulo}: coverage/average precision in per cent (the paper's on linuxdocs)");
        let paper = LINUXDOCS.iter().find(|table| table.0 == modulo).map(|table| &table.1);
        table(&mut page, &heading, rows, paper, |cell| {
            format!("{:.0}/{:.0}", cell.coverage * 100.0, cell.average_precision * 100.0)
        });
        let heading = format!("Density in per cent, F1 of coverage and density, and edges; modulo {modulo}");
        table(&mut page, &heading, rows, None, |cell| {
            format!("{:.0}, {:.3}, {}", cell.density * 100.0, cell.f1, cell.edges)
        });
    }
    page
}

fn table(
    page: &mut String,
    heading: &str,
    rows: &[Row],
    paper: Option<&[[&str; COLUMNS]; 4]>,
    show: impl Fn(&Row) -> String,
) {
    let _ = writeln!(page, "{heading}\n\n| | T1 | T2 | T3 | T4 | T5 |\n|---|---|---|---|---|---|");
    for (at, row) in rows.chunks(COLUMNS).enumerate() {
        let _ = write!(page, "| {} |", row[0].score);
        for (column, cell) in row.iter().enumerate() {
            let _ = write!(page, " {}", show(cell));
            if let Some(paper) = paper.and_then(|rows| rows.get(at)) {
                let _ = write!(page, " ({})", paper[column]);
            }
            page.push_str(" |");
        }
        page.push('\n');
    }
    page.push('\n');
}

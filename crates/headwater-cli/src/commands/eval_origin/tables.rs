//! Tables 1 to 11 and the data of Figure 2 in the paper's own layout: ours first, the paper's in brackets.

use std::fmt::Write as _;

use super::EvalRow;
use super::answer::{Answer, averages};
use super::paper::{self, BEST, Halves, PRINTED, SIZES};
use super::text::{facts, percent};
use crate::args::SHARES;
use crate::terminal::{bytes, count};

/// The tables of these numbers; 12 is Figure 2.
pub(super) fn tables(answer: &Answer, numbers: &[usize]) -> String {
    let mut page = facts(answer);
    page += "\nIn brackets: what the paper has on its blogs (Swiss where it says so). Memory is headed by the paper's m in MB; the\n\
             share of all distinct shingles that m holds at 14 bytes each is the same here as there. JHb and JDct are Hb and Dct with short\n\
             segments joined to what follows, which is how they come to the paper's shares.\n";
    let mut sheet = Sheet { answer, page };
    for number in numbers {
        match number {
            1 => sheet.table_1(),
            2 => sheet.table_2(),
            3 => sheet.table_3(),
            4 => sheet.table_4(),
            5 => sheet.table_5(),
            6 => sheet.table_6(),
            7 => sheet.table_7(),
            8 => sheet.halves(8, ["All", "NHs"], ["R", "LRU", "CC", "LS"], &paper::TABLE_8, |half, column| {
                (["All", "NHs"][half], ["R", "LRU", "CC", "LS"][column], "NB")
            }),
            9 => sheet.halves(9, ["NHs + CC", "NHs + LS"], ESTIMATES, &paper::TABLE_9, |half, column| {
                ("NHs", ["CC", "LS"][half], ESTIMATES[column])
            }),
            10 => sheet.halves(10, ["All + CC", "All + LS"], ESTIMATES, &paper::TABLE_10, |half, column| {
                ("All", ["CC", "LS"][half], ESTIMATES[column])
            }),
            11 => sheet.table_11(),
            12 => sheet.figure_2(),
            _ => {}
        }
    }
    sheet.page
}

const ESTIMATES: [&str; 4] = ["NB", "E", "B", "BE"];
/// The paper's versions of the experiment on selections: A without further intelligence, B its best.
const VERSIONS: [(&str, &str, &str); 2] = [("A", "R", "NB"), ("B", "LS", "BE")];

type Value = fn(&EvalRow) -> f64;
const ORIGIN: Value = |row| row.dominant_origin;
const FRESHNESS: Value = |row| row.token_freshness;

struct Sheet<'a> {
    answer: &'a Answer,
    page: String,
}

impl Sheet<'_> {
    fn title(&mut self, title: &str) {
        let _ = write!(self.page, "\n{title}\n\n");
    }

    fn line(&mut self, cells: impl IntoIterator<Item = String>) {
        let cells: Vec<String> = cells.into_iter().collect();
        let _ = writeln!(self.page, "| {} |", cells.join(" | "));
    }

    fn head(&mut self, cells: impl IntoIterator<Item = String>) {
        let cells: Vec<String> = cells.into_iter().collect();
        let columns = cells.len();
        self.line(cells);
        let _ = writeln!(self.page, "|{}", "---|".repeat(columns));
    }

    /// The rows of a combination of the paper's, the largest memory first.
    fn rows(&self, select: &str, evict: &str, estimate: &str) -> Vec<&EvalRow> {
        self.answer.rows.iter().filter(|row| row.is(select, evict, estimate)).collect()
    }

    fn at(&self, (select, evict, estimate): (&str, &str, &str), size: usize, value: Value) -> Option<f64> {
        let rows = self.rows(select, evict, estimate);
        rows.iter().find(|row| row.share == SHARES[size]).map(|row| value(row))
    }

    fn average(&self, (select, evict, estimate): (&str, &str, &str), value: Value) -> Option<f64> {
        let rows = self.rows(select, evict, estimate);
        let all = rows.iter().map(|row| value(row)).sum::<f64>();
        (!rows.is_empty()).then(|| all / rows.len() as f64)
    }

    fn overall(&self, (select, evict, estimate): (&str, &str, &str)) -> Option<f64> {
        let rows = self.rows(select, evict, estimate);
        (!rows.is_empty()).then(|| averages(&rows).2)
    }

    fn table_1(&mut self) {
        self.title("Table 1: statistics of the data set (and from 3.2: queries that are their own dominant origin, fresh tokens of queries)");
        let heads = [
            "data set",
            "# of documents",
            "# of shingles",
            "avg # of shingles per doc",
            "with dom. origin",
            "avg size of cop. blocks",
            "shingle copy ratio",
            "own dominant",
            "fresh",
        ];
        self.head(heads.map(str::to_owned));
        let answer = self.answer;
        self.line([
            "yours".to_owned(),
            count(answer.documents).to_string(),
            count(answer.shingles).to_string(),
            format!("{:.0}", answer.shingles as f64 / answer.documents as f64),
            format!("{:.0}%", answer.with_dominant_origin * 100.0),
            format!("{:.0}", answer.block_tokens),
            format!("{:.2}", answer.copy_ratio),
            format!("{:.0}%", answer.self_dominant * 100.0),
            format!("{:.0}%", answer.fresh_tokens * 100.0),
        ]);
        for (name, cells) in paper::TABLE_1 {
            self.line([name.to_owned()].into_iter().chain(cells.map(str::to_owned)));
        }
    }

    fn table_2(&mut self) {
        self.title("Table 2: hash table sizes and the percentage of all distinct shingles that fit");
        self.head(["m".to_owned()].into_iter().chain(SIZES.map(|size| size.to_string())));
        let distinct = self.answer.distinct_shingles as f64;
        let sizes = SHARES.map(|share| format!("{share} ({})", bytes((share / 100.0 * distinct * 14.0) as u64)));
        self.line(["yours (bytes)".to_owned()].into_iter().chain(sizes));
        for (name, shares) in ["Blogs", "Swiss"].iter().zip(paper::TABLE_2) {
            self.line([(*name).to_owned()].into_iter().chain(shares.map(|share| share.to_string())));
        }
    }

    fn table_3(&mut self) {
        self.title("Table 3: percentage of shingles sent to the hash table");
        for line in paper::TABLE_3.chunks(11) {
            self.head(line.iter().map(|(name, _)| (*name).to_owned()));
            let cells: Vec<String> = line
                .iter()
                .map(|(name, ssr)| {
                    let ours = self.answer.rows.iter().find(|row| row.select.as_deref() == Some(name));
                    cell(ours.map(|row| row.ssr), *ssr)
                })
                .collect();
            self.line(cells);
            self.page.push('\n');
        }
    }

    fn table_4(&mut self) {
        self.title("Table 4: DO of the best selections with random eviction and no estimation (R+NB)");
        self.head(["m".to_owned()].into_iter().chain(BEST.map(str::to_owned)));
        for (size, values) in paper::TABLE_4[..8].iter().enumerate() {
            let cells = BEST.map(|select| self.at((select, "R", "NB"), size, ORIGIN));
            self.best_line(&SIZES[size].to_string(), &cells, values);
        }
        let cells = BEST.map(|select| self.average((select, "R", "NB"), ORIGIN));
        self.best_line("AvgDO", &cells, &paper::TABLE_4[8]);
    }

    fn table_5(&mut self) {
        self.title("Table 5: DO of the best selections with lucky eviction and BE estimation (LS+BE)");
        self.head(["m".to_owned()].into_iter().chain(BEST.map(str::to_owned)));
        self.best_lines("LS", "BE", ORIGIN, "AvgDO", &paper::TABLE_5);
    }

    fn table_6(&mut self) {
        self.title("Table 6: TF of the best selections");
        for ((version, evict, estimate), values) in VERSIONS.iter().zip(&paper::TABLE_6) {
            self.head([format!("Version {version}: {evict}+{estimate}")].into_iter().chain(BEST.map(str::to_owned)));
            self.best_lines(evict, estimate, FRESHNESS, "AvgTF", values);
            self.page.push('\n');
        }
    }

    fn best_lines(&mut self, evict: &str, estimate: &str, value: Value, last: &str, paper: &[[f64; 7]; 4]) {
        for (values, size) in paper.iter().zip(PRINTED) {
            let cells = BEST.map(|select| self.at((select, evict, estimate), size, value));
            self.best_line(&SIZES[size].to_string(), &cells, values);
        }
        let cells = BEST.map(|select| self.average((select, evict, estimate), value));
        self.best_line(last, &cells, &paper[3]);
    }

    fn best_line(&mut self, name: &str, ours: &[Option<f64>], paper: &[f64]) {
        let cells = ours.iter().zip(paper).map(|(ours, paper)| cell(*ours, *paper));
        let line: Vec<String> = [name.to_owned()].into_iter().chain(cells).collect();
        self.line(line);
    }

    fn table_7(&mut self) {
        self.title("Table 7: the overall score, the mean of average DO and average TF");
        self.head(["Data & Version".to_owned()].into_iter().chain(BEST.map(str::to_owned)));
        for (version, evict, estimate) in VERSIONS {
            let cells = BEST.map(|select| self.overall((select, evict, estimate)));
            let papers = paper::TABLE_7.iter().filter(|(name, _)| name.ends_with(version)).map(|(_, values)| values);
            let papers: Vec<_> = papers.collect();
            let line: Vec<String> = [format!("yours {version} (blogs, Swiss)")]
                .into_iter()
                .chain(
                    (0..BEST.len())
                        .map(|at| format!("{} ({:.1}, {:.1})", shown(cells[at]), papers[0][at], papers[1][at])),
                )
                .collect();
            self.line(line);
        }
        self.title("All selections of Table 3 (3.4): average DO, average TF and overall score of versions A and B, the best overall of B first");
        self.head(["selection", "ssr", "A: DO", "TF", "overall", "B: DO", "TF", "overall"].map(str::to_owned));
        let mut lines: Vec<(f64, Vec<String>)> = Vec::new();
        for name in paper::TABLE_3.iter().map(|(name, _)| *name).chain(["All"]) {
            let mut cells = vec![name.to_owned()];
            let mut best = 0.0;
            for (version, evict, estimate) in VERSIONS {
                let rows = self.rows(name, evict, estimate);
                let (origin, freshness, overall) = averages(&rows);
                if version == "A" {
                    cells.push(rows.first().map_or_else(|| "–".into(), |row| percent(row.ssr)));
                }
                cells.extend([origin, freshness, overall].map(percent));
                best = overall;
            }
            lines.push((best, cells));
        }
        lines.sort_by(|one, other| other.0.total_cmp(&one.0));
        lines.into_iter().for_each(|(_, cells)| self.line(cells));
    }

    fn halves<'n>(
        &mut self,
        number: usize,
        halves: [&str; 2],
        columns: [&str; 4],
        paper: &Halves,
        names: impl Fn(usize, usize) -> (&'n str, &'n str, &'n str),
    ) {
        let about = match number {
            8 => "all eviction algorithms without estimation",
            9 => "all estimation algorithms with NHs",
            _ => {
                "all estimation algorithms with All (the paper prints its halves exchanged; here they are in their places)"
            }
        };
        self.title(&format!("Table {number}: DO and TF of {about}"));
        let heads = halves.iter().flat_map(|half| columns.map(|column| format!("{half}: {column}")));
        let heads: Vec<String> = ["m".to_owned()].into_iter().chain(heads).collect();
        self.head(heads);
        let all: Vec<_> = (0..8).map(|at| names(at / 4, at % 4)).collect();
        for (title, value, values) in
            [("Dominant Origin", ORIGIN, &paper.origin), ("Token Freshness", FRESHNESS, &paper.freshness)]
        {
            for (values, size) in values.iter().zip(PRINTED) {
                let cells: Vec<_> = all.iter().map(|names| self.at(*names, size, value)).collect();
                self.best_line(&format!("{title} {}", SIZES[size]), &cells, values);
            }
            let cells: Vec<_> = all.iter().map(|names| self.average(*names, value)).collect();
            self.best_line(&format!("{title} Avg"), &cells, &values[3]);
        }
        let cells: Vec<_> = all.iter().map(|names| self.overall(*names)).collect();
        self.best_line("Overall Score", &cells, &paper.overall);
    }

    fn table_11(&mut self) {
        self.title("Table 11: extra-labelled shingles and their accuracy, NHs+LS+BE");
        self.head(["m", "number of extra-labeled shingles", "Accuracy"].map(str::to_owned));
        for (size, (number, accuracy)) in paper::TABLE_11.into_iter().enumerate() {
            let row = self.rows("NHs", "LS", "BE").into_iter().find(|row| row.share == SHARES[size]);
            let ours = row.and_then(|row| row.extra_labelled);
            let ours = ours.map_or_else(|| "–".to_owned(), |number| count(number).to_string());
            let right = cell(row.and_then(|row| row.extra_accuracy), accuracy);
            self.line([SIZES[size].to_string(), format!("{ours} ({})", count(number.into())), right]);
        }
    }

    fn figure_2(&mut self) {
        self.title("Figure 2: DO against document length in tokens (the paper prints a picture and no figures)");
        for (name, rows) in self.answer.by_combination() {
            let first = rows.first().filter(|row| row.algorithm == "headwater" || row.is("NHs", "LS", "BE"));
            let Some(lengths) = first.map(|row| &row.by_length) else { continue };
            let heads = lengths.iter().map(|length| format!("{}– ({} queries)", length.from, count(length.queries)));
            self.head([format!("{name}, m")].into_iter().chain(heads).collect::<Vec<_>>());
            for (size, row) in SIZES.iter().zip(&rows) {
                let cells = row.by_length.iter().map(|length| percent(length.dominant_origin));
                self.line([size.to_string()].into_iter().chain(cells).collect::<Vec<_>>());
            }
            self.page.push('\n');
        }
    }
}

/// Our share in per cent, and the paper's percentage in brackets.
fn cell(ours: Option<f64>, paper: f64) -> String {
    format!("{} ({paper})", shown(ours))
}

fn shown(ours: Option<f64>) -> String {
    ours.map_or_else(|| "–".to_owned(), percent)
}

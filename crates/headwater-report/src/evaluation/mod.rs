//! The page of an evaluation of origins: accuracy against memory, against what is sent to the table, and against length.

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::page::Page;
use crate::plot::{self, Axis, MOST_SERIES, Plot, PlotPoint, Series, escape};

const PAGE: Page = Page { title: "how good the answers are", style: include_str!("page.css"), body: "", script: "" };

/// All that the page shows.
pub struct EvaluationPage {
    /// What is known of the collection: a figure, and what it is.
    pub facts: Vec<(String, String)>,
    /// One for each algorithm, in the order in which they were asked for.
    pub algorithms: Vec<Algorithm>,
}

/// An algorithm at several amounts of memory.
pub struct Algorithm {
    /// Its name.
    pub name: String,
    /// Which part of all shingles it sends to its table, from 0 to 1.
    pub ssr: f64,
    /// Its scores, one for each amount of memory.
    pub scores: Vec<Score>,
}

/// The scores with one amount of memory.
pub struct Score {
    /// Bytes of the table.
    pub bytes: u64,
    /// The same as people read it.
    pub memory: String,
    /// Per cent of all distinct shingles, at 14 bytes each.
    pub share: f64,
    /// DO, from 0 to 1.
    pub dominant_origin: f64,
    /// TF, from 0 to 1.
    pub token_freshness: f64,
    /// Shingles that were labelled without being found, and which part of them rightly.
    pub extra: Option<(u64, f64)>,
    /// For each class of length: its least number of tokens, its queries, and DO.
    pub by_length: Vec<(u64, u64, f64)>,
}

impl Algorithm {
    fn mean(&self, value: fn(&Score) -> f64) -> f64 {
        self.scores.iter().map(value).sum::<f64>() / self.scores.len().max(1) as f64
    }

    /// The mean of average DO and average TF.
    fn overall(&self) -> f64 {
        (self.mean(|score| score.dominant_origin) + self.mean(|score| score.token_freshness)) / 2.0
    }

    fn memories(&self) -> usize {
        self.scores.len()
    }
}

impl EvaluationPage {
    /// Writes the page.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let mut body = String::from("<main><header><h1>How good the answers are</h1>");
        body.push_str("<p class=\"soft\">The experiment of <i>Detecting the Origin of Text Segments Efficiently</i> (WWW 2009, section 3) \
            on these documents. DO: the share of queries whose dominant origin was named. TF: the share of their tokens rightly called \
            fresh or old. ssr: the share of all shingles that is sent to the table.</p></header>");
        body.push_str("<ul class=\"facts\">");
        for (figure, meaning) in &self.facts {
            let _ = write!(body, "<li><b>{}</b><span>{}</span></li>", escape(figure), escape(meaning));
        }
        body.push_str("</ul><div class=\"plots\">");
        self.plots().iter().for_each(|plot| body.push_str(&plot.draw()));
        body.push_str("</div>");
        body.push_str(&self.table());
        body.push_str("</main>\n");
        PAGE.write_drawn(plot::STYLE, &body, out)
    }

    fn plots(&self) -> Vec<Plot> {
        let mut plots = Vec::new();
        let shown = self.shown();
        if shown.iter().any(|algorithm| algorithm.memories() > 1) {
            plots.push(self.against_memory(&shown, "Dominant origin", "DO", |score| score.dominant_origin));
            plots.push(self.against_memory(&shown, "Token freshness", "TF", |score| score.token_freshness));
        }
        if self.algorithms.len() > 1 {
            plots.push(self.against_traffic(&shown));
        }
        plots.extend(shown.iter().take(2).filter_map(|algorithm| against_length(algorithm)));
        plots.extend(extra_labelled(&shown));
        plots
    }

    /// As many as a plot can hold: those asked for first, or where there are more the best.
    fn shown(&self) -> Vec<&Algorithm> {
        let mut shown: Vec<&Algorithm> = self.algorithms.iter().collect();
        if shown.len() > MOST_SERIES {
            shown.sort_by(|one, other| other.overall().total_cmp(&one.overall()));
            shown.truncate(MOST_SERIES);
        }
        shown
    }

    fn against_memory(&self, shown: &[&Algorithm], what: &str, metric: &str, value: fn(&Score) -> f64) -> Plot {
        let series: Vec<Series> = shown
            .iter()
            .enumerate()
            .map(|(style, algorithm)| Series {
                name: algorithm.name.clone(),
                style,
                points: ascending(algorithm)
                    .map(|score| PlotPoint {
                        x: score.bytes as f64,
                        y: value(score),
                        note: format!("{metric} {:.1} % at {}", value(score) * 100.0, score.memory),
                    })
                    .collect(),
            })
            .collect();
        let y = Axis::percent(&format!("{metric} in per cent"), values(&series).into_iter());
        let mut caption = format!("The vertical axis begins at {}.", y.beginning());
        if self.algorithms.len() > shown.len() {
            caption += &format!(
                " The {} best of {} by their overall score; all are in the table.",
                shown.len(),
                self.algorithms.len()
            );
        }
        Plot {
            title: format!("{what} against memory"),
            caption,
            x: memory_axis(shown),
            y,
            series,
            is_scatter: false,
            limit: None,
        }
    }

    fn against_traffic(&self, shown: &[&Algorithm]) -> Plot {
        let style_of = |algorithm: &Algorithm| shown.iter().position(|one| one.name == algorithm.name);
        let series: Vec<Series> = self
            .algorithms
            .iter()
            .map(|algorithm| Series {
                name: algorithm.name.clone(),
                style: style_of(algorithm).unwrap_or(MOST_SERIES - 1),
                points: vec![PlotPoint {
                    x: algorithm.ssr,
                    y: algorithm.overall(),
                    note: format!("overall {:.1} % at ssr {:.1} %", algorithm.overall() * 100.0, algorithm.ssr * 100.0),
                }],
            })
            .collect();
        let y = Axis::percent("overall score in per cent", values(&series).into_iter());
        let traffic = self.algorithms.iter().map(|algorithm| algorithm.ssr);
        let x = Axis::percent("ssr: shingles sent to the table, in per cent of all", traffic.clone().chain([0.05]));
        Plot {
            title: "Quality against traffic".into(),
            caption: format!(
                "The overall score is the mean of average DO and average TF over all amounts of memory. The vertical axis begins at {}.",
                y.beginning()
            ),
            limit: traffic.fold(0.0, f64::max).ge(&0.24).then(|| (0.25, "the paper’s limit".to_owned())),
            x,
            y,
            series,
            is_scatter: true,
        }
    }

    fn table(&self) -> String {
        let mut out = String::from(
            "<div class=\"wide\"><table><thead><tr><th>algorithm</th><th>memory</th><th>share</th><th>DO</th><th>TF</th><th>ssr</th>\
             <th>extra-labelled</th><th>of them right</th></tr></thead><tbody>",
        );
        for algorithm in &self.algorithms {
            for score in &algorithm.scores {
                let (number, right) = score.extra.map_or_else(Default::default, |(number, right)| {
                    (grouped(number), if number > 0 { percent(right) } else { String::new() })
                });
                let _ = write!(
                    out,
                    "<tr><td>{}</td><td>{}</td><td>{} %</td><td>{}</td><td>{}</td><td>{}</td><td>{number}</td><td>{right}</td></tr>",
                    escape(&algorithm.name),
                    escape(&score.memory),
                    score.share,
                    percent(score.dominant_origin),
                    percent(score.token_freshness),
                    percent(algorithm.ssr),
                );
            }
        }
        out + "</tbody></table></div>"
    }
}

/// Of fewer queries a share says nothing.
const LEAST_QUERIES: u64 = 5;

/// Figure 2 of the paper: a line for each amount of memory, the largest first, as far as they can be told apart.
fn against_length(algorithm: &Algorithm) -> Option<Plot> {
    let mut scores: Vec<&Score> = ascending(algorithm).collect();
    scores.reverse();
    let classes = scores.iter().flat_map(|score| &score.by_length).filter(|class| class.1 >= LEAST_QUERIES);
    let lengths: std::collections::BTreeMap<u64, u64> = classes.map(|class| (class.0, class.1)).collect();
    if lengths.len() < 2 {
        return None;
    }
    let series: Vec<Series> = scores
        .into_iter()
        .take(MOST_SERIES)
        .enumerate()
        .map(|(style, score)| Series {
            name: score.memory.clone(),
            style,
            points: score
                .by_length
                .iter()
                .filter(|class| class.1 >= LEAST_QUERIES)
                .map(|&(from, queries, value)| PlotPoint {
                    x: from as f64,
                    y: value,
                    note: format!(
                        "DO {:.1} % of {queries} queries of {from} to {} tokens",
                        value * 100.0,
                        2 * from - 1
                    ),
                })
                .collect(),
        })
        .collect();
    let y = Axis::percent("DO in per cent", values(&series).into_iter());
    let ticks = lengths.iter().map(|(&from, &queries)| (from as f64, format!("{from}–\n{queries}")));
    Some(Plot {
        title: format!("Dominant origin against length: {}", algorithm.name),
        caption: format!(
            "A line for each amount of memory; classes of length double, those of fewer than {LEAST_QUERIES} queries are left out. The vertical axis begins at {}.",
            y.beginning()
        ),
        x: Axis::log_at("tokens of the query; below, how many queries there are", ticks.collect()),
        y,
        series,
        is_scatter: false,
        limit: None,
    })
}

/// Table 11 of the paper.
fn extra_labelled(shown: &[&Algorithm]) -> Option<Plot> {
    let series: Vec<Series> = shown
        .iter()
        .enumerate()
        .filter_map(|(style, algorithm)| {
            let points: Vec<PlotPoint> = ascending(algorithm)
                .filter_map(|score| {
                    let (number, right) = score.extra.filter(|extra| extra.0 > 0)?;
                    let note = format!("{:.1} % of {number} right at {}", right * 100.0, score.memory);
                    Some(PlotPoint { x: score.bytes as f64, y: right, note })
                })
                .collect();
            (!points.is_empty()).then(|| Series { name: algorithm.name.clone(), style, points })
        })
        .collect();
    if series.iter().all(|series| series.points.len() < 2) {
        return None;
    }
    let y = Axis::percent("right labels in per cent", values(&series).into_iter());
    Some(Plot {
        title: "Accuracy of extra-labelled shingles".into(),
        caption: format!(
            "Selected shingles that were not found and were given another origin by bridging or expansion (Table 11). The vertical axis begins at {}.",
            y.beginning()
        ),
        x: memory_axis(shown),
        y,
        series,
        is_scatter: false,
        limit: None,
    })
}

/// The least memory first.
fn ascending(algorithm: &Algorithm) -> impl Iterator<Item = &Score> {
    let mut scores: Vec<&Score> = algorithm.scores.iter().collect();
    scores.sort_by_key(|score| score.bytes);
    scores.into_iter()
}

fn memory_axis(shown: &[&Algorithm]) -> Axis {
    let scores = shown.iter().flat_map(|algorithm| &algorithm.scores);
    let ticks = scores.map(|score| (score.bytes as f64, format!("{}\n{} %", score.memory, score.share)));
    Axis::log_at("memory of the table, and its share of all distinct shingles at 14 bytes each", ticks.collect())
}

fn values(series: &[Series]) -> Vec<f64> {
    series.iter().flat_map(|series| series.points.iter().map(|point| point.y)).collect()
}

fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let parts: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|part| std::str::from_utf8(part).ok()).collect();
    parts.join(",")
}

fn percent(share: f64) -> String {
    format!("{:.1}", share * 100.0)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that fails should stop")]

    use super::*;

    fn page(algorithms: usize, sizes: u64) -> String {
        let score = |at: u64| Score {
            bytes: 1000 << at,
            memory: format!("{} kB", 1 << at),
            share: at as f64,
            dominant_origin: 0.5 + 0.1 * at as f64,
            token_freshness: 0.9,
            extra: Some((10, 0.5)),
            by_length: vec![(64, 10, 0.5), (128, 20, 0.75)],
        };
        let algorithm =
            |at: usize| Algorithm { name: format!("a{at}"), ssr: 0.16, scores: (0..sizes).map(score).collect() };
        let page = EvaluationPage {
            facts: vec![("7".into(), "documents".into())],
            algorithms: (0..algorithms).map(algorithm).collect(),
        };
        let mut out = Vec::new();
        page.write(&mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn what_there_is_to_plot_is_plotted() {
        for (algorithms, sizes, plots) in [(1, 1, 1), (2, 4, 6), (20, 4, 6)] {
            let page = page(algorithms, sizes);
            assert_eq!(page.matches("<figure").count(), plots, "{algorithms} {sizes}");
            assert!(!page.contains("NaN") && !page.contains("inf"), "{algorithms} {sizes}");
            assert_eq!(page.matches("<tr>").count(), 1 + algorithms * sizes as usize);
        }
        assert!(page(20, 4).contains("8 best of 20"));
    }
}

//! The page of an evaluation of near-duplicates: F1 over all thresholds, a line for each method.

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::page::Page;
use crate::plot::{self, Axis, MOST_SERIES, Plot, PlotPoint, Series, escape};

const PAGE: Page =
    Page { title: "near-duplicates at every threshold", style: include_str!("page.css"), body: "", script: "" };

/// All that the page shows.
pub struct SweepPage {
    /// How many documents were judged.
    pub documents: usize,
    /// How many pairs of them belong together.
    pub pairs: usize,
    /// The methods, in the order in which they are listed.
    pub methods: Vec<Sweep>,
}

/// A method at several thresholds.
pub struct Sweep {
    /// Its name.
    pub name: String,
    /// Threshold, pair F1 and macro-averaged F1, each from 0 to 1.
    pub scores: Vec<(f64, f64, f64)>,
}

impl Sweep {
    fn peak(&self, value: fn(&(f64, f64, f64)) -> f64) -> f64 {
        self.scores.iter().map(value).fold(0.0, f64::max)
    }
}

impl SweepPage {
    /// Writes the page.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let mut body = String::from("<main><header><h1>Near-duplicates at every threshold</h1>");
        let _ = write!(
            body,
            "<p class=\"soft\">{} documents, {} pairs of which belong together.</p></header><div class=\"plots\">",
            self.documents, self.pairs
        );
        body.push_str(&self.plot("Pairs", "pair F1", |scores| scores.1).draw());
        body.push_str(&self.plot("Clusters", "macro-averaged F1", |scores| scores.2).draw());
        body.push_str("</div></main>\n");
        PAGE.write_drawn(plot::STYLE, &body, out)
    }

    fn plot(&self, title: &str, metric: &str, value: fn(&(f64, f64, f64)) -> f64) -> Plot {
        let mut shown: Vec<(usize, &Sweep)> = self.methods.iter().enumerate().collect();
        let mut caption = String::new();
        if shown.len() > MOST_SERIES {
            shown.sort_by(|one, other| other.1.peak(value).total_cmp(&one.1.peak(value)));
            let left_out: Vec<&str> = shown[MOST_SERIES..].iter().map(|(_, method)| method.name.as_str()).collect();
            caption = format!("Without {}, which stays lowest.", escape(&left_out.join(" and ")));
            shown.truncate(MOST_SERIES);
            shown.sort_unstable_by_key(|(place, _)| *place);
        }
        let series: Vec<Series> = shown
            .iter()
            .map(|&(style, method)| {
                let mut scores = method.scores.clone();
                scores.sort_by(|one, other| one.0.total_cmp(&other.0));
                let point = |scores: &(f64, f64, f64)| PlotPoint {
                    x: scores.0,
                    y: value(scores),
                    note: format!("{metric} {:.3} at {:.2}", value(scores), scores.0),
                };
                Series { name: method.name.clone(), style, points: scores.iter().map(point).collect() }
            })
            .collect();
        let points = || series.iter().flat_map(|series| &series.points);
        let (xs, ys): (Vec<f64>, Vec<f64>) = points().map(|point| (point.x, point.y)).unzip();
        Plot {
            title: title.into(),
            caption,
            x: Axis::percent("threshold in per cent", xs.into_iter().chain([0.0])),
            y: Axis::percent(&format!("{metric} in per cent"), ys.into_iter().chain([0.0])),
            series,
            is_scatter: false,
            limit: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_that_can_be_told_apart_is_drawn_and_the_lowest_left_out() {
        let method = |number: u32| Sweep {
            name: format!("method {number}"),
            scores: (1..=10).map(|step| (f64::from(step) / 10.0, f64::from(number) / 20.0, 0.5)).collect(),
        };
        let page = SweepPage { documents: 3, pairs: 2, methods: (0..9).map(method).collect() };
        let mut out = Vec::new();
        page.write(&mut out).expect("writing to memory works");
        let page = String::from_utf8(out).expect("a page is text");
        assert!(
            page.contains("Without method 0, which stays lowest.") && page.contains("method 8: pair F1 0.400 at 0.10")
        );
    }
}

//! Plots as SVG inside a page: no script draws them, so that they can be printed, and read by whoever sees no colours.
//!
//! Every series has a colour, a dash and a marker of its own. The colours are those of Okabe and Ito, which people with any
//! kind of colour vision can tell apart; a darker or lighter one stands in where contrast asks for it (`plot.css`).

mod axis;

use std::fmt::Write as _;

pub(crate) use axis::Axis;

/// How many series can be told apart at a glance.
pub(crate) const MOST_SERIES: usize = 8;

pub(crate) const STYLE: &str = include_str!("plot.css");

/// Inside of the frame, and around it room for what the axes say.
const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 58.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 62.0;

/// A plot.
pub(crate) struct Plot {
    pub(crate) title: String,
    /// What it shows, in a sentence or two.
    pub(crate) caption: String,
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    pub(crate) series: Vec<Series>,
    pub(crate) is_scatter: bool,
    /// A line across the plot at this x, and what it means.
    pub(crate) limit: Option<(f64, String)>,
}

/// Points that belong together.
pub(crate) struct Series {
    pub(crate) name: String,
    /// What it is drawn with: the same in every plot of a page.
    pub(crate) style: usize,
    pub(crate) points: Vec<PlotPoint>,
}

pub(crate) struct PlotPoint {
    pub(crate) x: f64,
    pub(crate) y: f64,
    /// What a pointer that rests on it is told.
    pub(crate) note: String,
}

impl Plot {
    pub(crate) fn draw(&self) -> String {
        let mut out = String::new();
        let (width, height) = (LEFT + WIDTH + RIGHT, TOP + HEIGHT + BOTTOM);
        let _ = write!(
            out,
            "<figure class=\"plot\"><h2>{}</h2><p class=\"soft\">{}</p><div class=\"drawing\">\
             <svg viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\">",
            escape(&self.title),
            escape(&self.caption),
            escape(&self.spoken())
        );
        self.draw_axes(&mut out);
        if let Some((at, meaning)) = &self.limit {
            let x = self.place_x(*at);
            let _ = write!(
                out,
                "<line class=\"limit\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{TOP}\" y2=\"{:.1}\"/>\
                 <text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                TOP + HEIGHT,
                x + 5.0,
                TOP + 11.0,
                escape(meaning)
            );
        }
        self.series.iter().for_each(|series| self.draw_series(series, &mut out));
        if self.is_scatter {
            self.draw_names(&mut out);
        }
        out.push_str("</svg></div>");
        if self.series.len() > 1 && !self.is_scatter {
            out.push_str(&self.legend());
        }
        out.push_str("</figure>\n");
        out
    }

    fn draw_axes(&self, out: &mut String) {
        let bottom = TOP + HEIGHT;
        for (value, label) in self.y.ticks() {
            let y = self.place_y(value);
            let _ = write!(
                out,
                "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
                 <text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                LEFT + WIDTH,
                LEFT - 8.0,
                y + 4.0,
                escape(&label)
            );
        }
        for (value, label) in self.x.ticks() {
            let x = self.place_x(value);
            let _ = write!(
                out,
                "<line class=\"axis\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{bottom:.1}\" y2=\"{:.1}\"/>",
                bottom + 5.0
            );
            for (line, part) in label.lines().enumerate() {
                let _ = write!(
                    out,
                    "<text class=\"tick\" x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                    bottom + 19.0 + 14.0 * line as f64,
                    escape(part)
                );
            }
        }
        let _ = write!(
            out,
            "<path class=\"axis\" d=\"M{LEFT} {TOP}V{bottom:.1}H{:.1}\"/>\
             <text class=\"name\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\
             <text class=\"name\" transform=\"translate(14 {:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            LEFT + WIDTH,
            LEFT + WIDTH / 2.0,
            bottom + BOTTOM - 8.0,
            escape(&self.x.name),
            TOP + HEIGHT / 2.0,
            escape(&self.y.name)
        );
    }

    fn draw_series(&self, series: &Series, out: &mut String) {
        let places: Vec<(f64, f64)> =
            series.points.iter().map(|point| (self.place_x(point.x), self.place_y(point.y))).collect();
        let _ = write!(out, "<g class=\"series s{}\">", series.style % MOST_SERIES);
        if !self.is_scatter {
            let path: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
            let _ = write!(out, "<path class=\"curve\" d=\"M{}\"/>", path.join("L"));
        }
        for ((x, y), point) in places.into_iter().zip(&series.points) {
            let _ = write!(
                out,
                "<g class=\"dot-mark\">{}<title>{}</title></g>",
                marker(series.style, x, y),
                escape(&format!("{}: {}", series.name, point.note))
            );
        }
        out.push_str("</g>");
    }

    /// Names beside their points, where there is room: right, left, above or below. Others are told by the pointer.
    fn draw_names(&self, out: &mut String) {
        const LETTER: f64 = 6.3;
        const LINE: f64 = 13.0;
        let points = self.series.iter().filter_map(|series| series.points.first().map(|point| (series, point)));
        let points: Vec<(&str, f64, f64)> = points
            .map(|(series, point)| (series.name.as_str(), self.place_x(point.x), self.place_y(point.y)))
            .collect();
        // Left, top, right and bottom of what is taken.
        let mut taken: Vec<[f64; 4]> = points.iter().map(|(_, x, y)| [x - 5.0, y - 5.0, x + 5.0, y + 5.0]).collect();
        if let Some((at, meaning)) = &self.limit {
            let x = self.place_x(*at);
            taken.push([x, TOP, x + 5.0 + LETTER * meaning.chars().count() as f64, TOP + LINE]);
        }
        for (name, x, y) in points {
            let width = LETTER * name.chars().count() as f64;
            let places = [(x + 8.0, y), (x - 8.0 - width, y), (x - width / 2.0, y - LINE), (x - width / 2.0, y + LINE)];
            let free = places.into_iter().find_map(|(left, middle)| {
                let place = [left, middle - LINE / 2.0, left + width, middle + LINE / 2.0];
                let inside =
                    place[0] >= LEFT && place[2] <= LEFT + WIDTH && place[1] >= TOP && place[3] <= TOP + HEIGHT;
                let meets = |other: &[f64; 4]| {
                    place[0] < other[2] && other[0] < place[2] && place[1] < other[3] && other[1] < place[3]
                };
                (inside && !taken.iter().any(meets)).then_some(place)
            });
            if let Some(place) = free {
                let _ = write!(
                    out,
                    "<text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                    place[0],
                    place[1] + LINE / 2.0 + 4.0,
                    escape(name)
                );
                taken.push(place);
            }
        }
    }

    fn legend(&self) -> String {
        let mut out = String::from("<ul class=\"legend\">");
        for series in &self.series {
            let _ = write!(
                out,
                "<li><svg viewBox=\"0 0 40 14\" width=\"40\" height=\"14\" aria-hidden=\"true\"><g class=\"series s{}\">\
                 <path class=\"curve\" d=\"M1 7H39\"/>{}</g></svg>{}</li>",
                series.style % MOST_SERIES,
                marker(series.style, 20.0, 7.0),
                escape(&series.name)
            );
        }
        out + "</ul>"
    }

    /// The plot for whoever cannot see it: the ends of every series.
    fn spoken(&self) -> String {
        let mut out = format!("{}: {} against {}.", self.title, self.y.name, self.x.name);
        for series in &self.series {
            if let (Some(first), Some(last)) = (series.points.first(), series.points.last()) {
                let _ = write!(out, " {}: from {} to {}.", series.name, first.note, last.note);
            }
        }
        out
    }

    fn place_x(&self, value: f64) -> f64 {
        LEFT + WIDTH * self.x.part(value)
    }

    fn place_y(&self, value: f64) -> f64 {
        TOP + HEIGHT * (1.0 - self.y.part(value))
    }
}

/// A shape of its own for each series.
fn marker(style: usize, x: f64, y: f64) -> String {
    let path = |points: &str| format!("<path class=\"mark\" transform=\"translate({x:.1} {y:.1})\" d=\"{points}\"/>");
    match style % MOST_SERIES {
        0 => format!("<circle class=\"mark\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/>"),
        1 => path("M-4-4H4V4H-4Z"),
        2 => path("M0-5L5 4H-5Z"),
        3 => path("M0-5.5L5 0L0 5.5L-5 0Z"),
        4 => path("M0 5L5-4H-5Z"),
        5 => path("M-4-4L4 4M4-4L-4 4"),
        6 => path("M0-5V5M-5 0H5"),
        _ => format!("<circle class=\"mark hollow\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/>"),
    }
}

/// Text that is to be shown as it is.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_leaves_the_frame_and_no_text_becomes_markup() {
        let point = |x: f64, y: f64| PlotPoint { x, y, note: "<b>".into() };
        let plot = Plot {
            title: "a & b".into(),
            caption: String::new(),
            x: Axis::log("x", [1e3, 1e9].into_iter()),
            y: Axis::percent("y", [0.2, 0.9].into_iter()),
            series: vec![Series { name: "<script>".into(), style: 0, points: vec![point(1e3, 0.2), point(1e9, 0.9)] }],
            is_scatter: false,
            limit: None,
        };
        let svg = plot.draw();
        assert!(svg.contains("a &amp; b") && !svg.contains("<script>") && !svg.contains("<b>"), "{svg}");
        for (x, y) in [(1e3, 0.2), (1e9, 0.9)] {
            assert!((LEFT..=LEFT + WIDTH).contains(&plot.place_x(x)), "{x}");
            assert!((TOP..=TOP + HEIGHT).contains(&plot.place_y(y)), "{y}");
        }
    }
}

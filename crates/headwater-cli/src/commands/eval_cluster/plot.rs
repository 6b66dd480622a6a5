//! F1 over all thresholds, a line for each method, as a picture that stands alone.

use std::fmt::Write as _;

use super::Contender;

const WIDE: f64 = 720.0;
const HIGH: f64 = 420.0;
const EDGE: f64 = 46.0;
/// Room for the names at the right.
const NAMES: f64 = 110.0;

pub(super) fn draw(contenders: &[Contender]) -> String {
    let (left, right, top, bottom) = (EDGE, WIDE - NAMES, EDGE / 2.0, HIGH - EDGE);
    let x = |threshold: f64| left + threshold * (right - left);
    let y = |share: f64| bottom - share * (bottom - top);
    let mut page = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDE} {HIGH}\" font-family=\"system-ui, sans-serif\" \
         font-size=\"12\"><rect width=\"100%\" height=\"100%\" fill=\"#fcfbf8\"/>\n"
    );
    for step in 0..=5 {
        let share = f64::from(step) / 5.0;
        let _ = writeln!(
            page,
            "<path d=\"M{left:.1} {0:.1}H{right:.1}\" stroke=\"#ddd\"/><text x=\"{1:.1}\" y=\"{2:.1}\" text-anchor=\"end\">{share:.1}</text>\
             <text x=\"{3:.1}\" y=\"{4:.1}\" text-anchor=\"middle\">{share:.1}</text>",
            y(share),
            left - 6.0,
            y(share) + 4.0,
            x(share),
            bottom + 18.0,
        );
    }
    let _ = writeln!(
        page,
        "<text x=\"{left:.1}\" y=\"14\">pair F1</text><text x=\"{right:.1}\" y=\"{:.1}\" text-anchor=\"end\">threshold</text>",
        bottom + 34.0
    );
    for (number, contender) in contenders.iter().enumerate() {
        let colour = format!("hsl({:.0} 62% 42%)", (number as f64 * 137.508 + 210.0) % 360.0);
        let mut scores: Vec<_> = contender.scores.iter().collect();
        scores.sort_by(|one, other| one.threshold.total_cmp(&other.threshold));
        let points: Vec<String> =
            scores.iter().map(|one| format!("{:.1},{:.1}", x(one.threshold), y(one.f1))).collect();
        let name_at = top + 16.0 * (number as f64 + 1.0);
        let _ = writeln!(
            page,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\
             <text x=\"{:.1}\" y=\"{name_at:.1}\" fill=\"{colour}\">{}</text>",
            points.join(" "),
            right + 10.0,
            contender.name,
        );
    }
    page + "</svg>\n"
}

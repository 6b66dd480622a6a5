//! The record as one page with nothing to fetch: bars for each job, curves of growth, and the tables behind them.

use std::fmt::Write as _;
use std::io;

use crate::goals::{SLICE, Verdict, missed};
use crate::growth::Curve;
use crate::house::Page;
use crate::jobs::{self, JOBS, Job};
use crate::markdown::{curve_name, figure, spread};
use crate::plot::{self, Axis, MOST_SERIES, Plot, PlotPoint, Series, escape};
use crate::record::{Record, Row};

const PAGE: Page = Page { title: "side by side", style: include_str!("page.css"), body: "", script: "" };

/// Draws the page.
pub fn write(record: &Record) -> io::Result<Vec<u8>> {
    let mut body = format!(
        "<main><header><h1>Side by side, {}</h1><p class=\"soft\">{}, shared with other work, so that CPU seconds count more than wall \
         seconds. Medians of runs taken in turns. MB are those of the slice as JSONL; peak memory is that of the largest process. MB per \
         CPU-second of different jobs must not be divided by each other.</p></header>",
        escape(&record.date),
        escape(&record.machine)
    );
    goals(&record.goals, &mut body);
    for job in JOBS {
        job_section(record, job, &mut body);
    }
    growth(record, &mut body);
    body.push_str("</main>\n");
    let mut out = Vec::new();
    PAGE.write_drawn(plot::STYLE, &body, &mut out)?;
    Ok(out)
}

fn goals(verdicts: &[Verdict], out: &mut String) {
    out.push_str("<section><h2>Goals</h2><div class=\"wide\"><table><thead><tr><th>goal</th><th>wanted</th><th>measured</th><th></th></tr></thead><tbody>");
    for verdict in verdicts {
        let said = match (verdict.measured, verdict.is_met) {
            (None, _) => "",
            (_, true) => "met",
            (_, false) => "<b>missed</b>",
        };
        let _ = write!(
            out,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{said}</td></tr>",
            escape(&verdict.goal),
            figure(verdict.wanted),
            verdict.measured.map_or("not measured".into(), figure)
        );
    }
    out.push_str("</tbody></table></div>");
    for (goals, reason) in missed(verdicts) {
        let _ = write!(out, "<p class=\"soft\"><b>{}.</b> {}</p>", escape(&goals.join("; ")), escape(reason));
    }
    out.push_str("</section>");
}

fn job_section(record: &Record, job: &Job, out: &mut String) {
    let rows: Vec<&Row> = record.rows.iter().filter(|row| row.job == job.key).collect();
    if rows.is_empty() {
        return;
    }
    let _ = write!(out, "<section><h2>{}</h2><p class=\"soft\">{}</p>", escape(job.title), escape(job.note));
    for size in shown_sizes(&rows) {
        let rows: Vec<&Row> = rows.iter().copied().filter(|row| row.size == size).collect();
        let megabytes = rows.first().map_or(0.0, |row| row.bytes as f64 / 1e6);
        let _ = write!(out, "<h3>{megabytes:.0} MB</h3><div class=\"pair\">");
        bars("MB per CPU-second (longer is faster)", &rows, Row::speed, out);
        bars(
            "peak memory in MB (shorter is better)",
            &rows,
            |row| row.taken.as_ref().map(|taken| taken.peak.median / 1e6),
            out,
        );
        out.push_str("</div>");
        table(record, &rows, out);
    }
    out.push_str("</section>");
}

/// The slices that every contender was to run on, not those of growth alone.
fn shown_sizes(rows: &[&Row]) -> Vec<String> {
    let mut sizes: Vec<(u64, String)> = Vec::new();
    for row in rows {
        let is_growth_only =
            rows.iter().filter(|other| other.size == row.size).count() <= 2 && row.size != SLICE && rows.len() > 4;
        if !is_growth_only && !sizes.iter().any(|size| size.1 == row.size) {
            sizes.push((row.bytes, row.size.clone()));
        }
    }
    sizes.sort_by(|one, other| other.cmp(one));
    sizes.into_iter().map(|size| size.1).collect()
}

fn bars(title: &str, rows: &[&Row], value: impl Fn(&Row) -> Option<f64>, out: &mut String) {
    let most = rows.iter().filter_map(|row| value(row)).fold(0.0, f64::max);
    let _ = write!(out, "<figure class=\"bars\"><figcaption>{title}</figcaption><ol>");
    for row in rows {
        let is_ours = jobs::contender(&row.job, &row.contender).is_some_and(|contender| contender.is_ours);
        let side = if is_ours { "ours" } else { "rival" };
        let _ = match value(row) {
            Some(value) => write!(
                out,
                "<li class=\"{side}\"><span>{}</span><i style=\"width:{:.1}%\"></i><b>{}</b></li>",
                escape(row.name()),
                62.0 * value / most.max(f64::MIN_POSITIVE),
                figure(value)
            ),
            None => write!(
                out,
                "<li class=\"{side} none\"><span>{}</span><em>{}</em></li>",
                escape(row.name()),
                escape(row.failed.as_deref().unwrap_or("not measured"))
            ),
        };
    }
    out.push_str("</ol></figure>");
}

fn table(record: &Record, rows: &[&Row], out: &mut String) {
    out.push_str(
        "<details><summary>Table</summary><div class=\"wide\"><table><thead><tr><th>who</th><th>MB/CPU-s</th><th>CPU s</th><th>wall s</th>\
         <th>peak MB</th><th>found</th><th>agreement</th><th>of the limit</th></tr></thead><tbody>",
    );
    for row in rows {
        let found = row.found.as_ref();
        let told = found.map_or(row.failed.clone().unwrap_or_default(), |found| found.told.clone());
        let agreement = found.and_then(|found| found.agreement);
        let taken = row.taken.as_ref();
        let _ = write!(
            out,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"told\">{}</td><td>{}</td><td>{}</td></tr>",
            escape(row.name()),
            row.speed().map_or(String::new(), figure),
            taken.map_or(String::new(), |taken| spread(&taken.cpu, 1.0)),
            taken.map_or(String::new(), |taken| spread(&taken.wall, 1.0)),
            taken.map_or(String::new(), |taken| spread(&taken.peak, 1e6)),
            escape(&told),
            agreement.map_or(String::new(), |both| format!("{:.2} %, {:.2} %", 100.0 * both.found, 100.0 * both.right)),
            record.share_of_limit(row).map_or(String::new(), |share| format!("{:.0} %", 100.0 * share)),
        );
    }
    out.push_str("</tbody></table></div></details>");
}

fn growth(record: &Record, out: &mut String) {
    if record.growth.is_empty() {
        return;
    }
    out.push_str("<section><h2>Growth</h2><div class=\"plots\">");
    for is_generated in [false, true] {
        let curves: Vec<&Curve> = record.growth.iter().filter(|curve| curve.is_generated == is_generated).collect();
        for curves in curves.chunks(MOST_SERIES) {
            let text = if is_generated { "generated text" } else { "documentation" };
            out.push_str(&curve_plot(curves, &format!("CPU seconds, {text}"), "CPU seconds", |curve, at| {
                (curve.points[at].cpu, curve.time_exponent)
            }));
            out.push_str(&curve_plot(curves, &format!("Peak memory, {text}"), "peak MB", |curve, at| {
                (curve.points[at].peak / 1e6, curve.memory_exponent)
            }));
        }
    }
    out.push_str("</div></section>");
}

fn curve_plot(curves: &[&Curve], title: &str, unit: &str, value: impl Fn(&Curve, usize) -> (f64, f64)) -> String {
    let series: Vec<Series> = curves
        .iter()
        .enumerate()
        .map(|(style, curve)| Series {
            name: format!("{}, power {:.2}", curve_name(curve), value(curve, 0).1),
            style,
            points: (0..curve.points.len())
                .map(|at| {
                    let (x, y) = (curve.points[at].bytes as f64 / 1e6, value(curve, at).0);
                    PlotPoint { x, y, note: format!("{} {unit} at {x:.0} MB", figure(y)) }
                })
                .collect(),
        })
        .collect();
    let values = |take: fn(&PlotPoint) -> f64| series.iter().flat_map(move |series| series.points.iter().map(take));
    let sizes = values(|point| point.x).map(|x| (x, figure(x.round()))).collect();
    let (low, high) = values(|point| point.y).fold((f64::MAX, f64::MIN), |ends, y| (ends.0.min(y), ends.1.max(y)));
    let steps = (-3..6).flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * 10f64.powi(power)));
    let ticks =
        steps.filter(|&step| step >= low / 2.5 && step <= high * 2.5).map(|step| (step, format!("{step}"))).collect();
    Plot {
        title: title.into(),
        caption: "Both axes are logarithmic; the power is the exponent that was fitted.".into(),
        x: Axis::log_at("MB of JSONL", sizes),
        y: Axis::log_at(unit, ticks),
        series,
        is_scatter: false,
        limit: None,
    }
    .draw()
}

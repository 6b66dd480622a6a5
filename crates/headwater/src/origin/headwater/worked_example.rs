//! The worked example of `docs/algorithm.md`, worked: every figure that it shows is what the code says.

use std::fmt::Write;

use super::*;
use crate::origin::chronicle::InOrder;
use crate::origin::report::Report;
use crate::origin::settings::Settings;
use crate::origin::tracer::Tracer;

const WRITTEN: &str = include_str!("../../../../../docs/algorithm.md");

const ORIGINAL: &str = "the spring rises under three alders on the north slope of the hill and never freezes even in the \
                        hardest winter that the valley can remember";
const COPY: &str = "as my aunt told me the spring rises under three alders on the north slope of the hill and never \
                    freezes unless the pump runs all night long";

fn anchors(prepared: &Prepared) -> String {
    let mut lines = String::new();
    for probe in prepared.probes() {
        let _ = writeln!(lines, "position {:2}  level {}", probe.position, probe.level);
    }
    lines
}

#[test]
fn figures_are_as_written() {
    let settings = Settings { memory: 1 << 16, ..Settings::default() };
    let preparer = Tracer::new(settings).unwrap().preparer();
    let mut engine = Headwater::new(settings.memory, settings.k);
    let ages = Ages::new(&InOrder, 0, 0, false);
    let mut work = Workspace::default();
    let mut report = Report::default();

    let original = preparer.prepare(ORIGINAL).unwrap();
    report.restart(0, original.tokens().len());
    engine.trace(&original, &ages, &mut work, &mut report);
    engine.remember(&original, 0, &mut work);

    let copy = preparer.prepare(COPY).unwrap();
    report.restart(1, copy.tokens().len());
    engine.trace(&copy, &ages, &mut work, &mut report);
    report.settle();

    let mut lines = format!("Original: {} tokens\n{}", original.tokens().len(), anchors(&original));
    let _ = writeln!(lines, "Copy: {} tokens", copy.tokens().len());
    let end = |open: bool| if open { "open" } else { "closed" };
    for hit in &work.hits {
        let _ = writeln!(
            lines,
            "position {:2}  document {}  diagonal {}  left {:2} {}  right {:2} {}",
            hit.position,
            hit.document,
            hit.diagonal,
            hit.left,
            end(hit.left_open),
            hit.right,
            end(hit.right_open)
        );
    }
    for passage in &work.passages {
        let _ = writeln!(
            lines,
            "passage of document {}: tokens {} to {}, sure {} to {}",
            passage.document,
            passage.start,
            passage.end - 1,
            passage.sure_start,
            passage.sure_end - 1
        );
    }
    for share in &report.shares {
        let _ = writeln!(lines, "share of document {}: {} shingles", share.origin, share.shingles);
    }
    for line in lines.lines() {
        assert!(WRITTEN.contains(line), "not in the text: {line}\nall of it:\n{lines}");
    }
}

//! The paper's two summary tables, its own values in brackets behind ours.

use std::fmt::Write as _;

use super::Answer;

/// The summary of the paper's gold set: macro-averaged F1.
const GOLD: [(&str, &str); 6] = [
    ("SpotSigs", "0.94"),
    ("1-Shingles", "0.71"),
    ("3-Shingles", "0.69"),
    ("LSH-S", "0.93"),
    ("I-Match", "0.05"),
    ("I-Match-S", "0.37"),
];

/// The summary of WT10g: relative recall at 1.0 and 0.9.
const WT10G: [(&str, [&str; 2]); 2] = [("SpotSigs", ["0.95", "0.96"]), ("LSH-S", ["0.95", "0.97"])];

pub(super) fn show(answer: &Answer) -> String {
    let mut page = String::from(
        "Each method at its best macro-averaged F1 (the paper's on its gold set)\n\n\
         | | parameters | τ | memory (MB) | runtime (ms) | macro-avg. F1 | precision | recall | F1 | adjusted Rand index | best F1 | best adjusted Rand index | F1 at its own τ |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for contender in &answer.contenders {
        let best = contender.best();
        let most = contender.scores.iter().max_by(|one, other| one.f1.total_cmp(&other.f1)).unwrap_or(&best);
        let rand = contender.scores.iter().map(|one| one.adjusted_rand_index).fold(f64::MIN, f64::max);
        let paper = GOLD.iter().find(|(name, _)| *name == contender.name);
        let paper = paper.map_or_else(String::new, |(_, value)| format!(" ({value})"));
        let own = contender.own.map_or("–".into(), |own| format!("{:.3}@{:.3}", own.f1, own.threshold));
        let _ = writeln!(
            page,
            "| {} | {} | {:.2} | {:.1} | {:.0} | {:.3}{paper} | {:.3} | {:.3} | {:.3} | {:.3} | {:.3}@{:.2} | {rand:.3} | {own} |",
            contender.name,
            contender.parameters,
            best.threshold,
            contender.memory_mb,
            contender.runtime_ms,
            best.macro_f1,
            best.precision,
            best.recall,
            best.f1,
            best.adjusted_rand_index,
            most.f1,
            most.threshold,
        );
    }
    if !answer.recalls.is_empty() {
        page.push_str("\nShare of the pairs of I-Match-S that are found too (the paper's on WT10g)\n\n| | τ | relative recall |\n|---|---|---|\n");
        for one in &answer.recalls {
            let paper = WT10G.iter().find(|(name, _)| *name == one.name);
            let paper = paper.map_or("–", |(_, values)| values[usize::from(one.threshold < 1.0)]);
            let _ = writeln!(page, "| {} | {:.1} | {:.2} ({paper}) |", one.name, one.threshold, one.relative_recall);
        }
    }
    page
}

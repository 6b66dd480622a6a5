//! The answer as a page with plots.

use headwater_report::evaluation::{Algorithm, EvaluationPage, Score};

use super::answer::Answer;
use super::text::percent;
use crate::terminal::{bytes, count};

pub(super) fn page(answer: &Answer) -> EvaluationPage {
    let fact = |figure: String, meaning: &str| (figure, meaning.to_owned());
    let algorithms = answer.by_combination().into_iter().map(|(name, rows)| Algorithm {
        name,
        ssr: rows.iter().map(|row| row.ssr).sum::<f64>() / rows.len() as f64,
        scores: rows
            .iter()
            .map(|row| Score {
                bytes: row.bytes as u64,
                memory: bytes(row.bytes as u64).to_string(),
                share: row.share,
                dominant_origin: row.dominant_origin,
                token_freshness: row.token_freshness,
                extra: row.extra_labelled.map(|number| (number, row.extra_accuracy.unwrap_or(0.0))),
                by_length: row
                    .by_length
                    .iter()
                    .map(|length| (length.from, length.queries, length.dominant_origin))
                    .collect(),
            })
            .collect(),
    });
    EvaluationPage {
        facts: vec![
            fact(count(answer.documents).to_string(), "documents"),
            fact(count(answer.shingles).to_string(), "shingles"),
            fact(format!("{} %", percent(answer.copy_ratio)), "of them copied"),
            fact(format!("{:.0}", answer.block_tokens), "tokens in a copied block"),
            fact(format!("{} %", percent(answer.with_dominant_origin)), "have a dominant origin"),
            fact(count(answer.queries).to_string(), "queries"),
            fact(format!("{} %", percent(answer.self_dominant)), "are their own origin"),
            fact(format!("{} %", percent(answer.fresh_tokens)), "of their tokens are fresh"),
        ],
        algorithms: algorithms.collect(),
    }
}

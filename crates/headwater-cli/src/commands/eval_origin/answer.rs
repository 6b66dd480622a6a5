//! All that was found out.

use headwater::origin::evaluation::{Facts, Truths};
use serde::Serialize;

use super::row::{EvalRow, digits};

/// The answer as programs get it. Where several lengths of shingles were asked for, the facts are those of the first.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Answer {
    pub(crate) documents: u64,
    pub(crate) shingles: u64,
    pub(crate) distinct_shingles: u64,
    pub(crate) copy_ratio: f64,
    pub(crate) with_dominant_origin: f64,
    /// Tokens in a copied block, on average.
    pub(crate) block_tokens: f64,
    pub(crate) queries: u64,
    pub(crate) self_dominant: f64,
    pub(crate) fresh_tokens: f64,
    pub(crate) rows: Vec<EvalRow>,
}

impl Answer {
    pub(super) fn add_facts(&mut self, truths: &Truths) {
        if self.documents > 0 {
            return;
        }
        let Facts { documents, shingles, distinct, copied, dominated, blocks, block_tokens, .. } = truths.facts;
        let Facts { own_queries, query_tokens, fresh_tokens, .. } = truths.facts;
        let part = |some: u64, all: u64| if all == 0 { 0.0 } else { digits(some as f64 / all as f64) };
        let queries = truths.queries.len() as u64;
        *self = Answer {
            documents,
            shingles,
            distinct_shingles: distinct,
            copy_ratio: part(copied, shingles),
            with_dominant_origin: part(dominated, documents),
            block_tokens: part(block_tokens, blocks),
            queries,
            self_dominant: part(own_queries, queries),
            fresh_tokens: part(fresh_tokens, query_tokens),
            rows: std::mem::take(&mut self.rows),
        };
    }

    /// The rows of each combination, one for each amount of memory, in the order in which they were asked for.
    pub(super) fn by_combination(&self) -> Vec<(String, Vec<&EvalRow>)> {
        let mut groups: Vec<(String, Vec<&EvalRow>)> = Vec::new();
        for row in &self.rows {
            let name = row.name();
            match groups.iter_mut().find(|group| group.0 == name) {
                Some(group) => group.1.push(row),
                None => groups.push((name, vec![row])),
            }
        }
        groups
    }
}

/// The average of DO and of TF over the memory sizes, and the overall score: their mean (section 3.2).
pub(super) fn averages(rows: &[&EvalRow]) -> (f64, f64, f64) {
    let mean = |value: fn(&EvalRow) -> f64| rows.iter().map(|row| value(row)).sum::<f64>() / rows.len().max(1) as f64;
    let (origin, freshness) = (mean(|row| row.dominant_origin), mean(|row| row.token_freshness));
    (origin, freshness, (origin + freshness) / 2.0)
}

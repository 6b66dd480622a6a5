//! What is known of one combination in the end.

use headwater::origin::evaluation::Marks;
use headwater::origin::{Algorithm, Paper};
use headwater_io::write::{DataType, Field, Row, Schema, SchemaRef};
use serde::{Deserialize, Serialize};

/// One line of the answer. The paper's fields are null for our own algorithm.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct EvalRow {
    pub(crate) algorithm: String,
    pub(crate) select: Option<String>,
    pub(crate) evict: Option<String>,
    pub(crate) estimate: Option<String>,
    /// Per cent of all distinct shingles, at 14 bytes each.
    pub(crate) share: f64,
    pub(crate) bytes: usize,
    #[serde(rename = "do")]
    pub(crate) dominant_origin: f64,
    #[serde(rename = "tf")]
    pub(crate) token_freshness: f64,
    pub(crate) ssr: f64,
    pub(crate) k: usize,
    pub(crate) bridge: Option<u32>,
    pub(crate) bucket: Option<usize>,
    /// Selected shingles of queries that were labelled without being found, and which part of them rightly (Table 11).
    pub(crate) extra_labelled: Option<u64>,
    pub(crate) extra_accuracy: Option<f64>,
    /// DO of queries by their length (Figure 2).
    pub(crate) by_length: Vec<Length>,
}

/// Queries of `from` tokens up to twice as many, and which part of their dominant origins was named.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Length {
    pub(crate) from: u64,
    pub(crate) queries: u64,
    #[serde(rename = "do")]
    pub(crate) dominant_origin: f64,
}

impl EvalRow {
    pub(crate) fn new(algorithm: Algorithm, k: usize, share: f64, bytes: usize, marks: &Marks) -> Self {
        let paper = match algorithm {
            Algorithm::Headwater => None,
            Algorithm::Paper(paper) => Some(paper),
        };
        let lengths = (0..).zip(&marks.by_length).filter(|(_, class)| class.0 > 0);
        EvalRow {
            algorithm: if paper.is_some() { "paper" } else { "headwater" }.into(),
            select: paper.map(|paper| paper.select.to_string()),
            evict: paper.map(|paper| paper.evict.to_string()),
            estimate: paper.map(|paper| paper.estimate.to_string()),
            share,
            bytes,
            dominant_origin: digits(marks.score.dominant_origin()),
            token_freshness: digits(marks.score.token_freshness()),
            ssr: digits(marks.score.selected_ratio()),
            k,
            bridge: paper.map(|paper| paper.bridge),
            bucket: paper.map(|paper| paper.bucket),
            extra_labelled: paper.map(|_| marks.extra),
            extra_accuracy: paper
                .filter(|_| marks.extra > 0)
                .map(|_| digits(marks.extra_right as f64 / marks.extra as f64)),
            by_length: lengths
                .map(|(class, &(queries, right))| Length {
                    from: 1u64 << class,
                    queries,
                    dominant_origin: digits(right as f64 / queries as f64),
                })
                .collect(),
        }
    }

    /// Whether it is of this combination of the paper's, as far as its names go, with the paper's own T and buckets.
    pub(crate) fn is(&self, select: &str, evict: &str, estimate: &str) -> bool {
        let usual = Paper::default();
        self.select.as_deref() == Some(select)
            && self.evict.as_deref() == Some(evict)
            && self.estimate.as_deref() == Some(estimate)
            && self.bridge == Some(usual.bridge)
            && self.bucket == Some(usual.bucket)
    }

    /// The combination without its memory, as people write it.
    pub(crate) fn name(&self) -> String {
        let (Some(select), Some(evict), Some(estimate)) = (&self.select, &self.evict, &self.estimate) else {
            return if self.k == 8 { self.algorithm.clone() } else { format!("{} k={}", self.algorithm, self.k) };
        };
        let usual = Paper::default();
        let mut name = format!("{select}+{evict}+{estimate}");
        if let Some(bridge) = self.bridge.filter(|&bridge| bridge != usual.bridge) {
            name += &format!(" T={bridge}");
        }
        if let Some(bucket) = self.bucket.filter(|&bucket| bucket != usual.bucket) {
            name += &format!(" bucket {bucket}");
        }
        if self.k != 8 {
            name += &format!(" k={}", self.k);
        }
        name
    }
}

/// Six digits behind the point: more than a million queries could tell apart.
pub(crate) fn digits(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

impl Row for EvalRow {
    fn schema() -> SchemaRef {
        let text = |name: &str| Field::new(name, DataType::Utf8, true);
        let number = |name: &str| Field::new(name, DataType::Float64, true);
        let whole = |name: &str| Field::new(name, DataType::UInt64, true);
        let length =
            Field::new("item", DataType::Struct(vec![whole("from"), whole("queries"), number("do")].into()), false);
        let fields = vec![
            text("algorithm"),
            text("select"),
            text("evict"),
            text("estimate"),
            number("share"),
            whole("bytes"),
            number("do"),
            number("tf"),
            number("ssr"),
            whole("k"),
            whole("bridge"),
            whole("bucket"),
            whole("extra_labelled"),
            number("extra_accuracy"),
            Field::new("by_length", DataType::List(length.into()), false),
        ];
        Schema::new(fields).into()
    }
}

//! Edges, clusters and chunks as programs get them.

use std::io;
use std::path::Path;

use headwater::coderivative::Relation;
use headwater::graph::Cluster;
use headwater_io::write::{DataType, Field, OutputFormat, Row, Schema, SchemaRef, Target};
use serde::Serialize;

use super::gather::Documents;

#[derive(Serialize)]
pub(super) struct EdgeRow {
    a: String,
    b: String,
    score: f64,
    chunks: u32,
    /// With `--for`: what both have, with byte offsets into each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) passages: Option<Vec<PassageRow>>,
}

#[derive(Serialize)]
pub(super) struct PassageRow {
    pub(super) a: Offsets,
    pub(super) b: Offsets,
    pub(super) tokens: usize,
    pub(super) text: String,
}

#[derive(Clone, Copy, Serialize)]
pub(super) struct Offsets {
    pub(super) start: usize,
    pub(super) end: usize,
}

#[derive(Serialize)]
pub(super) struct ClusterRow {
    cluster: usize,
    members: Vec<String>,
}

#[derive(Serialize)]
pub(super) struct ChunkRow {
    pub(super) text: String,
    pub(super) documents: Vec<String>,
    /// Stands in too many documents to count.
    #[serde(skip_serializing_if = "is_false")]
    pub(super) left_out: bool,
}

impl EdgeRow {
    pub(super) fn new(relation: &Relation, documents: &Documents) -> io::Result<Self> {
        Ok(EdgeRow {
            a: documents.entry(relation.edge.a)?.id.clone(),
            b: documents.entry(relation.edge.b)?.id.clone(),
            score: rounded(relation.edge.score),
            chunks: relation.chunks,
            passages: None,
        })
    }
}

/// Digits beyond these are noise of the sum.
pub(super) fn rounded(score: f64) -> f64 {
    (score * 1e6).round() / 1e6
}

impl ClusterRow {
    pub(super) fn new(number: usize, cluster: &Cluster, documents: &Documents) -> io::Result<Self> {
        let names = cluster.members.iter().map(|&member| Ok(documents.entry(member)?.id.clone()));
        Ok(ClusterRow { cluster: number, members: names.collect::<io::Result<_>>()? })
    }
}

/// The format that a file's name tells, else JSONL.
pub(super) fn format_of(path: &Path) -> OutputFormat {
    OutputFormat::of(&Target::from(path)).unwrap_or(OutputFormat::Jsonl)
}

fn is_false(value: &bool) -> bool {
    !value
}

fn strings(name: &str) -> Field {
    Field::new(name, DataType::List(Field::new("item", DataType::Utf8, false).into()), false)
}

impl Row for EdgeRow {
    fn schema() -> SchemaRef {
        let field = |name: &str, kind: DataType| Field::new(name, kind, false);
        let offsets = |name: &str| {
            let parts = [field("start", DataType::UInt64), field("end", DataType::UInt64)];
            field(name, DataType::Struct(parts.into_iter().collect()))
        };
        let passage = [offsets("a"), offsets("b"), field("tokens", DataType::UInt64), field("text", DataType::Utf8)];
        let passage = field("item", DataType::Struct(passage.into_iter().collect()));
        Schema::new(vec![
            field("a", DataType::Utf8),
            field("b", DataType::Utf8),
            field("score", DataType::Float64),
            field("chunks", DataType::UInt32),
            Field::new("passages", DataType::List(passage.into()), true),
        ])
        .into()
    }
}

impl Row for ClusterRow {
    fn schema() -> SchemaRef {
        Schema::new(vec![Field::new("cluster", DataType::UInt64, false), strings("members")]).into()
    }
}

impl Row for ChunkRow {
    fn schema() -> SchemaRef {
        let left_out = Field::new("left_out", DataType::Boolean, true);
        Schema::new(vec![Field::new("text", DataType::Utf8, false), strings("documents"), left_out]).into()
    }
}

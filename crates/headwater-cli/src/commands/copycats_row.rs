//! What programs get about a copycat.

use headwater_io::write::{DataType, Field, Row, Schema, SchemaRef};
use serde::Serialize;

#[derive(Serialize)]
pub(super) struct CopycatRow {
    pub(super) name: String,
    pub(super) documents: u64,
    pub(super) tokens: u64,
    /// Tokens that others had first.
    pub(super) copied_tokens: u64,
    pub(super) copied_share: f64,
    /// Tokens that others have taken from it.
    pub(super) given_tokens: u64,
    /// From whom, the most first.
    pub(super) sources: Vec<SourceRow>,
}

#[derive(Serialize)]
pub(super) struct SourceRow {
    pub(super) name: String,
    pub(super) tokens: u64,
    /// How many of the copycat's documents have something of it.
    pub(super) documents: u64,
    pub(super) examples: Vec<ExampleRow>,
}

/// A passage, by its document, its origin and its place in the document.
#[derive(Serialize)]
pub(super) struct ExampleRow {
    pub(super) id: String,
    pub(super) origin: String,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) tokens: u64,
    pub(super) text: String,
}

impl Row for CopycatRow {
    fn schema() -> SchemaRef {
        let field = |name: &str, kind: DataType| Field::new(name, kind, false);
        let text = |name: &str| field(name, DataType::Utf8);
        let number = |name: &str| field(name, DataType::UInt64);
        let list = |name: &str, fields: Vec<Field>| {
            field(name, DataType::List(field("item", DataType::Struct(fields.into())).into()))
        };
        let example = vec![text("id"), text("origin"), number("start"), number("end"), number("tokens"), text("text")];
        let source = vec![text("name"), number("tokens"), number("documents"), list("examples", example)];
        Schema::new(vec![
            text("name"),
            number("documents"),
            number("tokens"),
            number("copied_tokens"),
            field("copied_share", DataType::Float64),
            number("given_tokens"),
            list("sources", source),
        ])
        .into()
    }
}

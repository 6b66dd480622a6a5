//! Answers out: the same rows as JSONL, JSON, CSV or Parquet, to standard output or to a file that appears whole or not
//! at all.
//!
//! A command states what a row is, once; [`RowWriter`] does the rest:
//!
//! ```
//! use headwater_io::write::{DataType, Field, OutputFormat, Row, RowWriter, Schema, SchemaRef, Target};
//!
//! #[derive(serde::Serialize)]
//! struct Edge {
//!     a: String,
//!     b: String,
//!     score: f64,
//! }
//!
//! impl Row for Edge {
//!     fn schema() -> SchemaRef {
//!         let name = |name| Field::new(name, DataType::Utf8, false);
//!         Schema::new(vec![name("a"), name("b"), Field::new("score", DataType::Float64, false)]).into()
//!     }
//! }
//!
//! let folder = tempfile::tempdir()?;
//! let target = Target::from(folder.path().join("edges.csv"));
//! let format = OutputFormat::of(&target).unwrap_or(OutputFormat::Jsonl);
//! let mut rows = RowWriter::create(target, format)?;
//! rows.write(&Edge { a: "wire".into(), b: "blog".into(), score: 0.5 })?;
//! rows.finish()?;
//! assert_eq!(std::fs::read_to_string(folder.path().join("edges.csv"))?, "a,b,score\nwire,blog,0.5\n");
//! # Result::<(), Box<dyn std::error::Error>>::Ok(())
//! ```
//!
//! Outputs that are no rows (pages, pictures, graphs) go through [`Output`] or [`Sink`], with the same promises.

mod atomic;
mod compress;
mod csv;
mod error;
mod format;
mod graph;
mod json;
mod output;
mod parquet;
mod rows;
mod warc;

pub use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef};

pub use atomic::AtomicFile;
pub(crate) use atomic::PARTIAL;
pub use compress::Sink;
pub use error::WriteError;
pub use format::{OutputFormat, UnknownFormat};
pub use graph::{GraphEdge, GraphFormat, GraphNode, write_graph};
pub use output::{Output, Target};
pub use rows::{Row, RowWriter};
pub use warc::write_conversion;

//! The entries of a table, one row each.

use std::path::Path;

use headwater_io::table::{Access, Table};
use headwater_io::write::{DataType, Field, OutputFormat, Row, RowWriter, Schema, SchemaRef};
use serde::Serialize;

use crate::args::target;
use crate::failure::Failure;
use crate::interrupt;
use crate::terminal::{Talk, count};

#[derive(Serialize)]
struct EntryRow {
    bucket: u64,
    /// What is kept of the shingle's fingerprint.
    fingerprint: u64,
    score: u8,
    origin: String,
}

impl Row for EntryRow {
    fn schema() -> SchemaRef {
        let field = |name: &str, kind: DataType| Field::new(name, kind, false);
        Schema::new(vec![
            field("bucket", DataType::UInt64),
            field("fingerprint", DataType::UInt64),
            field("score", DataType::UInt8),
            field("origin", DataType::Utf8),
        ])
        .into()
    }
}

pub(super) fn export(file: &Path, output: Option<&Path>, talk: &Talk) -> Result<(), Failure> {
    let opened = Table::open(file, Access::Read)?;
    opened.table.check_all(&opened.tracer)?;
    let target = target(output);
    let format = match output {
        None => OutputFormat::Jsonl,
        Some(_) => OutputFormat::of(&target).ok_or_else(|| {
            Failure::Usage(format!("the name {target} does not tell the form: jsonl, json, csv, tsv or parquet"))
        })?,
    };
    let mut writer = RowWriter::<EntryRow>::create(target, format)?;
    let mut outcome: Result<u64, Failure> = Ok(0);
    opened.tracer.remembered(|entry| {
        let Ok(written) = &mut outcome else { return };
        let mut write = || -> Result<(), Failure> {
            interrupt::check()?;
            let origin = opened.register.get(entry.document)?.id.clone();
            let row = EntryRow { bucket: entry.bucket, fingerprint: entry.identity, score: entry.score, origin };
            Ok(writer.write(&row)?)
        };
        match write() {
            Ok(()) => *written += 1,
            Err(failure) => outcome = Err(failure),
        }
    });
    let written = outcome?;
    writer.finish()?;
    talk.say(format_args!("{} entries", count(written)));
    Ok(())
}

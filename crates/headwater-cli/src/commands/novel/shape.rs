//! Documents that are no rows, in the form in which they came.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

use headwater_io::Format;
use headwater_io::write::{Sink, Target, write_conversion};

use crate::failure::Failure;
use crate::stream::Incoming;

/// How a document is written.
#[derive(Clone, Copy)]
pub(super) enum Shape {
    /// Its text alone.
    Text,
    /// A bare page.
    Html,
    /// A sequence under its name.
    Fasta,
    /// A record of plain text in a web archive, as the text that others take from pages is kept.
    Warc,
}

impl Shape {
    /// The shape of documents that were read as `format`; none where they are rows.
    pub(super) fn of(format: Format) -> Option<Self> {
        match format {
            Format::Text => Some(Shape::Text),
            Format::Html => Some(Shape::Html),
            Format::Fasta => Some(Shape::Fasta),
            Format::Warc => Some(Shape::Warc),
            Format::Jsonl | Format::Json | Format::Csv | Format::Tsv | Format::Parquet => None,
        }
    }

    /// Whether a file holds one document only.
    pub(super) fn is_one_a_file(self) -> bool {
        matches!(self, Shape::Text | Shape::Html)
    }

    pub(super) fn write(self, document: &Incoming, text: &str, out: &mut Sink) -> io::Result<()> {
        match self {
            Shape::Text => out.write_all(text.as_bytes()),
            Shape::Html => write_page(&document.id, text, out),
            Shape::Fasta => writeln!(out, ">{}\n{text}", document.id),
            Shape::Warc => write_conversion(&document.id, document.time.as_ref(), text, out),
        }
    }
}

/// A folder with a file for each document.
pub(super) struct Folder {
    path: PathBuf,
    shape: Shape,
    written: HashSet<PathBuf>,
}

impl Folder {
    pub(super) fn new(path: PathBuf, shape: Shape) -> Self {
        Folder { path, shape, written: HashSet::new() }
    }

    pub(super) fn write(&mut self, document: &Incoming, text: &str) -> Result<(), Failure> {
        let path = self.path.join(inside(&document.id));
        if !self.written.insert(path.clone()) {
            let what = format!("two documents would be written to {}; use --format jsonl", path.display());
            return Err(Failure::run(what));
        }
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        let mut out = Sink::create(Target::from(path))?;
        self.shape.write(document, text, &mut out)?;
        Ok(out.finish()?)
    }
}

/// The path that a document was read by, without what would lead out of a folder.
fn inside(id: &str) -> PathBuf {
    Path::new(id).components().filter(|part| matches!(part, Component::Normal(_))).collect()
}

fn write_page(title: &str, text: &str, out: &mut Sink) -> io::Result<()> {
    let title = escaped(title);
    writeln!(out, "<!doctype html>\n<html>\n<head><meta charset=\"utf-8\"><title>{title}</title></head>\n<body>")?;
    for paragraph in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        writeln!(out, "<p>{}</p>", escaped(paragraph))?;
    }
    writeln!(out, "</body>\n</html>")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

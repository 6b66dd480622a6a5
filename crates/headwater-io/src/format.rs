//! What kind of file an input is: told by its extension and, where that says nothing, by its first bytes.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use crate::compression::Compression;

/// How the documents of an input are written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// One JSON object a line.
    Jsonl,
    /// An array of JSON objects, or objects one after the other.
    Json,
    /// Apache Parquet, a row a document.
    Parquet,
    /// Comma-separated values under a header row.
    Csv,
    /// Tab-separated values under a header row.
    Tsv,
    /// One file, one document: plain text, Markdown, source code.
    Text,
    /// One file, one page.
    Html,
    /// A web archive: pages (WARC) or their text (WET).
    Warc,
    /// Nucleotide or protein sequences, one document each.
    Fasta,
}

/// How many of the first bytes [`Format::of_content`] would like to see.
pub(crate) const HEAD: usize = 8 << 10;

impl Format {
    /// Every format, in the order of its documentation.
    pub const ALL: [Format; 9] = [
        Format::Jsonl,
        Format::Json,
        Format::Parquet,
        Format::Csv,
        Format::Tsv,
        Format::Text,
        Format::Html,
        Format::Warc,
        Format::Fasta,
    ];

    /// The format of a file called `name` that begins with `head` once decompressed, or why it cannot be read.
    pub fn of(name: &str, head: &[u8]) -> Result<Format, String> {
        match Format::of_name(name) {
            // JSON lines under this name are as common as arrays, and lines recover better from a broken one.
            Some(Format::Json) if is_json_lines(head) => Ok(Format::Jsonl),
            Some(format) => Ok(format),
            None => Format::of_content(head),
        }
    }

    /// Whether records of this format have named fields.
    pub(crate) fn has_fields(self) -> bool {
        matches!(self, Format::Jsonl | Format::Json | Format::Parquet | Format::Csv | Format::Tsv)
    }

    /// The format that a file's extension promises; an extension for compression is passed over.
    pub(crate) fn of_name(name: &str) -> Option<Format> {
        let path = Path::new(name);
        let extension = path.extension()?.to_str()?;
        if Compression::is_extension(extension) {
            return Format::of_name(path.file_stem()?.to_str()?);
        }
        let extension = extension.to_ascii_lowercase();
        let known = Format::ALL.iter().find(|format| format.extensions().contains(&extension.as_str()));
        known.copied().or_else(|| SOURCE_CODE.contains(&extension.as_str()).then_some(Format::Text))
    }

    fn extensions(self) -> &'static [&'static str] {
        match self {
            Format::Jsonl => &["jsonl", "ndjson", "jsonlines", "ldjson"],
            Format::Json => &["json"],
            Format::Parquet => &["parquet", "pq"],
            Format::Csv => &["csv"],
            Format::Tsv => &["tsv", "tab"],
            Format::Text => &["txt", "text", "md", "markdown", "rst", "adoc", "org", "tex", "log"],
            Format::Html => &["html", "htm", "xhtml"],
            Format::Warc => &["warc", "wet"],
            Format::Fasta => &["fasta", "fa", "fna", "ffn", "faa", "frn"],
        }
    }

    /// The format that the first bytes of a file speak for, or why it cannot be read.
    fn of_content(head: &[u8]) -> Result<Format, String> {
        if let Some(kind) = known_binary(head) {
            return Err(format!("{kind}, which is not read"));
        }
        if head.starts_with(b"PAR1") {
            return Ok(Format::Parquet);
        }
        if head.starts_with(b"WARC/") {
            return Ok(Format::Warc);
        }
        let start = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
        // A stream with nothing in it holds no document; as plain text it would be an empty one.
        if head.is_empty() || is_json_lines(start) {
            return Ok(Format::Jsonl);
        }
        if start.starts_with(b"{") || (start.starts_with(b"[") && start[1..].trim_ascii_start().starts_with(b"{")) {
            return Ok(Format::Json);
        }
        let lower = start[..start.len().min(512)].to_ascii_lowercase();
        if lower.starts_with(b"<!doctype html") || memchr::memmem::find(&lower, b"<html").is_some() {
            return Ok(Format::Html);
        }
        if is_fasta(start) {
            return Ok(Format::Fasta);
        }
        if is_table(start, b',') {
            return Ok(Format::Csv);
        }
        if is_table(start, b'\t') {
            return Ok(Format::Tsv);
        }
        if looks_binary(head) {
            return Err("neither text nor a known format; --input-format reads it as one".into());
        }
        Ok(Format::Text)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.extensions()[0])
    }
}

impl FromStr for Format {
    type Err = String;

    /// Any of the extensions of a format names it.
    fn from_str(name: &str) -> Result<Format, String> {
        let lower = name.to_ascii_lowercase();
        if lower == "code" {
            return Ok(Format::Text);
        }
        Format::ALL.iter().find(|format| format.extensions().contains(&lower.as_str())).copied().ok_or_else(|| {
            let names: Vec<String> = Format::ALL.iter().map(Format::to_string).collect();
            format!("unknown format {name:?}; there are {}", names.join(", "))
        })
    }
}

/// Extensions of source code: a file is a document, as with plain text.
const SOURCE_CODE: &[&str] = &[
    "rs", "py", "pyi", "c", "h", "cc", "cpp", "cxx", "hh", "hpp", "hxx", "java", "js", "mjs", "cjs", "jsx", "ts",
    "tsx", "go", "rb", "php", "cs", "fs", "swift", "kt", "kts", "scala", "clj", "hs", "ml", "mli", "erl", "ex", "exs",
    "lua", "pl", "pm", "r", "jl", "sh", "bash", "zsh", "fish", "ps1", "bat", "sql", "css", "scss", "sass", "less",
    "vue", "svelte", "m", "mm", "d", "nim", "zig", "v", "sv", "vhd", "vhdl", "asm", "s", "f", "f90", "f95", "pas",
    "ada", "adb", "ads", "lisp", "el", "scm", "rkt", "dart", "groovy", "gradle", "cmake", "mk", "proto", "thrift",
    "toml", "yaml", "yml", "ini", "cfg", "conf", "xml", "xsl", "xsd", "svg", "tcl", "awk", "sed", "vim",
];

/// Whether the first line is a JSON object by itself, or goes on for longer than `head`.
fn is_json_lines(head: &[u8]) -> bool {
    let start = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    let (line, whole) = match memchr::memchr(b'\n', start) {
        Some(end) => (&start[..end], true),
        None => (start, false),
    };
    line.starts_with(b"{") && (!whole || line.trim_ascii_end().ends_with(b"}"))
}

/// Whether a header line is followed by a line of nothing but sequence letters.
fn is_fasta(head: &[u8]) -> bool {
    if !head.starts_with(b">") {
        return false;
    }
    let mut lines = head.split(|&byte| byte == b'\n');
    let header = lines.next().is_some_and(|line| line.len() > 1 && !line[1].is_ascii_whitespace());
    let sequence = lines.next().is_some_and(|line| {
        let line = line.trim_ascii();
        line.len() >= 10 && line.iter().all(|byte| byte.is_ascii_alphabetic() || b"*-".contains(byte))
    });
    header && sequence
}

/// Whether the first line is a row of names, one of which is that of the field with the text where nobody says otherwise.
fn is_table(head: &[u8], separator: u8) -> bool {
    fn unquoted(cell: &[u8]) -> &[u8] {
        cell.strip_prefix(b"\"").and_then(|cell| cell.strip_suffix(b"\"")).unwrap_or(cell)
    }
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.".contains(byte);
    let Some(end) = memchr::memchr(b'\n', head) else { return false };
    let names = || head[..end].trim_ascii_end().split(|&byte| byte == separator).map(unquoted);
    names().count() > 1
        && names().all(|name| (1..=64).contains(&name.len()) && name.iter().all(is_part))
        && names().any(|name| name == b"text")
}

/// The name of a kind of file that people are likely to point at by mistake.
fn known_binary(head: &[u8]) -> Option<&'static str> {
    if head.get(257..262) == Some(b"ustar") {
        return Some("a tar archive");
    }
    let kinds: [(&[u8], &str); 14] = [
        (b"PK\x03\x04", "a zip archive"),
        (b"%PDF-", "a PDF file"),
        (b"\x89PNG", "a PNG image"),
        (b"\xff\xd8\xff", "a JPEG image"),
        (b"GIF8", "a GIF image"),
        (b"\x7fELF", "a program"),
        (b"MZ", "a program"),
        (b"SQLite format 3\0", "an SQLite database"),
        (b"ARROW1", "an Arrow IPC file"),
        (b"ORC", "an ORC file"),
        (b"Obj\x01", "an Avro file"),
        (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
        (b"Rar!\x1a\x07", "a rar archive"),
        (b"\x04\x22\x4d\x18", "an lz4 file"),
    ];
    // Two letters may well begin a text; a program has zero bytes behind them.
    let (_, kind) =
        kinds.iter().find(|(magic, _)| head.starts_with(magic) && (magic.len() > 3 || head.contains(&0)))?;
    Some(kind)
}

/// Whether bytes are unlikely to be text in any encoding.
fn looks_binary(head: &[u8]) -> bool {
    if crate::encoding::of_zero_pattern(head).is_some() || crate::encoding::of_mark(head).is_some() {
        return false;
    }
    let control = head.iter().filter(|&&byte| byte < 0x20 && !b"\t\n\r\x0b\x0c\x1b".contains(&byte)).count();
    // One in fifty: text with stray control characters passes, compressed data (one in ten) does not.
    control * 50 > head.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_contents() {
        let check = |name: &str, head: &[u8], format: Option<Format>| {
            assert_eq!(Format::of(name, head).ok(), format, "{name} {:?}", String::from_utf8_lossy(head));
        };
        check("a.jsonl", b"anything", Some(Format::Jsonl));
        check("a.NDJSON.gz", b"", Some(Format::Jsonl));
        check("dir.csv/a.json", b"[{}]", Some(Format::Json));
        check("a.json", b"{\"text\":1}\n{}\n", Some(Format::Jsonl));
        check("a.json", b"{\n \"text\":1}\n", Some(Format::Json));
        check("a.json.zst", b" [\n", Some(Format::Json));
        check("a.warc.gz", b"", Some(Format::Warc));
        check("a.txt", b"{\"text\":1}\n", Some(Format::Text));
        check("a.rs", b"fn main() {}", Some(Format::Text));
        check("README", b"plain words", Some(Format::Text));
        check("-", b"{\"text\":1}\n", Some(Format::Jsonl));
        check("-", b"\xef\xbb\xbf{\"text\":1}\n", Some(Format::Jsonl));
        check("-", b"[ {\"text\":1}]\n", Some(Format::Json));
        check("-", b"[draft] a note", Some(Format::Text));
        check("-", b"PAR1....", Some(Format::Parquet));
        check("-", b"WARC/1.0\r\n", Some(Format::Warc));
        check("-", b"\n<!DOCTYPE html>", Some(Format::Html));
        check("-", b"<?xml version='1.0'?><html>", Some(Format::Html));
        check("-", b">chr1 human\nACGTACGTACGT\n", Some(Format::Fasta));
        check("-", b"> a quoted mail\n> goes on\n", Some(Format::Text));
        check("-", b"caf\xe9 au lait", Some(Format::Text));
        check("-", b"h\0e\0l\0l\0o\0 \0w\0o\0r\0l\0d\0", Some(Format::Text));
        check("-", b"id,time,text\r\na,1,some words\n", Some(Format::Csv));
        check("-", b"\xef\xbb\xbf\"id\",\"text\"\na,some words\n", Some(Format::Csv));
        check("posts", b"id\ttime\ttext\na\t1\tsome words\n", Some(Format::Tsv));
        check("-", b"text, in words, of a letter\nand more\n", Some(Format::Text));
        check("-", b"text\nand more\n", Some(Format::Text));
        check("-", b"one,two\nthree,four\n", Some(Format::Text));
        check("-", b"%PDF-1.4", None);
        check("x.bin", b"\x00\x01\x02\x03\x80\x90", None);
        check("-", b"", Some(Format::Jsonl));
    }
}

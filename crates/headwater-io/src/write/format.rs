//! The formats of rows, and how a file's name tells them.

use std::error::Error;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

use super::Target;

/// How rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OutputFormat {
    /// One JSON object a line.
    Jsonl,
    /// One JSON array of objects.
    Json,
    /// A header and a line for each row; lists and objects are JSON inside their cell.
    Csv,
    /// The same with tabs between the cells.
    Tsv,
    /// Apache Parquet, compressed with zstd.
    Parquet,
}

/// A name that is no [`OutputFormat`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownFormat {
    name: String,
}

/// What a file's name asks for beyond the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compression {
    None,
    Gzip,
    Zstd,
}

impl OutputFormat {
    /// All formats.
    pub const ALL: [OutputFormat; 5] =
        [OutputFormat::Jsonl, OutputFormat::Json, OutputFormat::Csv, OutputFormat::Tsv, OutputFormat::Parquet];

    /// The format that the extension of a file asks for, also before `.gz` or `.zst`.
    pub fn of(target: &Target) -> Option<Self> {
        let Target::File(path) = target else { return None };
        let inner;
        let path = match Compression::of(target) {
            Compression::None => path,
            _ => {
                inner = path.with_extension("");
                &inner
            }
        };
        extension(path)?.parse().ok()
    }

    /// The name by which users ask for this format.
    pub fn name(self) -> &'static str {
        match self {
            OutputFormat::Jsonl => "jsonl",
            OutputFormat::Json => "json",
            OutputFormat::Csv => "csv",
            OutputFormat::Tsv => "tsv",
            OutputFormat::Parquet => "parquet",
        }
    }
}

impl FromStr for OutputFormat {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        match name.to_ascii_lowercase().as_str() {
            "jsonl" | "ndjson" => Ok(OutputFormat::Jsonl),
            "json" => Ok(OutputFormat::Json),
            "csv" => Ok(OutputFormat::Csv),
            "tsv" => Ok(OutputFormat::Tsv),
            "parquet" => Ok(OutputFormat::Parquet),
            _ => Err(UnknownFormat { name: name.to_owned() }),
        }
    }
}

impl fmt::Display for OutputFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no output format `{}`; known are jsonl, json, csv, tsv and parquet", self.name)
    }
}

impl Error for UnknownFormat {}

impl Compression {
    pub(super) fn of(target: &Target) -> Self {
        let Target::File(path) = target else { return Compression::None };
        match extension(path).as_deref() {
            Some("gz") => Compression::Gzip,
            Some("zst") => Compression::Zstd,
            _ => Compression::None,
        }
    }
}

fn extension(path: &Path) -> Option<String> {
    Some(path.extension()?.to_str()?.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_format_and_compression() {
        let check = |path: &str, format: Option<OutputFormat>, compression: Compression| {
            let target = Target::from(Path::new(path));
            assert_eq!((OutputFormat::of(&target), Compression::of(&target)), (format, compression), "{path}");
        };
        check("a.jsonl", Some(OutputFormat::Jsonl), Compression::None);
        check("a/b.c/d.NDJSON", Some(OutputFormat::Jsonl), Compression::None);
        check("a.json.gz", Some(OutputFormat::Json), Compression::Gzip);
        check("a.csv.ZST", Some(OutputFormat::Csv), Compression::Zstd);
        check("a.tsv", Some(OutputFormat::Tsv), Compression::None);
        check("a.parquet", Some(OutputFormat::Parquet), Compression::None);
        check("a.gz", None, Compression::Gzip);
        check("a.txt", None, Compression::None);
        check("csv", None, Compression::None);
        check("-", None, Compression::None);
    }

    #[test]
    fn every_format_is_known_by_its_name() {
        for format in OutputFormat::ALL {
            assert_eq!(format.name().parse(), Ok(format));
        }
        let error = "xml".parse::<OutputFormat>().map_err(|error| error.to_string());
        assert_eq!(error, Err("there is no output format `xml`; known are jsonl, json, csv, tsv and parquet".into()));
    }
}

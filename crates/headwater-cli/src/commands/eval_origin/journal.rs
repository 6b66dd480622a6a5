//! What an interrupted run had done already: a line for each combination that is finished.
//!
//! A line is found again by a digest of all that its figures depend on: the tokens of all documents, the settings, and the
//! version of the program.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use headwater::text::mix;
use serde::{Deserialize, Serialize};

use super::row::EvalRow;
use crate::failure::Failure;

pub(super) struct Journal {
    file: Option<(File, PathBuf)>,
    done: HashMap<String, EvalRow>,
    /// Whether it goes when the run is complete.
    passing: bool,
}

#[derive(Deserialize, Serialize)]
struct Line {
    key: String,
    row: EvalRow,
}

impl Journal {
    /// The journal that the user named, or one beside the output that lasts until that is written.
    pub(super) fn open(named: Option<&Path>, output: Option<&Path>) -> Result<Self, Failure> {
        let beside = || {
            let output = output.filter(|path| !matches!(path.to_str(), Some("-" | "/dev/stdout")))?;
            let mut name = output.file_name()?.to_owned();
            name.push(".journal");
            Some(output.with_file_name(name))
        };
        let Some(path) = named.map(Path::to_owned).or_else(beside) else {
            return Ok(Journal { file: None, done: HashMap::new(), passing: false });
        };
        let explain =
            |error: io::Error| Failure::run(format_args!("cannot keep the journal {}: {error}", path.display()));
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(explain(error)),
        };
        // A line that a kill has cut short is done again.
        let lines = text.lines().filter_map(|line| serde_json::from_str::<Line>(line).ok());
        let done = lines.map(|line| (line.key, line.row)).collect();
        let mut file = OpenOptions::new().create(true).append(true).open(&path).map_err(explain)?;
        if !text.is_empty() && !text.ends_with('\n') {
            file.write_all(b"\n").map_err(explain)?;
        }
        Ok(Journal { file: Some((file, path)), done, passing: named.is_none() })
    }

    pub(super) fn find(&self, key: &str) -> Option<&EvalRow> {
        self.done.get(key)
    }

    /// Notes what is finished; it is on disk when this returns.
    pub(super) fn note(&mut self, key: &str, row: &EvalRow) -> Result<(), Failure> {
        let Some((file, path)) = &mut self.file else { return Ok(()) };
        let line = serde_json::to_string(&Line { key: key.to_owned(), row: row.clone() }).map_err(Failure::run)?;
        writeln!(file, "{line}")
            .map_err(|error| Failure::run(format_args!("cannot keep the journal {}: {error}", path.display())))
    }

    /// The run is complete and its answer written.
    pub(super) fn close(self) {
        if let Some((_, path)) = self.file.filter(|_| self.passing) {
            // Left behind it would only be in the way.
            let _ = fs::remove_file(path);
        }
    }
}

/// The key of a combination.
pub(super) fn key(collection: u64, settings: &str) -> String {
    let settings = format!("{} {settings}", env!("CARGO_PKG_VERSION"));
    let mut key = collection;
    for bytes in settings.as_bytes().chunks(8) {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        key = mix(key ^ u64::from_le_bytes(word));
    }
    format!("{key:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_depend_on_everything() {
        let keys: std::collections::BTreeSet<String> =
            [key(1, "a"), key(2, "a"), key(1, "b"), key(1, ""), key(1, "a long one"), key(1, "a long two")].into();
        assert_eq!(keys.len(), 6);
        assert_eq!(key(1, "a"), key(1, "a"));
    }
}

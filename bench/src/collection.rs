//! Collections of dated documents, as they lie in the shared data folder.

use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde::Deserialize;

/// One line of a collection.
#[derive(Deserialize)]
pub struct Line {
    /// Its name.
    pub id: String,
    /// Its text.
    pub text: String,
}

/// The folder with the collections: `HEADWATER_DATA`, or where it lies beside a clone.
pub fn data_folder() -> PathBuf {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
    std::env::var_os("HEADWATER_DATA").map_or(beside, PathBuf::from)
}

/// The documents of a collection in order.
pub fn read(name: &str) -> Result<Vec<Line>, Box<dyn Error>> {
    let path = data_folder().join(name).join("docs.jsonl.zst");
    let file = File::open(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut lines = Vec::new();
    for line in BufReader::new(zstd::Decoder::new(file)?).lines() {
        lines.push(serde_json::from_str(&line?)?);
    }
    Ok(lines)
}

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
    lines(name, "docs.jsonl.zst", |line| Ok(serde_json::from_str(line)?))
}

/// What an independent index of every shingle says about each document: its name, tokens, shingles, copied shingles,
/// most copied origin, and shingles of that.
pub fn exact(name: &str) -> Result<Vec<[String; 6]>, Box<dyn Error>> {
    lines(name, "exact-k8.tsv.zst", |line| {
        let columns: Vec<String> = line.split('\t').map(str::to_owned).collect();
        columns.try_into().map_err(|_| format!("not six columns: {line}").into())
    })
}

fn lines<T>(
    name: &str,
    file: &str,
    parse: impl Fn(&str) -> Result<T, Box<dyn Error>>,
) -> Result<Vec<T>, Box<dyn Error>> {
    let path = data_folder().join(name).join(file);
    let file = File::open(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut parsed = Vec::new();
    for line in BufReader::new(zstd::Decoder::new(file)?).lines() {
        parsed.push(parse(&line?)?);
    }
    Ok(parsed)
}

/// The text of a document in one line of JSONL, by the fastest reader that there is.
pub fn text_of(line: &[u8]) -> String {
    use sonic_rs::JsonValueTrait;
    let value = sonic_rs::get(line, ["text"]).expect("a document has a text");
    value.as_str().map(str::to_owned).expect("the text is a string")
}

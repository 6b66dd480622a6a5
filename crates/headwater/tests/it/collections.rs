//! Collections of real text. They are not ours to redistribute: tests that need them say so and pass without.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

/// The first `most` documents of a collection with their names, if it is at hand.
pub(crate) fn documents(name: &str, most: usize) -> Option<Vec<(String, String)>> {
    let lines = lines(name, "docs.jsonl.zst", most)?;
    let field = |value: &serde_json::Value, field: &str| value[field].as_str().unwrap().to_owned();
    let parse = |line: &String| {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        (field(&value, "id"), field(&value, "text"))
    };
    Some(lines.iter().map(parse).collect())
}

/// What an independent index of every shingle says about the first `most` documents.
pub(crate) fn exact(name: &str, most: usize) -> Option<Vec<Vec<String>>> {
    let lines = lines(name, "exact-k8.tsv.zst", most)?;
    Some(lines.iter().map(|line| line.split('\t').map(str::to_owned).collect()).collect())
}

fn lines(name: &str, file: &str, most: usize) -> Option<Vec<String>> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let path = std::env::var_os("HEADWATER_DATA").map_or(beside, PathBuf::from).join(name).join(file);
    let Ok(file) = File::open(&path) else {
        println!("skipped: there is no {}; set HEADWATER_DATA", path.display());
        return None;
    };
    let reader = BufReader::new(zstd::Decoder::new(file).unwrap());
    Some(reader.lines().take(most).collect::<Result<_, _>>().unwrap())
}

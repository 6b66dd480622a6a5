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

/// The documents of a collection in order: one of the data folder, or any JSONL file.
pub fn read(name: &str) -> Result<Vec<Line>, Box<dyn Error>> {
    if !name.ends_with(".jsonl") {
        return lines(name, "docs.jsonl.zst", |line| Ok(serde_json::from_str(line)?));
    }
    let file = File::open(name).map_err(|error| format!("{name}: {error}"))?;
    BufReader::new(file).lines().map(|line| Ok(serde_json::from_str(&line?)?)).collect()
}

/// What an independent index of every shingle says about a document.
pub struct Exact {
    /// Its tokens, shingles, copied shingles, and shingles of the most copied origin.
    pub figures: [String; 4],
    /// The name of the most copied origin.
    pub leader: String,
}

/// What the independent index says about each of the documents.
pub fn exact(name: &str, documents: &[Line]) -> Result<Vec<Exact>, Box<dyn Error>> {
    let lines = lines(name, "exact-k8.tsv.zst", |line| Ok(line.to_owned()))?;
    if lines.len() != documents.len() {
        return Err(format!("{name}: {} documents, {} exact results", documents.len(), lines.len()).into());
    }
    let parse = |(line, document): (&String, &Line)| {
        // Names can have tabs in them, so they are not cut at tabs.
        let figures = line.strip_prefix(&document.id)?.strip_prefix('\t')?;
        let (figures, most) = figures.rsplit_once('\t')?;
        let [tokens, shingles, copied, leader] = figures.splitn(4, '\t').collect::<Vec<_>>().try_into().ok()?;
        Some(Exact { figures: [tokens, shingles, copied, most].map(str::to_owned), leader: leader.to_owned() })
    };
    let parsed =
        lines.iter().zip(documents).map(|pair| parse(pair).ok_or_else(|| format!("{name}: {}", pair.0).into()));
    parsed.collect()
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

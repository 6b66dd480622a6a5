//! `headwater inspect`: a newcomer's first look.

use serde_json::Value;

use crate::program::{headwater, root, with_input};

#[test]
fn the_first_look_at_the_collection() {
    insta::assert_snapshot!("inspect-river", headwater(&["inspect", "testdata/river/documents.jsonl"]).succeeded());
}

#[test]
fn a_folder_of_every_format() {
    let found = headwater(&["inspect", "--format", "json", "testdata/formats"]).succeeded();
    let found: Value = serde_json::from_str(&found).unwrap();
    for format in ["jsonl", "json", "csv", "parquet", "html", "warc", "fasta"] {
        assert!(found["formats"][format].as_u64() > Some(0), "{format}: {found}");
    }
    assert_eq!(found["problems"], 0, "{found}");
}

#[test]
fn an_empty_result_is_explained() {
    let other = with_input(&["inspect", "-"], "{\"body\":\"the text is elsewhere\",\"title\":\"x\"}\n");
    assert_eq!(other.code, 1);
    assert!(other.err.contains("body") && other.err.contains("--text-field"), "{}", other.err);
    assert!(other.out.contains("fields       body (1), title (1)"), "{}", other.out);
    let empty = with_input(&["inspect", "-"], "");
    assert_eq!(empty.code, 1);
    assert!(empty.err.contains("no documents"), "{}", empty.err);
}

/// Real collections, which are not in the repository: what `inspect` counts is what those who made them counted.
#[test]
fn the_shared_collections() {
    let beside = root().join("../shared/data");
    let folder = std::env::var_os("HEADWATER_DATA").map_or(beside, std::path::PathBuf::from);
    let Ok(collections) = std::fs::read_dir(&folder) else {
        println!("skipped: no collections at {}", folder.display());
        return;
    };
    for collection in collections.flatten().map(|entry| entry.path()).filter(|path| path.join("stats.json").exists()) {
        let stats = std::fs::read_to_string(collection.join("stats.json")).unwrap();
        let stats: Value = serde_json::from_str(&stats).unwrap();
        let documents = collection.join("docs.jsonl.zst");
        let found = headwater(&["inspect", "--format", "json", documents.to_str().unwrap()]).succeeded();
        let found: Value = serde_json::from_str(&found).unwrap();
        assert_eq!(
            (&found["documents"], &found["text_bytes"]),
            (&stats["docs"], &stats["bytes"]),
            "{}",
            collection.display()
        );
        assert_eq!(found["late"], 0, "{}", collection.display());
    }
}

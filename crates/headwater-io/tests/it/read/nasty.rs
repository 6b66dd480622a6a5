//! The collection of difficult inputs that comes with the project's data; skipped where it is absent.

use std::path::{Path, PathBuf};
use std::process::Command;

use headwater_io::{Inputs, ReadOptions};

use super::run;

fn folder() -> Option<PathBuf> {
    let data = std::env::var_os("HEADWATER_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"), PathBuf::from);
    let folder = data.join("nasty");
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("skipped: {} is absent (HEADWATER_DATA names the folder of test collections)", folder.display());
    None
}

#[test]
fn documents_at_the_edges() {
    let Some(folder) = folder() else { return };
    let outcome = run(|| Inputs::open(&[folder.join("docs.jsonl.zst")]).unwrap(), &ReadOptions::default());
    assert_eq!((outcome.documents().len(), outcome.problems()), (155, Vec::new()));
    assert_eq!(outcome.texts().iter().map(|text| text.len()).sum::<usize>(), 4_043_772);
}

#[test]
fn broken_lines() {
    let Some(folder) = folder() else { return };
    let path = folder.join("broken.jsonl");
    let outcome = run(|| Inputs::open(&[&path]).unwrap(), &ReadOptions::default());
    assert_eq!(outcome.ids(), ["backwards", "good", "good", "good", "3", "extra"]);
    let lines: Vec<String> = outcome
        .problems()
        .iter()
        .map(|problem| problem[path.display().to_string().len() + 1..].split(':').next().unwrap().to_owned())
        .collect();
    assert_eq!(lines, ["4", "5", "7", "9", "11", "12", "14", "15"]);
}

#[test]
fn raw_files() {
    let Some(folder) = folder() else { return };
    let unpacked = tempfile::tempdir().unwrap();
    let status = Command::new("tar")
        .arg("--zstd")
        .arg("-xf")
        .arg(folder.join("raw.tar.zst"))
        .arg("-C")
        .arg(unpacked.path())
        .status();
    if !status.is_ok_and(|status| status.success()) {
        eprintln!("skipped: tar cannot unpack the raw files");
        return;
    }
    let outcome = run(|| Inputs::open(&[unpacked.path()]).unwrap(), &ReadOptions::default());
    assert_eq!(outcome.documents().len(), 90);
    let problems = outcome.problems();
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(problems[0].contains("random-bytes.bin: neither text"), "{problems:?}");
    let text =
        |name: &str| outcome.documents().into_iter().find(|document| document.id.ends_with(name)).unwrap().text.clone();
    assert_eq!(text("enc-ja-euc_jp.txt"), text("enc-ja-shift_jis.txt"));
    assert_eq!(text("enc-ja-euc_jp.txt"), text("enc-ja-iso2022_jp.txt"));
    // KOI8-R lacks the quotes that the others have.
    let start = |name: &str| text(name).chars().take(300).collect::<String>();
    assert_eq!(start("enc-ru-koi8-r.txt"), start("enc-ru-cp1251.txt"));
    assert_eq!(text("enc-ru-cp1251.txt"), text("enc-ru-utf-32.txt"));
    assert_eq!(text("enc-de-utf-16-be.txt"), text("enc-de-utf-16.txt"));
    assert_eq!(text("enc-de-utf-16-be.txt").len(), text("enc-de-cp1252.txt").len());
    // The whole archive by itself is none of ours, and is named.
    let archive = run(|| Inputs::open(&[folder.join("raw.tar.zst")]).unwrap(), &ReadOptions::default());
    assert!(archive.problems()[0].ends_with("a tar archive, which is not read"));
}

//! The house plan, enforced: which room may import which.

use std::fs;
use std::path::{Path, PathBuf};

/// In files below the first path, no line of code may mention the second, for the reason given.
const FORBIDDEN: &[(&str, &str, &str)] = &[
    // The four questions do not know each other.
    ("headwater/src/origin", "crate::coderivative", "the rooms of the four questions never import each other"),
    ("headwater/src/origin", "crate::neardup", "the rooms of the four questions never import each other"),
    ("headwater/src/origin", "crate::census", "the rooms of the four questions never import each other"),
    ("headwater/src/coderivative", "crate::origin", "the rooms of the four questions never import each other"),
    ("headwater/src/coderivative", "crate::neardup", "the rooms of the four questions never import each other"),
    ("headwater/src/coderivative", "crate::census", "the rooms of the four questions never import each other"),
    ("headwater/src/neardup", "crate::origin", "the rooms of the four questions never import each other"),
    ("headwater/src/neardup", "crate::coderivative", "the rooms of the four questions never import each other"),
    ("headwater/src/neardup", "crate::census", "the rooms of the four questions never import each other"),
    ("headwater/src/census", "crate::origin", "the rooms of the four questions never import each other"),
    ("headwater/src/census", "crate::coderivative", "the rooms of the four questions never import each other"),
    ("headwater/src/census", "crate::neardup", "the rooms of the four questions never import each other"),
    // Data flows one way: document, tokens, shingles, selection, table, attributions, report.
    ("headwater/src/text", "crate::select", "text comes before selection"),
    ("headwater/src/text", "crate::origin", "text comes before origins"),
    ("headwater/src/select", "crate::origin", "selection comes before origins"),
    ("headwater/src/document.rs", "crate::", "a document knows nothing of what is done with it"),
    ("headwater/src/origin/table", "estimate", "the table knows nothing of estimation"),
    ("headwater/src/origin/table", "report", "the table knows nothing of reports"),
    // The library computes; others read, write and wait.
    ("headwater/src", "std::fs", "the library touches no files"),
    ("headwater/src", "std::net", "the library touches no network"),
    ("headwater/src", "std::thread", "the library starts no threads"),
    ("headwater/src", "std::io", "the library reads and writes nothing"),
    ("headwater/src", "async fn", "the library does not wait"),
    ("headwater-io/src", "std::net", "only headwater-engine touches the network"),
    ("headwater-io/src", "ureq", "only headwater-engine touches the network"),
    ("headwater-cli/src", "ureq", "only headwater-engine touches the network"),
    ("headwater-engine/src", "clap", "only the command line knows the command line"),
    ("headwater-engine", "pyo3", "only headwater-python knows Python"),
    ("headwater-io/src", "clap", "only the command line knows the command line"),
    ("headwater-report/src", "headwater_io", "pages know nothing of files"),
    ("headwater-report/src", "std::fs", "pages are written where the caller says"),
    ("headwater", "pyo3", "only headwater-python knows Python"),
    ("headwater-io", "pyo3", "only headwater-python knows Python"),
    ("headwater-cli", "pyo3", "only headwater-python knows Python"),
];

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies in crates/").to_owned()
}

fn sources(below: &Path, found: &mut Vec<PathBuf>) {
    if below.extension().is_some_and(|extension| extension == "rs") {
        found.push(below.to_owned());
    }
    for entry in fs::read_dir(below).into_iter().flatten().flatten() {
        sources(&entry.path(), found);
    }
}

/// The lines of a file that are code outside its tests: imports and paths, not comments.
fn code(file: &str) -> impl Iterator<Item = (usize, &str)> {
    let before_tests = file.lines().take_while(|line| !line.starts_with("#[cfg(test)]"));
    before_tests.enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"))
}

fn imports(line: &str, forbidden: &str) -> bool {
    // A single word is a sibling module: it counts where it is imported or named as a path.
    let is_word = forbidden.chars().all(|c| c.is_alphanumeric() || c == '_');
    if is_word { line.contains("use ") && line.contains(&format!("::{forbidden}")) } else { line.contains(forbidden) }
}

#[test]
fn no_room_imports_what_the_plan_forbids() {
    let crates = crates();
    let mut violations = Vec::new();
    for &(room, forbidden, reason) in FORBIDDEN {
        let mut files = Vec::new();
        sources(&crates.join(room), &mut files);
        for path in files.into_iter().filter(|path| !path.components().any(|part| part.as_os_str() == "tests")) {
            let file = fs::read_to_string(&path).expect("a source file can be read");
            for (at, line) in code(&file).filter(|(_, line)| imports(line, forbidden)) {
                violations.push(format!("{}:{}: {}: {reason}", path.display(), at + 1, line.trim()));
            }
        }
    }
    assert!(violations.is_empty(), "{}", violations.join("\n"));
}

#[test]
fn the_check_sees_what_it_should() {
    assert!(imports("use super::super::estimate::aligned;", "estimate"));
    assert!(imports("use crate::neardup::Join;", "crate::neardup"));
    assert!(imports("    let file = std::fs::File::open(path)?;", "std::fs"));
    assert!(!imports("let estimate = 5;", "estimate"));
    assert_eq!(code("use a;\n// use b;\n#[cfg(test)]\nuse c;").count(), 1);
}

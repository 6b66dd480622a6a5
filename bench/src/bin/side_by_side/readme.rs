//! The table of the README, between two comments, from the newest record.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use crate::markdown;
use crate::record::Record;

const BEGIN: &str = "<!-- begin of the table that bench/run writes -->";
const END: &str = "<!-- end of the table that bench/run writes -->";

/// Writes the table of the newest record into the README.
pub fn update() -> Result<(), Box<dyn Error>> {
    let (path, _, new) = renewed()?;
    Ok(fs::write(path, new)?)
}

/// Says where the README is not what the newest record says.
pub fn check() -> Result<(), Box<dyn Error>> {
    let (_, old, new) = renewed()?;
    if old == new {
        Ok(())
    } else {
        Err("the table of README.md is not that of the newest record: run bench/run --render".into())
    }
}

/// The README as it is and as it should be.
fn renewed() -> Result<(PathBuf, String, String), Box<dyn Error>> {
    let bench = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = bench.join("../README.md");
    let (record, from) = Record::newest(&bench.join("record"))?;
    let name = from.file_stem().unwrap_or_default().to_string_lossy();
    let body = format!(
        "{}\n[All rows of {}](bench/record/{name}.md), also those that we lose.\n",
        markdown::short(&record),
        record.date
    );
    let old = fs::read_to_string(&path)?;
    let new = between(&old, &body)?;
    Ok((path, old, new))
}

fn between(text: &str, body: &str) -> Result<String, Box<dyn Error>> {
    let (before, rest) = text.split_once(BEGIN).ok_or_else(|| format!("README.md has no {BEGIN}"))?;
    let (_, after) = rest.split_once(END).ok_or_else(|| format!("README.md has no {END}"))?;
    Ok(format!("{before}{BEGIN}\n{body}{END}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_stands_between_the_comments_changes() {
        let text = format!("a\n{BEGIN}\nold\n{END}\nb\n");
        assert_eq!(between(&text, "new\n").expect("both are there"), format!("a\n{BEGIN}\nnew\n{END}\nb\n"));
        assert!(between("a", "new").is_err());
    }

    #[test]
    fn the_readme_is_in_step_with_the_newest_record() {
        check().expect("bench/run --render has been run");
    }
}

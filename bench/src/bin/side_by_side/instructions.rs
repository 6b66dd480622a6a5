//! Instructions of the hot kernels on a fixed input, counted by callgrind: stable where times are not, so that a change of
//! more than a few per cent is seen in review, in the file of counts that is committed.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::{Deserialize, Serialize};

use crate::place::Place;

/// More than this share of difference is said aloud.
const NOTEWORTHY: f64 = 0.03;

/// What is committed: a kernel, a tab, its instructions on each line.
const COMMITTED: &str = "instructions.tsv";

/// A kernel's instructions, and those that are committed.
#[derive(Clone, Serialize, Deserialize)]
pub struct Count {
    pub kernel: String,
    pub instructions: u64,
    pub committed: Option<u64>,
}

impl Count {
    /// By which share it has changed.
    pub fn change(&self) -> Option<f64> {
        self.committed.map(|committed| self.instructions as f64 / committed as f64 - 1.0)
    }
}

/// Counts every kernel, compares with what is committed, and says what has changed; `accept` commits the new counts.
/// Whether nothing has changed by much.
pub fn count(place: &Place, accept: bool) -> Result<bool, Box<dyn Error>> {
    let program = place.root.join("bin/kernels");
    let names = Command::new(&program).output().map_err(|error| format!("{}: {error}", program.display()))?;
    let names = String::from_utf8(names.stdout)?;
    let mut lines = String::new();
    for name in names.lines() {
        lines += &format!("{name}\t{}\n", callgrind(place, &program, name)?);
    }
    fs::write(place.root.join(COMMITTED), &lines)?;
    if accept {
        fs::write(committed(), &lines)?;
    }
    let mut is_calm = true;
    for count in measured(place)? {
        let change = count.change();
        let loud = change.is_none_or(|change| change.abs() > NOTEWORTHY);
        is_calm &= !loud;
        let change = change.map_or("new".into(), |change| format!("{:+.1} %", 100.0 * change));
        println!(
            "{:<40} {:>14} {change}{}",
            count.kernel,
            count.instructions,
            if loud { "  ← look at this" } else { "" }
        );
    }
    Ok(is_calm)
}

/// What was counted last, beside what is committed.
pub fn measured(place: &Place) -> Result<Vec<Count>, Box<dyn Error>> {
    let committed = read(&committed())?;
    let counts = read(&place.root.join(COMMITTED))?.into_iter().map(|(kernel, instructions)| {
        let committed = committed.iter().find(|other| other.0 == kernel).map(|other| other.1);
        Count { kernel, instructions, committed }
    });
    Ok(counts.collect())
}

fn committed() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(COMMITTED)
}

fn read(path: &Path) -> Result<Vec<(String, u64)>, Box<dyn Error>> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let parse = |line: &str| -> Result<(String, u64), Box<dyn Error>> {
        let (kernel, count) = line.split_once('\t').ok_or_else(|| format!("{}: {line}", path.display()))?;
        Ok((kernel.into(), count.parse()?))
    };
    text.lines().map(parse).collect()
}

/// Instructions inside of `measured`, the function that `kernels` calls for what counts.
fn callgrind(place: &Place, program: &Path, kernel: &str) -> Result<u64, Box<dyn Error>> {
    let out = place.root.join("callgrind.out");
    let run = Command::new("valgrind")
        .args(["--tool=callgrind", "--collect-atstart=no", "--toggle-collect=measured"])
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg(program)
        .arg(kernel)
        .output()
        .map_err(|error| format!("valgrind: {error}; install it to count instructions"))?;
    let said = String::from_utf8_lossy(&run.stderr);
    let collected = said.lines().find_map(|line| line.split("Collected : ").nth(1));
    let count =
        collected.and_then(|count| count.trim().parse().ok()).filter(|&count| count > 0 && run.status.success());
    count.ok_or_else(|| format!("callgrind of {kernel}: {}", said.lines().last().unwrap_or_default()).into())
}

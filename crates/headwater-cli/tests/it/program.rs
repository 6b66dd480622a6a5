//! Running the program.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// What a run printed, and how it ended.
pub(crate) struct Outcome {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Runs `headwater` in the repository's root.
pub(crate) fn headwater(args: &[&str]) -> Outcome {
    with_input(args, "")
}

/// Runs `headwater` with something on standard input.
pub(crate) fn with_input(args: &[&str], input: &str) -> Outcome {
    let mut command = Command::new(env!("CARGO_BIN_EXE_headwater"));
    command.args(args).current_dir(root()).env_remove("NO_COLOR");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    // A program that refuses its arguments does not read; that is no reason to fail here.
    let feeder = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().unwrap();
    feeder.join().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the program prints UTF-8");
    Outcome { code: output.status.code().unwrap_or(-1), out: text(output.stdout), err: text(output.stderr) }
}

pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

impl Outcome {
    /// Standard output of a run that must have succeeded.
    pub(crate) fn succeeded(self) -> String {
        assert_eq!(self.code, 0, "{}", self.err);
        self.out
    }

    /// The rows of JSONL on standard output.
    pub(crate) fn rows(self) -> Vec<serde_json::Value> {
        self.succeeded().lines().map(|line| serde_json::from_str(line).expect(line)).collect()
    }
}

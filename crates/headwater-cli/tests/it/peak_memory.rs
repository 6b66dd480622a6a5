//! Memory is a promise: the program takes what `--memory` says and some room to work in, however long the stream.
//!
//! How much a process has had at most is asked of Linux; elsewhere there is no such test.

use std::process::{Command, Stdio};
use std::time::Duration;

use crate::program::headwater;

const MEBI: u64 = 1 << 20;

/// What `trace` is told to take for its table.
const MEMORY: u64 = 4 * MEBI;

/// What it may take beside that, for threads that read and wait for each other, for sorting and for what a format gathers. Users are
/// promised no more than 150 MB.
const BESIDE: u64 = 130_000_000;

/// By how much more a stream of four times the length may take, for caches that fill and room that the allocator does not give back.
/// Measured: 4 MiB. A hundred and fifty bytes kept of each document would be more than this.
const MORE: u64 = 12 * MEBI;

/// The most memory that a run has had.
fn peak(args: &[&str]) -> u64 {
    let mut child = Command::new(env!("CARGO_BIN_EXE_headwater"))
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    // The number never falls, but it is gone with the process: the last one that was read is short of it by a moment's work.
    loop {
        let now = std::fs::read_to_string(&status).unwrap_or_default();
        let line = now.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        if let Some(kibi) = line.and_then(|line| line.trim().strip_suffix(" kB")) {
            peak = kibi.trim().parse::<u64>().unwrap() << 10;
        }
        if let Some(code) = child.try_wait().unwrap() {
            assert!(code.success(), "{args:?}");
            assert!(peak > MEBI, "{args:?}: the number was read at least once");
            return peak;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn a_longer_stream_takes_no_more_memory() {
    let folder = tempfile::tempdir().unwrap();
    // Short posts, so that what is kept of each would count for much.
    let [short, long] = ["12MB", "48MB"].map(|size| {
        let path = folder.path().join(format!("{size}.jsonl")).to_str().unwrap().to_owned();
        headwater(&["generate", "--size", size, "--words", "20", "--quiet", "-o", &path]).succeeded();
        path
    });
    for choice in [&[][..], &["--select", "NHs"]] {
        let peak = |path: &str, threads: &str| {
            peak(&[&["trace", path, "--quiet", "--memory", "4MiB", "--threads", threads], choice].concat())
        };
        // How far two threads run ahead of each other is chance: only a bound holds. One thread always takes the same.
        let two = [&short, &long].map(|path| peak(path, "2"));
        let one = [&short, &long].map(|path| peak(path, "1"));
        eprintln!(
            "{choice:?}: {:?} MiB with two threads, {:?} with one",
            two.map(|peak| peak / MEBI),
            one.map(|peak| peak / MEBI)
        );
        assert!(two.iter().all(|&peak| peak < MEMORY + BESIDE), "{choice:?}: {two:?}");
        assert!(one[1] < one[0] + MORE, "{choice:?}: {one:?}");
    }
}

/// Not for more threads than there are cores, nor where documents must be sorted, nor where the format of the answers gathers rows.
#[test]
fn no_way_of_running_takes_much_more() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (posts, twice, answers) = (at("posts.jsonl"), at("twice.jsonl"), at("answers.parquet"));
    headwater(&["generate", "--size", "36MB", "--words", "20", "--quiet", "-o", &posts]).succeeded();
    let text = std::fs::read(&posts).unwrap();
    std::fs::write(&twice, [&text[..], &text[..]].concat()).unwrap();
    for more in [
        &[&posts, "--threads", "16"][..],
        &[&twice, "--threads", "8"],
        &[&twice, "--threads", "2", "--evidence", "-o", &answers],
    ] {
        let peak = peak(&[&["trace", "--quiet", "--memory", "4MiB"], more].concat());
        eprintln!("{more:?}: {} MiB", peak / MEBI);
        assert!(peak < MEMORY + BESIDE, "{more:?}: {peak}");
    }
}

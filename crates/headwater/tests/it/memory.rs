//! Memory is a promise: the table takes what it was given, and nothing grows with the stream.

use std::process::Command;

use headwater::origin::{Algorithm, InOrder, Paper, Prepared, Report, Settings, Tracer};
use headwater::text::mix;

const TABLE: usize = 16 << 20;
/// The program itself, the test harness, one document and its report.
const BESIDE: usize = 24 << 20;

#[test]
fn tables_keep_to_their_bytes() {
    for memory in [8 << 10, 100_001, 1 << 20, TABLE] {
        for algorithm in [Algorithm::Headwater, Algorithm::Paper(Paper::default())] {
            let tracer = Tracer::new(Settings { memory, algorithm, ..Settings::default() }).unwrap();
            assert!(tracer.table().len() <= memory, "{algorithm:?} of {memory}");
            // Seven entries in a cache line, or 64 of the paper's.
            let (entries, bytes) = if algorithm == Algorithm::Headwater { (7, 64) } else { (64, 64 * 18) };
            assert!(tracer.capacity() / entries * bytes > memory - 2048, "{algorithm:?} of {memory} wastes no bucket");
        }
    }
}

/// Runs the stream below in a process of its own, where no other test takes memory.
#[test]
fn a_long_stream_stays_within_its_memory() {
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "memory::long_stream", "--nocapture"])
        .output()
        .unwrap();
    let output = String::from_utf8_lossy(&child.stdout);
    assert!(child.status.success(), "{output}");
    let Some(peak) = output.lines().find_map(|line| line.strip_prefix("peak ")) else {
        println!("skipped: this system does not tell a process its peak memory");
        return;
    };
    let peak: usize = peak.parse().unwrap();
    assert!(peak <= TABLE + BESIDE, "{peak} bytes at the peak, with a table of {TABLE}");
    assert!(peak > TABLE / 2, "the stream fills the table");
}

#[test]
#[ignore = "run by a_long_stream_stays_within_its_memory"]
fn long_stream() {
    let mut tracer = Tracer::new(Settings { memory: TABLE, ..Settings::default() }).unwrap();
    let preparer = tracer.preparer();
    let (mut prepared, mut report, mut text) = (Prepared::default(), Report::default(), String::new());
    for document in 0..30_000u64 {
        text.clear();
        for word in 0..300u64 {
            // Every third document repeats half of an earlier one.
            let from = if document % 3 == 2 && word < 150 { document / 2 } else { document };
            text.push_str(&format!("{:x} ", mix(from << 20 | word) >> 40));
        }
        preparer.prepare_into(&text, &mut prepared).unwrap();
        tracer.observe_into(&prepared, document as i64, &InOrder, &mut report);
    }
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse::<usize>().ok());
    if let Some(kilobytes) = peak {
        println!("\npeak {}", kilobytes * 1024);
    }
}

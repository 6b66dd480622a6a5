//! Everything that `headwater trace` does, process start included, against the machine's limit for parsing, tokenising and
//! selecting alone: one run, interleaved rounds.
//!
//! usage: ingest HEADWATER MEMORY FILE.jsonl… (HEADWATER: the release build of the program)

use std::path::Path;
use std::process::{Command, Stdio};

use headwater::text::{Reading, Tokens};
use headwater_bench::collection::text_of;
use headwater_bench::limit::{self, Room};
use headwater_bench::measure::Rounds;

const ROUNDS: usize = 9;

const LIMIT: &str = "limit: JSONL (sonic-rs) and fused to Hailstorm";
const ONE: &str = "headwater trace, 1 thread";
const TWO: &str = "headwater trace, 2 threads";
const UNSCANNED: &str = "headwater trace --order input, 1 thread";
const UNSCANNED_TWO: &str = "headwater trace --order input, 2 threads";

fn main() {
    let mut args = std::env::args();
    let (Some(_), Some(program), Some(memory)) = (args.next(), args.next(), args.next()) else {
        eprintln!("usage: ingest HEADWATER MEMORY FILE.jsonl…");
        std::process::exit(2);
    };
    args.for_each(|file| report(&program, &memory, Path::new(&file)));
}

fn report(program: &str, memory: &str, path: &Path) {
    let raw = std::fs::read(path).expect("the file can be read");
    let lines: Vec<&[u8]> = raw.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()).collect();
    let bytes = lines.iter().map(|line| text_of(line).len()).sum();
    let mut room = Room::default();
    // Who finds fewer tokens has less to do.
    let (mut ours, mut limits, mut tokens) = (0, 0, Tokens::new());
    for line in &lines {
        let text = text_of(line);
        tokens.read(&text, Reading::Words).expect("a document of the collections fits");
        ours += tokens.len();
        limits += limit::hashed(&[text.as_bytes(), &[0; 64]].concat(), text.len(), &mut room);
    }
    println!(
        "\n{}: {} documents, {:.1} MB of text, {ours} tokens (the limit finds {limits}), table of {memory}",
        path.file_name().unwrap_or_default().display(),
        lines.len(),
        bytes as f64 / 1e6
    );
    let mut rounds = Rounds::default();
    for _ in 0..ROUNDS {
        rounds.time(LIMIT, bytes, || {
            let mut buffer = Vec::new();
            // The file is read too, as the program does.
            let raw = std::fs::read(path).expect("the file can be read");
            raw.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()).fold(0, |sum, line| {
                let text = text_of(line);
                buffer.clear();
                buffer.extend_from_slice(text.as_bytes());
                buffer.extend_from_slice(&[0; 64]);
                sum ^ limit::fused(&buffer, text.len(), &mut room)
            })
        });
        for (name, threads, order) in
            [(ONE, "1", "auto"), (TWO, "2", "auto"), (UNSCANNED, "1", "input"), (UNSCANNED_TWO, "2", "input")]
        {
            rounds.time(name, bytes, || {
                let options = ["trace", "--quiet", "--memory", memory, "--threads", threads, "--order", order];
                let mut command = Command::new(program);
                command.args(options).arg(path).stdout(Stdio::null());
                assert!(command.status().expect("the program runs").success());
            });
        }
    }
    rounds.print();
    println!();
    for (job, other) in
        [(ONE, LIMIT), (UNSCANNED, LIMIT), (TWO, LIMIT), (UNSCANNED_TWO, LIMIT), (TWO, ONE), (UNSCANNED_TWO, UNSCANNED)]
    {
        rounds.compare(job, other);
    }
}

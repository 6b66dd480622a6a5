//! What only another process can show: standard output, and a kill in the middle.
//!
//! The child is this very test program, which runs [`child`] alone and is told by the environment what to do.

use std::env;
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{self, Command, Stdio};
use std::thread;
use std::time::Duration;

use headwater_io::write::{OutputFormat, RowWriter, Target};

use super::formats::read_parquet;
use super::{contents, samples, write, write_endlessly};

const TASK: &str = "HEADWATER_TEST_CHILD";
/// The test harness talks on standard output as well; what comes after this line is ours.
const MARK: &str = "---";

#[test]
fn child() {
    let Ok(task) = env::var(TASK) else { return };
    let (task, argument) = task.split_once(' ').unwrap();
    println!("{MARK}");
    io::stdout().flush().unwrap();
    match task {
        "print" => write(Path::new("-"), argument.parse().unwrap(), &samples()).unwrap(),
        "print-endlessly" => process::exit(match write_endlessly(Target::Stdout, argument.parse().unwrap()) {
            error if error.is_broken_pipe() => 0,
            error => {
                eprintln!("{error}");
                1
            }
        }),
        "relative" => write(Path::new(argument), OutputFormat::Jsonl, &samples()).unwrap(),
        "hang" => {
            let mut writer = RowWriter::create(Target::from(Path::new(argument)), OutputFormat::Jsonl).unwrap();
            for _ in 0..3000 {
                samples().iter().for_each(|row| writer.write(row).unwrap());
            }
            writer.flush().unwrap();
            println!("half");
            thread::sleep(Duration::from_secs(600));
        }
        _ => unreachable!("no such task"),
    }
    process::exit(0);
}

fn spawn(task: &str, folder: &Path) -> process::Child {
    Command::new(env::current_exe().unwrap())
        .args(["--exact", "write::child::child", "--nocapture", "--test-threads=1"])
        .env(TASK, task)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .unwrap()
}

fn skip_to_mark(reader: &mut impl BufRead) {
    let mut line = String::new();
    while !line.trim_end().ends_with(MARK) {
        line.clear();
        assert_ne!(reader.read_line(&mut line).unwrap(), 0, "the child said nothing");
    }
}

#[test]
fn standard_output_takes_every_format() {
    for format in OutputFormat::ALL {
        let folder = tempfile::tempdir().unwrap();
        let mut child = spawn(&format!("print {format}"), folder.path());
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        skip_to_mark(&mut stdout);
        let mut printed = Vec::new();
        stdout.read_to_end(&mut printed).unwrap();
        assert!(child.wait().unwrap().success());
        assert!(contents(folder.path()).is_empty());

        let path = folder.path().join("file");
        write(&path, format, &samples()).unwrap();
        assert_eq!(printed, fs::read(&path).unwrap(), "{format}");
        if format == OutputFormat::Parquet {
            assert_eq!(read_parquet(&printed).iter().map(|batch| batch.num_rows()).sum::<usize>(), samples().len());
        }
    }
}

#[test]
fn a_broken_pipe_is_told_from_other_errors() {
    for format in OutputFormat::ALL {
        let mut child = spawn(&format!("print-endlessly {format}"), Path::new("."));
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        skip_to_mark(&mut stdout);
        drop(stdout);
        assert_eq!(child.wait().unwrap().code(), Some(0), "{format}");
    }
}

#[test]
fn a_path_may_be_relative() {
    let folder = tempfile::tempdir().unwrap();
    assert!(spawn("relative out.jsonl", folder.path()).wait_with_output().unwrap().status.success());
    let files = contents(folder.path());
    assert_eq!(files.keys().collect::<Vec<_>>(), ["out.jsonl"]);
    assert_eq!(files["out.jsonl"].lines().count(), samples().len());
}

#[test]
fn a_kill_leaves_the_old_file_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.jsonl");
    fs::write(&path, "old").unwrap();
    let mut child = spawn("hang out.jsonl", folder.path());
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    skip_to_mark(&mut stdout);
    let mut line = String::new();
    stdout.read_line(&mut line).unwrap();
    assert_eq!(line, "half\n");
    child.kill().unwrap();
    child.wait().unwrap();

    let mut left = contents(folder.path());
    assert_eq!(left.remove("out.jsonl").unwrap(), b"old");
    let left: Vec<&String> = left.keys().collect();
    assert!(
        left.len() == 1 && left[0].starts_with("out.jsonl.") && left[0].ends_with(".headwater-partial"),
        "{left:?}"
    );
}

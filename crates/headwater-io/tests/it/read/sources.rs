//! Files, folders and streams.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use headwater_io::{Format, Inputs, ReadOptions};

use super::run;

#[test]
fn folders() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir_all(path("b/.git")).unwrap();
    fs::create_dir_all(path("c")).unwrap();
    for (name, content) in [
        ("b/2.txt", "two"),
        ("b/1.jsonl", "{\"id\":\"one\",\"text\":\"t\"}"),
        ("b/.git/config.txt", "hidden"),
        (".hidden.txt", "hidden"),
        ("a.txt", "a"),
        ("c/x.bin", "\0\u{1}\u{2}\u{3}"),
        ("d.html", "<p>page"),
    ] {
        fs::write(path(name), content).unwrap();
    }
    symlink(path("b"), path("c/back")).unwrap();
    symlink(folder.path(), path("c/loop")).unwrap();
    symlink(path("nowhere"), path("c/dangling")).unwrap();
    let outcome = run(|| Inputs::open(&[folder.path()]).unwrap(), &ReadOptions::default());
    let shown = |name: &str| path(name).display().to_string();
    let ids = [shown("a.txt"), "one".into(), shown("b/2.txt"), "one".into(), shown("c/back/2.txt"), shown("d.html")];
    assert_eq!(outcome.ids(), ids);
    let problems = outcome.problems();
    assert_eq!(problems.len(), 3, "{problems:?}");
    assert!(problems[0].starts_with(&format!("{}: cannot be opened: ", shown("c/dangling"))), "{problems:?}");
    assert_eq!(
        problems[1],
        format!("{}: is a link back to {}, which holds it", shown("c/loop"), folder.path().display())
    );
    assert!(problems[2].starts_with(&format!("{}: neither text", shown("c/x.bin"))), "{problems:?}");
    let summary = outcome.summary.unwrap();
    assert_eq!(
        summary.formats.into_iter().collect::<Vec<_>>(),
        [(Format::Jsonl, 2), (Format::Text, 3), (Format::Html, 1)]
    );
}

#[test]
fn a_path_that_is_not_there() {
    let error = Inputs::open(&[PathBuf::from("no/such/file")]).unwrap_err().to_string();
    assert!(error.starts_with("cannot open no/such/file: "), "{error}");
}

#[test]
fn an_empty_folder() {
    let folder = tempfile::tempdir().unwrap();
    let outcome = run(|| Inputs::open(&[folder.path()]).unwrap(), &ReadOptions::default());
    assert_eq!(outcome.error(), "no documents in 0 bytes of input");
}

#[test]
fn many_files_keep_their_order() {
    let folder = tempfile::tempdir().unwrap();
    for number in 0..300 {
        let lines: String =
            (0..number % 7).map(|line| format!("{{\"id\":\"{number}.{line}\",\"text\":\"t\"}}\n")).collect();
        fs::write(folder.path().join(format!("{number:03}.jsonl")), lines).unwrap();
    }
    let outcome = run(|| Inputs::open(&[folder.path()]).unwrap(), &ReadOptions::default());
    let expected: Vec<String> =
        (0..300).flat_map(|number| (0..number % 7).map(move |line| format!("{number}.{line}"))).collect();
    assert_eq!(outcome.ids(), expected);
}

#[test]
fn bytes_and_progress() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.txt");
    fs::write(&file, "12345").unwrap();
    let inputs = Inputs::open(&[&file, &file]).unwrap();
    assert_eq!((inputs.len(), inputs.bytes()), (2, Some(10)));
    let options = ReadOptions::default();
    let summary = headwater_io::read(&inputs, &options, |_| (), |_| Ok::<(), ()>(())).unwrap();
    let progress = &options.progress;
    assert_eq!((progress.bytes(), progress.total(), progress.documents()), (10, Some(10), 2));
    assert_eq!(summary.bytes, 10);
}

/// A caller that panics is not mistaken for a file that makes its parser panic.
#[test]
fn panics_of_the_caller_pass() {
    for threads in [1, 2] {
        let mut inputs = Inputs::new();
        inputs.push_bytes("x.txt", *b"words");
        let options = ReadOptions { threads, ..ReadOptions::default() };
        let result = std::panic::catch_unwind(|| {
            headwater_io::read(&inputs, &options, |_| assert!(threads == 0), |_| Ok::<(), ()>(()))
        });
        assert!(result.is_err(), "{threads} threads");
    }
}

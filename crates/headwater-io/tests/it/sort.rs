//! The external sort by time against an in-memory one.

use std::fs;
use std::io;
use std::path::Path;

use headwater::{Document, Time};
use headwater_io::sort::TimeSorter;
use proptest::prelude::*;

use crate::disk::TinyDisk;

/// What is compared: `Time` itself compares by the moment alone, but its spelling must survive as well.
#[derive(Clone, Debug, PartialEq)]
struct Seen {
    document: Document,
    spelling: Option<(i64, Option<i64>, String)>,
}

impl From<Document> for Seen {
    fn from(document: Document) -> Self {
        let spelling = document.time.as_ref().map(|time| (time.micros(), time.as_number(), time.to_string()));
        Seen { document, spelling }
    }
}

fn check(memory: usize, folder: &Path, documents: Vec<(i64, Document)>) {
    let mut expected = documents.clone();
    expected.sort_by_key(|(micros, _)| *micros);
    let expected: Vec<Seen> = expected.into_iter().map(|(_, document)| document.into()).collect();

    let mut sorter = TimeSorter::new(memory, Some(folder));
    for (micros, document) in documents {
        sorter.push(micros, document).unwrap();
        assert_eq!(fs::read_dir(folder).unwrap().count(), 0, "a temporary file has a name");
    }
    let sorted = sorter.finish().unwrap();
    let sorted: Vec<Seen> = sorted.map(|document| document.unwrap().into()).collect();
    assert_eq!(sorted, expected);
}

fn document(id: impl Into<String>, text: impl Into<String>) -> Document {
    Document { id: id.into(), time: None, url: None, text: text.into() }
}

fn any_time() -> impl Strategy<Value = Option<Time>> {
    prop_oneof![
        Just(None),
        any::<i64>().prop_map(|number| Some(Time::from_number(number))),
        (any::<i64>(), ".{0,30}").prop_map(|(micros, written)| Some(Time::from_micros(micros, &written))),
    ]
}

fn any_document() -> impl Strategy<Value = Document> {
    let text = prop_oneof![9 => ".{0,200}", 1 => (".{1,9}", 0..9000usize).prop_map(|(word, n)| word.repeat(n))];
    (".{0,12}", any_time(), proptest::option::of(".{0,40}"), text).prop_map(|(id, time, url, text)| Document {
        id,
        time,
        url,
        text,
    })
}

/// Few different times, so that ties are common; and the extremes.
fn any_key() -> impl Strategy<Value = i64> {
    prop_oneof![8 => -3..3i64, 1 => any::<i64>(), 1 => Just(i64::MIN), 1 => Just(i64::MAX)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn sorts_like_a_stable_sort_in_memory(
        documents in prop::collection::vec((any_key(), any_document()), 0..120),
        memory in prop_oneof![Just(0usize), 0..4000usize, 4000..200_000usize, Just(usize::MAX)],
    ) {
        let folder = tempfile::tempdir().unwrap();
        check(memory, folder.path(), documents);
    }
}

#[test]
fn many_runs_take_several_passes() {
    // With no memory each document is a run of its own, and 15 are merged at a time: three passes.
    let folder = tempfile::tempdir().unwrap();
    let documents = (0..900i64).map(|n| (n * 7919 % 31, document(format!("{n}"), "x".repeat(n as usize % 50))));
    check(0, folder.path(), documents.collect());
}

#[test]
fn documents_far_larger_than_memory_survive() {
    let folder = tempfile::tempdir().unwrap();
    let huge = "übergroß ".repeat(1 << 18);
    let documents = vec![(2, document("late", &*huge)), (1, document("empty", "")), (0, document("early", &*huge))];
    check(10_000, folder.path(), documents);
}

#[test]
fn what_fits_never_touches_the_disk() {
    let mut sorter = TimeSorter::new(1 << 20, Some(Path::new("/no/such/folder")));
    for n in 0..100 {
        sorter.push(-n, document(format!("{n}"), "text")).unwrap();
    }
    let sorted = sorter.finish().unwrap();
    assert_eq!(sorted.spilled_bytes(), 0);
    assert_eq!(sorted.count(), 100);
}

#[test]
fn nothing_in_gives_nothing_out() {
    assert_eq!(TimeSorter::new(0, None).finish().unwrap().count(), 0);
}

#[test]
fn a_folder_that_cannot_be_used_is_named() {
    let mut sorter = TimeSorter::new(0, Some(Path::new("/no/such/folder")));
    sorter.push(1, document("a", "")).unwrap();
    let error = sorter.push(0, document("b", "")).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::NotFound);
    let message = error.to_string();
    assert!(message.contains("/no/such/folder") && message.contains("choose a temporary folder"), "{message}");
}

#[test]
fn a_full_disk_is_named() {
    let Some(disk) = TinyDisk::mount(64) else { return };
    let mut sorter = TimeSorter::new(10_000, Some(disk.path()));
    let error = (0..100).find_map(|n| sorter.push(n, document(format!("{n}"), "x".repeat(2000))).err()).unwrap();
    assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    let message = error.to_string();
    assert!(message.contains(disk.path().to_str().unwrap()) && message.contains("free some space"), "{message}");
}

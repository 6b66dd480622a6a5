//! Kept tables, as other programs use them.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use headwater::origin::Settings;
use headwater_io::Stamp;
use headwater_io::table::{Access, Opened, Table, TableError};

use crate::disk::TinyDisk;

/// Adds documents, each a line of words that nobody else has, and saves the table.
fn add(opened: &mut Opened, documents: std::ops::Range<u32>) -> Result<(), TableError> {
    let Opened { table, tracer, register, .. } = opened;
    for number in documents {
        let prepared = tracer.preparer().prepare(&text(number)).unwrap();
        table.check(tracer, &prepared)?;
        tracer.observe(&prepared, i64::from(number), register);
        let stamp = Stamp { order: i64::from(number), digest: u64::from(number) };
        register.push(&format!("document {number}"), None, None, stamp).unwrap();
    }
    table.save(tracer, register, true)
}

fn text(number: u32) -> String {
    (0..60).map(|word| format!("w{number}x{word} ")).collect()
}

/// The name of the document that had the text of document `number` first.
fn origin(opened: &Opened, number: u32) -> String {
    let prepared = opened.tracer.preparer().prepare(&text(number)).unwrap();
    opened.table.check(&opened.tracer, &prepared).unwrap();
    let report = opened.tracer.trace(&prepared, i64::MAX, &opened.register);
    opened.register.get(report.dominant.unwrap()).unwrap().id.clone()
}

fn settings(memory: usize) -> Settings {
    Settings { memory, ..Settings::default() }
}

#[test]
fn a_reader_keeps_what_it_opened_while_a_writer_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t");
    let mut writer = Table::create(&path, settings(1 << 18)).unwrap();
    add(&mut writer, 0..100).unwrap();
    let reader = Table::open(&path, Access::Read).unwrap();
    assert_eq!(origin(&reader, 7), "document 7");
    add(&mut writer, 100..200).unwrap();
    assert_eq!((reader.tracer.documents(), origin(&reader, 99)), (100, "document 99".to_owned()));
    let newer = Table::open(&path, Access::Read).unwrap();
    assert_eq!((newer.tracer.documents(), origin(&newer, 199)), (200, "document 199".to_owned()));
    newer.verify().unwrap();
    drop(writer);
    let mut writer = Table::open(&path, Access::Write).unwrap();
    assert_eq!(writer.interrupted, None);
    add(&mut writer, 200..210).unwrap();
    assert_eq!(origin(&writer, 3), "document 3");
    assert_eq!(origin(&writer, 205), "document 205");
}

#[test]
fn a_lock_that_is_let_go_at_once_is_waited_for_and_one_that_is_kept_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t");
    let mut writer = Table::create(&path, settings(1 << 18)).unwrap();
    add(&mut writer, 0..10).unwrap();
    let refused = Table::open(&path, Access::Write).unwrap_err().to_string();
    assert!(refused.contains("another process is writing"), "{refused}");
    drop(writer);
    let held = fs::File::open(folder.path().join("t.lock")).unwrap();
    held.lock().unwrap();
    let released = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(50));
        drop(held);
    });
    assert_eq!(Table::open(&path, Access::Write).unwrap().tracer.documents(), 10);
    released.join().unwrap();
}

#[test]
fn a_full_disk_leaves_the_old_table_as_it_was() {
    let Some(disk) = TinyDisk::mount(3 << 10) else { return };
    let path = disk.path().join("t");
    let mut writer = Table::create(&path, settings(1 << 19)).unwrap();
    add(&mut writer, 0..50).unwrap();
    // What is left has room for the names, and not for a second table.
    fs::write(disk.path().join("ballast"), vec![1; 2200 << 10]).unwrap();
    let before = fs::read(&path).unwrap();
    let saved = add(&mut writer, 50..60);
    let error =
        saved.and_then(|()| writer.table.settle()).expect_err("there is no room for a second table").to_string();
    assert!(error.contains("cannot save the table") && error.contains("No space left"), "{error}");
    assert!(fs::read(&path).unwrap() == before);
    drop(writer);
    let reader = Table::open(&path, Access::Read).unwrap();
    assert_eq!((reader.tracer.documents(), origin(&reader, 49)), (50, "document 49".to_owned()));
    reader.verify().unwrap();
}

/// The first version of the format, as it was written: it opens for good.
#[test]
fn version_1_opens() {
    let folder = tempfile::tempdir().unwrap();
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/tables");
    for name in ["version-1.table", "version-1.table.names"] {
        let packed: PathBuf = fixture.join(format!("{name}.zst"));
        let unpacked = zstd::decode_all(File::open(packed).unwrap()).unwrap();
        fs::write(folder.path().join(name), unpacked).unwrap();
    }
    let opened = Table::open(&folder.path().join("version-1.table"), Access::Write).unwrap();
    opened.verify().unwrap();
    assert_eq!((opened.tracer.documents(), opened.tracer.settings()), (43, &settings(64 << 10)));
    let first = opened.register.get(0).unwrap();
    assert_eq!(first.id, "brendle-notice-1");
    assert_eq!(first.time.as_ref().map(ToString::to_string).as_deref(), Some("2024-03-04T07:30:00Z"));
    let sentence = "The pool above the Long Weir has been drained so that the masons can reach the apron.";
    let prepared = opened.tracer.preparer().prepare(sentence).unwrap();
    let report = opened.tracer.trace(&prepared, i64::MAX, &opened.register);
    assert_eq!(report.dominant, Some(0), "what is in the table is found there");
}

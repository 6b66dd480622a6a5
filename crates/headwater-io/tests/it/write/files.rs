//! Files appear whole or not at all, and an error says where.

use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;
use std::thread;

use headwater_io::write::{AtomicFile, Output, OutputFormat, RowWriter, Target, WriteError};

use super::{Sample, contents, samples, write, write_endlessly};
use crate::disk::TinyDisk;

fn message_names(error: &WriteError, path: &Path, remedy: &str) {
    let message = error.to_string();
    assert!(message.contains(path.to_str().unwrap()) && message.contains(remedy), "{message}");
}

/// A folder with an old file in it, and the path of that file.
fn old_file() -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.jsonl");
    fs::write(&path, "old").unwrap();
    (folder, path)
}

#[test]
fn an_old_file_is_replaced_only_at_the_end() {
    for format in OutputFormat::ALL {
        let (folder, path) = old_file();
        let mut writer = RowWriter::create(Target::from(&*path), format).unwrap();
        for _ in 0..3000 {
            samples().iter().for_each(|row| writer.write(row).unwrap());
        }
        writer.flush().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        writer.finish().unwrap();
        assert_ne!(fs::read(&path).unwrap(), b"old");
        assert_eq!(contents(folder.path()).len(), 1);
    }
}

#[test]
fn what_is_not_finished_leaves_no_trace() {
    for format in OutputFormat::ALL {
        let (folder, path) = old_file();
        let mut writer = RowWriter::create(Target::from(&*path), format).unwrap();
        for _ in 0..3000 {
            samples().iter().for_each(|row| writer.write(row).unwrap());
        }
        drop(writer);
        assert_eq!(contents(folder.path()), [("out.jsonl".to_owned(), b"old".to_vec())].into());
    }
}

#[test]
fn a_row_that_cannot_be_written_spoils_the_output() {
    let (folder, path) = old_file();
    let mut writer = RowWriter::<Bad>::create(Target::from(&*path), OutputFormat::Jsonl).unwrap();
    writer.write(&Bad).unwrap_err();
    message_names(&writer.finish().unwrap_err(), &path, "an earlier write failed");
    assert_eq!(contents(folder.path()), [("out.jsonl".to_owned(), b"old".to_vec())].into());
}

struct Bad;

impl serde::Serialize for Bad {
    fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        Err(serde::ser::Error::custom("bad"))
    }
}

impl headwater_io::write::Row for Bad {
    fn schema() -> headwater_io::write::SchemaRef {
        headwater_io::write::Schema::empty().into()
    }
}

#[test]
fn a_member_that_the_schema_lacks_is_an_error() {
    #[derive(serde::Serialize)]
    struct More {
        known: u32,
        unknown: u32,
    }
    impl headwater_io::write::Row for More {
        fn schema() -> headwater_io::write::SchemaRef {
            use headwater_io::write::{DataType, Field, Schema};
            Schema::new(vec![Field::new("known", DataType::UInt32, false)]).into()
        }
    }
    for format in [OutputFormat::Csv, OutputFormat::Parquet] {
        let (_folder, path) = old_file();
        let mut writer = RowWriter::create(Target::from(&*path), format).unwrap();
        let error = writer.write(&More { known: 1, unknown: 2 }).and_then(|()| writer.finish()).unwrap_err();
        message_names(&error, &path, "unknown");
        assert_eq!(fs::read(&path).unwrap(), b"old");
    }
}

#[test]
fn a_missing_folder_is_named() {
    let path = Path::new("/no/such/folder/out.jsonl");
    message_names(&write(path, OutputFormat::Jsonl, &[]).unwrap_err(), path, "create the folder first");
}

#[test]
fn a_folder_is_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let error = AtomicFile::create(folder.path()).err().unwrap();
    message_names(&error, folder.path(), "it is a folder; name a file in it");
}

#[test]
fn a_full_disk_is_named_and_left_clean() {
    let Some(disk) = TinyDisk::mount(64) else { return };
    let path = disk.path().join("out.jsonl");
    fs::write(&path, "old").unwrap();
    for format in OutputFormat::ALL {
        // Beyond what compression could squeeze into the disk.
        let random =
            |n: u64| format!("{:x}", (n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(31).wrapping_pow(3));
        let rows: Vec<Sample> = (0..20_000).map(|n| Sample { id: random(n), ..samples()[0].clone() }).collect();
        let error = write(&path, format, &rows).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull, "{format}");
        message_names(&error, &path, "free some space");
        assert_eq!(contents(disk.path()), [("out.jsonl".to_owned(), b"old".to_vec())].into());
    }
}

#[cfg(unix)]
mod unix {
    use super::*;
    use crate::write::formats::read_parquet;
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
    use std::process::Command;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn a_new_file_has_the_permissions_of_any_new_file() {
        let folder = tempfile::tempdir().unwrap();
        let [ours, theirs] = ["ours", "theirs"].map(|name| folder.path().join(name));
        write(&ours, OutputFormat::Jsonl, &[]).unwrap();
        fs::write(&theirs, "").unwrap();
        assert_eq!(mode(&ours), mode(&theirs));
    }

    #[test]
    fn a_replaced_file_keeps_its_permissions() {
        for permissions in [0o600, 0o640, 0o666, 0o755] {
            let (_folder, path) = old_file();
            fs::set_permissions(&path, fs::Permissions::from_mode(permissions)).unwrap();
            write(&path, OutputFormat::Jsonl, &samples()).unwrap();
            assert_eq!(mode(&path), permissions);
        }
    }

    #[test]
    fn links_are_followed_and_stay_links() {
        let folder = tempfile::tempdir().unwrap();
        let [link, file] = ["link", "file"].map(|name| folder.path().join(name));
        symlink("file", &link).unwrap();
        // First to nowhere, then to the file that the first round made.
        for rows in [&samples()[..1], &samples()] {
            write(&link, OutputFormat::Jsonl, rows).unwrap();
            assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
            assert!(fs::symlink_metadata(&file).unwrap().is_file());
            assert_eq!(fs::read_to_string(&file).unwrap().lines().count(), rows.len());
        }
    }

    #[test]
    fn a_long_name_is_no_obstacle() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("水".repeat(85));
        write(&path, OutputFormat::Jsonl, &samples()).unwrap();
        assert_eq!(contents(folder.path()).len(), 1);
    }

    #[test]
    fn devices_are_written_directly() {
        write(Path::new("/dev/null"), OutputFormat::Parquet, &samples()).unwrap();
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    }

    #[test]
    fn a_full_device_is_named() {
        let path = Path::new("/dev/full");
        if !path.exists() {
            eprintln!("skipped: this system has no /dev/full");
            return;
        }
        for format in OutputFormat::ALL {
            let error = write(path, format, &samples()).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::StorageFull, "{format}");
            message_names(&error, path, "free some space");
        }
    }

    #[test]
    fn a_named_pipe_is_written_directly() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        let reader = thread::spawn({
            let path = path.clone();
            move || fs::read(path).unwrap()
        });
        write(&path, OutputFormat::Parquet, &samples()).unwrap();
        let batches = read_parquet(&reader.join().unwrap());
        assert_eq!(batches.iter().map(|batch| batch.num_rows()).sum::<usize>(), samples().len());
        assert!(fs::metadata(&path).unwrap().file_type().is_fifo());
    }

    #[test]
    fn a_reader_who_leaves_a_named_pipe_is_told_from_other_errors() {
        for format in OutputFormat::ALL {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("pipe");
            assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
            let reader = thread::spawn({
                let path = path.clone();
                move || fs::File::open(path).unwrap().read(&mut [0; 1]).unwrap()
            });
            let error = write_endlessly(Target::from(&*path), format);
            assert!(error.is_broken_pipe(), "{format}: {error}");
            assert_eq!(reader.join().unwrap(), 1);
        }
    }

    #[test]
    fn what_may_not_be_written_is_not_replaced() {
        let (folder, path) = old_file();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
        if fs::OpenOptions::new().write(true).open(&path).is_ok() {
            eprintln!("skipped: this user may write everything");
            return;
        }
        message_names(&write(&path, OutputFormat::Jsonl, &[]).unwrap_err(), &path, "choose a place");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o555)).unwrap();
        message_names(&write(&path, OutputFormat::Jsonl, &[]).unwrap_err(), &path, "choose a place");
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    }
}

#[test]
fn other_outputs_keep_the_same_promise() {
    let (folder, path) = old_file();
    let mut output = Output::create(Target::from(&*path)).unwrap();
    write!(output, "new").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"old");
    output.finish().unwrap();
    assert_eq!(contents(folder.path()), [("out.jsonl".to_owned(), b"new".to_vec())].into());
}

#[test]
fn a_compression_that_is_not_written_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for extension in ["xz", "bz2", "lz4"] {
        let path = folder.path().join(format!("rows.jsonl.{extension}"));
        let error = RowWriter::<Sample>::create(path.clone().into(), OutputFormat::Jsonl).err().unwrap();
        assert!(error.to_string().contains(&format!(".{extension} is not written; .gz and .zst are")), "{error}");
        assert!(!path.exists());
    }
}

//! Any bytes as a kept table, and as the names beside one: opened, checked whole and asked, or refused; never a panic.
#![no_main]

mod quiet;

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use headwater_io::table::{Access, Table};

/// A sound table, so that inputs get past the first check: the fixture of format version 1, whose bytes the input overwrites.
struct Sound {
    folder: tempfile::TempDir,
    table: Vec<u8>,
    names: Vec<u8>,
}

static SOUND: LazyLock<Sound> = LazyLock::new(|| {
    let fixture = |name: &str| {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../testdata/tables").join(name);
        zstd::decode_all(&fs::read(path).expect("the fixture is there")[..]).expect("the fixture is sound")
    };
    let (table, names) = (fixture("version-1.table.zst"), fixture("version-1.table.names.zst"));
    Sound { folder: tempfile::tempdir().expect("there is room for a folder"), table, names }
});

// The first byte says what the rest is: a table, names, or changes to either at a place that the next two bytes tell.
libfuzzer_sys::fuzz_target!(init: quiet::quiet(), |bytes: &[u8]| {
    let Some((&what, rest)) = bytes.split_first() else { return };
    let sound = &*SOUND;
    let (mut table, mut names) = (sound.table.clone(), sound.names.clone());
    let changed = if what & 1 == 0 { &mut table } else { &mut names };
    if what & 2 == 0 {
        *changed = rest.to_vec();
    } else if let Some((place, new)) = rest.split_first_chunk() {
        let start = usize::from(u16::from_le_bytes(*place)).min(changed.len());
        let end = (start + new.len()).min(changed.len());
        changed[start..end].copy_from_slice(&new[..end - start]);
    }
    let path = sound.folder.path().join("t");
    fs::write(&path, &table).expect("there is room for a table");
    fs::write(sound.folder.path().join("t.names"), &names).expect("there is room for names");
    if let Ok(opened) = Table::open(&path, Access::Read)
        && opened.table.check_all(&opened.tracer).is_ok()
    {
        let mut documents = std::collections::BTreeSet::new();
        opened.tracer.remembered(|entry| {
            documents.insert(entry.document);
        });
        for document in documents {
            let _ = opened.register.get(document);
        }
    }
});

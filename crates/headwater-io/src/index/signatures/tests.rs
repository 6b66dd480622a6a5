//! What was written comes back; whatever else a file holds is refused.

use std::fs;
use std::path::Path;

use headwater::neardup::{Features, Language, Spots, Vocabulary};
use headwater::text::Reading;
use proptest::prelude::*;

use super::super::frame::{self, Kind};
use super::*;

fn settings() -> SignatureSettings {
    SignatureSettings { reading: Reading::Words, features: Features::Shingles { k: 5, repeats: false } }
}

/// Documents with the features of their sets.
type Content = Vec<(SignedDocument, Vec<u64>)>;

/// Writes documents behind those that are there.
fn add(path: &Path, content: &[(SignedDocument, Vec<u64>)], known: u32) {
    let old = SignatureReader::open(path).unwrap();
    let mut writer = SignatureWriter::create(path, &settings(), old.as_ref()).unwrap();
    let mut known = known;
    for (document, features) in content {
        let new = document.set == Some(known);
        known += u32::from(new);
        writer.push(document, new.then_some(features)).unwrap();
    }
    writer.finish().unwrap();
}

fn read(path: &Path, threads: usize) -> std::io::Result<(Vec<SignedDocument>, Vec<Vec<u64>>)> {
    let (mut documents, mut sets) = (Vec::new(), Vec::new());
    let reader = SignatureReader::open(path)?.unwrap();
    assert_eq!(reader.settings(), &settings());
    reader.read(
        threads,
        |set| set,
        |stored| {
            match stored {
                StoredSignature::Set(set) => sets.push(set),
                StoredSignature::Document(document) => documents.push(document),
            }
            Ok::<(), std::io::Error>(())
        },
    )?;
    Ok((documents, sets))
}

/// Documents 0 to `count`, some without features, some sharing a set.
fn content(count: u32) -> Content {
    let mut sets = 0;
    (0..count)
        .map(|number| {
            let set = match number % 4 {
                0 => None,
                3 => Some(sets - 1),
                _ => Some(sets),
            };
            sets += u32::from(matches!(number % 4, 1 | 2));
            let time = number.is_multiple_of(3).then_some(i64::from(number) - 5);
            let features = (0..u64::from(number % 9 + 1)).map(headwater::text::mix).collect();
            (SignedDocument { id: format!("d{number} — вода"), time, tokens: number * 7, set }, features)
        })
        .collect()
}

#[test]
fn documents_and_sets_come_back_after_days() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("index");
    let all = content(400);
    let mut known = 0;
    for part in [&all[..37], &all[37..37], &all[37..]] {
        add(&path, part, known);
        known = read(&path, 1).unwrap().1.len() as u32;
    }
    let firsts = all.iter().filter(|(document, _)| matches!(document.tokens / 7 % 4, 1 | 2));
    let expected: Vec<Vec<u64>> = firsts.map(|(_, features)| features.clone()).collect();
    for threads in [1, 3] {
        let (documents, sets) = read(&path, threads).unwrap();
        assert_eq!(documents, all.iter().map(|(document, _)| document.clone()).collect::<Vec<_>>());
        assert_eq!(sets, expected);
    }
}

#[test]
fn settings_come_back() {
    let spots = Spots { distance: 2, chain: 3, ..Spots::new(Vocabulary::of(&[Language::English, Language::Dutch])) };
    for features in [
        Features::Spots(spots),
        Features::Shingles { k: 1, repeats: true },
        Features::Shingles { k: 8, repeats: false },
    ] {
        let settings = SignatureSettings { reading: Reading::Code, features };
        assert_eq!(SignatureSettings::decode(&settings.encode()), Some(settings));
    }
    assert_eq!(SignatureSettings::decode(b"words\nguesses\n1\n2\n"), None);
}

/// Every byte that is lost or changed is noticed.
#[test]
fn damage_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("index");
    add(&path, &content(12), 0);
    let whole = fs::read(&path).unwrap();
    for cut in 0..whole.len() {
        fs::write(&path, &whole[..cut]).unwrap();
        assert!(read(&path, 1).is_err(), "cut at {cut}");
    }
    for at in 0..whole.len() {
        let mut changed = whole.clone();
        changed[at] ^= 1;
        fs::write(&path, changed).unwrap();
        assert!(read(&path, 1).is_err(), "changed at {at}");
    }
    fs::write(&path, &whole).unwrap();
    assert!(read(&path, 1).is_ok());
}

#[test]
fn an_index_of_another_command_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("index");
    fs::write(&path, super::super::GRAPH.magic).unwrap();
    let error = SignatureReader::open(&path).unwrap_err().to_string();
    assert!(error.contains("it is an index of headwater graph, not of cluster"), "{error}");
}

proptest! {
    /// Frames with the right checksums and anything in them.
    #[test]
    fn nonsense_is_refused_without_panic(
        frames in proptest::collection::vec((0usize..3, proptest::collection::vec(any::<u8>(), 0..80)), 0..8)
    ) {
        let kinds = [Kind::Names, Kind::Sets, Kind::End];
        let mut file = SIGNATURES.magic.to_vec();
        file.extend_from_slice(&SIGNATURES.version.to_le_bytes());
        frame::write(&mut file, 0, Kind::Settings, &settings().encode()).unwrap();
        for (place, (kind, content)) in (1..).zip(frames) {
            let packed = |content: &[u8]| [&(content.len() as u64).to_le_bytes()[..], &zstd::bulk::compress(content, 1).unwrap()].concat();
            let content = if kind == 0 { packed(&content) } else { content };
            frame::write(&mut file, place, kinds[kind], &content).unwrap();
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("index");
        fs::write(&path, file).unwrap();
        // Read or refused: both are fine, a panic is not, and no document may name a set that is not there.
        if let Ok((documents, sets)) = read(&path, 1) {
            prop_assert!(documents.iter().all(|document| document.set.is_none_or(|set| (set as usize) < sets.len())));
        }
    }
}

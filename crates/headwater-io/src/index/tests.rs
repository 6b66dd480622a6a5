//! Whatever a file holds, it is read or refused; what was written comes back.

use std::fs;
use std::path::Path;

use headwater::coderivative::{Collection, ContentHash};
use headwater::text::Reading;
use headwater::{Document, Time};
use proptest::prelude::*;

use super::*;
use crate::spill::TokenSpill;

fn settings() -> IndexSettings {
    IndexSettings { length: 3, reading: Reading::Words, selection: "modulo 2".into() }
}

fn document(number: u32) -> (Document, Vec<u64>) {
    let time = number.is_multiple_of(2).then(|| Time::from_number(i64::from(number)));
    let url = number.is_multiple_of(3).then(|| format!("https://example.org/{number}"));
    let text = format!("text {number} — вода ").repeat(number as usize);
    let tokens = (0..u64::from(number % 7)).map(headwater::text::mix).collect();
    (Document { id: format!("d{number}"), time, url, text }, tokens)
}

/// Writes documents `from..to` behind those that are there.
fn write(path: &Path, from: u32, to: u32) {
    let old = IndexReader::open(path).unwrap();
    let mut writer = IndexWriter::create(path, &settings(), old.as_ref()).unwrap();
    let stored =
        old.map(|old| old.documents(1, None::<&(dyn Fn(String) + Sync)>, |_| Ok::<(), std::io::Error>(())).unwrap());
    let mut spill = TokenSpill::behind(stored.unwrap_or_default(), None).unwrap();
    for number in from..to {
        let (document, tokens) = document(number);
        writer.push(number.into(), ContentHash::of(&document.text), tokens.len() as u32, &document).unwrap();
        spill.push(&tokens).unwrap();
    }
    writer.push_tokens(&spill.finish(1).unwrap().parts()[1]).unwrap();
    writer.finish().unwrap();
}

#[test]
fn documents_texts_and_tokens_come_back_after_days() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("index");
    for (from, to) in [(0, 5), (5, 5), (5, 40)] {
        write(&path, from, to);
    }
    let index = IndexReader::open(&path).unwrap().unwrap();
    assert_eq!(index.settings(), &settings());
    let (mut documents, mut texts) = (Vec::new(), Vec::new());
    let same = |text: String| text;
    let tokens = index.documents(2, Some(&same), |stored| {
        match stored {
            Stored::Document(document) => documents.push(document),
            Stored::Text(text) => texts.push(text),
        }
        Ok::<(), std::io::Error>(())
    });
    let spilled = TokenSpill::behind(tokens.unwrap(), None).unwrap().finish(2).unwrap();
    assert_eq!((documents.len(), texts.len(), spilled.documents()), (40, 40, 40));
    for (number, (stored, text)) in (0..).zip(documents.into_iter().zip(texts)) {
        let (expected, tokens) = document(number);
        assert_eq!((stored.order, stored.tokens as usize), (i64::from(number), tokens.len()));
        assert_eq!(stored.hash, ContentHash::of(&expected.text));
        assert_eq!(Document { text, ..stored.document }, expected);
        assert_eq!(spilled.document(number).unwrap(), tokens);
    }
}

proptest! {
    /// Frames with the right checksums and anything in them.
    #[test]
    fn nonsense_is_refused_without_panic(
        frames in proptest::collection::vec((0usize..5, proptest::collection::vec(any::<u8>(), 0..80)), 0..8)
    ) {
        let kinds = [frame::Kind::Names, frame::Kind::Texts, frame::Kind::Tokens, frame::Kind::Chunks, frame::Kind::End];
        let mut file = GRAPH.magic.to_vec();
        file.extend_from_slice(&GRAPH.version.to_le_bytes());
        frame::write(&mut file, 0, frame::Kind::Settings, b"\x08\0\0\0words\n").unwrap();
        for (place, (kind, content)) in (1..).zip(frames) {
            let packed = |content: &[u8]| [&(content.len() as u64).to_le_bytes()[..], &zstd::bulk::compress(content, 1).unwrap()].concat();
            let content = if kind < 2 { packed(&content) } else { content };
            frame::write(&mut file, place, kinds[kind], &content).unwrap();
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("index");
        fs::write(&path, file).unwrap();
        let index = IndexReader::open(&path).unwrap().unwrap();
        let length = |text: String| text.len();
        // Read or refused: both are fine, a panic is not.
        let _ = index.documents(1, Some(&length), |_| Ok::<(), std::io::Error>(()));
        let mut chunks = index.chunks(&[20; 300]).unwrap();
        while let Ok(Some(some)) = chunks.read_next() {
            prop_assert!(some.iter().flatten().all(|chunk| chunk.postings().all(|posting| posting.position <= 12)));
        }
    }
}

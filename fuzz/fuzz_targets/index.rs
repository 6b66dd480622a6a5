//! Any bytes as an index of shared chunks: read or refused, never a panic. Checksums would refuse nearly everything at the
//! door, so the frames are made here with the right ones, and what is in them is anything.
#![no_main]

use std::fs;
use std::io;

use headwater::coderivative::Collection;
use headwater_io::spill::TokenSpill;
use headwater_io::{IndexReader, Stored};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let folder = tempfile::tempdir().expect("there is room for a file");
    let path = folder.path().join("index");
    for file in [bytes.to_vec(), framed(bytes)] {
        fs::write(&path, file).expect("there is room for a file");
        let Ok(Some(index)) = IndexReader::open(&path) else { continue };
        let mut texts = 0;
        let length = |text: String| text.len();
        let read = index.documents(1, Some(&length), |stored| {
            texts += match stored {
                Stored::Document(document) => document.document.id.len(),
                Stored::Text(length) => length,
            };
            Ok::<(), io::Error>(())
        });
        if let Ok(tokens) = read {
            let spill = TokenSpill::behind(tokens, None).and_then(|spill| spill.finish(1)).expect("nothing is added");
            let mut tokens = 0;
            let passed = spill.pass(
                |batch| batch.tokens() as u64,
                |more| {
                    tokens += more;
                    Ok(())
                },
            );
            assert!(passed.is_ok() && tokens == spill.tokens());
        }
        let Ok(mut chunks) = index.chunks(&[20; 300]) else { continue };
        while let Ok(Some(some)) = chunks.next() {
            let postings: usize = some.iter().flatten().map(|chunk| chunk.postings().count()).sum();
            assert_eq!(postings as u64, some.postings());
        }
    }
});

/// The bytes as the contents of frames: a letter, two bytes of length, the content.
fn framed(mut bytes: &[u8]) -> Vec<u8> {
    let mut file = b"headwater graph\n\x02\0\0\0".to_vec();
    frame(&mut file, 0, b'S', b"\x08\0\0\0words\n");
    for place in 1.. {
        let Some((&[letter, low, high], rest)) = bytes.split_first_chunk() else { break };
        let (content, rest) = rest.split_at(usize::from(u16::from_le_bytes([low, high])).min(rest.len()));
        bytes = rest;
        let letter = b"NXTCE"[usize::from(letter) % 5];
        if letter == b'N' || letter == b'X' {
            let mut packed = (content.len() as u64).to_le_bytes().to_vec();
            packed.extend(zstd::bulk::compress(content, 1).expect("memory is enough"));
            frame(&mut file, place, letter, &packed);
        } else {
            frame(&mut file, place, letter, content);
        }
    }
    file
}

fn frame(file: &mut Vec<u8>, place: u64, letter: u8, content: &[u8]) {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&place.to_le_bytes());
    hasher.update(&[letter]);
    hasher.update(content);
    file.push(letter);
    file.extend_from_slice(&(content.len() as u32).to_le_bytes());
    file.extend_from_slice(&hasher.finalize().to_le_bytes());
    file.extend_from_slice(content);
}

//! `--chunks FILE`: every shared chunk, with its text and the documents that have it.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use headwater::coderivative::shared::Chunks;
use headwater::text::{Reading, Tokens};
use headwater_io::write::RowWriter;

use super::Plan;
use super::boilerplate::text_of;
use super::gather::Documents;
use super::rows::{self, ChunkRow};
use crate::args::target;
use crate::failure::Failure;
use crate::interrupt;

/// Shared chunks as they come, in order of their fingerprints, until they are listed in order of their documents.
pub(super) struct ChunkShelf {
    file: File,
    blocks: Vec<usize>,
    chunks: u64,
}

/// Bytes for each chunk that is put in order.
const ENTRY: u64 = size_of::<(u32, u32, Box<[u32]>)>() as u64 + 32;

impl ChunkShelf {
    pub(super) fn create() -> io::Result<Self> {
        Ok(ChunkShelf { file: tempfile::tempfile()?, blocks: Vec::new(), chunks: 0 })
    }

    pub(super) fn push(&mut self, chunks: &Chunks) -> io::Result<()> {
        self.file.write_all(chunks.bytes())?;
        self.blocks.push(chunks.bytes().len());
        self.chunks += chunks.len();
        Ok(())
    }

    fn each(&mut self, mut visit: impl FnMut(Chunks)) -> Result<(), Failure> {
        self.file.seek(SeekFrom::Start(0))?;
        for &bytes in &self.blocks {
            let mut block = vec![0; bytes];
            self.file.read_exact(&mut block)?;
            visit(Chunks::from_bytes(block).map_err(Failure::run)?);
        }
        Ok(())
    }
}

/// Lists the chunks in order of the first document that has them and their place in it.
///
/// Texts are read one after the other, so as many chunks as memory has room for are put in order at a time: those of one
/// stretch of documents after another.
pub(super) fn write(
    path: &Path,
    mut shelf: ChunkShelf,
    documents: &mut Documents,
    plan: &Plan,
    reading: Reading,
    most: Option<u32>,
) -> Result<(), Failure> {
    let mut writer = RowWriter::create(target(Some(path)), rows::format_of(path))?;
    let groups = documents.groups_by_place();
    let stretches = (shelf.chunks * ENTRY).div_ceil((plan.extract.memory as u64 / 4).max(1 << 20)).max(1);
    let representatives = u64::from(documents.representatives());
    for stretch in 0..stretches {
        let bounds = [stretch, stretch + 1].map(|at| (representatives * at / stretches) as u32);
        let mut listed: Vec<(u32, u32, Box<[u32]>)> = Vec::new();
        shelf.each(|chunks| {
            for chunk in chunks.iter().flatten() {
                let Some(first) =
                    chunk.postings().next().filter(|first| (bounds[0]..bounds[1]).contains(&first.document))
                else {
                    continue;
                };
                let held = chunk.postings().map(|posting| posting.document).collect();
                listed.push((first.document, first.position, held));
            }
        })?;
        listed.sort_unstable();
        let (mut text, mut tokens, mut at) = (String::new(), Tokens::new(), None);
        for (document, position, held) in listed {
            if at != Some(document) {
                interrupt::check()?;
                text = documents.text(document)?;
                tokens.read(&text, reading).map_err(Failure::run)?;
                at = Some(document);
            }
            let mut places: Vec<u32> = held.iter().flat_map(|&one| groups.of(one)).copied().collect();
            places.sort_unstable();
            let names = places.into_iter().map(|place| Ok(documents.entry(place)?.id.clone()));
            let row = ChunkRow {
                text: text_of(&text, &tokens, position, plan.extract.length)?.to_owned(),
                documents: names.collect::<io::Result<_>>()?,
                left_out: most.is_some_and(|most| held.len() as u32 > most),
            };
            writer.write(&row)?;
        }
    }
    Ok(writer.finish()?)
}

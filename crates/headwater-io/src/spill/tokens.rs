//! The token hashes of a collection, so that its text is parsed once and passed over many times.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::File;
use std::hash::{BuildHasherDefault, Hasher};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use headwater::coderivative::{Batch, Collection};

use super::Scrap;
use super::block::{self, Block};
use crate::pipeline::{self, Feed, Stopped};

/// Tokens after which a block is full.
const BLOCK: usize = 1 << 18;

/// Takes the documents of a collection, one after the other.
#[derive(Debug)]
pub struct TokenSpill {
    /// What lies in an index already; these documents come first.
    stored: StoredTokens,
    scrap: Scrap,
    blocks: Vec<Block>,
    written: u64,
    /// The block that is being filled: its different hashes, the numbers of its tokens, and where its documents end.
    table: Vec<u64>,
    numbers: HashMap<u64, u32, BuildHasherDefault<Plain>>,
    tokens: Vec<u32>,
    ends: Vec<u32>,
    documents: u32,
    bytes: Vec<u8>,
}

/// A collection on disk, to be passed over on several threads.
#[derive(Clone, Debug)]
pub struct SpilledTokens {
    homes: Arc<Homes>,
    blocks: Arc<[Placed]>,
    /// The documents that it holds begin with this number.
    first: u32,
    documents: u32,
    tokens: u64,
    threads: usize,
}

/// The token hashes of the documents of an index, which stay where they are.
#[derive(Debug, Default)]
pub struct StoredTokens {
    home: Option<(File, PathBuf)>,
    blocks: Vec<Block>,
}

/// The files in which blocks lie.
#[derive(Debug)]
struct Homes {
    scrap: Scrap,
    index: Option<(File, PathBuf)>,
}

#[derive(Clone, Debug)]
struct Placed {
    is_in_index: bool,
    block: Block,
}

impl TokenSpill {
    /// An empty spill in `folder`, or where the system keeps temporary files.
    pub fn create(folder: Option<&Path>) -> io::Result<Self> {
        TokenSpill::behind(StoredTokens::default(), folder)
    }

    /// A spill for the documents that come behind those of an index.
    pub fn behind(stored: StoredTokens, folder: Option<&Path>) -> io::Result<Self> {
        Ok(TokenSpill {
            scrap: Scrap::create(folder, "the tokens of the collection")?,
            blocks: Vec::new(),
            written: 0,
            table: Vec::new(),
            numbers: HashMap::default(),
            tokens: Vec::new(),
            ends: Vec::new(),
            documents: stored.documents(),
            bytes: Vec::new(),
            stored,
        })
    }

    /// Adds a document, which gets the next number.
    pub fn push(&mut self, tokens: &[u64]) -> io::Result<u32> {
        if !self.ends.is_empty() && self.tokens.len() + tokens.len() > BLOCK {
            self.write_block()?;
        }
        let TokenSpill { table, numbers, .. } = self;
        self.tokens.extend(tokens.iter().map(|&token| {
            *numbers.entry(token).or_insert_with(|| {
                table.push(token);
                table.len() as u32 - 1
            })
        }));
        self.ends.push(self.tokens.len() as u32);
        self.documents += 1;
        Ok(self.documents - 1)
    }

    /// Ends the collection; passes over it will use so many threads.
    pub fn finish(mut self, threads: usize) -> io::Result<SpilledTokens> {
        if !self.ends.is_empty() {
            self.write_block()?;
        }
        let TokenSpill { stored, scrap, blocks, documents, .. } = self;
        let placed = |is_in_index| move |block| Placed { is_in_index, block };
        let old = stored.blocks.into_iter().map(placed(true));
        let blocks: Arc<[Placed]> = old.chain(blocks.into_iter().map(placed(false))).collect();
        let tokens = tokens_in(&blocks);
        let homes = Arc::new(Homes { scrap, index: stored.home });
        Ok(SpilledTokens { homes, blocks, first: 0, documents, tokens, threads })
    }

    fn write_block(&mut self) -> io::Result<()> {
        self.bytes.clear();
        let first = self.documents - self.ends.len() as u32;
        block::encode(&mut self.bytes, first, &self.table, &self.tokens, &self.ends);
        self.scrap.file.write_all(&self.bytes).map_err(|error| self.scrap.explain(&error))?;
        let block = Block::read(self.written, &self.bytes).expect("what was just written is a block");
        self.written += self.bytes.len() as u64;
        self.blocks.push(block);
        self.table.clear();
        self.numbers.clear();
        self.tokens.clear();
        self.ends.clear();
        Ok(())
    }
}

impl StoredTokens {
    /// Blocks of the index at `path`, which is open already.
    pub(crate) fn new(file: File, path: &Path) -> Self {
        StoredTokens { home: Some((file, path.to_owned())), blocks: Vec::new() }
    }

    /// Adds the next block; `None` where it does not follow the one before.
    pub(crate) fn push(&mut self, block: Block) -> Option<()> {
        (block.first() == self.documents()).then(|| self.blocks.push(block))
    }

    /// How many documents there are.
    pub fn documents(&self) -> u32 {
        self.blocks.last().map_or(0, Block::end)
    }
}

impl Collection for SpilledTokens {
    type Error = io::Error;

    fn documents(&self) -> u32 {
        self.documents
    }

    fn tokens(&self) -> u64 {
        self.tokens
    }

    fn pass<R: Send>(
        &self,
        work: impl Fn(&Batch) -> R + Sync,
        mut deliver: impl FnMut(R) -> io::Result<()>,
    ) -> io::Result<()> {
        let (homes, blocks) = (Arc::clone(&self.homes), Arc::clone(&self.blocks));
        let read = move |homes: Arc<Homes>, feed: &dyn Feed<io::Result<(Block, Vec<u8>)>>| {
            for placed in blocks.iter() {
                let bytes = homes.read(placed);
                let failed = bytes.is_err();
                feed.send(bytes.map(|bytes| (placed.block.clone(), bytes)), placed.block.len())?;
                if failed {
                    break;
                }
            }
            Result::<(), Stopped>::Ok(())
        };
        let unpack = |job: io::Result<(Block, Vec<u8>)>| {
            let (block, bytes) = job?;
            // A thread fills the same memory again and again.
            let batch = block.unpack(&bytes, UNPACKED.take());
            let result = work(&batch);
            UNPACKED.set(batch);
            Ok(result)
        };
        pipeline::run(self.threads, vec![homes], read, unpack, |result: io::Result<R>| deliver(result?))
    }
}

thread_local! {
    static UNPACKED: RefCell<Batch> = RefCell::default();
}

impl SpilledTokens {
    /// The documents that lay in an index already, and those that came behind them.
    pub fn parts(&self) -> [SpilledTokens; 2] {
        [true, false].map(|is_in_index| {
            let blocks: Arc<[Placed]> =
                self.blocks.iter().filter(|placed| placed.is_in_index == is_in_index).cloned().collect();
            let first = blocks.first().map_or(self.first + self.documents, |placed| placed.block.first());
            let end = blocks.last().map_or(first, |placed| placed.block.end());
            let (documents, tokens) = (end - first, tokens_in(&blocks));
            SpilledTokens { homes: Arc::clone(&self.homes), blocks, first, documents, tokens, threads: self.threads }
        })
    }

    /// The tokens of one document.
    pub fn document(&self, number: u32) -> io::Result<Vec<u64>> {
        let at = self.blocks.partition_point(|placed| placed.block.end() <= number);
        let Some(placed) = self.blocks.get(at) else { return Ok(Vec::new()) };
        let batch = placed.block.unpack(&self.homes.read(placed)?, Batch::default());
        Ok(batch.documents().find(|(one, _)| *one == number).map_or_else(Vec::new, |(_, tokens)| tokens.to_vec()))
    }

    /// The blocks as they lie on disk, one after the other.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = io::Result<Vec<u8>>> {
        self.blocks.iter().map(|placed| self.homes.read(placed))
    }
}

fn tokens_in(blocks: &[Placed]) -> u64 {
    blocks.iter().map(|placed| placed.block.tokens()).sum()
}

impl Homes {
    fn read(&self, placed: &Placed) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; placed.block.len()];
        let mut fill = |mut file: &File| {
            file.seek(SeekFrom::Start(placed.block.start()))?;
            file.read_exact(&mut bytes)
        };
        match &self.index {
            Some((file, path)) if placed.is_in_index => fill(file).map_err(|error| {
                let text = format!("cannot read the index {}: {error}", path.display());
                io::Error::new(error.kind(), text)
            })?,
            _ => fill(&self.scrap.file).map_err(|error| self.scrap.explain(&error))?,
        }
        Ok(bytes)
    }
}

/// Token hashes are hashes already.
#[derive(Debug, Default)]
struct Plain(u64);

impl Hasher for Plain {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = self.0.rotate_left(8) ^ u64::from(byte));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Documents of all sizes, also ones that are larger than a block and blocks of more than 65,536 different tokens.
    #[test]
    fn tokens_come_back_in_order_on_any_number_of_threads() {
        let mix = headwater::text::mix;
        let lengths = [0, 5, 1000, 0, 200_000, 90_000, 3, 300_000, 17];
        let document = |number: usize| -> Vec<u64> {
            let vocabulary = if number.is_multiple_of(2) { 1000 } else { 1 << 40 };
            (0..lengths[number] as u64).map(|at| mix(mix(at * 31 + number as u64) % vocabulary)).collect()
        };
        for threads in [1, 3] {
            let mut spill = TokenSpill::create(None).unwrap();
            for number in 0..lengths.len() {
                assert_eq!(spill.push(&document(number)).unwrap() as usize, number);
            }
            let spilled = spill.finish(threads).unwrap();
            assert_eq!((spilled.documents() as usize, spilled.tokens()), (9, lengths.iter().sum::<usize>() as u64));
            for _ in 0..2 {
                let mut seen = 0;
                let copy = |batch: &Batch| {
                    batch.documents().map(|(number, tokens)| (number, tokens.to_vec())).collect::<Vec<_>>()
                };
                let check = |documents: Vec<(u32, Vec<u64>)>| {
                    for (number, tokens) in documents {
                        assert_eq!(number, seen);
                        assert!(tokens == document(number as usize), "document {number}");
                        seen += 1;
                    }
                    Ok(())
                };
                spilled.pass(copy, check).unwrap();
                assert_eq!(seen, 9);
            }
        }
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_named() {
        let error = TokenSpill::create(Some(Path::new("no/such/folder"))).expect_err("there is none");
        assert!(error.to_string().contains("no/such/folder"), "{error}");
    }
}

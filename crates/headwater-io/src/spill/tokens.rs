//! The token hashes of a collection, so that its text is parsed once and passed over many times.
//!
//! A block holds the hashes of some 260,000 tokens: a table of those that are different, and for each token its number in
//! the table in two bytes (four where there are more). That is about three bytes a token, where plain hashes take eight.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;

use headwater::coderivative::{Batch, Collection};

use super::Scrap;
use crate::pipeline::{self, Feed, Stopped};

/// Tokens after which a block is full.
const BLOCK: usize = 1 << 18;

/// Takes the documents of a collection, one after the other.
#[derive(Debug)]
pub struct TokenSpill {
    scrap: Scrap,
    blocks: Vec<Block>,
    /// The block that is being filled: its different hashes, the numbers of its tokens, and where its documents end.
    table: Vec<u64>,
    numbers: HashMap<u64, u32, BuildHasherDefault<Plain>>,
    tokens: Vec<u32>,
    ends: Vec<u32>,
    documents: u32,
    total: u64,
    bytes: Vec<u8>,
}

/// A collection on disk, to be passed over on several threads.
#[derive(Debug)]
pub struct SpilledTokens {
    scrap: Scrap,
    blocks: Arc<[Block]>,
    documents: u32,
    tokens: u64,
    threads: usize,
}

#[derive(Clone, Debug)]
struct Block {
    start: u64,
    bytes: usize,
    first: u32,
    different: u32,
    tokens: u32,
    ends: Arc<[u32]>,
}

impl TokenSpill {
    /// An empty spill in `folder`, or where the system keeps temporary files.
    pub fn create(folder: Option<&Path>) -> io::Result<Self> {
        Ok(TokenSpill {
            scrap: Scrap::create(folder, "the tokens of the collection")?,
            blocks: Vec::new(),
            table: Vec::new(),
            numbers: HashMap::default(),
            tokens: Vec::new(),
            ends: Vec::new(),
            documents: 0,
            total: 0,
            bytes: Vec::new(),
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
        self.total += tokens.len() as u64;
        self.documents += 1;
        Ok(self.documents - 1)
    }

    /// Ends the collection; passes over it will use so many threads.
    pub fn finish(mut self, threads: usize) -> io::Result<SpilledTokens> {
        self.write_block()?;
        let TokenSpill { scrap, blocks, documents, total, .. } = self;
        Ok(SpilledTokens { scrap, blocks: blocks.into(), documents, tokens: total, threads })
    }

    fn write_block(&mut self) -> io::Result<()> {
        self.bytes.clear();
        self.bytes.extend(self.table.iter().flat_map(|hash| hash.to_le_bytes()));
        if is_narrow(self.table.len()) {
            self.bytes.extend(self.tokens.iter().flat_map(|&number| (number as u16).to_le_bytes()));
        } else {
            self.bytes.extend(self.tokens.iter().flat_map(|number| number.to_le_bytes()));
        }
        let start = self.blocks.last().map_or(0, |block| block.start + block.bytes as u64);
        self.scrap.file.write_all(&self.bytes).map_err(|error| self.scrap.explain(&error))?;
        self.blocks.push(Block {
            start,
            bytes: self.bytes.len(),
            first: self.documents - self.ends.len() as u32,
            different: self.table.len() as u32,
            tokens: self.tokens.len() as u32,
            ends: self.ends.as_slice().into(),
        });
        self.table.clear();
        self.numbers.clear();
        self.tokens.clear();
        self.ends.clear();
        Ok(())
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
        let file = self.scrap.file.try_clone().map_err(|error| self.scrap.explain(&error))?;
        let blocks = Arc::clone(&self.blocks);
        let read = move |mut file: std::fs::File, feed: &dyn Feed<io::Result<(Block, Vec<u8>)>>| {
            for block in blocks.iter() {
                let mut bytes = vec![0; block.bytes];
                let read = file.seek(SeekFrom::Start(block.start)).and_then(|_| file.read_exact(&mut bytes));
                let failed = read.is_err();
                feed.send(read.map(|()| (block.clone(), bytes)), block.bytes)?;
                if failed {
                    break;
                }
            }
            Result::<(), Stopped>::Ok(())
        };
        let unpack = |job: io::Result<(Block, Vec<u8>)>| job.map(|(block, bytes)| work(&block.unpack(&bytes)));
        pipeline::run(self.threads, vec![file], read, unpack, |result: io::Result<R>| {
            deliver(result.map_err(|error| self.scrap.explain(&error))?)
        })
    }
}

impl SpilledTokens {
    /// Bytes on disk.
    pub fn bytes(&self) -> u64 {
        self.blocks.last().map_or(0, |block| block.start + block.bytes as u64)
    }
}

impl Block {
    fn unpack(&self, bytes: &[u8]) -> Batch {
        let (table, numbers) = bytes.split_at(self.different as usize * 8);
        let table: Vec<u64> = table.as_chunks().0.iter().map(|&hash| u64::from_le_bytes(hash)).collect();
        let mut tokens = Vec::with_capacity(self.tokens as usize);
        if is_narrow(table.len()) {
            let numbers = numbers.as_chunks().0.iter().map(|&number| u16::from_le_bytes(number));
            tokens.extend(numbers.map(|number| table[usize::from(number)]));
        } else {
            let numbers = numbers.as_chunks().0.iter().map(|&number| u32::from_le_bytes(number));
            tokens.extend(numbers.map(|number| table[number as usize]));
        }
        Batch::from_parts(self.first, tokens, self.ends.iter().map(|&end| end as usize).collect())
    }
}

/// Whether two bytes tell so many hashes apart.
fn is_narrow(different: usize) -> bool {
    different <= 1 << 16
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

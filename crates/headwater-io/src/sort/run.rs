//! A run: sorted records in checksummed blocks, written once and read once from front to back.
//!
//! A block is the length of its content (4 bytes), the CRC-32 of its place in the file and its content (4 bytes), and
//! the content. Records run on from block to block, so that a huge document needs no huge block.

use std::io::{self, Read, Seek, SeekFrom, Write};

use headwater::Document;

use super::record::{self, HEAD, damaged};

const BLOCK_HEAD: usize = 8;

/// Where a finished run lies in its file, and how many records it has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    start: u64,
    end: u64,
    records: u64,
}

/// Writes one run to the end of a file, in a buffer of one block. The file is lent for each call: when runs are merged,
/// their readers use it as well.
pub(super) struct RunWriter {
    block: Vec<u8>,
    block_bytes: usize,
    run: Run,
}

/// Reads one run in a buffer of one block. The file is lent for each call.
pub(super) struct RunReader {
    block: Vec<u8>,
    at: usize,
    next_block: u64,
    end: u64,
    block_bytes: usize,
    records_left: u64,
}

impl Run {
    pub(super) fn end(&self) -> u64 {
        self.end
    }
}

impl RunWriter {
    /// Begins a run at byte `start`, where the file must end; `block_bytes` bounds the content of a block.
    pub(super) fn new(start: u64, block_bytes: usize) -> Self {
        let mut block = Vec::with_capacity(BLOCK_HEAD + block_bytes);
        block.resize(BLOCK_HEAD, 0);
        RunWriter { block, block_bytes, run: Run { start, end: start, records: 0 } }
    }

    pub(super) fn push<F: Write + Seek>(&mut self, file: &mut F, micros: i64, document: &Document) -> io::Result<()> {
        self.run.records += 1;
        record::encode(micros, document, |piece| self.put(file, piece))
    }

    /// Moves the next record of another run here, unread.
    pub(super) fn push_from<F: Read + Write + Seek>(
        &mut self,
        file: &mut F,
        (micros, length): (i64, u64),
        reader: &mut RunReader,
    ) -> io::Result<()> {
        self.run.records += 1;
        self.put(file, &record::encode_head(micros, length))?;
        reader.take(file, length, |file, piece| self.put(file, piece))
    }

    pub(super) fn finish<F: Write + Seek>(mut self, file: &mut F) -> io::Result<Run> {
        self.write_block(file)?;
        Ok(self.run)
    }

    fn put<F: Write + Seek>(&mut self, file: &mut F, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let room = BLOCK_HEAD + self.block_bytes - self.block.len();
            let (now, later) = bytes.split_at(room.min(bytes.len()));
            self.block.extend_from_slice(now);
            bytes = later;
            if now.len() == room {
                self.write_block(file)?;
            }
        }
        Ok(())
    }

    fn write_block<F: Write + Seek>(&mut self, file: &mut F) -> io::Result<()> {
        let content = &self.block[BLOCK_HEAD..];
        if content.is_empty() {
            return Ok(());
        }
        // A block is at most a few hundred kilobytes, so its length fits in 32 bits.
        let length = content.len() as u32;
        let checksum = checksum(self.run.end, content);
        self.block[..4].copy_from_slice(&length.to_le_bytes());
        self.block[4..BLOCK_HEAD].copy_from_slice(&checksum.to_le_bytes());
        file.seek(SeekFrom::Start(self.run.end))?;
        file.write_all(&self.block)?;
        self.run.end += self.block.len() as u64;
        self.block.truncate(BLOCK_HEAD);
        Ok(())
    }
}

impl RunReader {
    pub(super) fn new(run: Run, block_bytes: usize) -> Self {
        RunReader {
            block: Vec::new(),
            at: 0,
            next_block: run.start,
            end: run.end,
            block_bytes,
            records_left: run.records,
        }
    }

    /// The key and body length of the next record; the body must be read before the next call.
    pub(super) fn next_head<R: Read + Seek>(&mut self, file: &mut R) -> io::Result<Option<(i64, u64)>> {
        if self.records_left == 0 {
            let whole = self.at == self.block.len() && self.next_block == self.end;
            return if whole { Ok(None) } else { Err(damaged()) };
        }
        self.records_left -= 1;
        let mut head = [0; HEAD];
        let mut filled = 0;
        self.take(file, HEAD as u64, |_, piece| {
            head[filled..filled + piece.len()].copy_from_slice(piece);
            filled += piece.len();
            Ok(())
        })?;
        let (micros, length) = record::decode_head(head);
        // Nobody reserves memory for a body that cannot be there.
        let left = (self.block.len() - self.at) as u64 + (self.end - self.next_block);
        if length <= left { Ok(Some((micros, length))) } else { Err(damaged()) }
    }

    /// The document whose body of `length` bytes comes next.
    pub(super) fn body<R: Read + Seek>(&mut self, file: &mut R, length: u64) -> io::Result<Document> {
        record::decode_body(length, |length, bytes| {
            self.take(file, length as u64, |_, piece| {
                bytes.extend_from_slice(piece);
                Ok(())
            })
        })
    }

    /// Hands the next `length` bytes of the run to `put`, piece by piece.
    fn take<R: Read + Seek>(
        &mut self,
        file: &mut R,
        mut length: u64,
        mut put: impl FnMut(&mut R, &[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        while length > 0 {
            if self.at == self.block.len() {
                self.read_block(file)?;
            }
            let left = &self.block[self.at..];
            let piece = &left[..left.len().min(usize::try_from(length).unwrap_or(usize::MAX))];
            put(file, piece)?;
            self.at += piece.len();
            length -= piece.len() as u64;
        }
        Ok(())
    }

    fn read_block<R: Read + Seek>(&mut self, file: &mut R) -> io::Result<()> {
        let left = self.end - self.next_block;
        if left <= BLOCK_HEAD as u64 {
            return Err(damaged());
        }
        // Head and content come in one call: every block but the last is full.
        let stored = left.min((BLOCK_HEAD + self.block_bytes) as u64) as usize;
        self.block.resize(stored, 0);
        file.seek(SeekFrom::Start(self.next_block))?;
        file.read_exact(&mut self.block)
            .map_err(|error| if error.kind() == io::ErrorKind::UnexpectedEof { damaged() } else { error })?;
        let (head, content) = self.block.split_at(BLOCK_HEAD);
        let length = u32::from_le_bytes([head[0], head[1], head[2], head[3]]);
        let expected = u32::from_le_bytes([head[4], head[5], head[6], head[7]]);
        if length as usize != content.len() || checksum(self.next_block, content) != expected {
            return Err(damaged());
        }
        self.next_block += stored as u64;
        self.at = BLOCK_HEAD;
        Ok(())
    }
}

/// The place is part of the sum, so that a whole block in the wrong place is also noticed.
fn checksum(place: u64, content: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&place.to_le_bytes());
    hasher.update(content);
    hasher.finalize()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that fails should stop")]
mod tests {
    use super::*;
    use headwater::Time;
    use std::io::Cursor;

    const BLOCK: usize = 64;

    fn documents() -> Vec<Document> {
        let text = |n: usize| "ähnliche Wörter ".repeat(n);
        (0..9)
            .map(|n| Document {
                id: format!("document {n}"),
                time: (n % 3 > 0).then(|| Time::from_micros(n as i64, &text(n % 2))),
                url: (n % 2 == 0).then(|| text(n / 4)),
                text: text(n * n),
            })
            .collect()
    }

    fn write(documents: &[Document]) -> (Vec<u8>, Run) {
        let mut file = Cursor::new(Vec::new());
        let mut writer = RunWriter::new(0, BLOCK);
        for (n, document) in documents.iter().enumerate() {
            writer.push(&mut file, n as i64, document).unwrap();
        }
        let run = writer.finish(&mut file).unwrap();
        assert_eq!(run.end(), file.get_ref().len() as u64);
        (file.into_inner(), run)
    }

    fn read(file: &[u8], run: Run) -> io::Result<Vec<Document>> {
        let mut file = Cursor::new(file);
        let mut reader = RunReader::new(run, BLOCK);
        let mut documents = Vec::new();
        while let Some((_, length)) = reader.next_head(&mut file)? {
            documents.push(reader.body(&mut file, length)?);
        }
        Ok(documents)
    }

    #[test]
    fn a_run_gives_back_what_was_written() {
        let documents = documents();
        let (file, run) = write(&documents);
        assert_eq!(read(&file, run).unwrap(), documents);
    }

    #[test]
    fn no_flipped_bit_goes_unnoticed() {
        let (file, run) = write(&documents());
        for at in 0..file.len() {
            let mut damaged = file.clone();
            damaged[at] ^= 1 << (at % 8);
            let error = read(&damaged, run).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::InvalidData, "byte {at}: {error}");
        }
    }

    #[test]
    fn no_truncation_goes_unnoticed() {
        let (file, run) = write(&documents());
        for length in 0..file.len() {
            let error = read(&file[..length], run).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::InvalidData, "{length} bytes: {error}");
        }
    }

    #[test]
    fn swapped_blocks_and_lost_records_are_noticed() {
        let (mut file, mut run) = write(&documents());
        run.records -= 1;
        assert!(read(&file, run).is_err(), "a record too many");
        run.records += 2;
        assert!(read(&file, run).is_err(), "a record too few");
        run.records -= 1;
        let stored = BLOCK_HEAD + BLOCK;
        let (first, second) = file.split_at_mut(stored);
        first.swap_with_slice(&mut second[..stored]);
        assert!(read(&file, run).is_err(), "swapped blocks");
    }

    #[test]
    fn an_empty_run_is_empty() {
        let (file, run) = write(&[]);
        assert!(file.is_empty());
        assert!(read(&file, run).unwrap().is_empty());
    }
}

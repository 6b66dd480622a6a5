//! A block of token hashes as bytes, the same in temporary files and in an index.
//!
//! A block holds the hashes of some 260,000 tokens: a table of those that are different, and for each token its number in
//! the table in two bytes (four where there are more). That is about three bytes a token, where plain hashes take eight.
//!
//! ```text
//! block = first document (4), documents (4), different hashes (4), tokens (4),
//!         where each document ends (4 each), the different hashes (8 each), the numbers of the tokens (2 or 4 each)
//! ```

use std::sync::Arc;

use headwater::coderivative::Batch;

/// Bytes before the ends of the documents.
const HEAD: usize = 16;

/// Where a block lies, and what is known of it without reading it.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    start: u64,
    bytes: usize,
    first: u32,
    different: u32,
    tokens: u32,
    ends: Arc<[u32]>,
}

/// Appends a block: the different hashes, the number of each token among them, and where documents end.
pub(super) fn encode(out: &mut Vec<u8>, first: u32, table: &[u64], tokens: &[u32], ends: &[u32]) {
    for number in [first, ends.len() as u32, table.len() as u32, tokens.len() as u32].iter().chain(ends) {
        out.extend_from_slice(&number.to_le_bytes());
    }
    table.iter().for_each(|hash| out.extend_from_slice(&hash.to_le_bytes()));
    if is_narrow(table.len()) {
        tokens.iter().for_each(|&number| out.extend_from_slice(&(number as u16).to_le_bytes()));
    } else {
        tokens.iter().for_each(|number| out.extend_from_slice(&number.to_le_bytes()));
    }
}

impl Block {
    /// What these bytes say, which lie at `start`; `None` where they are no block.
    pub(crate) fn read(start: u64, bytes: &[u8]) -> Option<Self> {
        let (head, rest) = bytes.split_first_chunk::<HEAD>()?;
        let mut head = head.as_chunks().0.iter().map(|&number| u32::from_le_bytes(number));
        let [first, documents, different, tokens] = [head.next()?, head.next()?, head.next()?, head.next()?];
        first.checked_add(documents)?;
        let (ends, rest) = rest.split_at_checked((documents as usize).checked_mul(4)?)?;
        let ends: Arc<[u32]> = ends.as_chunks().0.iter().map(|&end| u32::from_le_bytes(end)).collect();
        let width = if is_narrow(different as usize) { 2 } else { 4 };
        let (_, numbers) = rest.split_at_checked((different as usize).checked_mul(8)?)?;
        let is_whole = numbers.len() == (tokens as usize).checked_mul(width)?
            && ends.is_sorted()
            && ends.last().copied().unwrap_or(0) == tokens;
        let is_known = |number: usize| number < different as usize;
        let is_sound = if width == 2 {
            numbers.as_chunks().0.iter().all(|&number| is_known(u16::from_le_bytes(number).into()))
        } else {
            numbers.as_chunks().0.iter().all(|&number| is_known(u32::from_le_bytes(number) as usize))
        };
        (is_whole && is_sound).then_some(Block { start, bytes: bytes.len(), first, different, tokens, ends })
    }

    /// The hashes themselves, from the same bytes; in the memory of a batch that is done with.
    pub(super) fn unpack(&self, bytes: &[u8], memory: Batch) -> Batch {
        let (mut tokens, mut ends) = memory.into_parts();
        let (table, numbers) = bytes[HEAD + self.ends.len() * 4..].split_at(self.different as usize * 8);
        let table: Vec<u64> = table.as_chunks().0.iter().map(|&hash| u64::from_le_bytes(hash)).collect();
        tokens.clear();
        if is_narrow(table.len()) {
            let numbers = numbers.as_chunks().0.iter().map(|&number| u16::from_le_bytes(number));
            tokens.extend(numbers.map(|number| table[usize::from(number)]));
        } else {
            let numbers = numbers.as_chunks().0.iter().map(|&number| u32::from_le_bytes(number));
            tokens.extend(numbers.map(|number| table[number as usize]));
        }
        ends.clear();
        ends.extend(self.ends.iter().map(|&end| end as usize));
        Batch::from_parts(self.first, tokens, ends)
    }

    /// Where it lies.
    pub(super) fn start(&self) -> u64 {
        self.start
    }

    /// How many bytes it has.
    pub(super) fn len(&self) -> usize {
        self.bytes
    }

    /// Its first document.
    pub(super) fn first(&self) -> u32 {
        self.first
    }

    /// The document behind its last.
    pub(super) fn end(&self) -> u32 {
        self.first + self.ends.len() as u32
    }

    /// How many tokens it has.
    pub(super) fn tokens(&self) -> u64 {
        self.tokens.into()
    }
}

/// Whether two bytes tell so many hashes apart.
fn is_narrow(different: usize) -> bool {
    different <= 1 << 16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nonsense_is_refused() {
        let mut bytes = Vec::new();
        encode(&mut bytes, 7, &[10, 20, 30], &[0, 1, 2, 2, 1], &[2, 2, 5]);
        let block = Block::read(0, &bytes).unwrap();
        let batch = block.unpack(&bytes, Batch::default());
        let documents: Vec<(u32, &[u64])> = batch.documents().collect();
        assert_eq!(documents, [(7, &[10, 20][..]), (8, &[]), (9, &[30, 30, 20])]);
        for length in 0..bytes.len() {
            assert!(Block::read(0, &bytes[..length]).is_none(), "{length}");
        }
        for (at, value) in [(4, 9), (8, 200), (12, 4), (16, 3), (bytes.len() - 2, 3), (0, 0xff)] {
            let mut damaged = bytes.clone();
            damaged[at] = value;
            // A different first document cannot be told from the bytes alone.
            assert_eq!(Block::read(0, &damaged).is_some(), at == 0, "{at}");
        }
    }
}

//! A checksum for each block of a table: a block is checked when it is first touched, so that opening takes no time however
//! large the table is, and nothing is ever read from a block that is not sound.

use std::cell::{Cell, RefCell};
use std::ops::Range;

use super::error::{Fault, Part};
use super::header::HEADER;

/// Bytes that one checksum covers: a query of a few hundred words touches as many blocks as it has shingles.
pub(super) const BLOCK: usize = 1 << 14;

/// XXH3 with 64 bits: the speed of memory, and no accident passes it.
pub(super) fn checksum(bytes: &[u8]) -> u64 {
    twox_hash::XxHash3_64::oneshot(bytes)
}

/// The checksums of a table as its file states them, and which blocks were found to agree with theirs.
///
/// A block that was checked may have been changed since; one that was not is as it stands in the file.
#[derive(Debug)]
pub(super) struct Blocks {
    sums: Vec<u64>,
    checked: RefCell<Vec<u64>>,
    /// How many blocks are still to be checked.
    left: Cell<usize>,
}

impl Blocks {
    /// For a table that is in no file yet.
    pub(super) fn none() -> Self {
        Blocks { sums: Vec::new(), checked: RefCell::default(), left: Cell::new(0) }
    }

    /// Reads what [`Blocks::trailer`] wrote for a table of `bytes`.
    pub(super) fn decode(stored: &[u8], bytes: u64) -> Result<Self, Fault> {
        let damaged = Fault::Damaged { part: Part::Checksums, offset: HEADER as u64 + bytes };
        let Some((sums, sum)) = stored.split_last_chunk::<8>() else { return Err(damaged) };
        if checksum(sums) != u64::from_le_bytes(*sum) {
            return Err(damaged);
        }
        let sums: Vec<u64> = sums.as_chunks().0.iter().map(|sum| u64::from_le_bytes(*sum)).collect();
        let checked = RefCell::new(vec![0; sums.len().div_ceil(64)]);
        Ok(Blocks { left: Cell::new(sums.len()), sums, checked })
    }

    /// Whether nothing is left to be checked.
    pub(super) fn all_checked(&self) -> bool {
        self.left.get() == 0
    }

    /// Checks the blocks in which these bytes of the table lie, unless that was done before.
    #[inline]
    pub(super) fn check(&self, table: &[u8], range: Range<usize>) -> Result<(), Fault> {
        if self.all_checked() {
            return Ok(());
        }
        (range.start / BLOCK..range.end.div_ceil(BLOCK)).try_for_each(|block| self.check_block(table, block))
    }

    /// Checks a block unless that was done before.
    pub(super) fn check_block(&self, table: &[u8], block: usize) -> Result<(), Fault> {
        let mut checked = self.checked.borrow_mut();
        let Some(bits) = checked.get_mut(block / 64).filter(|bits| **bits >> (block % 64) & 1 == 0) else {
            return Ok(());
        };
        if checksum(of(table, block)) != self.sums[block] {
            return Err(damaged(block));
        }
        *bits |= 1 << (block % 64);
        self.left.set(self.left.get() - 1);
        Ok(())
    }

    /// The checksum that a block has now, having made sure that one that nobody has touched is still sound.
    fn renew(&self, table: &[u8], block: usize) -> Result<u64, Fault> {
        let sum = checksum(of(table, block));
        let checked = self.checked.borrow();
        let untouched = checked.get(block / 64).is_some_and(|bits| bits >> (block % 64) & 1 == 0);
        if untouched && sum != self.sums[block] { Err(damaged(block)) } else { Ok(sum) }
    }

    /// What stands behind a table in its file: the checksum of every block, and one of all these.
    pub(super) fn trailer(&self, table: &[u8]) -> Result<Vec<u8>, Fault> {
        let mut bytes = Vec::with_capacity(trailer_length(table.len() as u64) as usize);
        for block in 0..table.len().div_ceil(BLOCK) {
            bytes.extend_from_slice(&self.renew(table, block)?.to_le_bytes());
        }
        bytes.extend_from_slice(&checksum(&bytes).to_le_bytes());
        Ok(bytes)
    }
}

/// How long [`Blocks::trailer`] is for a table of so many bytes.
pub(super) fn trailer_length(bytes: u64) -> u64 {
    8 * (bytes.div_ceil(BLOCK as u64) + 1)
}

fn of(table: &[u8], block: usize) -> &[u8] {
    &table[block * BLOCK..table.len().min((block + 1) * BLOCK)]
}

fn damaged(block: usize) -> Fault {
    Fault::Damaged { part: Part::Block(block as u64), offset: (HEADER + block * BLOCK) as u64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Vec<u8> {
        (0..3 * BLOCK + 100).map(|at| (at * at / 7) as u8).collect()
    }

    #[test]
    fn a_damaged_block_is_found_when_it_is_touched_and_only_then() {
        let mut table = table();
        let trailer = Blocks::none().trailer(&table).unwrap();
        assert_eq!(trailer.len() as u64, trailer_length(table.len() as u64));
        let blocks = Blocks::decode(&trailer, table.len() as u64).unwrap();
        blocks.check(&table, 0..10).unwrap();
        table[BLOCK + 17] ^= 1;
        blocks.check(&table, BLOCK - 20..BLOCK).unwrap();
        for range in [BLOCK - 20..BLOCK + 1, BLOCK..BLOCK + 1, 0..table.len()] {
            let fault = blocks.check(&table, range).unwrap_err();
            assert!(
                matches!(fault, Fault::Damaged { part: Part::Block(1), offset } if offset == (HEADER + BLOCK) as u64)
            );
        }
        table[BLOCK + 17] ^= 1;
        blocks.check(&table, 0..table.len()).unwrap();
        assert!(blocks.all_checked());
    }

    #[test]
    fn damage_is_never_given_a_new_checksum() {
        let mut table = table();
        let blocks = Blocks::decode(&Blocks::none().trailer(&table).unwrap(), table.len() as u64).unwrap();
        blocks.check(&table, 0..1).unwrap();
        table[5] = 99;
        assert!(blocks.trailer(&table).is_ok(), "a block that was checked may change");
        table[2 * BLOCK] ^= 4;
        assert!(blocks.trailer(&table).is_err());
    }

    #[test]
    fn every_flip_in_the_checksums_is_noticed() {
        let table = table();
        let trailer = Blocks::none().trailer(&table).unwrap();
        for at in 0..trailer.len() {
            let mut broken = trailer.clone();
            broken[at] ^= 1;
            assert!(Blocks::decode(&broken, table.len() as u64).is_err());
        }
    }
}

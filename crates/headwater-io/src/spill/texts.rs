//! The texts of a collection, compressed, for those who want to see what is shared.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;
use std::rc::Rc;

use super::Scrap;

/// Bytes of text after which a block is compressed.
const BLOCK: usize = 256 << 10;

/// Fast, and good enough for what is thrown away in the end.
const LEVEL: i32 = 1;

/// Blocks that are remembered after they were read.
const REMEMBERED: usize = 8;

/// Texts by number, on disk.
#[derive(Debug)]
pub struct TextSpill {
    scrap: Scrap,
    blocks: Vec<Range<u64>>,
    /// The block of each text, and the bytes in it.
    places: Vec<(u32, Range<u32>)>,
    filling: String,
    remembered: Vec<(u32, Rc<str>)>,
}

impl TextSpill {
    /// No texts yet, in `folder` or where the system keeps temporary files.
    pub fn create(folder: Option<&Path>) -> io::Result<Self> {
        Ok(TextSpill {
            scrap: Scrap::create(folder, "the texts of the collection")?,
            blocks: Vec::new(),
            places: Vec::new(),
            filling: String::new(),
            remembered: Vec::new(),
        })
    }

    /// Adds a text, which gets the next number.
    pub fn push(&mut self, text: &str) -> io::Result<u32> {
        let start = self.filling.len() as u32;
        self.filling.push_str(text);
        self.places.push((self.blocks.len() as u32, start..self.filling.len() as u32));
        if self.filling.len() >= BLOCK {
            self.write_block()?;
        }
        Ok(self.places.len() as u32 - 1)
    }

    /// The text with this number.
    pub fn get(&mut self, number: u32) -> io::Result<String> {
        let (block, range) = self.places[number as usize].clone();
        let range = range.start as usize..range.end as usize;
        if block as usize == self.blocks.len() {
            return Ok(self.filling[range].to_owned());
        }
        let text = self.block(block).map_err(|error| self.scrap.explain(&error))?;
        Ok(text[range].to_owned())
    }

    fn write_block(&mut self) -> io::Result<()> {
        let packed = zstd::bulk::compress(self.filling.as_bytes(), LEVEL)?;
        let start = self.blocks.last().map_or(0, |block| block.end);
        let write = |scrap: &mut Scrap| {
            scrap.file.seek(SeekFrom::Start(start))?;
            scrap.file.write_all(&packed)
        };
        write(&mut self.scrap).map_err(|error| self.scrap.explain(&error))?;
        self.blocks.push(start..start + packed.len() as u64);
        self.filling.clear();
        Ok(())
    }

    fn block(&mut self, number: u32) -> io::Result<Rc<str>> {
        if let Some((_, text)) = self.remembered.iter().find(|(block, _)| *block == number) {
            return Ok(Rc::clone(text));
        }
        let Range { start, end } = self.blocks[number as usize].clone();
        let mut packed = vec![0; (end - start) as usize];
        self.scrap.file.seek(SeekFrom::Start(start))?;
        self.scrap.file.read_exact(&mut packed)?;
        let mut text = String::new();
        zstd::Decoder::with_buffer(packed.as_slice())?.read_to_string(&mut text)?;
        let text: Rc<str> = text.into();
        if self.remembered.len() == REMEMBERED {
            self.remembered.remove(0);
        }
        self.remembered.push((number, Rc::clone(&text)));
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_back() {
        let text = |number: u32| format!("{number} — вода ").repeat((number * 37 % 900) as usize);
        let mut texts = TextSpill::create(None).unwrap();
        for number in 0..300 {
            assert_eq!(texts.push(&text(number)).unwrap(), number);
            assert!(texts.get(number / 2).unwrap() == text(number / 2));
        }
        assert!(texts.blocks.len() > 3);
        for number in [299, 0, 150, 7, 298] {
            assert!(texts.get(number).unwrap() == text(number));
        }
    }
}

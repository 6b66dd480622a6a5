//! Frames: pieces of an index file that show whether they are what was written.

use std::io::{self, Read, Write};

/// What a frame holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Settings,
    Names,
    Texts,
    Tokens,
    Chunks,
    Sets,
    End,
}

const KINDS: [(Kind, u8); 7] = [
    (Kind::Settings, b'S'),
    (Kind::Names, b'N'),
    (Kind::Texts, b'X'),
    (Kind::Tokens, b'T'),
    (Kind::Chunks, b'C'),
    (Kind::Sets, b'F'),
    (Kind::End, b'E'),
];

/// Bytes before the content.
pub(super) const HEAD: usize = 9;

/// More than any frame that is written: what claims to be longer is no frame, and nothing is allocated for it.
pub(super) const LARGEST: usize = 1 << 30;

impl Kind {
    fn letter(self) -> u8 {
        KINDS.iter().find(|(kind, _)| *kind == self).map_or(0, |(_, letter)| *letter)
    }

    fn of(letter: u8) -> Option<Kind> {
        KINDS.iter().find(|(_, known)| *known == letter).map(|(kind, _)| *kind)
    }
}

/// Writes a frame; `place` is its number in the file.
pub(super) fn write(out: &mut impl Write, place: u64, kind: Kind, content: &[u8]) -> io::Result<()> {
    let length = u32::try_from(content.len()).ok().filter(|&length| length as usize <= LARGEST);
    let length =
        length.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "a document is too large for an index"))?;
    let mut head = [0; HEAD];
    head[0] = kind.letter();
    head[1..5].copy_from_slice(&length.to_le_bytes());
    head[5..].copy_from_slice(&checksum(place, kind.letter(), content).to_le_bytes());
    out.write_all(&head)?;
    out.write_all(content)
}

/// Reads the next frame; an error of kind `InvalidData` or `UnexpectedEof` where the file is damaged or cut short.
pub(super) fn read(file: &mut impl Read, place: u64) -> io::Result<(Kind, Vec<u8>)> {
    let mut head = [0; HEAD];
    file.read_exact(&mut head)?;
    let (length, sum) = (four(&head[1..5]), four(&head[5..]));
    let kind = Kind::of(head[0]).filter(|_| length as usize <= LARGEST).ok_or(io::ErrorKind::InvalidData)?;
    let mut content = Vec::new();
    // Grows with what is there, not with what the length claims.
    file.by_ref().take(length.into()).read_to_end(&mut content)?;
    if content.len() != length as usize {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    if checksum(place, head[0], &content) != sum {
        return Err(io::ErrorKind::InvalidData.into());
    }
    Ok((kind, content))
}

/// Covers the place too, so that frames cannot change places.
fn checksum(place: u64, letter: u8, content: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&place.to_le_bytes());
    hasher.update(&[letter]);
    hasher.update(content);
    hasher.finalize()
}

fn four(bytes: &[u8]) -> u32 {
    let mut four = [0; 4];
    four.copy_from_slice(bytes);
    u32::from_le_bytes(four)
}

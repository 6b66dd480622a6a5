//! Compression: told by the first bytes, whatever the file is called.

mod codec;
mod unpacked;

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use codec::{Bzip2, Gzip, Xz, Zstd};
use unpacked::Unpacked;

/// How an input is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Compression {
    /// As it is.
    None,
    /// gzip, of one member or many.
    Gzip,
    /// Zstandard, of one frame or many.
    Zstd,
    /// bzip2, of one stream or many.
    Bzip2,
    /// xz, of one stream or many.
    Xz,
}

/// How many bytes [`Compression::of`] needs to see.
pub(crate) const MAGIC: usize = 6;

impl Compression {
    /// Tells the compression from the first bytes of a file.
    pub fn of(head: &[u8]) -> Compression {
        match head {
            [0x1f, 0x8b, 0x08, ..] => Compression::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Compression::Zstd,
            // A skippable frame: some tools write one before the first frame with data.
            [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Compression::Zstd,
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31 | 0x17, ..] => Compression::Bzip2,
            [0xfd, b'7', b'z', b'X', b'Z', 0x00, ..] => Compression::Xz,
            _ => Compression::None,
        }
    }

    /// Opens a file and gives its bytes unpacked, however it is packed.
    pub fn open(path: &Path) -> io::Result<Box<dyn Read + Send>> {
        let mut file = BufReader::new(File::open(path)?);
        let compression = Compression::of(file.fill_buf()?);
        compression.reader(file)
    }

    /// Whether `extension` (without its dot) promises this kind of file inside; the name is then told by what stands before it.
    pub(crate) fn is_extension(extension: &str) -> bool {
        ["gz", "gzip", "bgz", "zst", "zstd", "bz2", "xz"].iter().any(|known| extension.eq_ignore_ascii_case(known))
    }

    /// The decompressed bytes of `packed`.
    pub(crate) fn reader(self, packed: impl BufRead + Send + 'static) -> io::Result<Box<dyn Read + Send>> {
        Ok(match self {
            Compression::None => Box::new(packed),
            Compression::Gzip => Box::new(Unpacked::new(packed, Gzip::new())),
            Compression::Zstd => Box::new(Unpacked::new(packed, Zstd::new()?)),
            Compression::Bzip2 => Box::new(Unpacked::new(packed, Bzip2::new())),
            Compression::Xz => Box::new(Unpacked::new(packed, Xz::new()?)),
        })
    }
}

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Compression::None => "none",
            Compression::Gzip => "gzip",
            Compression::Zstd => "zstd",
            Compression::Bzip2 => "bzip2",
            Compression::Xz => "xz",
        })
    }
}

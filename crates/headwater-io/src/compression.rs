//! Compression: told by the first bytes, whatever the file is called.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

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

/// The largest Zstandard window that the format allows on a 64-bit machine: `zstd --ultra --long=31`.
const ZSTD_WINDOW_LOG: u32 = 31;

/// Memory that an xz file may ask for: above its largest preset (65 MiB), far below its format's limit of 4 GiB.
const XZ_MEMORY: u64 = 1 << 30;

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
            Compression::Gzip => Box::new(Members { decoder: Some(flate2::bufread::GzDecoder::new(packed)) }),
            Compression::Zstd => {
                let mut decoder = zstd::stream::read::Decoder::with_buffer(packed)?;
                decoder.window_log_max(ZSTD_WINDOW_LOG)?;
                Box::new(decoder)
            }
            Compression::Bzip2 => Box::new(bzip2::bufread::MultiBzDecoder::new(packed)),
            Compression::Xz => {
                let stream = liblzma::stream::Stream::new_stream_decoder(XZ_MEMORY, liblzma::stream::CONCATENATED)?;
                Box::new(Xz { packed, stream, failed: None })
            }
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

/// An xz file up to where it is damaged.
///
/// liblzma's own reader drops what it has unpacked in the call that meets the damage; how much that is depends on how the
/// bytes arrive.
struct Xz<R> {
    packed: R,
    stream: liblzma::stream::Stream,
    failed: Option<io::Error>,
}

impl<R: BufRead> Read for Xz<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        use liblzma::stream::{Action, Status};
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            if let Some(error) = self.failed.take() {
                return Err(error);
            }
            let packed = self.packed.fill_buf()?;
            let all = packed.is_empty();
            let (before_in, before_out) = (self.stream.total_in(), self.stream.total_out());
            let status = self.stream.process(packed, buffer, if all { Action::Finish } else { Action::Run });
            let unpacked = (self.stream.total_out() - before_out) as usize;
            let taken = (self.stream.total_in() - before_in) as usize;
            self.packed.consume(taken);
            match status {
                Ok(Status::StreamEnd) => return Ok(unpacked),
                Ok(_) if all && unpacked == 0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(_) if taken + unpacked == 0 => return Err(io::Error::other("corrupt xz stream")),
                Ok(_) => {}
                Err(error) => self.failed = Some(error.into()),
            }
            if unpacked > 0 {
                return Ok(unpacked);
            }
        }
    }
}

/// The members of a gzip file, one after the other.
///
/// flate2's own multi-member decoder calls the zero padding that tapes and some crawlers leave behind an error.
struct Members<R> {
    /// Empty once the last member has been read.
    decoder: Option<flate2::bufread::GzDecoder<R>>,
}

impl<R: BufRead> Read for Members<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(decoder) = &mut self.decoder {
            let count = decoder.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            let Some(decoder) = self.decoder.take() else { break };
            let mut packed = decoder.into_inner();
            if skip_zeros(&mut packed)? {
                self.decoder = Some(flate2::bufread::GzDecoder::new(packed));
            }
        }
        Ok(0)
    }
}

/// Passes over zero bytes; tells whether anything follows them.
fn skip_zeros(packed: &mut impl BufRead) -> io::Result<bool> {
    loop {
        let bytes = packed.fill_buf()?;
        if bytes.is_empty() {
            return Ok(false);
        }
        let zeros = bytes.iter().take_while(|&&byte| byte == 0).count();
        let more = zeros < bytes.len();
        packed.consume(zeros);
        if more {
            return Ok(true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufReader, Write};

    /// What can be read before an error, however many bytes arrive at a time.
    fn readable(packed: &[u8], at_a_time: usize) -> (Vec<u8>, String) {
        let packed = BufReader::with_capacity(at_a_time, io::Cursor::new(packed.to_vec()));
        let mut reader = Compression::Xz.reader(Box::new(packed)).unwrap();
        let (mut content, mut buffer) = (Vec::new(), [0; 4096]);
        loop {
            match reader.read(&mut buffer) {
                Ok(0) => return (content, String::new()),
                Ok(count) => content.extend_from_slice(&buffer[..count]),
                Err(error) => return (content, error.to_string()),
            }
        }
    }

    #[test]
    fn a_damaged_xz_file_gives_all_that_is_before_the_damage() {
        let text: Vec<u8> =
            (0..30_000u32).flat_map(|n| format!("{} ", n.wrapping_mul(2_654_435_761)).into_bytes()).collect();
        let mut packed = liblzma::write::XzEncoder::new(Vec::new(), 1);
        packed.write_all(&text).unwrap();
        let packed = packed.finish().unwrap();
        assert_eq!(readable(&packed, 7), (text.clone(), String::new()));
        for at in [packed.len() / 3, packed.len() / 2] {
            let mut damaged = packed.clone();
            damaged[at..at + 20].fill(0xff);
            let (content, error) = readable(&damaged, damaged.len());
            assert!(!error.is_empty() && content.len() > text.len() / 5);
            assert_eq!(readable(&damaged, 7), (content.clone(), error));
            assert!(text.starts_with(&content[..text.len() / 5]));
        }
        let (content, error) = readable(&packed[..packed.len() / 2], 7);
        assert!(text.starts_with(&content) && content.len() > text.len() / 4 && !error.is_empty());
    }
}

//! Compressed outputs: what `.gz` and `.zst` at the end of a name ask for.

use std::io::{self, Write};

use flate2::write::GzEncoder;

use super::Output;
use super::format::Compression;

/// An output with compression in front of it, or none.
pub(super) enum Sink {
    Plain(Output),
    Gzip(GzEncoder<Output>),
    Zstd(zstd::Encoder<'static, Output>),
}

impl Sink {
    pub(super) fn new(output: Output, compression: Compression) -> io::Result<Self> {
        Ok(match compression {
            Compression::None => Sink::Plain(output),
            Compression::Gzip => Sink::Gzip(GzEncoder::new(output, flate2::Compression::default())),
            Compression::Zstd => {
                let mut encoder = zstd::Encoder::new(output, zstd::DEFAULT_COMPRESSION_LEVEL)?;
                encoder.include_checksum(true)?;
                Sink::Zstd(encoder)
            }
        })
    }

    pub(super) fn finish(self) -> io::Result<()> {
        let output = match self {
            Sink::Plain(output) => output,
            Sink::Gzip(encoder) => encoder.finish()?,
            Sink::Zstd(encoder) => encoder.finish()?,
        };
        Ok(output.finish()?)
    }

    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Sink::Plain(output) => output,
            Sink::Gzip(encoder) => encoder,
            Sink::Zstd(encoder) => encoder,
        }
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer().flush()
    }
}

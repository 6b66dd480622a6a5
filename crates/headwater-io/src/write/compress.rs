//! Compressed outputs: what `.gz` and `.zst` at the end of a name ask for.

use std::io::{self, Write};

use flate2::write::GzEncoder;

use super::format::Compression;
use super::{Output, Target, WriteError};

/// An [`Output`] with the compression in front of it that its name asks for, or none; complete only once [`Sink::finish`] has
/// returned without error.
pub struct Sink {
    packing: Packing,
}

enum Packing {
    None(Output),
    /// Empty only while one part ends and the next begins.
    Gzip(Option<GzEncoder<Output>>),
    Zstd(zstd::Encoder<'static, Output>),
}

impl Sink {
    /// Opens the target; an existing file stays as it is until the end.
    pub fn create(target: Target) -> Result<Self, WriteError> {
        let compression = Compression::of(&target);
        let output = Output::create(target.clone())?;
        Self::new(output, compression).map_err(|error| WriteError::new(&target, error))
    }

    pub(super) fn new(output: Output, compression: Compression) -> io::Result<Self> {
        let packing = match compression {
            Compression::None => Packing::None(output),
            Compression::Gzip => Packing::Gzip(Some(gzip(output))),
            Compression::Zstd => {
                let mut encoder = zstd::Encoder::new(output, zstd::DEFAULT_COMPRESSION_LEVEL)?;
                encoder.include_checksum(true)?;
                Packing::Zstd(encoder)
            }
        };
        Ok(Sink { packing })
    }

    /// Ends a part that can be unpacked alone: readers of packed web archives expect one for each record.
    pub(super) fn part(&mut self) -> io::Result<()> {
        if let Packing::Gzip(encoder) = &mut self.packing
            && let Some(part) = encoder.take()
        {
            *encoder = Some(gzip(part.finish()?));
        }
        Ok(())
    }

    /// Hands over all that was written, and puts a file in its place.
    pub fn finish(self) -> io::Result<()> {
        let output = match self.packing {
            Packing::None(output) => output,
            Packing::Gzip(encoder) => encoder.ok_or_else(broken)?.finish()?,
            Packing::Zstd(encoder) => encoder.finish()?,
        };
        Ok(output.finish()?)
    }

    fn writer(&mut self) -> io::Result<&mut dyn Write> {
        Ok(match &mut self.packing {
            Packing::None(output) => output,
            Packing::Gzip(encoder) => encoder.as_mut().ok_or_else(broken)?,
            Packing::Zstd(encoder) => encoder,
        })
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer()?.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer()?.flush()
    }
}

fn gzip(output: Output) -> GzEncoder<Output> {
    GzEncoder::new(output, flate2::Compression::default())
}

/// A part could not be ended, so that nothing can follow it.
fn broken() -> io::Error {
    io::Error::other("an earlier write failed")
}

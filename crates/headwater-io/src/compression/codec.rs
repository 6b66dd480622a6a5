//! The four packings that inputs come in, each through the crate that knows it.

use std::io;
use std::ops::Range;

use zstd::stream::raw::{DParameter, InBuffer, Operation, OutBuffer};

use super::unpacked::{Codec, Step};

/// The largest Zstandard window that the format allows on a 64-bit machine: `zstd --ultra --long=31`.
const ZSTD_WINDOW_LOG: u32 = 31;

/// Memory that an xz file may ask for: above its largest preset (65 MiB), far below its format's limit of 4 GiB.
const XZ_MEMORY: u64 = 1 << 30;

/// gzip; its members may stand apart by the zeros that tapes and some crawlers leave behind.
pub(super) struct Gzip(flate2::Decompress);

impl Gzip {
    pub(super) fn new() -> Self {
        /// The largest there is, which reads every file.
        const WINDOW_BITS: u8 = 15;
        Gzip(flate2::Decompress::new_gzip(WINDOW_BITS))
    }
}

impl Codec for Gzip {
    fn step(&mut self, packed: &[u8], buffer: &mut [u8]) -> Step {
        let before = (self.0.total_in(), self.0.total_out());
        let status = self.0.decompress(packed, buffer, flate2::FlushDecompress::None);
        Step {
            taken: (self.0.total_in() - before.0) as usize,
            unpacked: (self.0.total_out() - before.1) as usize,
            // What the crate says of damage depends on how the bytes arrive.
            ended: status.map(|status| status == flate2::Status::StreamEnd).map_err(|_| corrupt("gzip")),
        }
    }

    fn padding(&self, packed: &[u8]) -> usize {
        packed.iter().take_while(|&&byte| byte == 0).count()
    }

    fn restart(&mut self) {
        *self = Gzip::new();
    }
}

/// bzip2.
///
/// Its decoder forgets what it has written in a call in which a block turns out to be damaged. All calls therefore end at the same
/// places of the content, however much the reader asks for at a time.
pub(super) struct Bzip2 {
    decoder: bzip2::Decompress,
    piece: Box<[u8; BZIP2_PIECE]>,
    /// What of the piece has not been given yet.
    left: Range<usize>,
    /// What the call that made the piece ended with.
    ended: io::Result<bool>,
}

/// Content that is lost at most in front of damage.
const BZIP2_PIECE: usize = 1024;

impl Bzip2 {
    pub(super) fn new() -> Self {
        let small = false;
        Bzip2 {
            decoder: bzip2::Decompress::new(small),
            piece: Box::new([0; BZIP2_PIECE]),
            left: 0..0,
            ended: Ok(false),
        }
    }
}

impl Codec for Bzip2 {
    fn step(&mut self, packed: &[u8], buffer: &mut [u8]) -> Step {
        let mut taken = 0;
        if self.left.is_empty() {
            let before = (self.decoder.total_in(), self.decoder.total_out());
            let room = BZIP2_PIECE - before.1 as usize % BZIP2_PIECE;
            let status = self.decoder.decompress(packed, &mut self.piece[..room]);
            taken = (self.decoder.total_in() - before.0) as usize;
            self.left = 0..(self.decoder.total_out() - before.1) as usize;
            self.ended = status.map(|status| status == bzip2::Status::StreamEnd).map_err(|_| corrupt("bzip2"));
        }
        let unpacked = self.left.len().min(buffer.len());
        buffer[..unpacked].copy_from_slice(&self.piece[self.left.start..][..unpacked]);
        self.left.start += unpacked;
        let ended = if self.left.is_empty() { std::mem::replace(&mut self.ended, Ok(false)) } else { Ok(false) };
        Step { taken, unpacked, ended }
    }

    fn restart(&mut self) {
        self.decoder = Bzip2::new().decoder;
    }
}

/// xz; its crate knows itself that streams can follow each other.
pub(super) struct Xz(liblzma::stream::Stream);

impl Xz {
    pub(super) fn new() -> io::Result<Self> {
        Ok(Xz(liblzma::stream::Stream::new_stream_decoder(XZ_MEMORY, liblzma::stream::CONCATENATED)?))
    }
}

impl Codec for Xz {
    fn step(&mut self, packed: &[u8], buffer: &mut [u8]) -> Step {
        use liblzma::stream::{Action, Status};
        let before = (self.0.total_in(), self.0.total_out());
        let status = self.0.process(packed, buffer, if packed.is_empty() { Action::Finish } else { Action::Run });
        Step {
            taken: (self.0.total_in() - before.0) as usize,
            unpacked: (self.0.total_out() - before.1) as usize,
            ended: status.map(|status| status == Status::StreamEnd).map_err(io::Error::from),
        }
    }

    fn restart(&mut self) {}
}

/// Zstandard.
///
/// Its decoder forgets what it has written in a call that then fails. It is therefore given no more at once than the piece that
/// it waits for, and that only when all that it has unpacked is out, so that a call that fails has written nothing.
pub(super) struct Zstd {
    decoder: zstd::stream::raw::Decoder<'static>,
    /// How many bytes the decoder waits for, by its own account; none at the end of a frame.
    wanted: usize,
    /// Whether the last buffer was filled, so that more may be ready.
    full: bool,
}

/// The shortest start of a frame.
const ZSTD_START: usize = 5;

/// The decoder asks for a block together with the three bytes that start the next one.
const ZSTD_BLOCK_START: usize = 3;

impl Zstd {
    pub(super) fn new() -> io::Result<Self> {
        let mut decoder = zstd::stream::raw::Decoder::new()?;
        decoder.set_parameter(DParameter::WindowLogMax(ZSTD_WINDOW_LOG))?;
        Ok(Zstd { decoder, wanted: ZSTD_START, full: false })
    }

    fn run(&mut self, piece: &[u8], buffer: &mut [u8]) -> Step {
        let mut input = InBuffer::around(piece);
        let mut output = OutBuffer::around(buffer);
        let wanted = self.decoder.run(&mut input, &mut output);
        let (taken, unpacked) = (input.pos(), output.pos());
        self.full = unpacked == output.capacity();
        self.wanted = *wanted.as_ref().unwrap_or(&ZSTD_START);
        Step { taken, unpacked, ended: wanted.map(|wanted| wanted == 0) }
    }
}

impl Codec for Zstd {
    fn step(&mut self, packed: &[u8], buffer: &mut [u8]) -> Step {
        if self.full {
            let step = self.run(&[], buffer);
            if step.unpacked > 0 || step.ended.is_err() {
                return step;
            }
        }
        let piece = match self.wanted {
            block @ ZSTD_START.. => block - ZSTD_BLOCK_START,
            start => start,
        };
        self.run(&packed[..piece.min(packed.len())], buffer)
    }

    fn restart(&mut self) {
        (self.wanted, self.full) = (ZSTD_START, false);
    }
}

fn corrupt(kind: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("corrupt {kind} stream"))
}

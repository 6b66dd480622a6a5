//! A packed file as a reader of what is in it, up to the very place where it is damaged.
//!
//! The readers that the compression crates bring drop what they have unpacked in the call that meets the damage. How much that
//! is depends on how the bytes arrive, so that a damaged file would have more documents than the same bytes from a pipe.

use std::io::{self, BufRead, Read};

/// How one kind of packing is undone, piece by piece.
pub(super) trait Codec {
    /// Unpacks what it can of `packed` into `buffer`. Nothing more will follow where `packed` is empty.
    fn step(&mut self, packed: &[u8], buffer: &mut [u8]) -> Step;

    /// How many of the first bytes of `packed`, behind the end of a stream, mean nothing.
    fn padding(&self, packed: &[u8]) -> usize {
        let _ = packed;
        0
    }

    /// Prepares for another stream behind the one that has ended.
    fn restart(&mut self);
}

/// What came of one step.
pub(super) struct Step {
    /// Packed bytes that are done with.
    pub(super) taken: usize,
    /// Bytes written to the buffer, also where the step then failed.
    pub(super) unpacked: usize,
    /// Whether the stream has ended.
    pub(super) ended: io::Result<bool>,
}

/// The content of all streams of a packed file, one after the other.
pub(super) struct Unpacked<R, C> {
    packed: R,
    codec: C,
    state: State,
}

enum State {
    /// Within a stream.
    Within,
    /// Behind the end of a stream.
    Between,
    /// The damage has been met, and what was unpacked before it has been given.
    Failed(io::Error),
    /// Nothing follows.
    Done,
}

impl<R, C> Unpacked<R, C> {
    pub(super) fn new(packed: R, codec: C) -> Self {
        Unpacked { packed, codec, state: State::Within }
    }
}

impl<R: BufRead, C: Codec> Read for Unpacked<R, C> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            match std::mem::replace(&mut self.state, State::Done) {
                State::Done => return Ok(0),
                State::Failed(error) => return Err(error),
                State::Between if !self.another()? => return Ok(0),
                State::Between => self.codec.restart(),
                State::Within => {}
            }
            self.state = State::Within;
            let packed = self.packed.fill_buf()?;
            let last = packed.is_empty();
            let Step { taken, unpacked, ended } = self.codec.step(packed, buffer);
            self.packed.consume(taken);
            match ended {
                Ok(true) => self.state = State::Between,
                Ok(false) if last && unpacked == 0 => self.state = State::Failed(io::ErrorKind::UnexpectedEof.into()),
                Ok(false) if taken + unpacked == 0 => self.state = State::Failed(io::ErrorKind::InvalidData.into()),
                Ok(false) => {}
                Err(error) => self.state = State::Failed(error),
            }
            if unpacked > 0 {
                return Ok(unpacked);
            }
        }
    }
}

impl<R: BufRead, C: Codec> Unpacked<R, C> {
    /// Whether another stream follows the one that has ended.
    fn another(&mut self) -> io::Result<bool> {
        loop {
            let packed = self.packed.fill_buf()?;
            if packed.is_empty() {
                return Ok(false);
            }
            match self.codec.padding(packed) {
                0 => return Ok(true),
                padding => self.packed.consume(padding),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Cursor, Write};

    use super::super::Compression;
    use super::*;

    /// What can be read before an error, however many bytes arrive, and are asked for, at a time.
    fn readable(compression: Compression, packed: &[u8], arrive: usize, asked: usize) -> (Vec<u8>, String) {
        let packed = BufReader::with_capacity(arrive, Cursor::new(packed.to_vec()));
        let mut reader = compression.reader(packed).unwrap();
        let (mut content, mut buffer) = (Vec::new(), vec![0; asked]);
        loop {
            match reader.read(&mut buffer) {
                Ok(0) => return (content, String::new()),
                Ok(count) => content.extend_from_slice(&buffer[..count]),
                Err(error) => return (content, error.to_string()),
            }
        }
    }

    fn pack(compression: Compression, text: &[u8]) -> Vec<u8> {
        match compression {
            Compression::None => text.to_vec(),
            Compression::Gzip => {
                let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
                packed.write_all(text).unwrap();
                packed.finish().unwrap()
            }
            Compression::Zstd => {
                let mut packed = zstd::Encoder::new(Vec::new(), 1).unwrap();
                packed.include_checksum(true).unwrap();
                packed.write_all(text).unwrap();
                packed.finish().unwrap()
            }
            Compression::Bzip2 => {
                let mut packed = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
                packed.write_all(text).unwrap();
                packed.finish().unwrap()
            }
            Compression::Xz => {
                let mut packed = liblzma::write::XzEncoder::new(Vec::new(), 1);
                packed.write_all(text).unwrap();
                packed.finish().unwrap()
            }
        }
    }

    const ALL: [Compression; 4] = [Compression::Gzip, Compression::Zstd, Compression::Bzip2, Compression::Xz];

    /// Long enough for several blocks of every kind.
    fn text() -> Vec<u8> {
        (0..60_000u32).flat_map(|n| format!("{} ", n.wrapping_mul(2_654_435_761)).into_bytes()).collect()
    }

    #[test]
    fn streams_one_after_the_other_are_one_content() {
        let text = text();
        for compression in ALL {
            let twice = [pack(compression, &text), pack(compression, b""), pack(compression, &text)].concat();
            for (arrive, asked) in [(1 << 20, 1 << 20), (7, 4096), (4096, 1)] {
                let (content, error) = readable(compression, &twice, arrive, asked);
                assert!(content == [&text[..], &text[..]].concat(), "{compression} by {arrive}");
                assert_eq!(error, "", "{compression}");
            }
        }
        let padded = [pack(Compression::Gzip, b"one "), vec![0; 700], pack(Compression::Gzip, b"two"), vec![0; 9]];
        assert_eq!(readable(Compression::Gzip, &padded.concat(), 5, 3), (b"one two".to_vec(), String::new()));
    }

    #[test]
    fn a_damaged_file_gives_the_same_content_however_its_bytes_arrive() {
        let text = text();
        for compression in ALL {
            let packed = pack(compression, &text);
            for part in 1..60 {
                let at = packed.len() * part / 60;
                let mut damaged = packed.clone();
                match part % 3 {
                    0 => damaged[at] ^= 0x55,
                    1 => damaged[at..(at + 20).min(packed.len())].fill(0xff),
                    _ => damaged.swap(at, packed.len() / 2 - 1),
                }
                if damaged == packed {
                    continue;
                }
                let (content, error) = readable(compression, &damaged, damaged.len(), text.len() + 1);
                assert_ne!(error, "", "{compression}: a byte at {at} of {} was changed", packed.len());
                for (arrive, asked) in [(7, 4096), (4096, 100_000), (1, 333)] {
                    let (again, same) = readable(compression, &damaged, arrive, asked);
                    assert!(again == content, "{compression} at {at}: {} and {}", again.len(), content.len());
                    assert_eq!(same, error, "{compression} at {at}");
                }
            }
        }
    }

    #[test]
    fn a_file_that_stops_gives_what_there_is_and_an_error() {
        let text = text();
        for compression in ALL {
            let packed = pack(compression, &text);
            for cut in [packed.len() - 1, packed.len() * 3 / 4, packed.len() / 2] {
                let (content, error) = readable(compression, &packed[..cut], 7, 4096);
                assert!(text.starts_with(&content) && content.len() > text.len() / 4, "{compression}");
                assert_ne!(error, "", "{compression} cut at {cut}");
            }
        }
    }
}

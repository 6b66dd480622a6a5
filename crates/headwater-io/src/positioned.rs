//! Reading a file from a place of one's own, wherever others are reading it.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Deref;

/// An open file and where the next byte is read from.
#[derive(Debug)]
pub(crate) struct Positioned<F> {
    pub(crate) file: F,
    pub(crate) at: u64,
}

impl<F: Deref<Target = File>> Read for Positioned<F> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = read_at(&self.file, self.at, out)?;
        self.at += read as u64;
        Ok(read)
    }
}

#[cfg(unix)]
fn read_at(file: &File, at: u64, out: &mut [u8]) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, out, at)
}

#[cfg(not(unix))]
fn read_at(mut file: &File, at: u64, out: &mut [u8]) -> io::Result<usize> {
    io::Seek::seek(&mut file, io::SeekFrom::Start(at)).and_then(|_| file.read(out))
}

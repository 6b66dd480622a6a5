//! Where an output goes.

use std::fmt;
use std::io::{self, BufWriter, Stdout, Write};
use std::path::{Path, PathBuf};

use super::{AtomicFile, WriteError};

/// Small writes are gathered up to this size.
pub(super) const BUFFER: usize = 64 << 10;

/// Compressions that can be read but not written: a file of that name would not hold what it says.
const NOT_WRITTEN: [&str; 3] = ["xz", "bz2", "lz4"];

/// Where an output is to go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Standard output.
    Stdout,
    /// A file that appears whole or not at all.
    File(PathBuf),
}

/// An open [`Target`], buffered; an output is complete only once [`Output::finish`] has returned without error.
pub struct Output {
    target: Target,
    stream: Stream,
}

enum Stream {
    Stdout(BufWriter<Stdout>),
    File(Box<AtomicFile>),
}

impl Output {
    /// Opens the target; an existing file stays as it is until the end.
    pub fn create(target: Target) -> Result<Self, WriteError> {
        if let Target::File(path) = &target
            && let Some(extension) = path.extension().filter(|end| NOT_WRITTEN.iter().any(|other| end == other))
        {
            let what = format!(".{} is not written; .gz and .zst are", extension.display());
            return Err(WriteError::new(&target, io::Error::new(io::ErrorKind::InvalidInput, what)));
        }
        let stream = match &target {
            Target::Stdout => Stream::Stdout(BufWriter::with_capacity(BUFFER, io::stdout())),
            Target::File(path) => Stream::File(Box::new(AtomicFile::create(path)?)),
        };
        Ok(Output { target, stream })
    }

    /// Where this goes.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// Hands over all that was written, and puts a file in its place.
    pub fn finish(self) -> Result<(), WriteError> {
        match self.stream {
            // What is still in the buffer is flushed here: dropping it would hide the error.
            Stream::Stdout(mut stdout) => stdout.flush().map_err(|error| WriteError::new(&self.target, error)),
            Stream::File(file) => file.finish(),
        }
    }

    fn on_stream<T>(&mut self, act: impl FnOnce(&mut dyn Write) -> io::Result<T>) -> io::Result<T> {
        match &mut self.stream {
            Stream::Stdout(stdout) => act(stdout).map_err(|error| WriteError::new(&self.target, error).into()),
            Stream::File(file) => act(file),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.on_stream(|stream| stream.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.on_stream(|stream| stream.flush())
    }
}

/// `-` and `/dev/stdout` are standard output.
impl From<&Path> for Target {
    fn from(path: &Path) -> Self {
        Target::from(path.to_owned())
    }
}

impl From<PathBuf> for Target {
    fn from(path: PathBuf) -> Self {
        let stdout = [Path::new("-"), Path::new("/dev/stdout")].contains(&path.as_path());
        if stdout { Target::Stdout } else { Target::File(path) }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::Stdout => f.write_str("standard output"),
            Target::File(path) => path.display().fmt(f),
        }
    }
}

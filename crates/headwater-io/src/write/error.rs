//! Why an output could not be written.

use std::error::Error;
use std::fmt;
use std::io;

use super::Target;

/// Why an output could not be written: where, what, and what to do about it.
#[derive(Debug)]
pub struct WriteError {
    target: Target,
    cause: io::Error,
}

impl WriteError {
    /// Keeps an error that already says where it happened.
    pub(super) fn new(target: &Target, cause: io::Error) -> Self {
        cause.downcast().unwrap_or_else(|cause| WriteError { target: target.clone(), cause })
    }

    /// The same for a file.
    pub(crate) fn at(path: &std::path::Path, cause: io::Error) -> Self {
        WriteError::new(&Target::File(path.to_owned()), cause)
    }

    /// Whether the reader of a pipe has gone: no reason for a program to complain.
    pub fn is_broken_pipe(&self) -> bool {
        self.kind() == io::ErrorKind::BrokenPipe
    }

    /// What went wrong, in the terms of the operating system.
    pub fn kind(&self) -> io::ErrorKind {
        self.cause.kind()
    }

    /// Where it went wrong.
    pub fn target(&self) -> &Target {
        &self.target
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use io::ErrorKind::{
            IsADirectory, NotADirectory, NotFound, PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull,
        };
        write!(f, "cannot write {}: {}", self.target, self.cause)?;
        let remedy = match self.kind() {
            StorageFull | QuotaExceeded => "free some space there or choose another place",
            PermissionDenied | ReadOnlyFilesystem => "choose a place that you may write to",
            NotFound | NotADirectory => "create the folder first or choose another place",
            IsADirectory => "name a file in it",
            _ => return Ok(()),
        };
        write!(f, "; {remedy}")
    }
}

impl Error for WriteError {}

/// For code that writes through [`io::Write`]; the way back is [`io::Error::downcast`].
impl From<WriteError> for io::Error {
    fn from(error: WriteError) -> Self {
        io::Error::new(error.kind(), error)
    }
}

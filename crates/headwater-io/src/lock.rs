//! One writer at a time, for files that outlive a run: tables and indexes.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use crate::write::AtomicFile;

/// How long a lock is tried for. A process that was forked a moment ago, by another thread of the one that held the lock, keeps
/// it until it has become another program.
const PATIENCE: Duration = Duration::from_millis(500);
const PAUSE: Duration = Duration::from_millis(5);

/// Keeps all other processes from writing to a file until it is dropped. It is held on another file beside it, since the file
/// itself is replaced by whoever writes.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Lock {
    /// Locks the index at `path`, which is to be read and then written anew.
    pub fn of_index(path: &Path) -> io::Result<Lock> {
        Self::take(path).map_err(|error| crate::index::explain(path, &error))
    }

    /// Locks what is to be read and then written anew; an error of the kind [`io::ErrorKind::WouldBlock`] where another process
    /// is doing that.
    ///
    /// What a kill has left of an earlier writing is taken away.
    pub(crate) fn take(path: &Path) -> io::Result<Lock> {
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(lock_path(path))?;
        let begun = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if begun.elapsed() < PATIENCE => thread::sleep(PAUSE),
                Err(TryLockError::WouldBlock) => {
                    let what = "another process is writing to it; wait until it is done";
                    return Err(io::Error::new(io::ErrorKind::WouldBlock, what));
                }
                Err(TryLockError::Error(error)) => return Err(error),
            }
        }
        AtomicFile::sweep(path);
        Ok(Lock { _file: file })
    }
}

/// The file that is locked by whoever writes to `path`.
pub(crate) fn lock_path(path: &Path) -> PathBuf {
    beside(path, ".lock")
}

/// The file of this name with something behind it.
pub(crate) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("index");
        let first = Lock::take(&path).unwrap();
        let error = Lock::take(&path).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::WouldBlock);
        assert!(error.to_string().contains("another process is writing to it"), "{error}");
        assert!(Lock::take(&folder.path().join("other")).is_ok());
        drop(first);
        assert!(Lock::take(&path).is_ok());
    }
}

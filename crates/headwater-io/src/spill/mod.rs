//! What a run over a whole collection keeps beside memory: token hashes, occurrences of chunks, texts.
//!
//! All of it lies in files without a name, in the folder for temporary files: gone when the run ends, however it ends.

mod bins;
mod block;
mod shelf;
mod texts;
mod tokens;

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

pub use bins::FileBins;
pub(crate) use block::Block;
pub use shelf::FileShelf;
pub use texts::TextSpill;
pub use tokens::{SpilledTokens, StoredTokens, TokenSpill};

/// A file without a name, and what to say when it cannot be used.
#[derive(Debug)]
struct Scrap {
    file: File,
    folder: PathBuf,
    what: &'static str,
}

impl Scrap {
    fn create(folder: Option<&Path>, what: &'static str) -> io::Result<Self> {
        let folder = folder.map_or_else(std::env::temp_dir, Path::to_owned);
        match tempfile::tempfile_in(&folder) {
            Ok(file) => Ok(Scrap { file, folder, what }),
            Err(error) => Err(explain(&folder, what, &error)),
        }
    }

    fn explain(&self, error: &io::Error) -> io::Error {
        explain(&self.folder, self.what, error)
    }
}

fn explain(folder: &Path, what: &str, error: &io::Error) -> io::Error {
    let place = folder.display();
    let text = format!("cannot keep {what} in {place}: {error}; set TMPDIR to a folder with room");
    io::Error::new(error.kind(), text)
}

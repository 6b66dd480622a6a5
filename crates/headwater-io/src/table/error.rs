//! What can be wrong with a table in a file.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use super::header::VERSION;

/// A table that cannot be used, and why.
#[derive(Debug)]
pub struct TableError {
    path: PathBuf,
    fault: Fault,
}

/// What is wrong, without the file's name.
#[derive(Debug)]
pub(crate) enum Fault {
    /// It does not begin as a table does.
    Foreign,
    Version(u32),
    Truncated {
        found: u64,
        expected: u64,
    },
    Damaged {
        part: Part,
        offset: u64,
    },
    /// The description in the header makes no sense.
    Header(String),
    /// It was made with other settings: what differs.
    Settings(Vec<String>),
    /// It cannot become one with the others.
    Merge(String),
    /// Another process writes to it.
    InUse,
    /// A file is where a new table was to be.
    InTheWay,
    /// The store of names.
    Names(String),
    Io {
        action: &'static str,
        error: io::Error,
    },
    ByteOrder,
}

/// A part of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Header,
    Block(u64),
    Checksums,
}

impl Fault {
    pub(crate) fn io(action: &'static str) -> impl Fn(io::Error) -> Fault {
        move |error| Fault::Io { action, error }
    }

    pub(crate) fn of(self, path: &Path) -> TableError {
        TableError { path: path.to_owned(), fault: self }
    }
}

impl TableError {
    /// A table that was made with other settings than those that were asked for: what differs.
    pub fn other_settings(path: &Path, differences: Vec<String>) -> Self {
        Fault::Settings(differences).of(path)
    }

    /// Whether there is a file where a new table was to be.
    pub fn is_in_the_way(&self) -> bool {
        matches!(self.fault, Fault::InTheWay)
    }

    /// Whether the file does not exist.
    pub fn is_absent(&self) -> bool {
        matches!(&self.fault, Fault::Io { error, .. } if error.kind() == io::ErrorKind::NotFound)
    }
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match &self.fault {
            Fault::Foreign => write!(f, "{path}: not a table of headwater's; choose another name for --table"),
            Fault::Version(version) => write!(
                f,
                "{path}: a table of format version {version}, and this program knows version {VERSION}; \
                 use the program that made it, or make the table again"
            ),
            Fault::Truncated { found, expected } => {
                write!(
                    f,
                    "{path}: the file is cut off: it has {found} bytes and should have {expected}; restore it from a copy"
                )
            }
            Fault::Damaged { part, offset } => {
                write!(
                    f,
                    "{path}: damaged at byte {offset} ({part}): its checksum is wrong; restore the file from a copy"
                )
            }
            Fault::Header(why) => write!(f, "{path}: its header cannot be understood: {why}"),
            Fault::Settings(differences) => write!(
                f,
                "{path}: the table was made with other settings: {}; leave these options out, or choose another table",
                differences.join("; ")
            ),
            Fault::Merge(why) => write!(f, "{path}: cannot be merged with the tables before it: {why}"),
            Fault::InTheWay => {
                write!(f, "{path}: it is there already; name another file, or move it and its names away")
            }
            Fault::InUse => write!(f, "{path}: another process is writing to this table; wait for it, or use --no-add"),
            Fault::Names(why) => write!(f, "{}: {why}", super::names_path(&self.path).display()),
            Fault::Io { action, error } => write!(f, "{path}: cannot {action} the table: {error}"),
            Fault::ByteOrder => write!(f, "{path}: tables can only be used on little-endian machines"),
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Part::Header => f.write_str("the header"),
            Part::Block(number) => write!(f, "block {number}"),
            Part::Checksums => f.write_str("the checksums"),
        }
    }
}

impl Error for TableError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.fault {
            Fault::Io { error, .. } => Some(error),
            _ => None,
        }
    }
}

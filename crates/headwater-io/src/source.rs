//! Where documents come from: files, folders, standard input, or bytes in memory.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use arrow_schema::SchemaRef;

use crate::format::Format;
use crate::parquet;
use crate::write::PARTIAL;

/// The inputs of one run, in the order in which they are read.
#[derive(Debug, Default)]
pub struct Inputs {
    list: Vec<Arc<Input>>,
}

/// An input that cannot be opened.
#[derive(Debug)]
pub struct Error {
    path: PathBuf,
    cause: io::Error,
}

/// One stream of bytes with a name.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) name: Arc<str>,
    pub(crate) source: Source,
    /// Bytes on disk, where they are known.
    pub(crate) size: Option<u64>,
}

pub(crate) enum Source {
    /// A file that can be read as often as one likes.
    File(PathBuf),
    /// Bytes that can be read as often as one likes.
    Bytes(Arc<[u8]>),
    /// Standard input, a named pipe or whatever else can be read once only, and may wait for its writer.
    Once(Mutex<Option<Box<dyn Read + Send>>>),
    /// What a stream held, in a file without a name, so that it can be read again.
    Kept(Arc<Mutex<File>>),
    /// Something in a folder that cannot be read, and why.
    Refused(String),
}

impl Inputs {
    /// No inputs; add some with [`Inputs::push_bytes`] and its sisters.
    pub fn new() -> Inputs {
        Inputs::default()
    }

    /// Files, folders (recursively, sorted by path; hidden entries and outputs that are being written are passed over) and `-` for
    /// standard input.
    ///
    /// Fails where a path that was named does not exist or cannot be looked at; what cannot be read inside a folder becomes a
    /// problem at its place in the order.
    pub fn open<P: AsRef<Path>>(paths: &[P]) -> Result<Inputs, Error> {
        let mut inputs = Inputs::new();
        for path in paths {
            let path = path.as_ref();
            if path.as_os_str() == "-" {
                inputs.push_reader("-", io::stdin());
                continue;
            }
            let fail = |cause| Error { path: path.to_owned(), cause };
            let about = fs::metadata(path).map_err(fail)?;
            if about.is_dir() {
                inputs.push_folder(path);
            } else if about.is_file() {
                File::open(path).map_err(fail)?;
                inputs.push(name_of(path), Source::File(path.to_owned()), Some(about.len()));
            } else {
                let pipe = File::open(path).map_err(fail)?;
                inputs.push_reader(&name_of(path), pipe);
            }
        }
        Ok(inputs)
    }

    /// Bytes in memory, under a name whose extension tells their format as a file's would.
    pub fn push_bytes(&mut self, name: &str, bytes: impl Into<Arc<[u8]>>) {
        let bytes = bytes.into();
        let size = Some(bytes.len() as u64);
        self.push(name.to_owned(), Source::Bytes(bytes), size);
    }

    /// A stream that can be read once only; its documents are passed on as soon as they arrive.
    pub fn push_reader(&mut self, name: &str, reader: impl Read + Send + 'static) {
        self.push(name.to_owned(), Source::Once(Mutex::new(Some(Box::new(reader)))), None);
    }

    /// How many bytes there are to read, before decompression; unknown where a stream is among the inputs.
    pub fn bytes(&self) -> Option<u64> {
        self.list.iter().map(|input| input.size).sum()
    }

    /// Whether the file at `path` is among them.
    pub fn hold(&self, path: &Path) -> bool {
        let Ok(place) = path.canonicalize() else { return false };
        let is_it = |source: &Source| match source {
            Source::File(file) => file.canonicalize().is_ok_and(|file| file == place),
            _ => false,
        };
        self.list.iter().any(|input| is_it(&input.source))
    }

    /// How many files and streams there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is nothing to read.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The format that the names of all inputs tell, where they tell the same.
    pub fn format(&self) -> Option<Format> {
        let mut formats = self.list.iter().map(|input| Format::of_name(&input.name));
        let first = formats.next()??;
        formats.all(|format| format == Some(first)).then_some(first)
    }

    /// Whether a stream is among the inputs, so that they can be read once only.
    pub fn is_once(&self) -> bool {
        self.list.iter().any(|input| input.is_once())
    }

    /// Reads every stream to its end into a file without a name in `folder`, or where the system keeps temporary files, so
    /// that all inputs can be read again and again.
    pub fn keep(&mut self, folder: Option<&Path>) -> io::Result<()> {
        for input in &mut self.list {
            if let Source::Once(reader) = &input.source {
                let folder = folder.map_or_else(std::env::temp_dir, Path::to_owned);
                let mut file = tempfile::tempfile_in(folder)?;
                let reader = reader.lock().ok().and_then(|mut reader| reader.take());
                let size = reader.map_or(Ok(0), |mut reader| io::copy(&mut reader, &mut file))?;
                let source = Source::Kept(Arc::new(Mutex::new(file)));
                *input = Arc::new(Input { name: input.name.clone(), source, size: Some(size) });
            }
        }
        Ok(())
    }

    /// The columns of Parquet inputs, for those who write their rows again: all that any of them has. None where no input
    /// is Parquet that can be read again; an error where the inputs disagree about a column's type. A packed file is
    /// unpacked into `temporary` for it, or where the system keeps temporary files.
    pub fn columns(&self, temporary: Option<&Path>) -> Result<Option<SchemaRef>, String> {
        parquet::common(&self.list, temporary)
    }

    pub(crate) fn list(&self) -> &[Arc<Input>] {
        &self.list
    }

    fn push(&mut self, name: String, source: Source, size: Option<u64>) {
        self.list.push(Arc::new(Input { name: name.into(), source, size }));
    }

    fn push_folder(&mut self, folder: &Path) {
        let visible = |entry: &walkdir::DirEntry| {
            let name = entry.file_name().as_encoded_bytes();
            entry.depth() == 0 || !(name.starts_with(b".") || name.ends_with(PARTIAL.as_bytes()))
        };
        let walk =
            walkdir::WalkDir::new(folder).follow_links(true).sort_by_file_name().into_iter().filter_entry(visible);
        for entry in walk {
            match entry {
                Ok(entry) if entry.file_type().is_file() => {
                    let size = entry.metadata().map(|about| about.len()).unwrap_or(0);
                    self.push(name_of(entry.path()), Source::File(entry.into_path()), Some(size));
                }
                // Pipes and sockets that happen to lie in a folder would wait for a writer that may never come.
                Ok(_) => {}
                Err(error) => {
                    let name = error.path().map_or_else(|| name_of(folder), name_of);
                    self.push(name, Source::Refused(refusal(&error)), Some(0));
                }
            }
        }
    }
}

impl Input {
    /// Whether this input can be read once only.
    pub(crate) fn is_once(&self) -> bool {
        matches!(self.source, Source::Once(_))
    }

    /// Opens the input for reading from its start.
    pub(crate) fn open(&self) -> Result<Box<dyn Read + Send>, String> {
        match &self.source {
            Source::File(path) => match File::open(path) {
                Ok(file) => Ok(Box::new(file)),
                Err(error) => Err(format!("cannot be opened: {error}")),
            },
            Source::Bytes(bytes) => Ok(Box::new(io::Cursor::new(bytes.clone()))),
            Source::Once(reader) => match reader.lock().ok().and_then(|mut reader| reader.take()) {
                Some(reader) => Ok(reader),
                None => Err("is a stream, which can be read once only".into()),
            },
            Source::Kept(file) => Ok(Box::new(KeptReader { file: file.clone(), at: 0 })),
            Source::Refused(what) => Err(what.clone()),
        }
    }
}

/// Reads a kept file from its own place, whoever else reads it.
struct KeptReader {
    file: Arc<Mutex<File>>,
    at: u64,
}

impl Read for KeptReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut file = self.file.lock().map_err(|_| io::Error::other("another reader failed"))?;
        file.seek(SeekFrom::Start(self.at))?;
        let count = file.read(buffer)?;
        self.at += count as u64;
        Ok(count)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot open {}: {}", self.path.display(), self.cause)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.cause)
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::File(path) => f.debug_tuple("File").field(path).finish(),
            Source::Bytes(bytes) => write!(f, "Bytes({} bytes)", bytes.len()),
            Source::Once(_) => f.write_str("Once"),
            Source::Kept(_) => f.write_str("Kept"),
            Source::Refused(what) => f.debug_tuple("Refused").field(what).finish(),
        }
    }
}

fn name_of(path: &Path) -> String {
    path.display().to_string()
}

fn refusal(error: &walkdir::Error) -> String {
    match (error.loop_ancestor(), error.io_error()) {
        (Some(ancestor), _) => format!("is a link back to {}, which holds it", ancestor.display()),
        (None, Some(cause)) => format!("cannot be opened: {cause}"),
        (None, None) => "cannot be opened".into(),
    }
}

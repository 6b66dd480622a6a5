//! A file that appears whole or not at all.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::output::BUFFER;
use super::{Target, WriteError};

/// What a temporary file is called by at its end, should a kill leave one behind.
pub(crate) const PARTIAL: &str = ".headwater-partial";
/// Characters before that, which nobody can foretell.
const RANDOM: usize = 6;

/// A file that appears whole or not at all: written under another name beside its place, and moved there by
/// [`AtomicFile::finish`]. Dropped without that, or after an error, it leaves no trace, and a file that was there before
/// stays what it was. What replaces a file has its permissions; a new one has those that the umask leaves.
///
/// A path that is no ordinary file (`/dev/null`, a named pipe, a file descriptor in `/dev/fd`) is written directly:
/// putting a file in its place would break it.
///
/// ```
/// use std::io::Write;
/// use headwater_io::write::AtomicFile;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("graph.dot");
/// let mut file = AtomicFile::create(&path)?;
/// writeln!(file, "graph {{ wire -- blog }}")?;
/// assert!(!path.exists());
/// file.finish()?;
/// assert!(path.exists());
/// # std::io::Result::Ok(())
/// ```
pub struct AtomicFile {
    target: Target,
    stream: Stream,
    failed: bool,
}

enum Stream {
    Beside { file: BufWriter<NamedTempFile>, place: PathBuf },
    Direct(BufWriter<File>),
}

impl AtomicFile {
    /// Opens a temporary file in the folder of `path`, so that a place where nothing can be written is told at once.
    pub fn create(path: &Path) -> Result<Self, WriteError> {
        let target = Target::File(path.to_owned());
        match open(path) {
            Ok(stream) => Ok(AtomicFile { target, stream, failed: false }),
            Err(error) => Err(WriteError::new(&target, error)),
        }
    }

    /// Takes away what a kill has left of a file that was to take the place of `path`. Only for one that nobody else may be writing;
    /// what cannot be taken away stays.
    pub(crate) fn sweep(path: &Path) {
        for (file, _) in AtomicFile::unfinished(path) {
            let _ = fs::remove_file(file);
        }
    }

    /// The files that are being written, or were when their writer was killed, to take the place of `path`, and their bytes.
    pub fn unfinished(path: &Path) -> Vec<(PathBuf, u64)> {
        let Ok(place) = behind_links(path) else { return Vec::new() };
        let Ok(files) = fs::read_dir(folder_of(&place)) else { return Vec::new() };
        let (name, prefix) = (place.file_name().unwrap_or_default().to_string_lossy(), prefix(&place));
        // A name that had to be cut may be the beginning of another.
        if prefix.len() <= name.len() {
            return Vec::new();
        }
        let is_ours = |found: &OsStr| {
            let random = found.to_str().and_then(|found| found.strip_prefix(&prefix)?.strip_suffix(PARTIAL));
            random.is_some_and(|random| random.len() == RANDOM && !random.contains('.'))
        };
        let ours = files.flatten().filter(|file| is_ours(&file.file_name()));
        ours.map(|file| (file.path(), file.metadata().map_or(0, |about| about.len()))).collect()
    }

    /// Writes all of it to the disk and moves it to its place.
    pub fn finish(self) -> Result<(), WriteError> {
        let finish = || {
            if self.failed {
                return Err(io::Error::other("an earlier write failed"));
            }
            match self.stream {
                Stream::Beside { file, place } => persist(file, &place),
                Stream::Direct(mut file) => file.flush(),
            }
        };
        finish().map_err(|error| WriteError::new(&self.target, error))
    }

    fn on_stream<T>(&mut self, act: impl FnOnce(&mut dyn Write) -> io::Result<T>) -> io::Result<T> {
        let result = match &mut self.stream {
            Stream::Beside { file, .. } => act(file),
            Stream::Direct(file) => act(file),
        };
        result.map_err(|error| {
            // Whoever is interrupted tries again, and may yet succeed.
            self.failed |= error.kind() != io::ErrorKind::Interrupted;
            WriteError::new(&self.target, error).into()
        })
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.on_stream(|stream| stream.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.on_stream(|stream| stream.flush())
    }
}

fn open(path: &Path) -> io::Result<Stream> {
    let existing = match fs::metadata(path) {
        Ok(metadata) => Some(metadata),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let place = match &existing {
        Some(metadata) if metadata.is_dir() => {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
        }
        Some(metadata) if !metadata.is_file() || is_descriptor(path) => {
            let file = OpenOptions::new().append(true).open(path)?;
            return Ok(Stream::Direct(BufWriter::with_capacity(BUFFER, file)));
        }
        Some(_) => {
            // A file that may not be written may not be replaced either, though its folder would allow it.
            OpenOptions::new().write(true).open(path)?;
            path.canonicalize()?
        }
        None => behind_links(path)?,
    };
    let file = create_beside(&place, existing.as_ref())?;
    Ok(Stream::Beside { file: BufWriter::with_capacity(BUFFER, file), place })
}

/// Names for something that is already open, even where that is an ordinary file.
fn is_descriptor(path: &Path) -> bool {
    ["/dev/fd", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/proc"].iter().any(|prefix| path.starts_with(prefix))
}

/// Where a new file is created by opening `path`: a link to nowhere is followed, not replaced.
fn behind_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    // As many links as the system follows; a loop of links has already failed there.
    for _ in 0..40 {
        match fs::read_link(&path) {
            Ok(link) => path = folder_of(&path).join(link),
            Err(_) => break,
        }
    }
    if path.file_name().is_none() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it names no file"));
    }
    Ok(path)
}

fn create_beside(place: &Path, existing: Option<&Metadata>) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    let prefix = prefix(place);
    builder.prefix(&prefix).rand_bytes(RANDOM).suffix(PARTIAL);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // Without this, temporary files are for their owner alone, and so would be the output.
        let mode = existing.map_or(0o666, |existing| existing.permissions().mode() & 0o777);
        builder.permissions(fs::Permissions::from_mode(mode));
    }
    let file = builder.tempfile_in(folder_of(place))?;
    if let Some(existing) = existing {
        file.as_file().set_permissions(existing.permissions())?;
    }
    Ok(file)
}

/// What the name of a temporary file begins with: that of its place, only there to be recognised, and cut, so that a long one stays
/// within what a file system allows.
fn prefix(place: &Path) -> String {
    let name = place.file_name().unwrap_or_default().to_string_lossy();
    name.chars().take(50).chain(['.']).collect()
}

fn persist(file: BufWriter<NamedTempFile>, place: &Path) -> io::Result<()> {
    let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
    // In this order: a name must never point to contents that a power cut can take away.
    file.as_file().sync_all()?;
    file.persist(place).map_err(|error| error.error)?;
    #[cfg(unix)]
    File::open(folder_of(place))?.sync_all()?;
    Ok(())
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

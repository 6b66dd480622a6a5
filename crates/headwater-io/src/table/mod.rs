//! Tables of origins that last: in a file, used where it lies, safe against kills, torn writes and damage.
//!
//! A table `T` is three files:
//!
//! - `T`: a header (what it is, its settings, how far it has come), the table itself, and a checksum for each block of it.
//!   It is only ever replaced by a new one as a whole, so that readers of the old one are not disturbed, and a kill leaves
//!   the old one as it was.
//! - `T.names`: the names, times and addresses of its documents, in an embedded store. It is written before `T` is replaced and
//!   may therefore know documents that `T` does not; they do not count.
//! - `T.lock`: locked by the one process that may write.
//!
//! ```text
//! T   0        16 KiB                                    16 KiB + bytes
//!     ┌────────┬─────────────────────────────────────────┬───────────────────────────┐
//!     │ header │ table, mapped                           │ XXH3 of each 16 KiB, of all│
//!     └────────┴─────────────────────────────────────────┴───────────────────────────┘
//! ```

mod blocks;
mod error;
mod header;
mod map;
mod names;

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

use headwater::origin::{CannotMerge, Prepared, Settings, Tracer};

use crate::lock::{Lock, beside, lock_path};
use crate::register::Register;
use crate::write::{AtomicFile, WriteError};
use blocks::{BLOCK, Blocks, trailer_length};
use header::{HEADER, Header};

pub(crate) use error::Fault;
pub use error::TableError;
pub use map::new_tracer;
pub(crate) use names::Names;

/// A table in a file.
#[derive(Debug)]
pub struct Table {
    path: PathBuf,
    blocks: Blocks,
    /// Locked where this process may write.
    lock: Option<Lock>,
    /// How many documents the file knows.
    saved: u32,
    /// The first document of this run.
    run: u32,
    /// The file that is on its way to the disk while the run goes on.
    sinking: Option<JoinHandle<Result<(), WriteError>>>,
}

/// A table that is ready for use.
#[derive(Debug)]
pub struct Opened {
    /// The file.
    pub table: Table,
    /// The tracer that works on it.
    pub tracer: Tracer,
    /// The documents that it knows.
    pub register: Register,
    /// The documents of the newest run, if that did not come to its end: the same input would bring them again.
    pub interrupted: Option<Range<u32>>,
}

/// What a table is opened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Only to ask: any number of processes can.
    Read,
    /// To add to it: one process can.
    Write,
}

impl Table {
    /// The table at `path`, to be added to, or a new one with these settings.
    pub fn open_or_create(path: &Path, settings: Settings) -> Result<Opened, TableError> {
        match Self::open(path, Access::Write) {
            Err(error) if error.is_absent() => {}
            opened => return opened,
        }
        match Self::create(path, settings) {
            // Another process has made it since.
            Err(error) if error.is_in_the_way() => Self::open(path, Access::Write),
            created => created,
        }
    }

    /// A new table, which is in no file before [`Table::save`]. It never takes the place of another: a kill while one of its two files
    /// is in place would leave a table with the names of other documents.
    pub fn create(path: &Path, settings: Settings) -> Result<Opened, TableError> {
        let explain = |fault: Fault| fault.of(path);
        let impossible = |error| explain(Fault::io("create")(io::Error::other(error)));
        let tracer = new_tracer(settings, None).map_err(impossible)?;
        let lock = lock(path).map_err(explain)?;
        if path.exists() {
            return Err(explain(Fault::InTheWay));
        }
        let register = Register::new(None).map_err(|error| explain(Fault::io("keep the names of")(error)))?;
        let table =
            Table { path: path.to_owned(), blocks: Blocks::none(), lock: Some(lock), saved: 0, run: 0, sinking: None };
        Ok(Opened { table, tracer, register, interrupted: None })
    }

    /// Whether a file begins as a table does.
    pub fn is_one(path: &Path) -> bool {
        let mut start = [0; header::MAGIC.len()];
        path.is_file()
            && File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok()
            && start == header::MAGIC
    }

    /// A table that is there. Takes no time however large it is: blocks are checked when they are first touched.
    pub fn open(path: &Path, access: Access) -> Result<Opened, TableError> {
        Self::try_open(path, access).map_err(|fault| fault.of(path))
    }

    fn try_open(path: &Path, access: Access) -> Result<Opened, Fault> {
        if cfg!(target_endian = "big") {
            return Err(Fault::ByteOrder);
        }
        // Locked first: else the file could be replaced before it is ours.
        let mut file = File::open(path).map_err(Fault::io("open"))?;
        let lock = match access {
            Access::Read => None,
            Access::Write => {
                let lock = lock(path)?;
                file = File::open(path).map_err(Fault::io("open"))?;
                Some(lock)
            }
        };
        let (header, blocks) = read_frame(&mut file)?;
        let (settings, state) = header.tracer()?;
        let mapped = map::map(&file, HEADER as u64, header.bytes).map_err(Fault::io("map"))?;
        let tracer = Tracer::resume(settings, &state, mapped)
            .ok_or_else(|| Fault::Header("its size does not follow from its settings".into()))?;
        let documents = state.documents;
        if documents > 0 && !names_path(path).exists() {
            return Err(Fault::Names("the names of the table's documents are missing".into()));
        }
        let register = Register::over(Names::new(path, access), documents).map_err(Fault::io("keep the names of"))?;
        let interrupted = (!header.complete && header.run < documents).then_some(header.run..documents);
        let run = interrupted.as_ref().map_or(documents, |run| run.start);
        let table = Table { path: path.to_owned(), blocks, lock, saved: documents, run, sinking: None };
        Ok(Opened { table, tracer, register, interrupted })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes sure that all that a document's answer depends on is sound. To be called before the tracer sees the document.
    pub fn check(&self, tracer: &Tracer, prepared: &Prepared) -> Result<(), TableError> {
        if self.blocks.all_checked() {
            return Ok(());
        }
        let mut places = tracer.places(prepared);
        places.try_for_each(|place| self.blocks.check(tracer.table(), place)).map_err(|fault| fault.of(&self.path))
    }

    /// Makes sure that all of the table is sound.
    pub fn check_all(&self, tracer: &Tracer) -> Result<(), TableError> {
        self.blocks.check(tracer.table(), 0..tracer.table().len()).map_err(|fault| fault.of(&self.path))
    }

    /// Says that the next document is the first of a new run.
    pub fn begin_run(&mut self, tracer: &Tracer) {
        self.run = tracer.documents();
    }

    /// Writes all that the tracer knows; `complete` says whether the run has come to its end.
    ///
    /// The file takes its place behind the back of the caller, who can go on at once; what goes wrong there is told by
    /// the next call. With `complete` it is waited for.
    pub fn save(&mut self, tracer: &Tracer, register: &Register, complete: bool) -> Result<(), TableError> {
        assert!(self.lock.is_some(), "the table was opened to read");
        self.try_save(tracer, register, complete).map_err(|fault| fault.of(&self.path))
    }

    fn try_save(&mut self, tracer: &Tracer, register: &Register, complete: bool) -> Result<(), Fault> {
        self.sink()?;
        let documents = tracer.documents();
        if documents > self.saved || !names_path(&self.path).exists() {
            register.keep(&self.path, self.saved)?;
        }
        let bytes = tracer.table();
        let header = Header::new(tracer.settings(), &tracer.state(), bytes.len(), BLOCK, self.run, complete);
        let write = || -> Result<AtomicFile, Fault> {
            let trailer = self.blocks.trailer(bytes)?;
            let failed = |error: std::io::Error| Fault::Io { action: "save", error };
            let mut file = AtomicFile::create(&self.path).map_err(|error| failed(error.into()))?;
            file.write_all(&header.encode()?).map_err(failed)?;
            file.write_all(bytes).map_err(failed)?;
            file.write_all(&trailer).map_err(failed)?;
            Ok(file)
        };
        let file = write()?;
        self.saved = documents;
        let sink = std::thread::Builder::new().name("table".into()).spawn(move || file.finish());
        self.sinking = Some(sink.map_err(Fault::io("save"))?);
        if complete { self.sink() } else { Ok(()) }
    }

    /// Waits until the file that was saved last is in its place.
    pub fn settle(&mut self) -> Result<(), TableError> {
        self.sink().map_err(|fault| fault.of(&self.path))
    }

    fn sink(&mut self) -> Result<(), Fault> {
        let Some(sinking) = self.sinking.take() else { return Ok(()) };
        match sinking.join() {
            Ok(done) => done.map_err(|error| Fault::Io { action: "save", error: error.into() }),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }
}

impl Opened {
    /// Checks everything: every block, every name, and whether the latest time among the names is the one that the table knows. By that the
    /// names of another table are told, unless both have the same latest time, or none.
    pub fn verify(&self) -> Result<(), TableError> {
        self.table.check_all(&self.tracer)?;
        let explain = |fault: Fault| fault.of(&self.table.path);
        self.register.verify().map_err(explain)?;
        let (mut latest, mut removed) = (i64::MIN, 0);
        for number in 0..self.tracer.documents() {
            match self.register.stamp(number).map_err(|error| explain(Fault::io("read the names of")(error)))? {
                Some(stamp) => latest = latest.max(stamp.order),
                None => removed += 1,
            }
        }
        let known = self.tracer.state().latest;
        // Of removed documents nothing is known, and the latest may be one of them.
        if latest == known || (removed > 0 && latest < known) {
            return Ok(());
        }
        let why = "the names are of other documents than the table knows; restore both files from one copy";
        Err(explain(Fault::Names(why.into())))
    }

    /// Forgets documents and all that is known of them, and saves the table. Gives how many entries went.
    pub fn remove(&mut self, documents: &BTreeSet<u32>) -> Result<u64, TableError> {
        self.table.check_all(&self.tracer)?;
        let removed = self.tracer.forget(|document| documents.contains(&document));
        self.table.save(&self.tracer, &self.register, self.interrupted.is_none())?;
        self.table.settle()?;
        // The entries first: a name without an entry does no harm, an entry without its name does.
        let numbers: Vec<u32> = documents.iter().copied().collect();
        self.register.strike(&numbers).map_err(|fault| fault.of(&self.table.path))?;
        Ok(removed)
    }

    /// One new table of several with the same settings, saved as `path`. Where several know a shingle, the earliest origin
    /// stays. Gives how many entries found no room.
    pub fn merge(tables: Vec<Opened>, path: &Path) -> Result<u64, TableError> {
        let mut tables = tables.into_iter();
        let Some(Opened { table, mut tracer, register: first, .. }) = tables.next() else { return Ok(0) };
        table.check_all(&tracer)?;
        let Opened { table: mut merged, mut register, .. } = Table::create(path, *tracer.settings())?;
        let kept = |error: std::io::Error| Fault::io("keep the names of")(error).of(path);
        register.append(&first).map_err(kept)?;
        let mut dropped = 0;
        for Opened { table, tracer: other, register: names, .. } in tables {
            table.check_all(&other)?;
            register.append(&names).map_err(kept)?;
            let why = |error: CannotMerge| Fault::Merge(error.to_string()).of(&table.path);
            dropped += tracer.merge(&other, &register).map_err(why)?;
        }
        merged.save(&tracer, &register, true)?;
        Ok(dropped)
    }
}

/// A run that fails half-way must not leave its last checkpoint half-way too.
impl Drop for Table {
    fn drop(&mut self) {
        let _ = self.sink();
    }
}

/// The header and the checksums of a file, having made sure that it has the length that it states.
fn read_frame(file: &mut File) -> Result<(Header, Blocks), Fault> {
    let found = file.metadata().map_err(Fault::io("open"))?.len();
    let mut start = Vec::with_capacity(HEADER);
    Read::by_ref(file).take(HEADER as u64).read_to_end(&mut start).map_err(Fault::io("read"))?;
    let header = Header::decode(&start)?;
    if header.block != BLOCK as u64 {
        return Err(Fault::Header(format!("blocks of {} bytes are not known here", header.block)));
    }
    let end = HEADER as u64 + header.bytes;
    let expected = end + trailer_length(header.bytes);
    if found != expected {
        return Err(Fault::Truncated { found, expected });
    }
    let mut stored = Vec::new();
    file.seek(SeekFrom::Start(end)).and_then(|_| file.read_to_end(&mut stored)).map_err(Fault::io("read"))?;
    Ok((header.clone(), Blocks::decode(&stored, header.bytes)?))
}

/// The files of the table at `path`, whether they are there or not.
pub fn files(path: &Path) -> [PathBuf; 3] {
    [path.to_owned(), names_path(path), lock_path(path)]
}

/// Where the names of a table's documents are.
fn names_path(table: &Path) -> PathBuf {
    beside(table, ".names")
}

/// Keeps all other processes from writing to the table until it is dropped.
fn lock(table: &Path) -> Result<Lock, Fault> {
    Lock::take(table).map_err(|error| match error.kind() {
        io::ErrorKind::WouldBlock => Fault::InUse,
        _ => Fault::Io { action: "lock", error },
    })
}

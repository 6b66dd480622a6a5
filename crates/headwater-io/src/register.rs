//! The names, times and addresses of the documents that were read, by their numbers, on disk.
//!
//! A stream has no end, so what is kept for each document cannot be kept in memory. The documents of this run are in files
//! that have no name in any folder: they are gone when the register is dropped, also where the process is killed. Those of
//! earlier runs, if a table of theirs is continued, are in the store beside it.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use headwater::Time;
use headwater::origin::Chronicle;

use crate::positioned::Positioned;
use crate::table::{Access, Fault, Names};

/// Bytes that are collected before they are written.
const BUFFER: usize = 1 << 16;

/// Entries that are remembered after they were read, each in the place that its number gives it; most passages come from a few
/// origins.
const REMEMBERED: usize = 1 << 14;

/// Longer entries are read again each time: what is remembered must not grow with what documents are called.
const LONGEST: usize = 1 << 10;

/// A document's number and entry.
type Numbered = (u32, Rc<Entry>);

/// Times that are remembered, each in the place that its document's number gives it: a stream out of order asks for the time
/// of every origin it meets, and a question to the disk for each would take longer than all else.
const TIMES: usize = 1 << 16;

/// Where an entry stands, what the document is ordered by, and its digest: three numbers of eight bytes for each document.
const SLOT: usize = 24;

/// The documents that were read so far; the first has number 0.
#[derive(Debug)]
pub struct Register {
    /// Where the documents of earlier runs are, and how many.
    earlier: Option<(Names, u32)>,
    entries: Log,
    slots: Log,
    documents: u32,
    remembered: RefCell<Vec<Option<Numbered>>>,
    /// Number and time; the number is `u32::MAX`, which no document has, where there is none yet.
    times: RefCell<Vec<(u32, i64)>>,
    /// Why a time could not be read.
    failure: RefCell<Option<io::Error>>,
    scratch: Vec<u8>,
}

/// What is kept of one document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The document's name.
    pub id: String,
    /// When it was written.
    pub time: Option<Time>,
    /// Where it can be found.
    pub url: Option<String>,
}

impl Register {
    /// An empty register whose files lie in `folder`, or where the system keeps temporary files.
    pub fn new(folder: Option<&Path>) -> io::Result<Self> {
        let folder = folder.map_or_else(std::env::temp_dir, Path::to_owned);
        Ok(Register {
            earlier: None,
            entries: Log::new(&folder)?,
            slots: Log::new(&folder)?,
            documents: 0,
            remembered: RefCell::new(vec![None; REMEMBERED]),
            times: RefCell::new(vec![(u32::MAX, 0); TIMES]),
            failure: RefCell::new(None),
            scratch: Vec::new(),
        })
    }

    /// The register of a table that knows `documents` already.
    pub(crate) fn over(names: Names, documents: u32) -> io::Result<Self> {
        Ok(Register { earlier: Some((names, documents)), documents, ..Register::new(None)? })
    }

    /// Adds a document, which gets the next number. `order` is what documents are ordered by.
    pub fn push(&mut self, id: &str, time: Option<&Time>, url: Option<&str>, stamp: Stamp) -> io::Result<u32> {
        let mut entry = std::mem::take(&mut self.scratch);
        entry.clear();
        encode(&mut entry, id, time, url);
        let number = self.file(&stamp.to_bytes(), &entry);
        self.scratch = entry;
        number
    }

    /// Adds a document as it is kept.
    fn file(&mut self, stamp: &[u8; STAMP], entry: &[u8]) -> io::Result<u32> {
        let mut slot = [0; SLOT];
        slot[..8].copy_from_slice(&self.entries.length().to_le_bytes());
        slot[8..].copy_from_slice(stamp);
        self.entries.append(entry)?;
        self.slots.append(&slot)?;
        self.documents += 1;
        Ok(self.documents - 1)
    }

    /// Adds all documents of another register, in their order.
    pub fn append(&mut self, other: &Register) -> io::Result<()> {
        for number in 0..other.documents {
            let record = other.record(number)?;
            let (stamp, entry) = record.split_first_chunk().unwrap_or((&REMOVED, &[]));
            self.file(stamp, entry)?;
        }
        Ok(())
    }

    /// How many documents there are.
    pub fn len(&self) -> u32 {
        self.documents
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.documents == 0
    }

    /// The document with this number.
    pub fn get(&self, number: u32) -> io::Result<Rc<Entry>> {
        let place = number as usize % REMEMBERED;
        if let Some((of, entry)) = &self.remembered.borrow()[place]
            && *of == number
        {
            return Ok(Rc::clone(entry));
        }
        let record = self.record(number)?;
        let entry = match record.get(STAMP..) {
            Some(bytes) if !bytes.is_empty() => decode(bytes).ok_or_else(|| damaged(number))?,
            _ => Entry { id: format!("(removed {number})"), time: None, url: None },
        };
        let entry = Rc::new(entry);
        if record.len() <= LONGEST {
            self.remembered.borrow_mut()[place] = Some((number, Rc::clone(&entry)));
        }
        Ok(entry)
    }

    /// Whether all times that were asked for could be read: to be called before an answer that rests on them is given.
    pub fn check_times(&self) -> io::Result<()> {
        self.failure.borrow_mut().take().map_or(Ok(()), Err)
    }

    /// What the document was stamped with; `None` where it was removed.
    pub fn stamp(&self, number: u32) -> io::Result<Option<Stamp>> {
        if number >= self.earlier() && number < self.documents {
            let mut slot = [0; SLOT];
            self.slots.read(self.place(number), &mut slot)?;
            return Ok(Some(parts(&slot).1));
        }
        let record = self.record(number)?;
        Ok(record.first_chunk().map(Stamp::from_bytes))
    }

    /// Appends the documents of this run from number `from` on to the store of a table.
    pub(crate) fn keep(&self, table: &Path, from: u32) -> Result<(), Fault> {
        let record = |number| self.record(number).map_err(Fault::io("keep the names of"));
        let documents = (from..self.documents).map(record);
        match &self.earlier {
            Some((names, _)) => names.append(from, documents),
            None => Names::new(table, Access::Write).append(from, documents),
        }
    }

    /// Removes documents of earlier runs from their store.
    pub(crate) fn strike(&mut self, numbers: &[u32]) -> Result<(), Fault> {
        self.remembered.borrow_mut().fill(None);
        self.earlier.as_ref().map_or(Ok(()), |(names, _)| names.remove(numbers))
    }

    /// Checks the store of the documents of earlier runs.
    pub(crate) fn verify(&self) -> Result<(), Fault> {
        self.earlier.as_ref().map_or(Ok(()), |(names, documents)| names.verify(*documents))
    }

    /// How many documents are of earlier runs.
    fn earlier(&self) -> u32 {
        self.earlier.as_ref().map_or(0, |(_, documents)| *documents)
    }

    /// A document as the store of a table has it: its stamp and its entry; nothing where it was removed.
    fn record(&self, number: u32) -> io::Result<Vec<u8>> {
        if number >= self.documents {
            return Err(io::Error::new(io::ErrorKind::NotFound, format!("no document has number {number}")));
        }
        match &self.earlier {
            Some((names, earlier)) if number < *earlier => {
                names.get(number).map_err(|fault| io::Error::other(fault.of(names.table())))
            }
            _ => {
                // An entry ends where that of the next document begins, whose slot stands behind its own: one question for both.
                let mut slots = [[0; SLOT]; 2];
                let is_last = number + 1 == self.documents;
                let asked = if is_last { &mut slots[..1] } else { &mut slots[..] };
                self.slots.read(self.place(number), asked.as_flattened_mut())?;
                let [(start, stamp), (next, _)] = slots.map(|slot| parts(&slot));
                let end = if is_last { self.entries.length() } else { next };
                let mut bytes = vec![0; STAMP + end.saturating_sub(start) as usize];
                bytes[..STAMP].copy_from_slice(&stamp.to_bytes());
                self.entries.read(start, &mut bytes[STAMP..])?;
                Ok(bytes)
            }
        }
    }

    /// Where the slot of a document of this run stands.
    fn place(&self, number: u32) -> u64 {
        u64::from(number - self.earlier()) * SLOT as u64
    }
}

/// Where the entry of a document begins, and its stamp.
fn parts(slot: &[u8; SLOT]) -> (u64, Stamp) {
    let (start, stamp) = slot.split_first_chunk().expect("a slot is longer than a number");
    (u64::from_le_bytes(*start), Stamp::from_bytes(stamp.first_chunk().expect("what is left is a stamp")))
}

/// What a document is known by beside its name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stamp {
    /// What documents are ordered by.
    pub order: i64,
    /// A digest of all that was read of it: the same document has the same.
    pub digest: u64,
}

/// Bytes of a stamp.
const STAMP: usize = 16;

/// The stamp of a document that was removed, where it needs one.
const REMOVED: [u8; STAMP] = [0; STAMP];

impl Stamp {
    fn to_bytes(self) -> [u8; STAMP] {
        let mut bytes = [0; STAMP];
        bytes[..8].copy_from_slice(&self.order.to_le_bytes());
        bytes[8..].copy_from_slice(&self.digest.to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8; STAMP]) -> Self {
        let number = |at: usize| std::array::from_fn(|byte| bytes[at + byte]);
        Stamp { order: i64::from_le_bytes(number(0)), digest: u64::from_le_bytes(number(8)) }
    }
}

/// A document that was removed, or that there is none of, counts as later than any other. So does one whose time cannot be read,
/// and [`Register::check_times`] says so.
impl Chronicle for Register {
    fn time(&self, document: u32) -> i64 {
        let remembered = &mut self.times.borrow_mut()[document as usize % TIMES];
        if remembered.0 != document {
            if document >= self.documents {
                return i64::MAX;
            }
            match self.stamp(document) {
                Ok(Some(stamp)) => *remembered = (document, stamp.order),
                Ok(None) => return i64::MAX,
                Err(error) => {
                    self.failure.borrow_mut().get_or_insert(error);
                    return i64::MAX;
                }
            }
        }
        remembered.1
    }
}

/// A file without a name that grows at its end; what was added last waits in memory.
#[derive(Debug)]
struct Log {
    file: File,
    folder: PathBuf,
    written: u64,
    waiting: Vec<u8>,
}

impl Log {
    fn new(folder: &Path) -> io::Result<Self> {
        let file = tempfile::tempfile_in(folder).map_err(|error| explain(folder, &error))?;
        Ok(Log { file, folder: folder.to_owned(), written: 0, waiting: Vec::new() })
    }

    fn length(&self) -> u64 {
        self.written + self.waiting.len() as u64
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.waiting.extend_from_slice(bytes);
        if self.waiting.len() >= BUFFER {
            let Log { file, written, waiting, .. } = self;
            let write = file.seek(SeekFrom::Start(*written)).and_then(|_| file.write_all(waiting));
            write.map_err(|error| explain(&self.folder, &error))?;
            self.written += self.waiting.len() as u64;
            self.waiting.clear();
        }
        Ok(())
    }

    /// Reads what was added at `at`: the first of it may be on disk, the last of it may still be waiting.
    fn read(&self, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        let (on_disk, waiting) = bytes.split_at_mut(self.written.saturating_sub(at).min(bytes.len() as u64) as usize);
        if !on_disk.is_empty() {
            let read = Positioned { file: &self.file, at }.read_exact(on_disk);
            read.map_err(|error| explain(&self.folder, &error))?;
        }
        let from = at.saturating_sub(self.written) as usize;
        let rest = self.waiting.get(from..).and_then(|rest| rest.get(..waiting.len()));
        waiting.copy_from_slice(rest.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

fn explain(folder: &Path, error: &io::Error) -> io::Error {
    let place = folder.display();
    io::Error::new(
        error.kind(),
        format!("cannot keep the names of documents in {place}: {error}; set TMPDIR to a folder with room"),
    )
}

fn damaged(number: u32) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("the kept name of document {number} is damaged"))
}

/// Each part with its length before it; an absent one has the length `u32::MAX`.
fn encode(out: &mut Vec<u8>, id: &str, time: Option<&Time>, url: Option<&str>) {
    let mut part = |bytes: Option<&[u8]>| {
        out.extend_from_slice(&bytes.map_or(u32::MAX, |bytes| bytes.len() as u32).to_le_bytes());
        out.extend_from_slice(bytes.unwrap_or_default());
    };
    part(Some(id.as_bytes()));
    part(url.map(str::as_bytes));
    match time.map(|time| (time.as_number(), time)) {
        None => part(None),
        // A number is kept as such: the largest ones are more seconds than microseconds can count.
        Some((Some(number), _)) => {
            part(Some(&number.to_le_bytes()));
            part(None);
        }
        Some((None, time)) => {
            part(Some(&time.micros().to_le_bytes()));
            part(Some(time.to_string().as_bytes()));
        }
    }
}

fn decode(mut bytes: &[u8]) -> Option<Entry> {
    let id = text(part(&mut bytes)??)?;
    let url = match part(&mut bytes)? {
        Some(url) => Some(text(url)?),
        None => None,
    };
    let time = match part(&mut bytes)? {
        None => None,
        Some(number) => {
            let number = i64::from_le_bytes(number.try_into().ok()?);
            Some(match part(&mut bytes)? {
                Some(written) => Time::from_micros(number, &text(written)?),
                None => Time::from_number(number),
            })
        }
    };
    Some(Entry { id, time, url })
}

/// The next part, which may be absent; `None` where the bytes end too early.
fn part<'a>(bytes: &mut &'a [u8]) -> Option<Option<&'a [u8]>> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    let length = u32::from_le_bytes(*length);
    if length == u32::MAX {
        *bytes = rest;
        return Some(None);
    }
    let (part, rest) = rest.split_at_checked(length as usize)?;
    *bytes = rest;
    Some(Some(part))
}

fn text(bytes: &[u8]) -> Option<String> {
    String::from_utf8(bytes.to_vec()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stamp(order: i64) -> Stamp {
        Stamp { order, digest: 0 }
    }

    #[test]
    fn entries_come_back_as_they_were_put() {
        let mut register = Register::new(None).unwrap();
        let times = [
            None,
            Some(Time::from_number(-5)),
            Some(Time::from_micros(7, "2024-03-05")),
            Some(Time::from_number(i64::MAX)),
        ];
        let entry = |number: u32| Entry {
            id: format!("document {number} {}", "x".repeat(number as usize % 50)),
            time: times[number as usize % 4].clone(),
            url: number.is_multiple_of(3).then(|| format!("https://r.example/{number}")),
        };
        for number in 0..5000 {
            let put = entry(number);
            assert_eq!(
                register.push(&put.id, put.time.as_ref(), put.url.as_deref(), stamp(i64::from(number) * 3)).unwrap(),
                number
            );
            for asked in [0, number / 2, number] {
                let got = register.get(asked).unwrap();
                assert_eq!((&*got, register.time(asked)), (&entry(asked), i64::from(asked) * 3));
                assert_eq!(got.time.as_ref().map(Time::to_string), entry(asked).time.map(|time| time.to_string()));
            }
        }
        assert_eq!(register.len(), 5000);
        assert!(register.get(5000).is_err());
    }

    #[test]
    fn a_log_gives_back_what_is_on_disk_what_waits_and_what_lies_across() {
        let mut log = Log::new(&std::env::temp_dir()).unwrap();
        let mut all = Vec::new();
        while all.len() < 3 * BUFFER {
            let piece: Vec<u8> = (0..1000u32).map(|at| (all.len() as u32 / 7 + at) as u8).collect();
            log.append(&piece).unwrap();
            all.extend(piece);
            for from in [0, log.written as usize, all.len()].map(|at| at.saturating_sub(24)) {
                for length in [0, 24, 48] {
                    let mut bytes = vec![0; length];
                    let expected = all.get(from..from + length);
                    assert_eq!(log.read(from as u64, &mut bytes).is_ok(), expected.is_some());
                    assert!(expected.is_none_or(|expected| expected == bytes), "{length} from {from} of {}", all.len());
                }
            }
        }
        assert!(log.written > 0 && !log.waiting.is_empty());
    }

    #[test]
    fn times_that_share_a_place_are_not_mixed_up() {
        let mut register = Register::new(None).unwrap();
        for number in 0..=TIMES as u32 {
            register.push("x", None, None, stamp(i64::from(number) + 7)).unwrap();
        }
        for number in [0, TIMES as u32, 0, 1] {
            assert_eq!(register.time(number), i64::from(number) + 7);
        }
        assert_eq!(register.time(u32::MAX - 1), i64::MAX, "nobody has that number");
        assert!(register.check_times().is_ok());
    }

    #[test]
    fn a_time_that_cannot_be_read_is_told() {
        let mut register = Register::new(None).unwrap();
        (0..5000).for_each(|number| assert_eq!(register.push("x", None, None, stamp(9)).unwrap(), number));
        register.slots.file.set_len(0).unwrap();
        assert_eq!(register.time(1), i64::MAX);
        let error = register.check_times().expect_err("the file was cut short");
        assert!(error.to_string().contains("names of documents"), "{error}");
        assert!(register.check_times().is_ok(), "it is told once");
    }

    #[test]
    fn long_entries_are_not_remembered() {
        let mut register = Register::new(None).unwrap();
        let (short, long) = ("https://r.example/".to_owned(), "x".repeat(2 * LONGEST));
        for url in [&short, &long] {
            register.push("x", None, Some(url), stamp(0)).unwrap();
        }
        for _ in 0..2 {
            assert_eq!(register.get(0).unwrap().url.as_ref(), Some(&short));
            assert_eq!(register.get(1).unwrap().url.as_ref(), Some(&long));
        }
        assert_eq!(register.remembered.borrow().iter().flatten().map(|(number, _)| *number).collect::<Vec<_>>(), [0]);
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_named() {
        let error = Register::new(Some(Path::new("no/such/folder"))).expect_err("there is none");
        assert!(error.to_string().contains("no/such/folder"), "{error}");
    }
}

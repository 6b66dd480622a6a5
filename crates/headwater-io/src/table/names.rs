//! The names, times and addresses of a kept table's documents: an embedded store beside the table.
//!
//! Documents are added at the end and asked for by number, so that one value of the store holds a page of them. What the
//! store holds beyond the documents of the table was written just before a kill, and is overwritten by the next run.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

use redb::{
    Builder, Database, DatabaseError, ReadOnlyDatabase, ReadableDatabase, ReadableTable, TableDefinition, TableError,
};

use super::Access;
use super::blocks::checksum;
use super::error::Fault;
use crate::guard::guard;

const DOCUMENTS: TableDefinition<'_, u32, &[u8]> = TableDefinition::new("documents");

/// Documents in a page.
const PAGE: u32 = 64;

/// Pages that are remembered after they were read.
const REMEMBERED: usize = 256;

/// What the store may cache of its own file: pages are remembered here already.
const CACHE: usize = 4 << 20;

/// How long another process is waited for: nobody keeps the store longer than for a moment.
const PATIENCE: Duration = Duration::from_secs(20);
const PAUSE: Duration = Duration::from_millis(5);

/// The store. It can have many readers or one writer, not both, so that readers open it for a moment only; the one process that
/// may write keeps it open to read until it writes.
#[derive(Debug)]
pub(crate) struct Names {
    table: PathBuf,
    path: PathBuf,
    access: Access,
    reader: RefCell<Option<Reader>>,
    pages: RefCell<HashMap<u32, Rc<[u8]>>>,
}

struct Reader(ReadOnlyDatabase);

impl std::fmt::Debug for Reader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Reader")
    }
}

impl Names {
    /// The store of a table.
    pub(crate) fn new(table: &Path, access: Access) -> Self {
        let (table, path) = (table.to_owned(), super::names_path(table));
        Names { table, path, access, reader: RefCell::default(), pages: RefCell::default() }
    }

    /// The table that the names belong to.
    pub(crate) fn table(&self) -> &Path {
        &self.table
    }

    /// The bytes that were appended as document `number`; none where it was removed.
    pub(crate) fn get(&self, number: u32) -> Result<Vec<u8>, Fault> {
        let page = self.page(number / PAGE)?;
        let record = records(&page).nth((number % PAGE) as usize);
        Ok(record.ok_or_else(|| lost(number))?.to_vec())
    }

    /// Lets the file go, so that another process can write to it.
    fn rest(&self) {
        *self.reader.borrow_mut() = None;
    }

    /// Appends documents behind the first `kept`, in place of any that were there; all of them or, after a kill, none.
    pub(crate) fn append(
        &self,
        kept: u32,
        documents: impl Iterator<Item = Result<Vec<u8>, Fault>>,
    ) -> Result<(), Fault> {
        self.rest();
        self.pages.borrow_mut().clear();
        if kept > 0 {
            return told(|| Self::write(&open_to_write(&self.path)?, kept, documents));
        }
        // A kill while the store makes its file would leave one that is no store: the first takes its place when it is whole.
        let first = crate::lock::beside(&self.path, ".new");
        let renew = |error: std::io::Error| Fault::Names(format!("cannot be made: {error}"));
        match std::fs::remove_file(&first) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(renew(error)),
            _ => {}
        }
        Self::write(&open_to_write(&first)?, 0, documents)?;
        std::fs::rename(&first, &self.path).map_err(renew)
    }

    fn write(
        database: &Database,
        kept: u32,
        documents: impl Iterator<Item = Result<Vec<u8>, Fault>>,
    ) -> Result<(), Fault> {
        let transaction = database.begin_write().map_err(store)?;
        {
            let mut table = transaction.open_table(DOCUMENTS).map_err(store)?;
            let mut number = kept / PAGE;
            let mut page = Vec::new();
            let mut count = kept % PAGE;
            if count > 0 {
                let before = table.get(number).map_err(store)?.ok_or_else(|| lost(kept - 1))?;
                let whole = sound(before.value(), number)?;
                records(whole).take(count as usize).for_each(|record| put(&mut page, record));
            }
            for document in documents {
                put(&mut page, &document?);
                count += 1;
                if count == PAGE {
                    seal(&mut page);
                    table.insert(number, page.as_slice()).map_err(store)?;
                    (count, number) = (0, number + 1);
                    page.clear();
                }
            }
            if count > 0 {
                seal(&mut page);
                table.insert(number, page.as_slice()).map_err(store)?;
                number += 1;
            }
            table.retain_in(number.., |_, _| false).map_err(store)?;
        }
        transaction.commit().map_err(store)
    }

    /// Replaces documents by nothing: their numbers stay taken.
    pub(crate) fn remove(&self, numbers: &[u32]) -> Result<(), Fault> {
        self.rest();
        self.pages.borrow_mut().clear();
        told(|| Self::empty(&open_to_write(&self.path)?, numbers))
    }

    fn empty(database: &Database, numbers: &[u32]) -> Result<(), Fault> {
        let transaction = database.begin_write().map_err(store)?;
        {
            let mut table = transaction.open_table(DOCUMENTS).map_err(store)?;
            for together in numbers.chunk_by(|one, other| one / PAGE == other / PAGE) {
                let number = together[0] / PAGE;
                let before = table.get(number).map_err(store)?.ok_or_else(|| lost(together[0]))?.value().to_vec();
                let mut page = Vec::with_capacity(before.len());
                for (document, record) in (number * PAGE..).zip(records(sound(&before, number)?)) {
                    put(&mut page, if together.contains(&document) { &[] } else { record });
                }
                seal(&mut page);
                table.insert(number, page.as_slice()).map_err(store)?;
            }
        }
        transaction.commit().map_err(store)
    }

    /// Reads everything and checks the checksum of every page. What else the store's file holds is no part of the table.
    pub(crate) fn verify(&self, documents: u32) -> Result<(), Fault> {
        (0..documents.div_ceil(PAGE)).try_for_each(|number| {
            let here = records(&self.page(number)?).count() as u32;
            let wanted = PAGE.min(documents - number * PAGE);
            if here < wanted { Err(lost(number * PAGE + here)) } else { Ok(()) }
        })
    }

    fn page(&self, number: u32) -> Result<Rc<[u8]>, Fault> {
        if let Some(page) = self.pages.borrow().get(&number) {
            return Ok(Rc::clone(page));
        }
        if self.reader.borrow().is_none() {
            let opened = told(|| self.open_to_read());
            *self.reader.borrow_mut() = Some(Reader(opened?));
        }
        let page = told(|| self.read(number));
        if self.access == Access::Read {
            self.rest();
        }
        let page = page?;
        let mut pages = self.pages.borrow_mut();
        if pages.len() >= REMEMBERED {
            pages.clear();
        }
        pages.insert(number, Rc::clone(&page));
        Ok(page)
    }

    /// Reads a page from the store, which is open.
    fn read(&self, number: u32) -> Result<Rc<[u8]>, Fault> {
        let reader = self.reader.borrow();
        let reader = &reader.as_ref().expect("whoever reads has opened it").0;
        let table = match reader.begin_read().map_err(store)?.open_table(DOCUMENTS) {
            Ok(table) => table,
            Err(TableError::TableDoesNotExist(_)) => return Err(lost(number * PAGE)),
            Err(error) => return Err(store(error)),
        };
        let stored = table.get(number).map_err(store)?.ok_or_else(|| lost(number * PAGE))?;
        Ok(sound(stored.value(), number)?.into())
    }

    fn open_to_read(&self) -> Result<ReadOnlyDatabase, Fault> {
        let open = || Builder::new().set_cache_size(CACHE).open_read_only(&self.path);
        match patiently(open) {
            // A process was killed while it wrote; opening the store to write puts it right.
            Err(DatabaseError::RepairAborted) => {
                drop(open_to_write(&self.path)?);
                patiently(open).map_err(store)
            }
            opened => opened.map_err(store),
        }
    }
}

/// Does something with the store, which panics on some damage: that is damage like any other.
fn told<T>(action: impl FnOnce() -> Result<T, Fault>) -> Result<T, Fault> {
    let damaged = || Fault::Names("the store of names is damaged; restore this file together with its table".into());
    guard(action).unwrap_or_else(|| Err(damaged()))
}

fn open_to_write(path: &Path) -> Result<Database, Fault> {
    patiently(|| Builder::new().set_cache_size(CACHE).create(path)).map_err(store)
}

/// Tries again while another process has the store.
fn patiently<T>(open: impl Fn() -> Result<T, DatabaseError>) -> Result<T, DatabaseError> {
    let since = Instant::now();
    loop {
        match open() {
            Err(DatabaseError::DatabaseAlreadyOpen) if since.elapsed() < PATIENCE => std::thread::sleep(PAUSE),
            opened => return opened,
        }
    }
}

fn put(page: &mut Vec<u8>, record: &[u8]) {
    page.extend_from_slice(&(record.len() as u32).to_le_bytes());
    page.extend_from_slice(record);
}

fn seal(page: &mut Vec<u8>) {
    page.extend_from_slice(&checksum(page).to_le_bytes());
}

/// The records of a page with a checksum behind them, if that is right.
fn sound(stored: &[u8], number: u32) -> Result<&[u8], Fault> {
    match stored.split_last_chunk::<8>() {
        Some((page, sum)) if checksum(page) == u64::from_le_bytes(*sum) => Ok(page),
        _ => Err(Fault::Names(format!("the names of documents {} and after are damaged", number * PAGE))),
    }
}

fn records(mut page: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let (length, rest) = page.split_first_chunk::<4>()?;
        let (record, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        page = rest;
        Some(record)
    })
}

fn lost(number: u32) -> Fault {
    Fault::Names(format!("the name of document {number} is missing; restore this file together with its table"))
}

fn store(error: impl Into<redb::Error>) -> Fault {
    match error.into() {
        redb::Error::DatabaseAlreadyOpen => {
            Fault::Names("another process keeps the names of documents to itself".into())
        }
        error => Fault::Names(format!("cannot use the names of documents: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(number: u32) -> Vec<u8> {
        format!("document {number} {}", "x".repeat(number as usize % 40)).into_bytes()
    }

    fn documents(range: std::ops::Range<u32>) -> impl Iterator<Item = Result<Vec<u8>, Fault>> {
        range.map(|number| Ok(record(number)))
    }

    #[test]
    fn documents_come_back_whatever_the_pieces_were() {
        let folder = tempfile::tempdir().unwrap();
        let names = Names::new(&folder.path().join("table"), Access::Write);
        let mut end = 0;
        for count in [1, 63, 1, 200, 5, 59, 0, 64] {
            names.append(end, documents(end..end + count)).unwrap();
            end += count;
            (0..end).for_each(|number| assert_eq!(names.get(number).unwrap(), record(number), "{number} of {end}"));
            assert!(names.get(end).is_err());
            names.verify(end).unwrap();
        }
    }

    #[test]
    fn what_came_after_the_last_checkpoint_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let names = Names::new(&folder.path().join("table"), Access::Write);
        names.append(0, documents(0..300)).unwrap();
        names.append(70, documents(1000..1010)).unwrap();
        assert_eq!(names.get(69).unwrap(), record(69));
        assert_eq!(names.get(70).unwrap(), record(1000));
        assert_eq!(names.get(79).unwrap(), record(1009));
        assert!(names.get(80).is_err() && names.get(299).is_err());
    }

    #[test]
    fn removed_documents_leave_an_empty_place() {
        let folder = tempfile::tempdir().unwrap();
        let names = Names::new(&folder.path().join("table"), Access::Write);
        names.append(0, documents(0..200)).unwrap();
        names.remove(&[3, 64, 65, 199]).unwrap();
        for number in 0..200 {
            let expected = if [3, 64, 65, 199].contains(&number) { Vec::new() } else { record(number) };
            assert_eq!(names.get(number).unwrap(), expected);
        }
    }

    #[test]
    fn readers_share_the_store_and_let_a_writer_in() {
        let folder = tempfile::tempdir().unwrap();
        let names = |access: Access| Names::new(&folder.path().join("table"), access);
        let (writer, one, two) = (names(Access::Write), names(Access::Read), names(Access::Read));
        writer.append(0, documents(0..10)).unwrap();
        assert_eq!(
            (one.get(5).unwrap(), two.get(6).unwrap(), writer.get(7).unwrap()),
            (record(5), record(6), record(7))
        );
        writer.append(10, documents(10..20)).unwrap();
        assert_eq!(names(Access::Read).get(15).unwrap(), record(15));
    }
}

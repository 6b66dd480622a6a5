//! Documents in and answers out: readers, writers, compression, and order by time.
//!
//! Reading, in the order in which bytes pass through:
//!
//! 1. [`Inputs`]: files, folders, standard input; each is opened, decompressed ([`Compression`]) and its [`Format`] told.
//! 2. A reader thread cuts the stream into chunks that end where a record ends.
//! 3. Workers parse chunks into records, take the [`Fields`] that make a document, and run the caller's function on it.
//! 4. The caller gets [`Event`]s in the order of the inputs, or by time where documents carry one ([`Order`]).
//!
//! ```
//! use headwater_io::{Event, Inputs, ReadOptions, read};
//!
//! let mut inputs = Inputs::new();
//! inputs.push_bytes("news.jsonl", *br#"{"id": "a", "time": "2006-01-02", "text": "the river rises"}"#);
//! let mut words = Vec::new();
//! let count = |document: headwater::Document| document.text.split(' ').count();
//! let summary = read(&inputs, &ReadOptions::default(), count, |event| match event {
//!     Event::Document(count) => Ok(words.push(count)),
//!     Event::Problem(problem) => Err(problem.to_string()),
//! })
//! .unwrap();
//! assert_eq!((summary.documents, words), (1, vec![3]));
//! ```

#![cfg_attr(test, expect(clippy::unwrap_used, reason = "a test that fails should stop"))]

mod chunk;
mod collect;
mod compression;
mod csv;
mod digest;
mod dispatch;
mod encoding;
mod fasta;
mod fields;
mod format;
mod guard;
mod html;
mod index;
mod json;
mod jsonl;
mod limits;
mod lock;
mod marks;
mod names;
mod object;
mod order;
mod parquet;
mod pipeline;
mod plain;
mod positioned;
mod problem;
mod progress;
mod quoted;
mod read;
mod register;
pub mod sort;
mod source;
pub mod spill;
mod stream;
mod summary;
pub mod table;
mod threads;
mod time;
mod walk;
mod warc;
mod window;
pub mod write;

pub use compression::Compression;
pub use digest::digest;
pub use fields::Fields;
pub use format::Format;
pub use guard::panics_are_told;
pub use index::signatures::{SignatureReader, SignatureSettings, SignatureWriter, SignedDocument, StoredSignature};
pub use index::{IndexReader, IndexSettings, IndexWriter, Stored, StoredChunks, StoredDocument};
pub use limits::MAX_DOCUMENT;
pub use lock::Lock;
pub use problem::{At, Place, Problem};
pub use progress::{Phase, Progress};
pub use read::{Event, HtmlText, Order, ReadError, ReadOptions, read, read_with_pauses};
pub use register::{Entry, Register, Stamp};
pub use source::{Error, Inputs};
pub use summary::Summary;
pub use threads::Threads;
pub use time::{of_number as time_of_number, of_text as time_of_text};

//! Which documents share text, losslessly, across a whole collection: SPEX and DECO of *Accurate discovery of co-derivative
//! documents via duplicate text detection* (Bernstein and Zobel, Information Systems 2005).
mod bytes;
mod collection;
mod copies;
mod counters;
pub mod filter;
mod lists;
mod passages;
pub mod postings;
mod relate;
mod score;
mod search;
pub mod shared;
mod spex;

pub use bytes::{put as put_number, take as take_number};
pub use collection::{Batch, Collection, InMemory};
pub use copies::{ContentHash, Copies};
pub use counters::{Counters, Occupancy, Scratch};
pub use lists::Lists;
pub use passages::{SharedPassage, shared_passages};
pub use relate::{Own, Relate, Relation};
pub use score::{Score, UnknownScore};
pub use search::{Search, Searched, distinct_chunks};
pub use spex::{Schedule, Sieve};

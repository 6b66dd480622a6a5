//! Which documents share text, losslessly, across a whole collection: SPEX and DECO of *Accurate discovery of co-derivative
//! documents via duplicate text detection* (Bernstein and Zobel, Information Systems 2005).
//!
//! 1. [`Copies`]: exact duplicates are told by a hash of the whole text; one of them takes part.
//! 2. [`Collection`]: the token hashes of the rest, to be passed over several times.
//! 3. [`Sieve`]: two-bit counters, filled in one or more passes, tell which chunks *may* be repeated.
//! 4. [`shared`]: what they let through is sorted, and what stands in two or more documents is shared: exactly that.
//!    A [`filter::Pipeline`] can thin it out. What is known already can grow ([`shared::Extract::grow`]).
//! 5. [`Lists`]: chunks with the same documents, counted together.
//! 6. [`Relate`]: every pair of documents whose [`Score`] reaches a threshold. [`Search`] asks for one document's pairs alone.
//!
//! Nothing here touches a file or starts a thread: a collection and the bins for sorting are traits, which `headwater-io`
//! implements on disk and on all cores.

mod bytes;
mod copies;
mod counters;
mod evaluate;
pub mod filter;
mod grow;
mod lists;
mod moved;
mod passages;
pub mod postings;
mod relate;
mod score;
mod search;
pub mod shared;
mod spex;

use crate::collection;

pub use bytes::{put as put_number, take as take_number};
pub use collection::{Batch, Collection, InMemory};
pub use copies::{ContentHash, Copies, Groups};
pub use counters::{Counters, Occupancy, Scratch};
pub use evaluate::{Quality, evaluate};
pub use lists::Lists;
pub use moved::moved;
pub use passages::{SharedPassage, shared_passages};
pub use relate::{Own, Relate, Relation};
pub use score::{Score, UnknownScore};
pub use search::{Search, Searched, distinct_chunks};
pub use spex::{Schedule, Sieve};

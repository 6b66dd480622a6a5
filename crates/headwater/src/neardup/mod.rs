//! Which documents are near-duplicates of each other?
//!
//! The method of choice for web pages is SpotSigs (Theobald, Siddharth and Paepcke, SIGIR 2008): signatures that hang on the
//! function words of running text, compared by an exact join. Its rivals are here too, each complete in itself.
//!
//! Data flows one way:
//!
//! 1. [`Signer`]: what of a text is compared. Spot signatures ([`Spots`]) or shingles, a set of numbers ([`Features`]); for
//!    methods that hash, also a sketch ([`Sketcher`]).
//! 2. [`Search`]: collects signatures. Documents with equal ones share them.
//! 3. [`Cut`]: for whoever names no threshold, one that is read off the collection itself.
//! 4. The exact join (every pair at the threshold, provably), or candidates by [`Bands`] that are verified exactly, or I-Match.
//! 5. [`Matches`]: pairs and clusters of documents.
//!
//! ```
//! use headwater::neardup::{Alone, Method, Scratch, Search, Settings, Want};
//!
//! let mut search = Search::new(Settings { threshold: 0.6, ..Settings::new(Method::SpotSigs) })?;
//! let (signer, mut scratch) = (search.signer(), Scratch::default());
//! let story = "The gauge that was found under the weir is older than any the town knew of, and a slate was beside it.";
//! for page in [
//!     format!("Home | News | Sport | Log in {story} Advertisement: new boots, half price"),
//!     "The baths are closed until the water is back.".into(),
//!     format!("Search this site. Subscribe! {story} Terms, contact, imprint"),
//! ] {
//!     search.push(&signer.sign(&page, &mut scratch)?);
//! }
//! let found = search.find(Want::Pairs, &Alone);
//! assert_eq!(found.matches.clusters()[0].members, [0, 2]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bands;
mod candidates;
mod collection;
mod compare;
mod cut;
mod derive;
mod far_join;
mod features;
mod idf;
mod join;
mod languages;
mod likenesses;
mod lists;
mod matches;
mod measure;
mod metrics;
mod minhash;
mod partition;
mod rarity;
mod roster;
mod runs;
mod search;
mod settings;
mod shelf;
mod spots;
mod vocabulary;
mod workers;

pub use bands::Bands;
pub use collection::Collection;
pub use cut::{Cut, Reason};
pub use derive::TokenCounts;
pub use features::{Extractor, Features, Scratch};
pub use idf::{IdfRange, NoRange};
pub use join::Want;
pub use languages::{Language, UnknownLanguage};
pub use matches::Matches;
pub use measure::{Bound, Measure, OutOfRange, UnknownMeasure};
pub use metrics::{Rates, adjusted_rand_index, macro_f1, pair_rates};
pub use minhash::{Hashing, Sketcher, UnknownHashing, agreement};
pub use roster::Roster;
pub use search::{Found, Search, Signature, Signer};
pub use settings::{InvalidSettings, Method, Settings, UnknownMethod};
pub use shelf::{Shelf, ShelfSearch};
pub use spots::Spots;
pub use vocabulary::Vocabulary;
pub use workers::{Alone, Workers};

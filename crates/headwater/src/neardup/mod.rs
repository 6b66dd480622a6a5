//! Which documents are near-duplicates of each other?

mod collection;
mod derive;
mod features;
mod join;
mod languages;
mod lists;
mod measure;
mod partition;
mod rarity;
mod spots;
mod vocabulary;
mod workers;

pub use collection::Collection;
pub use derive::TokenCounts;
pub use features::{Extractor, Features, Scratch};
pub use join::Want;
pub use languages::{Language, UnknownLanguage};
pub use measure::{Bound, Measure, OutOfRange, UnknownMeasure};
pub use spots::Spots;
pub use vocabulary::Vocabulary;
pub use workers::{Alone, Workers};

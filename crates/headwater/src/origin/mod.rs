//! Where did this text come from, and what in it is new? For every passage of a document, the earliest document that had
//! it, on a stream, in fixed memory.
//!
//! ```
//! use headwater::origin::{InOrder, Settings, Tracer};
//!
//! let mut tracer = Tracer::new(Settings { memory: 1 << 20, ..Settings::default() })?;
//! let preparer = tracer.preparer();
//! let original = "the spring rises under three alders on the north slope of the hill and never freezes";
//! let copy = format!("I read that {original}, which I doubt.");
//!
//! tracer.observe(&preparer.prepare(original)?, 2021, &InOrder);
//! let report = tracer.observe(&preparer.prepare(&copy)?, 2022, &InOrder);
//! assert_eq!(report.dominant, Some(0));
//! let segment = &report.segments[0];
//! assert_eq!(segment.origin, 0);
//! assert!(copy[segment.bytes.clone()].contains("three alders on the north slope"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod anchor;
mod chronicle;
mod estimate;
pub mod evaluation;
mod exact;
mod explain;
mod headwater;
mod marks;
mod metrics;
mod novel;
mod paper;
mod prepare;
mod report;
mod settings;
mod skirt;
mod snippet;
mod state;
mod table;
mod tracer;
mod upkeep;

pub use chronicle::{Chronicle, InOrder};
pub use exact::{ExactIndex, Truth};
pub use explain::{Answer, Around, Explanation, Question};
pub use metrics::{Dominance, Score};
pub use novel::{Cut, new_text};
pub use prepare::{Prepared, Preparer};
pub use report::{Block, Evidence, EvidenceCounts, Report, Segment, Share};
pub use settings::{Algorithm, Estimation, Eviction, InvalidSettings, Paper, Settings, UnknownName};
pub use snippet::{Snippet, snippet};
pub use state::State;
pub use table::Lent;
pub use tracer::Tracer;
pub use upkeep::{CannotMerge, Remembered};

//! Which shingles of a document are kept: the seven selection algorithms of *Detecting the Origin of Text Segments
//! Efficiently* (WWW 2009), section 2.1, by the paper's names, and its no-complete-overlap versions.
//!
//! ```
//! use headwater::select::Selection;
//! use headwater::text::{Reading, Tokens, fingerprints};
//!
//! let mut tokens = Tokens::new();
//! tokens.read("one two three four five six seven eight nine ten", Reading::Words)?;
//! let mut shingles = Vec::new();
//! fingerprints(tokens.hashes(), 8, &mut shingles);
//!
//! let every_second: Selection = "2th".parse()?;
//! let mut selected = Vec::new();
//! every_second.select(tokens.hashes(), &shingles, 8, &mut selected);
//! assert_eq!(selected.iter().map(|s| s.position).collect::<Vec<_>>(), [0, 2]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod all;
mod dct;
mod every;
mod hailstorm;
mod hash_breaking;
mod modulo;
mod name;
mod overlap;
mod winnowing;

use std::num::NonZeroU32;

pub use name::UnknownSelection;

/// A shingle that was kept; for hash-breaking and DCT a text segment, which the paper calls a shingle too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selected {
    /// The position of its first token.
    pub position: u32,
    /// How many tokens it covers: k, but for the segments of hash-breaking and DCT.
    pub tokens: u32,
    /// Its fingerprint.
    pub fingerprint: u64,
}

impl Selected {
    /// The position after its last token.
    pub fn end(&self) -> u32 {
        self.position + self.tokens
    }
}

/// A selection algorithm with its parameter; `lean` marks the no-complete-overlap version ("N" in the paper's names), `joined` that
/// reading of hash-breaking which has the shares of the paper's Table 3 ("J", a name of ours).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Selection {
    /// Every shingle.
    All,
    /// The shingles at positions 0, l, 2l, …
    Every(NonZeroU32),
    /// The shingles whose fingerprint is divisible by l.
    Modulo {
        /// The divisor.
        l: NonZeroU32,
        /// Without shingles that others cover completely.
        lean: bool,
    },
    /// The right-most smallest shingle of every window.
    Winnowing {
        /// Shingles in a window.
        w: NonZeroU32,
        /// Without shingles that others cover completely.
        lean: bool,
    },
    /// Segments that end at tokens whose hash is divisible by p and have at least p tokens.
    HashBreaking {
        /// The divisor, and the least length.
        p: NonZeroU32,
        /// Short segments are joined to what follows, in place of left out.
        joined: bool,
    },
    /// The segments of hash-breaking under a fingerprint that tolerates small changes.
    Dct {
        /// The divisor, and the least length.
        p: NonZeroU32,
        /// Short segments are joined to what follows, in place of left out.
        joined: bool,
    },
    /// The shingles whose smallest token is their first or last.
    Hailstorm {
        /// Without shingles that others cover completely.
        lean: bool,
    },
}

impl Selection {
    /// The paper's best: Hailstorm without complete overlap.
    pub const NHS: Selection = Selection::Hailstorm { lean: true };

    /// Replaces `out` by the selected shingles of one document in ascending order of position.
    ///
    /// `shingles` are the fingerprints of all its shingles of `k` tokens: as many as [`crate::text::fingerprints`] gives.
    pub fn select(&self, tokens: &[u64], shingles: &[u64], k: usize, out: &mut Vec<Selected>) {
        out.clear();
        match *self {
            Selection::All => all::select(shingles, k, out),
            Selection::Every(l) => every::select(shingles, k, l, out),
            Selection::Modulo { l, .. } => modulo::select(shingles, k, l, out),
            Selection::Winnowing { w, .. } => winnowing::select(shingles, k, w, out),
            Selection::HashBreaking { p, joined } => hash_breaking::select(tokens, p, joined, out),
            Selection::Dct { p, joined } => dct::select(tokens, p, joined, out),
            Selection::Hailstorm { .. } => hailstorm::select(tokens, shingles, k, out),
        }
        if self.lean() {
            overlap::discard(out);
        }
    }

    fn lean(&self) -> bool {
        matches!(
            self,
            Selection::Modulo { lean: true, .. }
                | Selection::Winnowing { lean: true, .. }
                | Selection::Hailstorm { lean: true }
        )
    }
}

/// The shingle of `k` tokens at `position`.
fn shingle(shingles: &[u64], k: usize, position: usize) -> Selected {
    Selected { position: position as u32, tokens: k as u32, fingerprint: shingles[position] }
}

#[cfg(test)]
mod tests;

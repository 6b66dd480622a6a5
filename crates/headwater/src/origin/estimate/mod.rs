//! What can be said about the shingles that the table has forgotten.

pub(crate) mod aligned;
pub(crate) mod learnt;
pub(crate) mod open_ends;

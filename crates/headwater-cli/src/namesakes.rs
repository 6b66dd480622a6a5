//! Documents of the same name: answers name documents by id, so two of one id are told of.

use std::hash::{DefaultHasher, Hash, Hasher};

/// Places for ids.
const PLACES: usize = 1 << 16;

/// The ids that were seen, each as a hash in the one place that the hash gives it, where the next id that belongs there takes over.
/// So the memory is the same however long the stream; in return, of two namesakes far apart in a long stream one may be missed.
pub(crate) struct Namesakes {
    /// Zero where there is none yet.
    seen: Vec<u64>,
    told: bool,
}

impl Namesakes {
    pub(crate) fn new() -> Self {
        Namesakes { seen: vec![0; PLACES], told: false }
    }

    /// Whether the user has been told already; once a run is enough.
    pub(crate) fn are_told(&self) -> bool {
        self.told
    }

    /// Notes that the user is told now.
    pub(crate) fn tell(&mut self) {
        self.told = true;
        self.seen = Vec::new();
    }

    /// Notes an id; whether an earlier document had it, as far as is known. Once the user has been told, nothing is noted.
    pub(crate) fn have(&mut self, id: &str) -> bool {
        let mut hasher = DefaultHasher::new();
        id.hash(&mut hasher);
        let hash = hasher.finish().max(1);
        let place = self.seen.get_mut(hash as usize % PLACES);
        place.is_some_and(|place| std::mem::replace(place, hash) == hash)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_known_again_and_no_other_is_taken_for_it() {
        let mut namesakes = Namesakes::new();
        let mut all = 0..4 * PLACES;
        assert!(!all.any(|number| namesakes.have(&format!("document {number}"))), "each is new");
        let recent = 4 * PLACES - 1;
        assert!(namesakes.have(&format!("document {recent}")));
        assert_eq!(namesakes.seen.len(), PLACES, "the memory is fixed");
        namesakes.tell();
        assert!(namesakes.are_told() && !namesakes.have(&format!("document {recent}")));
    }
}

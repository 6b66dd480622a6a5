//! Every way there is to find origins, for what must hold of all of them.

use headwater::origin::{Algorithm, Estimation, Eviction, Paper};

/// Ours, and the paper's with every selection, eviction and estimation.
pub(crate) fn algorithms() -> Vec<Algorithm> {
    let mut all = vec![Algorithm::Headwater];
    for select in ["All", "4th", "M4", "NM3", "W8", "NW8", "Hb3", "JHb3", "Dct8", "JDct8", "Hs", "NHs"] {
        for (_, evict) in Eviction::NAMES {
            for (_, estimate) in Estimation::NAMES {
                let paper = Paper { select: select.parse().unwrap(), evict, estimate, ..Paper::default() };
                all.push(Algorithm::Paper(paper));
            }
        }
    }
    all
}

//! Uniform draws from collections that can be read.

use headwater::census::{Draw, Members, Sample};

use super::holding::Holding;
use crate::args::CensusArgs;

/// Draws from one collection and asks all others.
pub(super) fn uniform(holdings: &[Holding], from: usize, args: &CensusArgs) -> Sample {
    let mut sample = Sample::new();
    let Draw { documents, reach } = holdings[from].catalogue.draw(args.drawing.samples as usize, args.drawing.seed);
    for key in documents {
        let sketch = holdings[from].sketch(key);
        // Near-duplicates in one collection are one document to the others, so that each stands for its part of them.
        let twins = sketch.map_or(1, |sketch| holdings[from].alike(sketch).max(1));
        let found = Members::of(holdings.len(), |other| other == from || holdings[other].has(key, sketch));
        sample.push(1.0 / twins as f64, found);
    }
    sample.reached(reach);
    sample
}

//! Numbers on a shelf in sorted runs, and all of them in one order: the merging half of a sort beside memory.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use super::shelf::Shelf;

/// Numbers of one run that are taken from the shelf at a time, at least.
const LEAST_TAKEN: usize = 1 << 10;

/// Where the sorted runs lie.
#[derive(Debug, Default)]
pub(super) struct Runs {
    pub(super) places: Vec<Range<u64>>,
}

/// The numbers of all runs in one order, each once.
pub(super) struct Merged {
    runs: Vec<Run>,
    /// The next of each run.
    heap: BinaryHeap<Reverse<(u64, usize)>>,
    last: Option<u64>,
    /// How many numbers of a run are in memory at a time.
    portion: usize,
    begun: bool,
}

struct Run {
    places: Range<u64>,
    taken: Vec<u64>,
    at: usize,
}

impl Runs {
    /// `room`: how many numbers may be in memory.
    pub(super) fn merged(self, room: usize) -> Merged {
        let portion = (room / self.places.len().max(1)).max(LEAST_TAKEN);
        let runs = self.places.into_iter().map(|places| Run { places, taken: Vec::new(), at: 0 }).collect();
        Merged { runs, heap: BinaryHeap::new(), last: None, portion, begun: false }
    }
}

impl Merged {
    /// The next number.
    pub(super) fn next<S: Shelf>(&mut self, shelf: &mut S) -> Result<Option<u64>, S::Error> {
        if !self.begun {
            self.begun = true;
            for run in 0..self.runs.len() {
                self.advance(run, shelf)?;
            }
        }
        while let Some(Reverse((value, run))) = self.heap.pop() {
            self.advance(run, shelf)?;
            if self.last.replace(value) != Some(value) {
                return Ok(Some(value));
            }
        }
        Ok(None)
    }

    fn advance<S: Shelf>(&mut self, number: usize, shelf: &mut S) -> Result<(), S::Error> {
        let run = &mut self.runs[number];
        if run.at == run.taken.len() {
            let end = run.places.end.min(run.places.start + self.portion as u64);
            run.taken.clear();
            run.at = 0;
            shelf.take(run.places.start..end, &mut run.taken)?;
            run.places.start = end;
        }
        if let Some(&value) = run.taken.get(run.at) {
            run.at += 1;
            self.heap.push(Reverse((value, number)));
        }
        Ok(())
    }
}

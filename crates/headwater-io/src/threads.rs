//! Threads for computations that say what can be done at the same time.

use std::convert::Infallible;

use headwater::neardup::Workers;

use crate::pipeline::{self, Feed};

/// Does jobs on so many threads; results come in order, the same for any number.
#[derive(Clone, Copy, Debug)]
pub struct Threads(pub usize);

impl Workers for Threads {
    fn each<R: Send>(&self, jobs: usize, work: impl Fn(usize) -> R + Sync, mut deliver: impl FnMut(R)) {
        let number = |jobs: usize, feed: &dyn Feed<usize>| (0..jobs).try_for_each(|job| feed.send(job, 0));
        let done = pipeline::run(self.0.min(jobs.max(1)), vec![jobs], number, work, |result| {
            deliver(result);
            Ok::<(), Infallible>(())
        });
        match done {
            Ok(()) => {}
            Err(never) => match never {},
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_for_any_number_of_threads() {
        for threads in [1, 2, 8] {
            for jobs in [0, 1, 7, 1000] {
                let mut results = Vec::new();
                Threads(threads).each(jobs, |job| job * job, |result| results.push(result));
                assert_eq!(results, (0..jobs).map(|job| job * job).collect::<Vec<_>>());
            }
        }
    }
}

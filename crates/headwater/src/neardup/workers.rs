//! Many hands: the library starts no threads, but says what could be done at the same time.

/// Does independent jobs, at the same time where it can. `headwater_io` has one with threads; [`Alone`] has none.
pub trait Workers {
    /// Does jobs 0 to `jobs` (exclusive) with `work`, in any order, and hands the results to `deliver` in order.
    fn each<R: Send>(&self, jobs: usize, work: impl Fn(usize) -> R + Sync, deliver: impl FnMut(R));
}

/// One job after the other, on the caller's thread.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone;

impl Workers for Alone {
    fn each<R: Send>(&self, jobs: usize, work: impl Fn(usize) -> R + Sync, deliver: impl FnMut(R)) {
        (0..jobs).map(work).for_each(deliver);
    }
}

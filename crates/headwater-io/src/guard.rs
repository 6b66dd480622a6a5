//! Format crates are not ours: where one panics on a broken file, that must cost the file and not the run.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static GUARDED: Cell<u32> = const { Cell::new(0) };
}

/// Runs what may panic on bad input; `None` where it did.
pub(crate) fn guard<T>(action: impl FnOnce() -> T) -> Option<T> {
    GUARDED.set(GUARDED.get() + 1);
    let done = catch_unwind(AssertUnwindSafe(action));
    GUARDED.set(GUARDED.get() - 1);
    done.ok()
}

/// Whether a panic on this thread, now, would be caught and told as a [`Problem`](crate::Problem): a program's panic hook
/// can then keep silent.
pub fn panics_are_told() -> bool {
    GUARDED.get() > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_caught_and_known_to_be() {
        assert!(!panics_are_told());
        assert_eq!(guard(|| guard(panics_are_told)), Some(Some(true)));
        assert_eq!(guard(|| assert!(!panics_are_told(), "caught by the guard")), None);
        assert!(!panics_are_told());
    }
}

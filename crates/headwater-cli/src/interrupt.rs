//! Ctrl-C and TERM: the document at hand is finished, half-written files are taken away, and the run ends.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::failure::Failure;

static ASKED: AtomicBool = AtomicBool::new(false);

/// How long a run may take to end by itself: it can be waiting for standard input.
const PATIENCE: Duration = Duration::from_secs(2);

/// From now on an interrupt is noticed by [`check`]; a second one ends the program at once.
pub(crate) fn listen() {
    let handler = || {
        if ASKED.swap(true, Ordering::Relaxed) {
            std::process::exit(Failure::INTERRUPTED);
        }
        std::thread::spawn(|| {
            std::thread::sleep(PATIENCE);
            std::process::exit(Failure::INTERRUPTED);
        });
    };
    // Where no handler can be had, an interrupt ends the program as it always did.
    let _ = ctrlc::set_handler(handler);
}

/// Fails once the user has asked to stop.
pub(crate) fn check() -> Result<(), Failure> {
    if ASKED.load(Ordering::Relaxed) { Err(Failure::Interrupted) } else { Ok(()) }
}

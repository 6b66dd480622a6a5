//! Ctrl-C and TERM: the document at hand is finished, what was learnt is saved, half-written files are taken away, and the
//! run ends.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use headwater_io::Progress;

use crate::failure::Failure;

static ASKED: AtomicBool = AtomicBool::new(false);
static HELD: AtomicBool = AtomicBool::new(false);
static READING: Mutex<Option<Arc<Progress>>> = Mutex::new(None);

/// How long a run may take to end by itself.
const PATIENCE: Duration = Duration::from_secs(2);

/// From now on an interrupt is noticed by [`check`]; a second one ends the program at once.
pub(crate) fn listen() {
    let handler = || {
        if ASKED.swap(true, Ordering::Relaxed) {
            std::process::exit(Failure::INTERRUPTED);
        }
        if let Some(progress) = &*READING.lock().unwrap_or_else(PoisonError::into_inner) {
            progress.stop();
        }
        std::thread::spawn(|| {
            std::thread::sleep(PATIENCE);
            if !HELD.load(Ordering::Relaxed) {
                std::process::exit(Failure::INTERRUPTED);
            }
        });
    };
    // Where no handler can be had, an interrupt ends the program as it always did.
    let _ = ctrlc::set_handler(handler);
}

/// Lets an interrupt end this reading, also where it waits for standard input.
pub(crate) fn ends(progress: &Arc<Progress>) {
    *READING.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(progress));
}

/// From now on the run takes as long to end as it needs: there is something to be saved.
pub(crate) fn hold() {
    HELD.store(true, Ordering::Relaxed);
}

/// Fails once the user has asked to stop.
pub(crate) fn check() -> Result<(), Failure> {
    if ASKED.load(Ordering::Relaxed) { Err(Failure::Interrupted) } else { Ok(()) }
}

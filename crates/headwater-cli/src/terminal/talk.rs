//! Talk on standard error: problems as they are met, how far the run has come, and a closing line.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use headwater_io::{Phase, Progress};

use super::numbers::{bytes, count};

/// How often a line on a terminal is renewed, and how often a plain line is written elsewhere.
const RENEWAL: Duration = Duration::from_millis(150);
const PLAIN: Duration = Duration::from_secs(5);

/// Everything that is said beside the answers.
pub(crate) struct Talk {
    quiet: bool,
    /// Standard error is a terminal, and standard output does not write to it at the same time.
    lively: bool,
    /// Whether a line that must be wiped stands on the terminal.
    drawn: Arc<AtomicBool>,
    /// When the last note was made.
    noted: Mutex<Option<Instant>>,
}

impl Talk {
    pub(crate) fn new(quiet: bool) -> Self {
        let lively = io::stderr().is_terminal() && !io::stdout().is_terminal();
        Talk { quiet, lively, drawn: Arc::default(), noted: Mutex::default() }
    }

    /// Says something that must not be lost, even where the user wants quiet.
    pub(crate) fn warn(&self, line: impl Display) {
        wipe(&self.drawn);
        // Nobody is left to tell where standard error is closed.
        let _ = writeln!(io::stderr(), "{line}");
    }

    /// Says something that is good to know.
    pub(crate) fn say(&self, line: impl Display) {
        if !self.quiet {
            self.warn(line);
        }
    }

    /// Says how far a run has come, where it was not said a moment ago; the next note takes its place on a terminal.
    pub(crate) fn note(&self, line: impl Display) {
        let pause = if self.lively { RENEWAL } else { PLAIN };
        let mut noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
        if self.quiet || noted.is_some_and(|last| last.elapsed() < pause) {
            return;
        }
        *noted = Some(Instant::now());
        if self.lively {
            let _ = write!(io::stderr(), "\r\x1b[K{line}");
            self.drawn.store(true, Ordering::Relaxed);
        } else {
            let _ = writeln!(io::stderr(), "{line}");
        }
    }

    /// Shows how far a run has come until what is returned is dropped.
    pub(crate) fn watch(&self, progress: Arc<Progress>) -> Watch {
        let stop = Arc::new((Mutex::new(false), Condvar::new()));
        if self.quiet {
            return Watch { stop, watcher: None, drawn: Arc::clone(&self.drawn) };
        }
        let (lively, drawn, signal) = (self.lively, Arc::clone(&self.drawn), Arc::clone(&stop));
        let watcher = std::thread::Builder::new().name("progress".into());
        let watcher = watcher.spawn(move || show(&progress, lively, &drawn, &signal)).ok();
        Watch { stop, watcher, drawn: Arc::clone(&self.drawn) }
    }
}

/// A run that is being watched.
pub(crate) struct Watch {
    stop: Arc<(Mutex<bool>, Condvar)>,
    watcher: Option<JoinHandle<()>>,
    drawn: Arc<AtomicBool>,
}

impl Drop for Watch {
    fn drop(&mut self) {
        *self.stop.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.stop.1.notify_all();
        if let Some(watcher) = self.watcher.take() {
            let _ = watcher.join();
        }
        wipe(&self.drawn);
    }
}

fn show(progress: &Progress, lively: bool, drawn: &AtomicBool, stop: &(Mutex<bool>, Condvar)) {
    let pause = if lively { RENEWAL } else { PLAIN };
    let mut phase = (progress.phase(), Instant::now());
    loop {
        let stopped = stop.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (stopped, _) =
            stop.1.wait_timeout_while(stopped, pause, |stopped| !*stopped).unwrap_or_else(PoisonError::into_inner);
        if *stopped {
            return;
        }
        if progress.phase() != phase.0 {
            phase = (progress.phase(), Instant::now());
        }
        let line = describe(progress, phase.1.elapsed());
        let mut error = io::stderr().lock();
        if lively {
            let _ = write!(error, "\r\x1b[K{line}");
            drawn.store(true, Ordering::Relaxed);
        } else {
            let _ = writeln!(error, "{line}");
        }
        let _ = error.flush();
    }
}

fn wipe(drawn: &AtomicBool) {
    if drawn.swap(false, Ordering::Relaxed) {
        let _ = write!(io::stderr(), "\r\x1b[K");
    }
}

/// Bytes of bytes, documents, speed, time left.
fn describe(progress: &Progress, elapsed: Duration) -> String {
    let (read, seconds) = (progress.bytes(), elapsed.as_secs_f64().max(1e-3));
    let activity = match progress.phase() {
        Phase::CheckingOrder => "checking the order",
        Phase::Reading => "reading",
        Phase::Sorting => "sorting by time",
        Phase::Delivering => "working in time order",
        Phase::Passing => return share(progress, "looking for what is repeated", "tokens"),
        Phase::Verifying => return share(progress, "sorting what may be shared", "bins"),
        Phase::Relating => return share(progress, "scoring pairs", "sets of documents"),
    };
    let mut line = format!("{activity}: {}", bytes(read));
    let rate = read as f64 / seconds;
    if let Some(total) = progress.total() {
        line += &format!(" of {} ({} %)", bytes(total), read * 100 / total.max(1));
    }
    if progress.documents() > 0 {
        line += &format!(", {} documents", count(progress.documents()));
    }
    // A phase that has just begun has no speed yet.
    if elapsed < RENEWAL {
        return line;
    }
    line += &format!(", {}/s", bytes(rate as u64));
    if let Some(left) = progress.total().and_then(|total| total.checked_sub(read)).filter(|_| rate > 0.0) {
        line += &format!(", {} left", duration((left as f64 / rate).ceil() as u64));
    }
    line
}

/// How much of the work after reading is done.
fn share(progress: &Progress, activity: &str, units: &str) -> String {
    let (done, total) = (progress.bytes(), progress.total().unwrap_or(0));
    format!("{activity}: {} of {} {units} ({} %)", count(done), count(total), done * 100 / total.max(1))
}

fn duration(seconds: u64) -> String {
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, minutes, _) => format!("{hours} h {minutes} min"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_left_as_people_say_it() {
        for (seconds, shown) in [(0, "0 s"), (59, "59 s"), (61, "1 min 1 s"), (3661, "1 h 1 min")] {
            assert_eq!(duration(seconds), shown);
        }
    }
}

//! One run of one program: wall time, CPU time of all its threads and children, and the most memory it held.

use std::fs::File;
use std::io;
use std::mem::MaybeUninit;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// What a run took.
pub struct Taken {
    /// Seconds.
    pub wall: f64,
    /// Seconds of user and system.
    pub cpu: f64,
    /// Bytes: the largest of the process and those that it started, not their sum.
    pub peak: u64,
    /// Why the run does not count.
    pub failed: Option<String>,
}

/// Runs a command with its standard output and error in files, and kills it when patience ends. What it leaves where it runs lies beside its output.
///
/// The kernel counts what the caller holds at this moment as memory of the child: whoever calls this must be small.
pub fn run(command: &[String], stdout: &Path, stderr: &Path, patience: Duration) -> io::Result<Taken> {
    let (program, arguments) = command.split_first().ok_or_else(|| io::Error::other("an empty command"))?;
    let begin = Instant::now();
    let child = Command::new(program)
        .args(arguments)
        .current_dir(stdout.parent().unwrap_or(Path::new(".")))
        .stdin(Stdio::null())
        .stdout(File::create(stdout)?)
        .stderr(File::create(stderr)?)
        .spawn()
        .map_err(|error| io::Error::other(format!("{program}: {error}")))?;
    let pid = child.id() as libc::pid_t;
    let (ended, wait) = channel::<()>();
    let watch = std::thread::spawn(move || {
        let late = wait.recv_timeout(patience) == Err(RecvTimeoutError::Timeout);
        if late {
            // SAFETY: only sends a signal; the process is not waited for before `ended` is dropped, so the number is still its own.
            unsafe { libc::kill(pid, libc::SIGKILL) };
        }
        late
    });
    let (status, usage) = wait4(pid)?;
    let wall = begin.elapsed().as_secs_f64();
    drop(ended);
    let late = watch.join().unwrap_or(false);
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    let failed = if late {
        Some(format!("ended after {} s", patience.as_secs()))
    } else if status != 0 {
        Some(last_line(stderr).unwrap_or_else(|| format!("status {status}")))
    } else {
        None
    };
    Ok(Taken {
        wall,
        cpu: seconds(usage.ru_utime) + seconds(usage.ru_stime),
        peak: usage.ru_maxrss as u64 * 1024,
        failed,
    })
}

/// Waits for a child and asks what it used: the standard library has no call for it.
fn wait4(pid: libc::pid_t) -> io::Result<(i32, libc::rusage)> {
    let mut status = 0;
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    loop {
        // SAFETY: both places are ours and of the right type; zeroes are a valid rusage.
        let waited = unsafe { libc::wait4(pid, &mut status, 0, usage.as_mut_ptr()) };
        if waited == pid {
            // SAFETY: as above.
            return Ok((status, unsafe { usage.assume_init() }));
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

fn last_line(file: &Path) -> Option<String> {
    let text = std::fs::read(file).ok()?;
    let text = String::from_utf8_lossy(&text);
    text.lines().rev().map(str::trim).find(|line| !line.is_empty()).map(|line| line.chars().take(200).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(script: &str, patience: u64) -> Taken {
        let folder = tempfile::tempdir().expect("a folder");
        let command = ["sh", "-c", script].map(String::from);
        run(&command, &folder.path().join("out"), &folder.path().join("err"), Duration::from_secs(patience))
            .expect("sh runs")
    }

    #[test]
    fn a_run_is_measured_and_failures_are_told() {
        let taken = check("i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done", 60);
        assert!(taken.failed.is_none() && taken.cpu > 0.0 && taken.wall > 0.0 && taken.peak > 100_000);
        assert_eq!(check("echo no such thing >&2; exit 3", 60).failed.as_deref(), Some("no such thing"));
        assert_eq!(check("exec sleep 60", 1).failed.as_deref(), Some("ended after 1 s"));
    }
}

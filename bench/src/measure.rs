//! Timing on a noisy machine: everything in one run, round by round, CPU seconds beside wall seconds, medians.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::Instant;

/// The measurements of several jobs, taken in turns.
#[derive(Default)]
pub struct Rounds {
    jobs: Vec<&'static str>,
    seconds: BTreeMap<&'static str, Vec<(f64, f64)>>,
    bytes: BTreeMap<&'static str, usize>,
}

impl Rounds {
    /// Runs a job once and notes what it took.
    pub fn time<T>(&mut self, job: &'static str, bytes: usize, run: impl FnOnce() -> T) {
        let (cpu, wall) = (cpu_seconds(), Instant::now());
        black_box(run());
        let taken = (wall.elapsed().as_secs_f64(), cpu_seconds() - cpu);
        if !self.jobs.contains(&job) {
            self.jobs.push(job);
        }
        self.seconds.entry(job).or_default().push(taken);
        self.bytes.insert(job, bytes);
    }

    /// MB per wall second and per CPU second, as medians with the best and the worst round.
    pub fn print(&self) {
        println!("| job | MB/s wall (min, max) | MB / CPU-s |\n|---|---|---|");
        for job in &self.jobs {
            let megabytes = self.bytes[job] as f64 / 1e6;
            let wall = sorted(self.seconds[job].iter().map(|taken| megabytes / taken.0));
            let cpu = sorted(self.seconds[job].iter().map(|taken| megabytes / taken.1));
            let (low, high) = (wall[0], wall[wall.len() - 1]);
            println!("| {job} | {:.0} ({low:.0}, {high:.0}) | {:.0} |", wall[wall.len() / 2], cpu[cpu.len() / 2]);
        }
    }

    /// Prints how fast `job` is beside `other` (1 is as fast), by wall and by CPU seconds: the median over the rounds of the
    /// ratio within a round. On a shared machine two jobs of one round have met the same neighbours, two medians have not.
    pub fn compare(&self, job: &str, other: &str) {
        let pairs = || self.seconds[job].iter().zip(&self.seconds[other]);
        let pace = self.bytes[job] as f64 / self.bytes[other] as f64;
        let wall = sorted(pairs().map(|(job, other)| pace * other.0 / job.0));
        let cpu = sorted(pairs().map(|(job, other)| pace * other.1 / job.1));
        println!("{job} beside {other}: {:.2} wall, {:.2} CPU", wall[wall.len() / 2], cpu[cpu.len() / 2]);
    }
}

fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values
}

/// CPU seconds that all threads of this process have used, and the children that it has waited for.
pub fn cpu_seconds() -> f64 {
    cpu_time::ProcessTime::now().as_duration().as_secs_f64() + children_seconds()
}

fn children_seconds() -> f64 {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the call writes a whole `rusage` or nothing, and all zeros are one too.
    let usage = unsafe {
        libc::getrusage(libc::RUSAGE_CHILDREN, usage.as_mut_ptr());
        usage.assume_init()
    };
    [usage.ru_utime, usage.ru_stime].iter().map(|time| time.tv_sec as f64 + time.tv_usec as f64 / 1e6).sum()
}

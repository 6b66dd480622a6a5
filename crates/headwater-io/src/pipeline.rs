//! Many hands, one order: readers cut streams into jobs, workers do them, the caller gets the results in the order of the streams.
//!
//! ```text
//! stream 0, 2, 4 … → reader ─┐ bounded lane         ┌→ worker ─┐
//!                            ├→ caller (in order) ──┼→ worker ─┼→ caller → deliver (in order)
//! stream 1, 3, 5 … → reader ─┘                      └→ worker ─┘
//! ```
//!
//! The caller is one of the workers whenever the result that is due is not there yet: it would else sleep while there is work. Readers
//! are not waited for: one that sleeps on a terminal must not keep a run from ending. They own what they use. Workers
//! borrow from the caller, who waits for them. What lies between any two is bounded in number and in bytes.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, Select, Sender, TryRecvError, bounded};

use crate::window::CHUNK;

/// The consumer has gone: there is nobody to read for.
#[derive(Debug)]
pub(crate) struct Stopped;

/// Where a reader puts the jobs that it cuts.
pub(crate) trait Feed<J> {
    /// Hands over a job that holds `weight` bytes; waits while there is no room for it.
    fn send(&self, job: J, weight: usize) -> Result<(), Stopped>;
}

/// Bytes of cut jobs that may wait in all lanes together. A single job may be larger: then it waits alone.
const LANES_BYTES: usize = 3 << 20;

/// Cut jobs that may wait in one lane.
const LANE_JOBS: usize = 16;

/// Bytes of jobs that may be with the workers, all of them together. What is made of a job is several times as large and piles up before
/// a caller who is slower than they are: memory must not grow with their number.
const WORKERS_BYTES: usize = 3 << 20;

/// Where there are very many workers, so much more for each of them that none need be without a job.
const WORKER_BYTES: usize = CHUNK;

/// Jobs that may be with the workers, for each of them: enough that none waits while the caller is busy with a result.
const WORKER_JOBS: usize = 8;

/// How often a caller who waits for a reader looks whether it is to stop.
const TICK: Duration = Duration::from_millis(50);

/// HTML parsing recurses as deep as a page nests (bounded by us, but not tightly).
const WORKER_STACK: usize = 16 << 20;

/// As [`run_until`], to the end of the streams.
pub(crate) fn run<S, J, R, E>(
    threads: usize,
    streams: Vec<S>,
    read: impl Fn(S, &dyn Feed<J>) -> Result<(), Stopped> + Send + Sync + 'static,
    work: impl Fn(J) -> R + Sync,
    deliver: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E>
where
    S: Send + 'static,
    J: Send + 'static,
    R: Send,
{
    run_until(threads, streams, || false, read, work, deliver)
}

/// Reads `streams` with `read`, does the jobs that it cuts with `work` on `threads` threads, and hands the results to `deliver` on
/// the caller's own thread: stream by stream, and within a stream in the order in which the jobs were cut. An error of `deliver`
/// ends the run, and so does `stopped` where the readers have nothing to give at the moment. With one thread all of it happens on
/// the caller's own.
pub(crate) fn run_until<S, J, R, E>(
    threads: usize,
    streams: Vec<S>,
    stopped: impl Fn() -> bool,
    read: impl Fn(S, &dyn Feed<J>) -> Result<(), Stopped> + Send + Sync + 'static,
    work: impl Fn(J) -> R + Sync,
    mut deliver: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E>
where
    S: Send + 'static,
    J: Send + 'static,
    R: Send,
{
    if threads <= 1 {
        return run_here(streams, read, work, deliver);
    }
    let turns = Turns::start(streams, (threads / 2).clamp(1, 8), read);
    thread::scope(|scope| {
        let (jobs, queue) = bounded::<(J, Sender<R>)>(threads * WORKER_JOBS);
        for number in 1..threads {
            let (queue, work) = (queue.clone(), &work);
            let worker = move || {
                for (job, reply) in queue {
                    // The caller may have left: then nobody wants the result.
                    let _ = reply.send(work(job));
                }
            };
            thread::Builder::new()
                .name(format!("worker-{number}"))
                .stack_size(WORKER_STACK)
                .spawn_scoped(scope, worker)
                .expect("the system has room for one more thread");
        }
        Caller { turns, jobs, queue, work: &work, pending: VecDeque::new(), weight: 0, most: threads }
            .run(&stopped, &mut deliver)
    })
}

/// Reads, works and delivers in turn, on the caller's thread: no handover, for those who asked for one thread or have little to read.
fn run_here<S, J, R, E>(
    streams: Vec<S>,
    read: impl Fn(S, &dyn Feed<J>) -> Result<(), Stopped>,
    work: impl Fn(J) -> R,
    mut deliver: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let mut result = Ok(Ok(()));
    for stream in streams {
        let here = Here(RefCell::new(|job| {
            // A reader may take a panic for one of its format's parser; the caller's own panics must get past it.
            result = catch_unwind(AssertUnwindSafe(|| deliver(work(job))));
            if matches!(result, Ok(Ok(()))) { Ok(()) } else { Err(Stopped) }
        }));
        if read(stream, &here).is_err() {
            break;
        }
    }
    result.unwrap_or_else(|panic| resume_unwind(panic))
}

/// Does each job at once.
struct Here<F>(RefCell<F>);

impl<J, F: FnMut(J) -> Result<(), Stopped>> Feed<J> for Here<F> {
    fn send(&self, job: J, _weight: usize) -> Result<(), Stopped> {
        (self.0.borrow_mut())(job)
    }
}

/// Queues jobs for the caller.
struct Lane<J> {
    turns: Sender<Turn<J>>,
    room: Arc<Room>,
}

impl<J> Feed<J> for Lane<J> {
    fn send(&self, job: J, weight: usize) -> Result<(), Stopped> {
        self.room.take(weight)?;
        self.turns.send(Turn::Job(job, weight)).map_err(|_| Stopped)
    }
}

/// What comes out of a lane.
enum Turn<J> {
    Job(J, usize),
    EndOfStream,
}

/// The caller's side of all lanes: jobs in the order of the streams.
struct Turns<J> {
    lanes: Vec<(Receiver<Turn<J>>, Arc<Room>)>,
    /// The stream whose turn it is; it is read in lane `stream % lanes`.
    stream: usize,
    streams: usize,
}

impl<J: Send + 'static> Turns<J> {
    fn start<S: Send + 'static>(
        streams: Vec<S>,
        lanes: usize,
        read: impl Fn(S, &dyn Feed<J>) -> Result<(), Stopped> + Send + Sync + 'static,
    ) -> Turns<J> {
        let count = streams.len();
        let lanes = lanes.min(count).max(1);
        let mut dealt: Vec<Vec<S>> = (0..lanes).map(|_| Vec::new()).collect();
        for (number, stream) in streams.into_iter().enumerate() {
            dealt[number % lanes].push(stream);
        }
        let read = Arc::new(read);
        let start = |streams: Vec<S>| {
            let (jobs, turns) = bounded(LANE_JOBS);
            let room = Arc::new(Room::new(LANES_BYTES / lanes));
            let (lane, read) = (Lane { turns: jobs, room: room.clone() }, read.clone());
            let reader = move || {
                for stream in streams {
                    if read(stream, &lane).is_err() || lane.turns.send(Turn::EndOfStream).is_err() {
                        return;
                    }
                }
            };
            thread::Builder::new()
                .name("reader".into())
                .spawn(reader)
                .expect("the system has room for one more thread");
            (turns, room)
        };
        Turns { lanes: dealt.into_iter().map(start).collect(), stream: 0, streams: count }
    }

    fn is_finished(&self) -> bool {
        self.stream == self.streams
    }

    fn lane(&self) -> &Receiver<Turn<J>> {
        &self.lanes[self.stream % self.lanes.len()].0
    }

    /// What a turn of the current lane means: a job, or that the next stream is due.
    fn accept(&mut self, turn: Option<Turn<J>>) -> Option<(J, usize)> {
        match turn {
            Some(Turn::Job(job, weight)) => {
                self.lanes[self.stream % self.lanes.len()].1.give(weight);
                Some((job, weight))
            }
            // A lane that closes early has been given up by its reader, together with all that was left in it.
            Some(Turn::EndOfStream) | None => {
                self.stream += 1;
                None
            }
        }
    }
}

impl<J> Drop for Turns<J> {
    fn drop(&mut self) {
        for (_, room) in &self.lanes {
            room.close();
        }
    }
}

/// Results that are due, in order.
struct Caller<'w, J, R, W> {
    turns: Turns<J>,
    jobs: Sender<(J, Sender<R>)>,
    /// The other end of `jobs`: what no worker has begun.
    queue: Receiver<(J, Sender<R>)>,
    work: &'w W,
    pending: VecDeque<(Receiver<R>, usize)>,
    weight: usize,
    most: usize,
}

impl<J: Send + 'static, R: Send, W: Fn(J) -> R> Caller<'_, J, R, W> {
    fn run<E>(mut self, stopped: &impl Fn() -> bool, deliver: &mut impl FnMut(R) -> Result<(), E>) -> Result<(), E> {
        loop {
            let bytes = WORKERS_BYTES.max(self.most * WORKER_BYTES);
            let room = self.pending.len() < self.most * WORKER_JOBS && self.weight < bytes;
            let more = room && !self.turns.is_finished();
            // Workers come first: a job that is there keeps one busy.
            if more && self.take_turn() {
                continue;
            }
            let Some((front, weight)) = self.pending.front() else {
                if !more || self.wait_for_turn(stopped) {
                    return Ok(());
                }
                continue;
            };
            match front.try_recv() {
                Ok(result) => {
                    self.weight -= weight;
                    self.pending.pop_front();
                    deliver(result)?;
                }
                // A worker that panicked has dropped its reply: the scope passes its panic on.
                Err(TryRecvError::Disconnected) => return Ok(()),
                Err(TryRecvError::Empty) => match self.queue.try_recv() {
                    // Nobody but us has the other end of the reply.
                    Ok((job, reply)) => drop(reply.send((self.work)(job))),
                    Err(_) if more => {
                        let mut either = Select::new();
                        either.recv(front);
                        either.recv(self.turns.lane());
                        if either.ready_timeout(TICK).is_err() && stopped() {
                            return Ok(());
                        }
                    }
                    Err(_) => {
                        let mut only = Select::new();
                        only.recv(front);
                        only.ready();
                    }
                },
            }
        }
    }

    /// Hands the next job to the workers, if there is one.
    fn take_turn(&mut self) -> bool {
        let turn = match self.turns.lane().try_recv() {
            Err(TryRecvError::Empty) => return false,
            turn => turn.ok(),
        };
        if let Some((job, weight)) = self.turns.accept(turn) {
            let (reply, result) = bounded(1);
            // There is room, since no more are pending than fit; and we have the other end ourselves.
            drop(self.jobs.send((job, reply)));
            self.pending.push_back((result, weight));
            self.weight += weight;
        }
        true
    }

    /// Waits until the lane has something; true if it is to stop instead.
    fn wait_for_turn(&self, stopped: &impl Fn() -> bool) -> bool {
        let mut only = Select::new();
        only.recv(self.turns.lane());
        only.ready_timeout(TICK).is_err() && stopped()
    }
}

/// Room for bytes in one lane.
struct Room {
    most: usize,
    taken: Mutex<Taken>,
    freed: Condvar,
}

#[derive(Default)]
struct Taken {
    bytes: usize,
    closed: bool,
}

impl Room {
    fn new(most: usize) -> Self {
        Room { most, taken: Mutex::default(), freed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, Taken> {
        // Nothing can panic while the lock is held.
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, weight: usize) -> Result<(), Stopped> {
        let full = |taken: &mut Taken| !taken.closed && taken.bytes > 0 && taken.bytes + weight > self.most;
        let mut taken = self.freed.wait_while(self.lock(), full).unwrap_or_else(PoisonError::into_inner);
        if taken.closed {
            return Err(Stopped);
        }
        taken.bytes += weight;
        Ok(())
    }

    fn give(&self, weight: usize) {
        self.lock().bytes -= weight;
        self.freed.notify_one();
    }

    fn close(&self) {
        self.lock().closed = true;
        self.freed.notify_one();
    }
}

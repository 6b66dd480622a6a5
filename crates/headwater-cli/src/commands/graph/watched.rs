//! Work after reading that shows how far it has come and ends when the user asks.

use std::io;
use std::sync::Arc;

use headwater::coderivative::shared::{Binned, Bins, Occurrence};
use headwater::coderivative::{Batch, Collection};
use headwater_io::spill::{FileBins, SpilledTokens};
use headwater_io::{Phase, Progress};

use crate::interrupt;

/// A collection, or bins, that are watched.
pub(crate) struct Watched<'a, T> {
    pub(crate) what: T,
    pub(crate) progress: &'a Arc<Progress>,
}

impl<T> Watched<'_, T> {
    fn go_on(&self, done: u64) -> io::Result<()> {
        self.progress.add_bytes(done);
        interrupt::check().map_err(io::Error::other)
    }
}

impl Collection for Watched<'_, &SpilledTokens> {
    type Error = io::Error;

    fn documents(&self) -> u32 {
        self.what.documents()
    }

    fn tokens(&self) -> u64 {
        self.what.tokens()
    }

    fn pass<R: Send>(
        &self,
        work: impl Fn(&Batch) -> R + Sync,
        mut deliver: impl FnMut(R) -> io::Result<()>,
    ) -> io::Result<()> {
        self.progress.begin(Phase::Passing, Some(self.tokens()));
        self.what.pass(
            |batch| (batch.tokens() as u64, work(batch)),
            |(tokens, result)| {
                self.go_on(tokens)?;
                deliver(result)
            },
        )
    }
}

impl Bins for Watched<'_, FileBins> {
    type Error = io::Error;

    fn count(&self) -> usize {
        self.what.count()
    }

    fn put(&mut self, batch: Binned) -> io::Result<()> {
        self.what.put(batch)
    }

    fn drain<R: Send>(
        self,
        work: impl Fn(&[&[Occurrence]]) -> R + Sync,
        mut deliver: impl FnMut(R) -> io::Result<()>,
    ) -> io::Result<()> {
        let progress = self.progress;
        progress.begin(Phase::Verifying, Some(self.count() as u64));
        self.what.drain(work, |result| {
            Watched { what: (), progress }.go_on(1)?;
            deliver(result)
        })
    }
}

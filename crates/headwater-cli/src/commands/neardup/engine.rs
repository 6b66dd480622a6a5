//! What holds the signatures of a run: memory, or files where memory is too small.

use headwater::neardup::{Cut, Found, Roster, Search, Settings, ShelfSearch, Signature, Want};
use headwater_io::Threads;
use headwater_io::spill::FileShelf;

use crate::failure::Failure;

pub(super) enum Engine {
    Near(Box<Search>),
    Far(Box<ShelfSearch<FileShelf>>),
}

impl Engine {
    /// In memory, unless it is told how much of that there is.
    pub(super) fn new(settings: &Settings, memory: Option<usize>) -> Result<Self, Failure> {
        match memory {
            None => Search::new(settings.clone()).map(Box::new).map(Engine::Near).map_err(Failure::run),
            Some(memory) => {
                let shelves = [FileShelf::create(None)?, FileShelf::create(None)?];
                let search = ShelfSearch::new(settings, memory, shelves);
                search.map(Box::new).map(Engine::Far).map_err(|error| Failure::Usage(error.to_string()))
            }
        }
    }

    pub(super) fn push(&mut self, signature: &Signature) -> Result<(u32, bool), Failure> {
        match self {
            Engine::Near(search) => Ok(search.push(signature)),
            Engine::Far(search) => Ok(search.push(signature)?),
        }
    }

    pub(super) fn enter(&mut self, signature: &Signature) -> Result<bool, Failure> {
        match self {
            Engine::Near(search) => Ok(search.enter(signature)),
            Engine::Far(search) => Ok(search.enter(signature)?),
        }
    }

    pub(super) fn add(&mut self, signature: Option<u32>) -> bool {
        match self {
            Engine::Near(search) => search.add(signature),
            Engine::Far(search) => search.add(signature),
        }
    }

    pub(super) fn roster(&self) -> &Roster {
        match self {
            Engine::Near(search) => search.collection().roster(),
            Engine::Far(search) => search.roster(),
        }
    }

    /// The threshold that the collection itself speaks for.
    pub(super) fn cut(&mut self, threads: usize) -> Result<Cut, Failure> {
        match self {
            Engine::Near(search) => Ok(search.cut(&Threads(threads))),
            Engine::Far(search) => Ok(search.cut(&Threads(threads))?),
        }
    }

    pub(super) fn set_threshold(&mut self, threshold: f64) -> Result<(), Failure> {
        match self {
            Engine::Near(search) => search.set_threshold(threshold),
            Engine::Far(search) => search.set_threshold(threshold),
        }
        .map_err(Failure::run)
    }

    pub(super) fn find(&mut self, want: Want, threads: usize) -> Result<Found, Failure> {
        match self {
            Engine::Near(search) => Ok(search.find(want, &Threads(threads))),
            Engine::Far(search) => Ok(search.find(want, &Threads(threads))?),
        }
    }

    /// How alike the two documents of each pair are, whatever the threshold.
    pub(super) fn likenesses(&mut self, pairs: &[(u32, u32)]) -> Result<Vec<Option<f64>>, Failure> {
        match self {
            Engine::Near(search) => Ok(search.likenesses(pairs)),
            Engine::Far(search) => Ok(search.likenesses(pairs)?),
        }
    }
}

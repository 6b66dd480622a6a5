//! Trials that share a selection go through the collection side by side: each document is prepared once for all of them.

use std::io;
use std::sync::{Mutex, PoisonError};

use headwater::collection::{Batch, Collection};
use headwater::neardup::Workers;
use headwater::origin::evaluation::{QueryTruth, Trial};
use headwater::origin::{Prepared, Preparer, Truth};
use headwater::text::mix;
use headwater_io::Threads;

use super::Stream;
use crate::failure::Failure;
use crate::interrupt;

/// One pass over a collection.
pub(crate) struct Pass<'a> {
    pub(crate) stream: &'a Stream,
    pub(crate) k: usize,
    /// The queries, ascending.
    pub(crate) queries: &'a [QueryTruth],
    /// Only the documents before this one take part.
    pub(crate) end: u32,
    /// Not 0: hashes of tokens are mixed with it, as if another hash function had been used.
    pub(crate) salt: u64,
}

/// A document, ready for every trial; with its truth where it is a query.
type Ready = (Prepared, Option<Truth>);

/// Runs all trials, which must have the same selection, and gives them back. `advance` is told of tokens that are done.
pub(crate) fn run(pass: &Pass<'_>, trials: Vec<Trial>, mut advance: impl FnMut(usize)) -> Result<Vec<Trial>, Failure> {
    let Some(preparer) = trials.first().map(Trial::preparer) else { return Ok(trials) };
    let trials: Vec<Mutex<Trial>> = trials.into_iter().map(Mutex::new).collect();
    let threads = Threads(pass.stream.threads());
    let outcome = pass.stream.tokens.pass(
        |batch| (batch.tokens(), prepare(pass, batch, preparer)),
        |(tokens, documents)| {
            let observe = |at: usize| {
                let mut trial = trials[at].lock().unwrap_or_else(PoisonError::into_inner);
                documents.iter().for_each(|(prepared, truth)| trial.observe(prepared, truth.as_ref()));
            };
            threads.each(trials.len(), observe, |()| {});
            advance(tokens);
            interrupt::check().map_err(|_| io::Error::from(io::ErrorKind::Interrupted))
        },
    );
    interrupt::check()?;
    outcome?;
    Ok(trials.into_iter().map(|trial| trial.into_inner().unwrap_or_else(PoisonError::into_inner)).collect())
}

fn prepare(pass: &Pass<'_>, batch: &Batch, preparer: Preparer) -> Vec<Ready> {
    let mut salted = Vec::new();
    let documents = batch.documents().take_while(|(number, _)| *number < pass.end);
    let ready = documents.map(|(number, tokens)| {
        let mut prepared = Prepared::default();
        if pass.salt == 0 {
            preparer.prepare_hashes(tokens, &mut prepared);
        } else {
            salted.clear();
            salted.extend(tokens.iter().map(|&token| mix(token ^ pass.salt)));
            preparer.prepare_hashes(&salted, &mut prepared);
        }
        let query = pass.queries.binary_search_by_key(&number, |query| query.document);
        let truth = query.ok().map(|at| {
            let mut truth = Truth::default();
            pass.queries[at].spell(pass.k, &mut truth);
            truth
        });
        (prepared, truth)
    });
    ready.collect()
}

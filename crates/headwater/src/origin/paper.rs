//! The paper's algorithms put together: selected shingles are hashed one by one, estimation labels them, and with Lucky
//! eviction the copied blocks go back to the table as credit (sections 2.2 and 2.3).

use super::chronicle::Ages;
use super::estimate::bridging::Bridges;
use super::estimate::{Asked, Label, expansion, first_byte};
use super::explain::{Answer, Question};
use super::prepare::Prepared;
use super::report::{Block, Evidence, NO_ORIGIN, Report, Share};
use super::settings::{Estimation, Eviction, Paper as Choice, Settings};
use super::state::State;
use super::table::{Lent, ShingleTable, Stored};
use crate::select::Selected;

/// So many shingles ahead of its use a bucket is fetched, so that cache misses overlap.
const AHEAD: usize = 8;

/// Rule (d): every so many selected shingles one gets a little credit.
const SPACING: usize = 7;

/// The table and which of the paper's algorithms work on it.
#[derive(Debug)]
pub(super) struct Paper {
    table: ShingleTable,
    choice: Choice,
}

/// What is worked out about one document; kept for its memory.
#[derive(Debug, Default)]
pub(super) struct Workspace {
    asked: Vec<Asked>,
    labels: Vec<Option<Label>>,
    bridges: Bridges,
    /// Runs of selected shingles with one origin other than the document, first and last.
    runs: Vec<(u32, u32)>,
    origins: Vec<u32>,
    /// Where runs of tokens of one origin end.
    ends: Vec<u32>,
    named: Vec<u32>,
}

impl Workspace {
    /// The label of each selected shingle of the document at hand.
    pub(super) fn labels(&self) -> &[Option<Label>] {
        &self.labels
    }
}

impl Paper {
    pub(super) fn new(settings: &Settings, choice: Choice) -> Self {
        let table =
            ShingleTable::new(settings.memory, choice.bucket, entry_bytes(&choice), choice.evict, settings.seed);
        Paper { table, choice }
    }

    /// What [`Paper::new`] with these settings became, from the parts that were kept of it.
    pub(super) fn resume(settings: &Settings, choice: Choice, state: &State, table: Box<dyn Lent>) -> Option<Self> {
        let Paper { table: empty, choice } = Paper::new(settings, choice);
        Some(Paper { table: empty.resume(table, state.random, state.forgotten)?, choice })
    }

    pub(super) fn table(&self) -> &ShingleTable {
        &self.table
    }

    pub(super) fn table_mut(&mut self) -> &mut ShingleTable {
        &mut self.table
    }

    /// Reports, and changes nothing in the table.
    pub(super) fn trace(&self, prepared: &Prepared, ages: &Ages<'_>, work: &mut Workspace, report: &mut Report) {
        work.asked.clear();
        let selected = prepared.selected();
        work.asked.extend(selected.iter().enumerate().map(|(at, shingle)| {
            self.fetch_ahead(selected, at);
            let stored = self.table.find(shingle.fingerprint).filter(|stored| !ages.is_later(stored.document));
            Asked { byte: first_byte(shingle.fingerprint), stored }
        }));
        self.estimate(prepared, ages, work, report);
    }

    /// What the table was asked about a document, and what it said.
    pub(super) fn questions(&self, prepared: &Prepared, ages: &Ages<'_>) -> Vec<Question> {
        let questions = prepared.selected().iter().map(|shingle| Question {
            tokens: shingle.position..shingle.end(),
            answer: match self.table.find(shingle.fingerprint) {
                Some(stored) if ages.is_later(stored.document) => Answer::Later,
                Some(stored) => Answer::Found { origin: stored.document, around: None },
                None if self.table.is_full(shingle.fingerprint) => Answer::Evicted,
                None => Answer::Never,
            },
        });
        questions.collect()
    }

    /// Hashes the selected shingles in order, each found or inserted, then reports and gives credit.
    pub(super) fn observe(&mut self, prepared: &Prepared, ages: &Ages<'_>, work: &mut Workspace, report: &mut Report) {
        let selected = prepared.selected();
        let me = report.document;
        work.asked.clear();
        for (at, shingle) in selected.iter().enumerate() {
            self.fetch_ahead(selected, at);
            let byte_at =
                |at: Option<usize>| at.and_then(|at| selected.get(at)).map_or(0, |s| first_byte(s.fingerprint));
            let new = Stored {
                document: me,
                offset: at as u8,
                before: byte_at(at.checked_sub(1)),
                after: byte_at(at.checked_add(1)),
            };
            let mut stored = self.table.find_or_insert(shingle.fingerprint, new);
            if stored.is_some_and(|stored| ages.is_later(stored.document)) {
                self.table.replace(shingle.fingerprint, new);
                stored = None;
            }
            // A shingle repeated inside the document that has it first is new each time.
            let stored = stored.filter(|stored| stored.document != me);
            work.asked.push(Asked { byte: first_byte(shingle.fingerprint), stored });
        }
        self.estimate(prepared, ages, work, report);
        if self.choice.evict == Eviction::Lucky {
            self.credit(selected, work);
        }
    }

    /// Starts fetching the bucket of a shingle that comes up soon; at the first, those of all before it.
    #[inline]
    fn fetch_ahead(&self, selected: &[Selected], at: usize) {
        let soon = if at == 0 { 0..AHEAD + 1 } else { at + AHEAD..at + AHEAD + 1 };
        soon.filter_map(|at| selected.get(at)).for_each(|shingle| self.table.fetch(shingle.fingerprint));
    }

    fn estimate(&self, prepared: &Prepared, ages: &Ages<'_>, work: &mut Workspace, report: &mut Report) {
        let selected = prepared.selected();
        let Workspace { asked, labels: out, bridges, runs, origins, ends, named } = work;
        label_all(asked, self.choice.estimate, self.choice.bridge, bridges, out);
        find_runs(out, runs);
        origins.clear();
        origins.resize(prepared.tokens().len(), NO_ORIGIN);
        for (shingle, label) in selected.iter().zip(out.iter()) {
            let Some(label) = label else { continue };
            let own = shingle.position as usize..shingle.end() as usize;
            for (origin, evidence) in origins[own.clone()].iter_mut().zip(&mut report.evidence[own]) {
                if *origin == label.origin {
                    *evidence = label.evidence.max(*evidence);
                } else if *origin == NO_ORIGIN || ages.order(label.origin) < ages.order(*origin) {
                    *origin = label.origin;
                    *evidence = label.evidence;
                }
            }
        }
        report.selected = selected.len();
        report.segment(origins, ends, |position| prepared.tokens().span(position));
        shares(out, ages, named, report);
        report.blocks.extend(runs.iter().map(|&(first, last)| {
            block(&selected[first as usize..=last as usize], &out[first as usize..=last as usize])
        }));
    }

    /// Rules (b), (c) and (d) of Lucky eviction; (a) and (e) are the table's.
    fn credit(&mut self, selected: &[Selected], work: &Workspace) {
        for &(first, last) in &work.runs {
            let credit = (last - first).saturating_sub(1).isqrt();
            if credit > 0 {
                self.table.credit(selected[first as usize].fingerprint, credit);
                self.table.credit(selected[last as usize].fingerprint, credit);
            }
        }
        if let [first, .., last] = selected {
            self.table.credit(first.fingerprint, 3);
            self.table.credit(last.fingerprint, 3);
        } else if let [only] = selected {
            self.table.credit(only.fingerprint, 3);
        }
        for shingle in selected.iter().skip(SPACING - 1).step_by(SPACING) {
            self.table.credit(shingle.fingerprint, 1);
        }
    }
}

/// The bytes that the paper counts for an entry: 6 of fingerprint, 8 of origin, and what its algorithms need.
fn entry_bytes(choice: &Choice) -> usize {
    let offset = matches!(choice.estimate, Estimation::Bridging | Estimation::BridgingWithExpansion);
    let neighbours = matches!(choice.estimate, Estimation::Expansion | Estimation::BridgingWithExpansion);
    let counter = matches!(choice.evict, Eviction::CopyCount | Eviction::Lucky);
    14 + usize::from(offset) + 2 * usize::from(neighbours) + usize::from(counter)
}

/// The origin of every selected shingle; none for those that are the document's own.
fn label_all(asked: &[Asked], estimate: Estimation, limit: u32, bridges: &mut Bridges, out: &mut Vec<Option<Label>>) {
    out.clear();
    let found = |stored: Stored| Label { origin: stored.document, evidence: Evidence::Found };
    out.extend(asked.iter().map(|one| one.stored.map(found)));
    if matches!(estimate, Estimation::Bridging | Estimation::BridgingWithExpansion) {
        bridges.bridge(asked, limit, estimate == Estimation::BridgingWithExpansion, out);
    }
    if matches!(estimate, Estimation::Expansion | Estimation::BridgingWithExpansion) {
        expansion::expand(asked, out);
    }
}

#[cfg(test)]
pub(super) fn labels(asked: &[Asked], estimate: Estimation, limit: u32, bridges: &mut Bridges) -> Vec<Option<Label>> {
    let mut out = Vec::new();
    label_all(asked, estimate, limit, bridges, &mut out);
    out
}

/// The copied blocks: maximal runs of selected shingles with one origin other than the document.
fn find_runs(labels: &[Option<Label>], out: &mut Vec<(u32, u32)>) {
    out.clear();
    let origin = |at: usize| labels[at].map(|label| label.origin);
    for at in 0..labels.len() {
        match out.last_mut() {
            _ if origin(at).is_none() => {}
            Some((_, last)) if *last as usize + 1 == at && origin(at - 1) == origin(at) => *last = at as u32,
            _ => out.push((at as u32, at as u32)),
        }
    }
}

fn block(selected: &[Selected], labels: &[Option<Label>]) -> Block {
    let start = selected.first().map_or(0, |shingle| shingle.position);
    let end = selected.last().map_or(start, |shingle| shingle.end());
    let is_found = |label: &&Option<Label>| label.is_some_and(|label| label.evidence == Evidence::Found);
    let origin = labels.iter().flatten().next().map_or(NO_ORIGIN, |label| label.origin);
    Block { tokens: start..end, origin, found: labels.iter().filter(is_found).count() as u32 }
}

/// Counts the selected shingles of each origin: the document's own first, then the others by age.
fn shares(labels: &[Option<Label>], ages: &Ages<'_>, named: &mut Vec<u32>, report: &mut Report) {
    named.clear();
    named.extend(labels.iter().flatten().map(|label| label.origin));
    named.sort_unstable();
    report.shares.push(Share { origin: report.document, shingles: (labels.len() - named.len()) as f64 });
    for &origin in named.iter() {
        match report.shares.last_mut() {
            Some(last) if last.origin == origin => last.shingles += 1.0,
            _ => report.shares.push(Share { origin, shingles: 1.0 }),
        }
    }
    if ages.are_disordered() {
        report.shares[1..].sort_by_key(|share| ages.order(share.origin));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_counted_as_in_the_paper() {
        let check = |evict: &str, estimate: &str, bytes| {
            let evict = evict.parse().expect("a name of the paper");
            let estimate = estimate.parse().expect("a name of the paper");
            let choice = Choice { evict, estimate, ..Choice::default() };
            assert_eq!(entry_bytes(&choice), bytes, "{evict}+{estimate}");
        };
        check("R", "NB", 14);
        check("LRU", "B", 15);
        check("LRU", "E", 16);
        check("CC", "NB", 15);
        check("LS", "NB", 15);
        check("LS", "BE", 18);
    }

    #[test]
    fn runs_are_maximal_and_of_one_origin() {
        let label = |origin: u32| (origin > 0).then_some(Label { origin, evidence: Evidence::Found });
        let check = |origins: &[u32], expected: &[(u32, u32)]| {
            let mut runs = Vec::new();
            find_runs(&origins.iter().map(|&origin| label(origin)).collect::<Vec<_>>(), &mut runs);
            assert_eq!(runs, expected, "{origins:?}");
        };
        check(&[], &[]);
        check(&[0, 0], &[]);
        check(&[1, 1, 2, 0, 2, 2, 2], &[(0, 1), (2, 2), (4, 6)]);
        check(&[0, 1, 0, 1], &[(1, 1), (3, 3)]);
    }
}

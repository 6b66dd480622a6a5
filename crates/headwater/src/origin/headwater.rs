//! Headwater's own algorithm: anchors with levels, skirts, passages on diagonals, open ends.

use super::anchor::Probe;
use super::chronicle::Ages;
use super::estimate::aligned::{self, Hit, Passage};
use super::estimate::learnt::Learnt;
use super::estimate::open_ends::Ground;
use super::explain::{Answer, Around, Question};
use super::prepare::Prepared;
use super::report::{Block, Evidence, Report, Share};
use super::settings::Settings;
use super::state::State;
use super::table::{AnchorTable, Lent, Look};

const NONE: u32 = u32::MAX;

/// The table and what was learnt from the stream.
#[derive(Debug)]
pub(super) struct Headwater {
    table: AnchorTable,
    learnt: Learnt,
    k: u32,
}

/// What is worked out about one document; kept from one document to the next for its memory only.
#[derive(Debug, Default)]
pub(super) struct Workspace {
    looks: Vec<Look>,
    hits: Vec<Hit>,
    passages: Vec<Passage>,
    /// Passages, those of the earliest origin first.
    by_age: Vec<u32>,
    /// Expected shingles of each origin, and of the document itself.
    counts: Vec<f64>,
    own: f64,
    /// For each shingle its origin as an index into `counts`.
    shingle_sources: Vec<u32>,
    /// For each shingle whether it is more likely than not part of an open end.
    believed: Vec<bool>,
    /// The probes that are worth storing.
    new: Vec<u32>,
    /// For each token whether it is sure to be old, its origin, and how likely it is to be part of an open end.
    sure: Vec<bool>,
    origins: Vec<u32>,
    likely: Vec<f32>,
}

impl Headwater {
    pub(super) fn new(bytes: usize, k: usize) -> Self {
        Headwater { table: AnchorTable::new(bytes), learnt: Learnt::new(), k: k as u32 }
    }

    /// What [`Headwater::new`] with these settings became, from the parts that were kept of it.
    pub(super) fn resume(settings: &Settings, state: &State, table: Box<dyn Lent>) -> Option<Self> {
        let table = AnchorTable::resume(settings.memory, table, state.forgotten)?;
        Some(Headwater { table, learnt: Learnt::from_values(&state.learnt)?, k: settings.k as u32 })
    }

    pub(super) fn table(&self) -> &AnchorTable {
        &self.table
    }

    pub(super) fn table_mut(&mut self) -> &mut AnchorTable {
        &mut self.table
    }

    /// Takes over what another has learnt from its stream, each as much as the other.
    pub(super) fn learn_from(&mut self, other: &Headwater) {
        self.learnt = self.learnt.mean(&other.learnt);
    }

    pub(super) fn learnt(&self) -> &Learnt {
        &self.learnt
    }

    /// Says where the text came from; changes nothing but `work` and `report`.
    pub(super) fn trace(&self, prepared: &Prepared, ages: &Ages<'_>, work: &mut Workspace, report: &mut Report) {
        let probes = prepared.probes();
        report.selected = probes.len();
        self.look_up(probes, ages, work);
        let tokens = prepared.tokens().len();
        aligned::hits(&self.table, probes, &work.looks, tokens as u32, self.k, &mut work.hits);
        aligned::passages(&work.hits, self.k, &mut work.passages);
        work.own = prepared.shingles() as f64;
        work.counts.clear();
        if !work.passages.is_empty() {
            self.paint(tokens, prepared.shingles(), ages, work, report);
            self.extend(probes, work, report);
            report.segment(&work.origins, |position| prepared.tokens().span(position));
        }
        report.shares.push(Share { origin: report.document, shingles: work.own });
        for &at in &work.by_age[..work.passages.len()] {
            let passage = &work.passages[at as usize];
            if report.shares.last().is_none_or(|last| last.origin != passage.document) {
                report.shares.push(Share { origin: passage.document, shingles: work.counts[passage.source as usize] });
            }
        }
        report.blocks.extend(work.passages.iter().map(|passage| Block {
            tokens: passage.start..passage.end,
            origin: passage.document,
            found: passage.last_hit - passage.first_hit + 1,
        }));
    }

    fn look_up(&self, probes: &[Probe], ages: &Ages<'_>, work: &mut Workspace) {
        self.table.look_up(probes, &mut work.looks);
        if ages.is_late() {
            for (probe, look) in probes.iter().zip(&mut work.looks) {
                if let Look::Found(slot) = *look
                    && ages.is_later(self.table.entry(probe, slot).document)
                {
                    *look = Look::Later;
                }
            }
        }
    }

    /// Gives every token and every shingle of the passages its origin, the earliest where there are several.
    fn paint(&self, tokens: usize, shingles: usize, ages: &Ages<'_>, work: &mut Workspace, report: &mut Report) {
        work.by_age.clear();
        work.by_age.extend(0..work.passages.len() as u32);
        if ages.are_disordered() {
            work.by_age.sort_by_key(|&at| ages.order(work.passages[at as usize].document));
        }
        work.counts.resize(work.passages.last().map_or(0, |passage| passage.source as usize + 1), 0.0);
        refill(&mut work.sure, tokens, false);
        refill(&mut work.origins, tokens, NONE);
        refill(&mut work.shingle_sources, shingles, NONE);
        for at in 0..work.by_age.len() {
            let passage = work.passages[work.by_age[at] as usize];
            self.paint_tokens(&passage, work, report);
            let sources = &mut work.shingle_sources[passage.sure_start as usize..=(passage.sure_end - self.k) as usize];
            let painted = if is_free(sources) {
                sources.fill(passage.source);
                sources.len()
            } else {
                let free = sources.iter_mut().filter(|source| **source == NONE);
                free.map(|source| *source = passage.source).count()
            };
            work.counts[passage.source as usize] += painted as f64;
            work.own -= painted as f64;
        }
    }

    fn paint_tokens(&self, passage: &Passage, work: &mut Workspace, report: &mut Report) {
        let Workspace { origins, sure, hits, .. } = work;
        let tokens = passage.start as usize..passage.end as usize;
        let hits = &hits[passage.first_hit as usize..=passage.last_hit as usize];
        if is_free(&origins[tokens.clone()]) {
            // Nearly always: whole runs are then written at once.
            origins[tokens.clone()].fill(passage.document);
            sure[tokens.clone()].fill(true);
            report.evidence[tokens].fill(Evidence::Aligned);
            let mut run = hits[0].position..hits[0].position + self.k;
            for hit in hits {
                if hit.position > run.end {
                    report.evidence[run.start as usize..run.end as usize].fill(Evidence::Found);
                    run.start = hit.position;
                }
                run.end = hit.position + self.k;
            }
            report.evidence[run.start as usize..run.end as usize].fill(Evidence::Found);
            return;
        }
        for token in tokens {
            if origins[token] == NONE {
                origins[token] = passage.document;
                sure[token] = true;
                report.evidence[token] = Evidence::Aligned;
            }
        }
        for hit in hits {
            let tokens = hit.position as usize..(hit.position + self.k) as usize;
            for (origin, evidence) in origins[tokens.clone()].iter().zip(&mut report.evidence[tokens]) {
                if *origin == passage.document {
                    *evidence = Evidence::Found;
                }
            }
        }
    }

    /// Follows the open ends of the passages into the text beyond them.
    fn extend(&self, probes: &[Probe], work: &mut Workspace, report: &mut Report) {
        let Workspace {
            looks,
            hits,
            passages,
            by_age,
            counts,
            own,
            shingle_sources,
            believed,
            sure,
            origins,
            likely,
            ..
        } = work;
        refill(likely, sure.len(), 0.0);
        refill(believed, shingle_sources.len(), false);
        let ground = Ground { k: self.k, probes, looks, sure, learnt: &self.learnt };
        for &at in by_age.iter() {
            let passage = &passages[at as usize];
            if !passage.left_open && !passage.right_open {
                continue;
            }
            let kept = ground.kept_of(hits[passage.first_hit as usize].probe, hits[passage.last_hit as usize].probe);
            let mut visit = |token: u32, shingle: Option<u32>, probability: f64| {
                let token = token as usize;
                if probability as f32 > likely[token] {
                    likely[token] = probability as f32;
                    if probability > 0.5 {
                        origins[token] = passage.document;
                        report.evidence[token] = Evidence::Expanded;
                    }
                }
                let shingle = shingle.map(|shingle| shingle as usize);
                if let Some(at) = shingle.filter(|&at| shingle_sources.get(at) == Some(&NONE)) {
                    counts[passage.source as usize] += probability;
                    *own -= probability;
                    believed[at] |= probability > 0.5;
                }
            };
            if passage.left_open {
                ground.walk_left(passage, kept, &mut visit);
            }
            if passage.right_open {
                ground.walk_right(passage, kept, &mut visit);
            }
        }
    }

    /// What the table was asked about the document that `work` is about, and what it said.
    pub(super) fn questions(&self, prepared: &Prepared, work: &Workspace) -> Vec<Question> {
        let mut around = vec![None; prepared.probes().len()];
        for hit in &work.hits {
            let Hit { left, right, left_open, right_open, .. } = *hit;
            around[hit.probe as usize] = Some((hit.document, Around { left, right, left_open, right_open }));
        }
        let questions = prepared.probes().iter().zip(&work.looks).zip(around).map(|((probe, look), around)| Question {
            tokens: probe.position..probe.position + self.k,
            answer: match (look, around) {
                (Look::Found(_), Some((origin, around))) => Answer::Found { origin, around: Some(around) },
                (Look::Later, _) => Answer::Later,
                (Look::Never, _) => Answer::Never,
                (Look::Forgotten | Look::Found(_), _) => Answer::Evicted,
            },
        });
        questions.collect()
    }

    /// Remembers the document that `work` is about: credits what was useful, stores what is new.
    pub(super) fn remember(&mut self, prepared: &Prepared, document: u32, work: &mut Workspace) {
        let probes = prepared.probes();
        self.learn(probes, work);
        let useful = work.passages.iter().flat_map(|passage| {
            let hits = &work.hits[passage.first_hit as usize..=passage.last_hit as usize];
            hits.iter().filter_map(|hit| match work.looks[hit.probe as usize] {
                Look::Found(slot) => Some((&probes[hit.probe as usize], slot)),
                _ => None,
            })
        });
        self.table.credit(useful, document);
        for (probe, look) in probes.iter().zip(&work.looks) {
            if *look == Look::Later {
                self.table.take_over(probe, document);
            }
        }
        let mut new = std::mem::take(&mut work.new);
        new.clear();
        new.extend((0..probes.len()).filter(|&at| is_new(&probes[at], work.looks[at], work)).map(|at| at as u32));
        self.table.insert(probes, &new, document);
        work.new = new;
    }

    fn learn(&mut self, probes: &[Probe], work: &Workspace) {
        let Workspace { looks, hits, passages, .. } = work;
        self.learnt.fade();
        hits.iter().for_each(|hit| self.learnt.learn_ends(hit));
        let before = self.learnt;
        let ground = Ground { k: self.k, probes, looks, sure: &[], learnt: &before };
        for passage in passages {
            let (first, last) = (hits[passage.first_hit as usize].probe, hits[passage.last_hit as usize].probe);
            ground.anchors_between(first, last, |level, found| self.learnt.learn_retention(level, found));
        }
    }
}

/// Whether a probe is worth storing as the document's own: an anchor that is not there and not copied.
///
/// Where the table has had to forget, text that is believed to be copied is not stored either: the copy would pass for the
/// origin from then on, for all who copy the same.
#[inline]
fn is_new(probe: &Probe, look: Look, work: &Workspace) -> bool {
    let shingle = probe.position as usize;
    let copied = |believed: bool| {
        !work.passages.is_empty() && (work.shingle_sources[shingle] != NONE || (believed && work.believed[shingle]))
    };
    probe.level.is_some()
        && match look {
            Look::Found(_) | Look::Later => false,
            Look::Never => !copied(false),
            Look::Forgotten => !copied(true),
        }
}

/// Whether nothing here has an origin yet. All are looked at, which is faster than stopping at the first that has.
fn is_free(origins: &[u32]) -> bool {
    origins.iter().fold(NONE, |all, &origin| all & origin) == NONE
}

fn refill<T: Copy>(values: &mut Vec<T>, length: usize, value: T) {
    values.clear();
    values.resize(length, value);
}

#[cfg(test)]
mod worked_example;

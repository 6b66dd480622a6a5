//! Headwater's own algorithm: anchors with levels, skirts, passages on diagonals, open ends.

use std::cell::Cell;
use std::ops::Range;

use super::anchor::Probe;
use super::chronicle::Ages;
use super::estimate::aligned::{self, Hit, Passage};
use super::estimate::learnt::Learnt;
use super::estimate::open_ends::{Ground, anchors_between};
use super::explain::{Answer, Around, Question};
use super::marks::Marks;
use super::prepare::Prepared;
use super::report::{Block, Evidence, NO_ORIGIN, Report, Share};
use super::settings::Settings;
use super::skirt::SKIRT;
use super::state::State;
use super::table::{AnchorTable, Decline, Lent, Look};

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
    ordering: aligned::Ordering,
    passages: Vec<Passage>,
    /// Passages, those of the earliest origin first.
    by_age: Vec<u32>,
    /// Expected shingles of each origin, and of the document itself.
    counts: Vec<f64>,
    own: f64,
    /// Shingles that lie in a passage, and those that are more likely than not part of an open end.
    copied: Marks,
    believed: Marks,
    /// The probes that were of use, and where in their buckets they were found.
    useful: Vec<(u32, u8)>,
    /// The probes that are worth storing.
    new: Vec<u32>,
    /// For each token its origin, and how likely it is to be part of an open end.
    origins: Vec<u32>,
    /// Where runs of tokens of one origin end.
    ends: Vec<u32>,
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
        let tokens = prepared.tokens().len();
        self.look_up(probes, tokens as u32, ages, work);
        aligned::order(&mut work.hits, &mut work.ordering);
        aligned::passages(&work.hits, self.k, &mut work.passages);
        work.own = prepared.shingles() as f64;
        work.counts.clear();
        work.copied.restart(prepared.shingles());
        work.believed.restart(prepared.shingles());
        if !work.passages.is_empty() {
            self.paint(tokens, ages, work, report);
            self.extend(probes, work, report);
            report.segment(&work.origins, &mut work.ends, |position| prepared.tokens().span(position));
        }
        // Where two open ends meet both count, so that more may be given away than there is.
        report.shares.push(Share { origin: report.document, shingles: work.own.max(0.0) });
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

    /// Asks the table about every probe.
    fn look_up(&self, probes: &[Probe], tokens: u32, ages: &Ages<'_>, work: &mut Workspace) {
        let Workspace { looks, hits, .. } = work;
        looks.clear();
        hits.clear();
        self.table.look_up(probes, |probe, found| {
            let look = match found {
                Ok(entry) if ages.is_later(entry.document) => Look::Later,
                Ok(entry) => {
                    hits.push(aligned::hit(looks.len() as u32, probe, &entry, tokens, self.k));
                    Look::Found
                }
                Err(look) => look,
            };
            looks.push(look);
        });
    }

    /// Gives every token and every shingle of the passages its origin, the earliest where there are several.
    fn paint(&self, tokens: usize, ages: &Ages<'_>, work: &mut Workspace, report: &mut Report) {
        work.by_age.clear();
        work.by_age.extend(0..work.passages.len() as u32);
        if ages.are_disordered() {
            work.by_age.sort_by_cached_key(|&at| ages.order(work.passages[at as usize].document));
        }
        work.counts.resize(work.passages.last().map_or(0, |passage| passage.source as usize + 1), 0.0);
        self.paint_shingles(work);
        self.paint_tokens(tokens, work, report);
    }

    /// The earliest passage that has a shingle counts it.
    fn paint_shingles(&self, work: &mut Workspace) {
        let Workspace { passages, by_age, counts, own, copied, .. } = work;
        for &at in by_age.iter() {
            let passage = &passages[at as usize];
            let painted = copied.mark_all(places(passage.sure_start..passage.sure_end - self.k + 1)) as f64;
            counts[passage.source as usize] += painted;
            *own -= painted;
        }
    }

    /// The earliest passage that has a token is painted last, over the others: half of them overlap, and asking each token whether
    /// it is taken already would be dear. Passages of one origin are painted together: a token rests on the best that they have for it.
    fn paint_tokens(&self, tokens: usize, work: &mut Workspace, report: &mut Report) {
        let Workspace { passages, by_age, origins, hits, .. } = work;
        let evidence = &mut report.evidence[..];
        refill(origins, tokens, NO_ORIGIN);
        let passage = |&at: &u32| &passages[at as usize];
        for of_one_origin in by_age.chunk_by(|a, b| passage(a).source == passage(b).source).rev() {
            let passages = || of_one_origin.iter().map(passage);
            for passage in passages() {
                let tokens = places(passage.start..passage.end);
                origins[tokens.clone()].fill(passage.document);
                // Where no skirt reaches no bit is compared: that rests on the hits on its two sides alone.
                evidence[tokens].fill(Evidence::Bridged);
            }
            for passage in passages() {
                for reached in aligned::stretches(passage.hits(hits), self.k, 2 * SKIRT) {
                    let start = reached.start.saturating_sub(SKIRT).max(passage.start);
                    let end = (reached.end + SKIRT).min(passage.end);
                    evidence[places(start..end)].fill(Evidence::Aligned);
                }
            }
            for passage in passages() {
                for found in aligned::stretches(passage.hits(hits), self.k, 0) {
                    evidence[places(found)].fill(Evidence::Found);
                }
            }
        }
    }

    /// Follows the open ends of the passages into the text beyond them.
    fn extend(&self, probes: &[Probe], work: &mut Workspace, report: &mut Report) {
        let Workspace { looks, hits, passages, by_age, counts, own, copied, believed, origins, likely, .. } = work;
        let tokens = origins.len() as u32;
        if !passages.iter().any(|passage| passage.is_left_open() || passage.is_right_open(tokens)) {
            return;
        }
        refill(likely, origins.len(), 0.0);
        let evidence = Cell::from_mut(&mut report.evidence[..]).as_slice_of_cells();
        let ground = Ground { k: self.k, probes, looks, evidence, learnt: &self.learnt };
        for &at in by_age.iter() {
            let passage = &passages[at as usize];
            let (left, right) = (passage.is_left_open(), passage.is_right_open(tokens));
            if !left && !right {
                continue;
            }
            let kept = ground.kept_of(hits[passage.first_hit as usize].probe, hits[passage.last_hit as usize].probe);
            let mut visit = |token: u32, shingle: Option<u32>, probability: f64| {
                let token = token as usize;
                if probability as f32 > likely[token] {
                    likely[token] = probability as f32;
                    if probability > 0.5 {
                        origins[token] = passage.document;
                        evidence[token].set(Evidence::Expanded);
                    }
                }
                let shingle = shingle.map(|shingle| shingle as usize);
                if let Some(at) = shingle.filter(|&at| at < copied.len() && !copied.has(at)) {
                    counts[passage.source as usize] += probability;
                    *own -= probability;
                    if probability > 0.5 {
                        believed.mark(at);
                    }
                }
            };
            if left {
                ground.walk_left(passage, kept, &mut visit);
            }
            if right {
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
                (Look::Found, Some((origin, around))) => Answer::Found { origin, around: Some(around) },
                (Look::Later, _) => Answer::Later,
                (Look::Never, _) => Answer::Never,
                (Look::Forgotten | Look::Found, _) => Answer::Evicted,
            },
        });
        questions.collect()
    }

    /// Remembers the document that `work` is about: credits what was useful, stores what is new.
    pub(super) fn remember(&mut self, prepared: &Prepared, document: u32, work: &mut Workspace) {
        let probes = prepared.probes();
        self.learn(probes, document, work);
        let decline = Decline::new(self.learnt.decline());
        work.useful.clear();
        for passage in &work.passages {
            work.useful.extend(aligned::needed(passage.hits(&work.hits)).map(|hit| (hit.probe, hit.slot)));
        }
        self.table.credit(probes, &work.useful, document);
        for (probe, look) in probes.iter().zip(&work.looks) {
            if *look == Look::Later {
                self.table.take_over(probe, document, decline);
            }
        }
        let mut new = std::mem::take(&mut work.new);
        new.resize(probes.len(), 0);
        // Which anchors are new is hard to foretell: all are noted, and the next one over those that are not.
        let mut count = 0;
        for (at, (probe, &look)) in probes.iter().zip(&work.looks).enumerate() {
            new[count] = at as u32;
            count += usize::from(is_own(probe, look, work));
        }
        let (table, learnt) = (&mut self.table, &mut self.learnt);
        table.ages(probes, &new[..count], document, |age| learnt.learn_present(age));
        table.insert(probes, &new[..count], document, decline);
        work.new = new;
    }

    fn learn(&mut self, probes: &[Probe], document: u32, work: &Workspace) {
        let Workspace { looks, hits, passages, .. } = work;
        self.learnt.fade();
        self.learnt.learn_ends(hits);
        for passage in passages {
            self.learnt.learn_copied(document.saturating_sub(passage.document), passage.hits(hits).len());
            let (first, last) = (hits[passage.first_hit as usize].probe, hits[passage.last_hit as usize].probe);
            anchors_between(probes, looks, first, last, |level, found| self.learnt.learn_retention(level, found));
        }
    }
}

/// Whether an anchor is worth storing as the document's own: it is not there and not copied.
///
/// Where the table has had to forget, text that is believed to be copied is not stored either: the copy would pass for the
/// origin from then on, for all who copy the same.
#[inline]
fn is_own(probe: &Probe, look: Look, work: &Workspace) -> bool {
    let shingle = probe.position as usize;
    let was_forgotten = look == Look::Forgotten;
    let is_absent = was_forgotten | (look == Look::Never);
    is_absent & !work.copied.has(shingle) & !(was_forgotten & work.believed.has(shingle))
}

fn places(tokens: Range<u32>) -> Range<usize> {
    tokens.start as usize..tokens.end as usize
}

fn refill<T: Copy>(values: &mut Vec<T>, length: usize, value: T) {
    values.clear();
    values.resize(length, value);
}

#[cfg(test)]
mod evidence;
#[cfg(test)]
mod storing;
#[cfg(test)]
mod worked_example;

//! The paper's algorithms put together: selected shingles are hashed one by one, estimation labels them, and with Lucky
//! eviction the copied blocks go back to the table as credit (sections 2.2 and 2.3).

use super::chronicle::Ages;
use super::estimate::bridging::Bridges;
use super::estimate::{Asked, Label, expansion, neighbour_byte};
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
            Asked { byte: neighbour_byte(shingle.fingerprint), stored }
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
                None if self.table.may_have_forgotten(shingle.fingerprint) => Answer::Evicted,
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
            // Where there is no neighbour the byte is 0, which that of a shingle can be too, once in 256.
            let byte_at =
                |at: Option<usize>| at.and_then(|at| selected.get(at)).map_or(0, |s| neighbour_byte(s.fingerprint));
            let new = Stored {
                document: me,
                offset: at as u8,
                before: byte_at(at.checked_sub(1)),
                after: byte_at(at.checked_add(1)),
            };
            let mut stored = self.table.find_or_insert(shingle.fingerprint, new);
            // The document at hand has no number that anybody knows the time of yet.
            if stored.is_some_and(|stored| stored.document != me && ages.is_later(stored.document)) {
                self.table.replace(shingle.fingerprint, new);
                stored = None;
            }
            // A shingle repeated inside the document that has it first is new each time.
            let stored = stored.filter(|stored| stored.document != me);
            work.asked.push(Asked { byte: neighbour_byte(shingle.fingerprint), stored });
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
    ///
    /// Where the paper leaves it open: they are given when the whole document has been hashed, and only to what is still in the
    /// table. The blocks of (b) are runs of selected shingles with one estimated origin other than the document, under the estimation
    /// at work. In (c) the first and the last are those of the selected shingles of the document at hand, and in (d) every seventh is
    /// the seventh, the fourteenth and so on of them.
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
    use super::super::prepare::Preparer;
    use super::super::settings::Algorithm;
    use super::*;
    use crate::select::Selection;
    use crate::text::{fingerprints, mix};

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
    /// A table of one bucket, so that few scores are to be reckoned with and what it has forgotten is known. Documents are lists
    /// of numbers, each of which is a shingle.
    struct Lucky {
        paper: Paper,
        work: Workspace,
        documents: u32,
    }

    impl Lucky {
        fn new(bucket: usize, estimate: Estimation) -> Self {
            let choice =
                Choice { select: Selection::All, evict: Eviction::Lucky, estimate, bucket, ..Choice::default() };
            let paper = Paper::new(&settings(choice), choice);
            assert_eq!(paper.table.capacity(), bucket);
            Lucky { paper, work: Workspace::default(), documents: 0 }
        }

        /// Observes a document as the tracer would.
        fn observe(&mut self, document: &[u64]) {
            self.observe_at(document, 0, &vec![0; self.documents as usize]);
        }

        /// Observes a document that was written at `time`, after others that were written at `times`.
        fn observe_at(&mut self, document: &[u64], time: i64, times: &[i64]) {
            let mut prepared = Prepared::default();
            let hashes: Vec<u64> = document.iter().map(|&number| mix(number)).collect();
            Preparer::new(&settings(self.paper.choice)).prepare_hashes(&hashes, &mut prepared);
            assert_eq!(prepared.selected().len(), document.len());
            let mut report = Report::default();
            report.restart(self.documents, document.len());
            let latest = times.iter().copied().max().unwrap_or(i64::MIN);
            self.paper.observe(
                &prepared,
                &Ages::new(&times.to_vec(), time, latest, false),
                &mut self.work,
                &mut report,
            );
            self.documents += 1;
        }

        /// The lucky score of each shingle; 0 where the table does not have it. As long as none are halved, no other is as low.
        fn scores(&self, shingles: &[u64]) -> Vec<u8> {
            shingles.iter().map(|&number| self.paper.table.counter_of(fingerprint(number)).unwrap_or(0)).collect()
        }
    }

    fn fingerprint(number: u64) -> u64 {
        let mut fingerprint = Vec::new();
        fingerprints(&[mix(number)], 1, &mut fingerprint);
        fingerprint[0]
    }

    fn settings(choice: Choice) -> Settings {
        Settings { k: 1, memory: 18 * choice.bucket, algorithm: Algorithm::Paper(choice), ..Settings::default() }
    }

    #[test]
    fn the_first_the_last_and_every_seventh_shingle_get_credit() {
        let check = |length: u64, expected: &[u8]| {
            let mut lucky = Lucky::new(256, Estimation::NoBridging);
            let document: Vec<u64> = (0..length).collect();
            lucky.observe(&document);
            assert_eq!(lucky.scores(&document), expected);
        };
        check(0, &[]);
        check(1, &[4]);
        check(2, &[4, 4]);
        check(3, &[4, 1, 4]);
        check(6, &[4, 1, 1, 1, 1, 4]);
        check(7, &[4, 1, 1, 1, 1, 1, 5]);
        check(14, &[4, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 5]);
        check(16, &[4, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 2, 1, 4]);
    }

    #[test]
    fn a_document_of_one_shingle_is_its_first_and_last_and_counts_once() {
        let mut lucky = Lucky::new(256, Estimation::BridgingWithExpansion);
        lucky.observe(&[900, 901, 902]);
        lucky.observe(&[901]);
        assert_eq!(lucky.scores(&[900, 901, 902]), [4, 1 + 1 + 3, 4]);
    }

    /// The source is shingles 0 to 39, of which those at 6, 13, 20, 27 and 34 have 2 points and the ends 4. Its shingles from 21
    /// on are copied as the fourth shingle and those after it.
    #[test]
    fn the_ends_of_a_copied_block_get_the_root_of_its_size() {
        let check = |size: u64, expected: &[u8]| {
            for estimation in [Estimation::NoBridging, Estimation::BridgingWithExpansion] {
                let mut lucky = Lucky::new(256, estimation);
                lucky.observe(&Vec::from_iter(0..40));
                let copy: Vec<u64> = [900, 901, 902].into_iter().chain(21..21 + size).chain([903, 904, 905]).collect();
                lucky.observe(&copy);
                assert_eq!(lucky.scores(&copy), expected, "{size} with {estimation}");
                assert_eq!(lucky.scores(&[0, 1, 6, 20, 39]), [4, 1, 2, 2, 4], "what is not copied stays as it was");
            }
        };
        check(1, &[4, 1, 1, 2, 1, 1, 1 + 3 + 1]);
        check(2, &[4, 1, 1, 2, 2, 1, 2, 4]);
        check(3, &[4, 1, 1, 2 + 1, 2, 2 + 1, 2, 1, 4]);
        check(5, &[4, 1, 1, 2 + 1, 2, 2, 3, 2 + 1, 1, 1, 4]);
        check(6, &[4, 1, 1, 2 + 2, 2, 2, 3, 2, 2 + 2, 1, 1, 4]);
        check(10, &[4, 1, 1, 2 + 2, 2, 2, 3, 2, 2, 3, 2, 2, 2 + 2, 2, 1, 4]);
        check(11, &[4, 1, 1, 2 + 3, 2, 2, 3, 2, 2, 3, 2, 2, 2, 2 + 1 + 3, 1, 1, 4]);
    }

    #[test]
    fn blocks_of_different_origins_are_credited_each_for_itself() {
        let mut lucky = Lucky::new(256, Estimation::NoBridging);
        lucky.observe(&Vec::from_iter(0..10));
        lucky.observe(&Vec::from_iter(100..110));
        lucky.observe(&[900, 1, 2, 3, 101, 102, 103, 104, 105, 901]);
        let expected = [4, 3, 2, 3, 3, 2, 3, 2, 3, 4];
        assert_eq!(lucky.scores(&[900, 1, 2, 3, 101, 102, 103, 104, 105, 901]), expected);
    }

    /// A copy with one shingle replaced in the middle: two blocks of three and four, or with bridging one of eight.
    #[test]
    fn blocks_are_those_of_the_estimation() {
        let check = |estimation, expected: [u8; 10]| {
            let mut lucky = Lucky::new(256, estimation);
            lucky.observe(&Vec::from_iter(0..20));
            lucky.observe(&[900, 2, 3, 4, 901, 6, 7, 8, 9, 902]);
            assert_eq!(lucky.scores(&[900, 2, 3, 4, 901, 6, 7, 8, 9, 902]), expected, "{estimation}");
        };
        check(Estimation::NoBridging, [4, 3, 2, 3, 1, 4, 3, 2, 3, 4]);
        check(Estimation::Bridging, [4, 4, 2, 2, 1, 3, 3, 2, 4, 4]);
    }

    #[test]
    fn what_a_long_document_has_pushed_out_itself_gets_no_credit() {
        let mut lucky = Lucky::new(4, Estimation::NoBridging);
        lucky.observe(&Vec::from_iter(0..8));
        assert_eq!(lucky.scores(&Vec::from_iter(0..8)), [0, 0, 0, 0, 1, 1, 2, 4]);
        let mut lucky = Lucky::new(4, Estimation::NoBridging);
        lucky.observe(&Vec::from_iter(0..11));
        assert_eq!(lucky.scores(&Vec::from_iter(0..11)), [0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 4], "nor does the seventh");
    }

    /// A copied block of four, whose first shingle is also the document's, is found and then pushed out by what follows it.
    #[test]
    fn an_evicted_end_of_a_block_gets_no_credit() {
        let mut lucky = Lucky::new(8, Estimation::NoBridging);
        lucky.observe(&Vec::from_iter(0..8));
        assert_eq!(lucky.scores(&Vec::from_iter(0..8)), [4, 1, 1, 1, 1, 1, 2, 4]);
        // 900 takes the place of 5, which has the fewest points, and its repetition gives it a second point. So 901 takes the
        // place of 1, the oldest of those with two.
        lucky.observe(&[1, 2, 3, 4, 900, 900, 901]);
        assert_eq!(lucky.scores(&Vec::from_iter(0..8)), [4, 0, 2, 2, 2 + 1, 0, 2, 4]);
        assert_eq!(lucky.scores(&[900, 901]), [2, 1 + 3 + 1]);
    }

    /// The first shingle stands in the later document, too, and twice in the late one: its first place there is kept.
    #[test]
    fn a_late_document_keeps_the_first_place_of_what_it_repeats() {
        let mut lucky = Lucky::new(8, Estimation::Bridging);
        lucky.observe_at(&[5], 10, &[]);
        lucky.observe_at(&[5, 6, 7, 5], 3, &[10]);
        let stored = lucky.paper.table.find(fingerprint(5)).expect("it is there");
        assert_eq!((stored.document, stored.offset), (1, 0));
    }
}

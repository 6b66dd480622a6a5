//! Which combinations are examined.

use headwater::origin::{Algorithm, Estimation, Eviction, Paper};
use headwater::select::Selection;

use crate::args::{Amount, EvalOriginArgs, SHARES, table_3};

/// Bytes of an entry, by which the paper turns memory into shingles (Table 2).
const ENTRY: f64 = 14.0;

/// One algorithm with one amount of memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Combination {
    pub(super) k: usize,
    pub(super) algorithm: Algorithm,
    amount: Amount,
}

/// All of them, each once, in the order in which rows are to come.
pub(super) struct Grid {
    all: Vec<Combination>,
}

/// Selections, each with every way of eviction and estimation.
type Wanted = (Vec<Selection>, Vec<(Eviction, Estimation)>);

impl Grid {
    pub(super) fn new(args: &EvalOriginArgs) -> Result<Self, String> {
        let (algorithms, amounts) = match args.tables() {
            Some(numbers) => (None, numbers),
            None => (Some(args.algorithms()?), &[][..]),
        };
        let mut grid = Grid { all: Vec::new() };
        for k in args.shingles()? {
            match &algorithms {
                Some(algorithms) => {
                    for &algorithm in algorithms {
                        check(&algorithm)?;
                        args.amounts().into_iter().for_each(|amount| grid.add(Combination { k, algorithm, amount }));
                    }
                }
                None => grid.add_tables(k, amounts),
            }
        }
        Ok(grid)
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// The combinations of each length of shingles.
    pub(super) fn by_shingle(&self) -> Vec<(usize, Vec<Combination>)> {
        let groups = self.all.chunk_by(|one, next| one.k == next.k);
        groups.map(|group| (group[0].k, group.to_vec())).collect()
    }

    fn add(&mut self, combination: Combination) {
        if !self.all.contains(&combination) {
            self.all.push(combination);
        }
    }

    /// What the paper's tables need (3.3): the first letter of each version is its eviction, the rest its estimation.
    fn add_tables(&mut self, k: usize, numbers: &[usize]) {
        use Estimation::{Bridging, BridgingWithExpansion, Expansion, NoBridging};
        use Eviction::{CopyCount, Lru, Lucky, Random};
        let nhs = Selection::NHS;
        let best: Vec<Selection> =
            super::paper::BEST.iter().map(|name| name.parse().expect("these are names of the paper")).collect();
        let (a, b) = ((Random, NoBridging), (Lucky, BridgingWithExpansion));
        let estimations = [NoBridging, Expansion, Bridging, BridgingWithExpansion];
        for &number in numbers {
            let wanted: Vec<Wanted> = match number {
                4 => vec![(best.clone(), vec![a])],
                5 => vec![(best.clone(), vec![b])],
                6 => vec![(best.clone(), vec![a, b])],
                7 => vec![(best.clone(), vec![a, b]), (table_3(), vec![a, b])],
                8 => vec![(vec![Selection::All, nhs], [Random, Lru, CopyCount, Lucky].map(|e| (e, NoBridging)).into())],
                9 | 10 => {
                    let select = if number == 9 { nhs } else { Selection::All };
                    let versions = [CopyCount, Lucky].iter().flat_map(|&e| estimations.map(|estimate| (e, estimate)));
                    vec![(vec![select], versions.collect())]
                }
                11 | 12 => vec![(vec![nhs], vec![b])],
                _ => Vec::new(),
            };
            for (selections, versions) in wanted {
                for select in selections {
                    for &(evict, estimate) in &versions {
                        let algorithm = Algorithm::Paper(Paper { select, evict, estimate, ..Paper::default() });
                        SHARES.iter().for_each(|&share| self.add_share(k, algorithm, share));
                    }
                }
            }
            // How many shingles a selection sends does not depend on memory: the smallest table will do.
            if number == 3 {
                for select in table_3() {
                    let paper = Paper { select, evict: a.0, estimate: a.1, ..Paper::default() };
                    self.add_share(k, Algorithm::Paper(paper), SHARES[SHARES.len() - 1]);
                }
            }
        }
        if numbers.iter().any(|number| *number > 3) || self.all.is_empty() {
            SHARES.iter().for_each(|&share| self.add_share(k, Algorithm::Headwater, share));
        }
    }

    fn add_share(&mut self, k: usize, algorithm: Algorithm, share: f64) {
        self.add(Combination { k, algorithm, amount: Amount::Share(share) });
    }
}

impl Combination {
    /// What documents are prepared for; none is our own selection.
    pub(super) fn selection(&self) -> Option<Selection> {
        match self.algorithm {
            Algorithm::Headwater => None,
            Algorithm::Paper(paper) => Some(paper.select),
        }
    }

    /// Its memory as a percentage of so many distinct shingles, and in bytes.
    pub(super) fn memory(&self, distinct: u64) -> (f64, usize) {
        let all = distinct as f64 * ENTRY;
        match self.amount {
            Amount::Share(share) => (share, (share / 100.0 * all).round() as usize),
            Amount::Bytes(bytes) => ((bytes as f64 / all * 1e6).round() / 1e4, bytes),
        }
    }
}

/// The smallest table that an algorithm can have: a bucket of the paper's largest entries.
pub(super) fn least_memory(algorithm: &Algorithm) -> usize {
    match algorithm {
        Algorithm::Headwater => 1024,
        Algorithm::Paper(paper) => 1024.max(18 * paper.bucket),
    }
}

/// What does not depend on memory must be right before anything is read.
fn check(algorithm: &Algorithm) -> Result<(), String> {
    let settings = headwater::origin::Settings { algorithm: *algorithm, ..headwater::origin::Settings::default() };
    settings.check().map_err(|error| error.to_string())
}

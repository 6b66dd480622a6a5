//! A truth file: which documents belong together. Two ids a line, parted by a tab, and perhaps a kind; or a group and an id.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::Read;
use std::path::Path;

use headwater::graph::DisjointSets;
use headwater_io::Compression;

use crate::failure::Failure;

/// The lines of a truth file: its columns.
pub(super) struct Relations {
    lines: Vec<Vec<String>>,
}

/// Pairs of documents that belong together, and pairs of which nothing is said.
pub(super) struct Truth {
    pub(super) right: BTreeSet<(u32, u32)>,
    pub(super) ignored: BTreeSet<(u32, u32)>,
}

impl Relations {
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let explain = |error: &dyn std::fmt::Display| {
            Failure::run(format_args!("cannot read the truth {}: {error}", path.display()))
        };
        let mut text = String::new();
        Compression::open(path).and_then(|mut file| file.read_to_string(&mut text)).map_err(|error| explain(&error))?;
        let mut lines = Vec::new();
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.is_empty()) {
            let columns: Vec<String> = line.split('\t').map(str::to_owned).collect();
            if columns.len() < 2 {
                return Err(explain(&format_args!(
                    "line {} has no tab: two ids, or a group and an id, are wanted",
                    at + 1
                )));
            }
            lines.push(columns);
        }
        Ok(Relations { lines })
    }

    /// What is known of the documents with these names and numbers; with kinds, only relations of these are right, and pairs
    /// of other kinds are ignored.
    pub(super) fn between(&self, numbers: &HashMap<String, u32>, kinds: &[String]) -> Result<Truth, Failure> {
        let mut truth = Truth { right: BTreeSet::new(), ignored: BTreeSet::new() };
        let mut groups: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
        for columns in &self.lines {
            let kind_counts = kinds.is_empty() || columns.get(2).is_some_and(|kind| kinds.contains(kind));
            match (numbers.get(&columns[0]), numbers.get(&columns[1])) {
                (Some(&one), Some(&other)) if one != other => {
                    let pairs = if kind_counts { &mut truth.right } else { &mut truth.ignored };
                    pairs.insert((one.min(other), one.max(other)));
                }
                (None, Some(&member)) => groups.entry(&columns[0]).or_default().push(member),
                _ => {}
            }
        }
        for members in groups.values() {
            for (at, &one) in members.iter().enumerate() {
                let others = members[at + 1..].iter().filter(|&&other| other != one);
                truth.right.extend(others.map(|&other| (one.min(other), one.max(other))));
            }
        }
        if truth.right.is_empty() {
            return Err(Failure::run(
                "the truth names no two of the documents that were read; do its ids match theirs?",
            ));
        }
        truth.ignored.retain(|pair| !truth.right.contains(pair));
        Ok(truth)
    }

    /// A label for each of so many documents: the group that the truth puts it into, by most of its lines, then its first, where
    /// several documents have its number; or all that pairs connect. Whoever the truth does not name has a label of his own.
    pub(super) fn labels(
        &self,
        numbers: &HashMap<String, u32>,
        documents: u32,
        kinds: &[String],
    ) -> Result<Vec<u32>, Failure> {
        // How often each group, and its first line.
        let mut votes: BTreeMap<u32, BTreeMap<&str, (u32, Reverse<usize>)>> = BTreeMap::new();
        let mut sets = DisjointSets::new(documents);
        let mut is_known = false;
        for (line, columns) in self.lines.iter().enumerate() {
            let kind_counts = kinds.is_empty() || columns.get(2).is_some_and(|kind| kinds.contains(kind));
            match (numbers.get(&columns[0]), numbers.get(&columns[1])) {
                (Some(&one), Some(&other)) if kind_counts => {
                    is_known |= sets.join(one, other);
                }
                (None, Some(&member)) => {
                    is_known = true;
                    votes.entry(member).or_default().entry(&columns[0]).or_insert((0, Reverse(line))).0 += 1;
                }
                _ => {}
            }
        }
        if !is_known {
            return Err(Failure::run("the truth names none of the documents that were read; do its ids match theirs?"));
        }
        let mut groups: BTreeMap<&str, u32> = BTreeMap::new();
        for (&member, votes) in &votes {
            let Some((&group, _)) = votes.iter().max_by_key(|(_, votes)| **votes) else { continue };
            let first = *groups.entry(group).or_insert(member);
            sets.join(first, member);
        }
        Ok((0..documents).map(|document| sets.first(document)).collect())
    }

    /// The names that stand first in a line of one of these kinds.
    pub(super) fn of_kinds(&self, kinds: &[String]) -> BTreeSet<&str> {
        let lines = self.lines.iter().filter(|columns| columns.get(2).is_some_and(|kind| kinds.contains(kind)));
        lines.map(|columns| columns[0].as_str()).collect()
    }

    /// The documents that stand second in a line.
    pub(super) fn originals(&self, numbers: &HashMap<String, u32>) -> BTreeSet<u32> {
        self.lines.iter().filter_map(|columns| numbers.get(&columns[1]).copied()).collect()
    }
}

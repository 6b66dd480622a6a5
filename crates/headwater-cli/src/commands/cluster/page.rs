//! `--format html`: one self-contained page with the clusters by size and their members side by side.

use std::collections::HashMap;

use headwater::Document;
use headwater_io::write::Output;
use headwater_io::{Event, read};
use headwater_report::clusters::{ClustersPage, Member};

use super::super::neardup::Gathered;
use crate::args::ClusterArgs;
use crate::failure::Failure;
use crate::interrupt;

/// What a browser still lists and searches without a pause.
const MOST_MEMBERS: usize = 100_000;

/// Bytes of texts: a page that is larger takes long to open and cannot be sent to anybody.
const MOST_TEXT: usize = 12 << 20;

/// Bytes of one text: enough to judge it.
const LONGEST: usize = 20_000;

/// The texts of so many members of a cluster are in the page.
const MOST_OF_ONE: usize = 20;

pub(super) fn write(
    args: &ClusterArgs,
    gathered: &Gathered,
    mut clusters: Vec<(Vec<u32>, Option<u32>)>,
) -> Result<(), Failure> {
    let all = clusters.len();
    clusters.sort_by_key(|(members, _)| std::cmp::Reverse(members.len()));
    let mut room = MOST_MEMBERS;
    clusters.retain(|(members, _)| {
        let fits = members.len() <= room;
        room = if fits { room - members.len() } else { 0 };
        fits
    });
    let wanted = clusters.iter().flat_map(|(members, _)| members.iter().take(MOST_OF_ONE).copied());
    let mut texts = texts(gathered, wanted)?;
    let mut texts_left_out = 0;
    let shown = clusters.iter().map(|(members, representative)| {
        let member = |&number: &u32| {
            let known = &gathered.documents[number as usize];
            let text = texts.remove(&number);
            texts_left_out += usize::from(text.is_none());
            Member { id: known.id.clone(), tokens: known.tokens, text, represents: *representative == Some(number) }
        };
        members.iter().map(member).collect::<Vec<_>>()
    });
    let shown: Vec<Vec<Member>> = shown.collect();
    let page = ClustersPage {
        method: gathered.settings.method.to_string(),
        threshold: gathered.settings.threshold,
        documents: gathered.documents.len() as u32,
        clusters_left_out: all - shown.len(),
        texts_left_out,
        clusters: shown,
    };
    let mut out = Output::create(args.output.target())?;
    page.write(&mut out)?;
    Ok(out.finish()?)
}

/// Reads the documents again and keeps the beginnings of the wanted ones: of the largest clusters, as long as there is room.
fn texts(gathered: &Gathered, wanted: impl Iterator<Item = u32>) -> Result<HashMap<u32, String>, Failure> {
    let ranks: HashMap<u32, usize> = wanted.zip(0..).collect();
    let mut kept: Vec<(usize, u32, String)> = Vec::new();
    let (mut number, mut used) = (0, 0);
    let cut = |mut document: Document| {
        if document.text.len() > LONGEST {
            let end = document.text.floor_char_boundary(LONGEST);
            document.text.truncate(end);
            document.text.push_str(" …");
        }
        document.text
    };
    read(&gathered.inputs, &gathered.options, cut, |event| {
        if let Event::Document(text) = event {
            interrupt::check()?;
            if let Some(&rank) = ranks.get(&number) {
                used += text.len();
                kept.push((rank, number, text));
                // Twice what there is room for, and the last half goes.
                if used > 2 * MOST_TEXT {
                    used = fit(&mut kept);
                }
            }
            number += 1;
        }
        Ok::<(), Failure>(())
    })?;
    fit(&mut kept);
    Ok(kept.into_iter().map(|(_, number, text)| (number, text)).collect())
}

/// Keeps those of the lowest rank that there is room for; gives back their bytes.
fn fit(kept: &mut Vec<(usize, u32, String)>) -> usize {
    kept.sort_unstable_by_key(|(rank, _, _)| *rank);
    let mut used = 0;
    kept.retain(|(_, _, text)| {
        let fits = used + text.len() <= MOST_TEXT;
        used += if fits { text.len() } else { 0 };
        fits
    });
    used
}

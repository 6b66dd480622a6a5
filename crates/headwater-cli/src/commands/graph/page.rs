//! `--format html`: one self-contained page with the graph drawn and the shared passages behind its edges.

use std::collections::HashMap;

use headwater::coderivative::Relation;
use headwater::graph::Cluster;
use headwater_io::write::Output;
use headwater_report::graph::{Edge, GraphPage, Node};

use super::Plan;
use super::gather::Documents;
use super::rows::rounded;
use super::side_by_side::{Passage, compare};
use crate::args::GraphArgs;
use crate::failure::Failure;
use crate::interrupt;

/// What a browser still draws and searches without a pause.
const MOST_EDGES: usize = 100_000;

/// Bytes of passages: a page that is larger takes long to open and cannot be sent to anybody.
const MOST_TEXT: usize = 12 << 20;

/// Bytes of one passage on either side: enough to judge it.
const LONGEST: usize = 4000;

pub(super) fn write(
    args: &GraphArgs,
    plan: &Plan,
    relations: &[Relation],
    clusters: &[Cluster],
    documents: &mut Documents,
) -> Result<(), Failure> {
    let mut strongest: Vec<&Relation> = relations.iter().collect();
    strongest.sort_by(|one, other| other.edge.score.total_cmp(&one.edge.score));
    strongest.truncate(MOST_EDGES);
    let mut page = GraphPage {
        score: plan.relate.score.name(),
        threshold: plan.relate.threshold,
        documents: documents.len(),
        edges_left_out: relations.len() - strongest.len(),
        passages_left_out: 0,
        nodes: Vec::new(),
        edges: Vec::new(),
        passages: Vec::new(),
    };
    let mut node_of = HashMap::new();
    for (cluster, members) in clusters.iter().enumerate() {
        for &member in &members.members {
            let entry = documents.entry(member)?;
            node_of.insert(member, page.nodes.len());
            page.nodes.push(Node {
                id: entry.id.clone(),
                time: entry.time.as_ref().map(ToString::to_string),
                url: entry.url.clone(),
                cluster,
            });
        }
    }
    // Copies share their passages.
    let mut known: HashMap<(u32, u32), i64> = HashMap::new();
    let mut room = MOST_TEXT;
    for relation in strongest {
        interrupt::check()?;
        let (a, b) = (relation.edge.a, relation.edge.b);
        let pair = (documents.representative_at(a), documents.representative_at(b));
        let place = match known.get(&pair) {
            Some(&place) => place,
            None if room == 0 => -1,
            None => {
                let passages = passages(pair, args, plan, documents)?;
                room = room.saturating_sub(passages.iter().flatten().map(String::len).sum());
                page.passages.push(passages);
                page.passages.len() as i64 - 1
            }
        };
        known.insert(pair, place);
        page.passages_left_out += usize::from(place < 0);
        page.edges.push(Edge(node_of[&a], node_of[&b], rounded(relation.edge.score), relation.chunks, place));
    }
    let mut out = Output::create(args.output.target())?;
    page.write(&mut out)?;
    Ok(out.finish()?)
}

/// The passages of two documents, the longest first.
fn passages(
    (a, b): (u32, u32),
    args: &GraphArgs,
    plan: &Plan,
    documents: &mut Documents,
) -> Result<Vec<[String; 2]>, Failure> {
    let (one, other) = (documents.text(a)?, documents.text(b)?);
    let mut passages = compare(&one, &other, plan.extract.length, args.tokens)?;
    passages.sort_by_key(|passage| std::cmp::Reverse(passage.tokens));
    let mut room = LONGEST * 5;
    let mut shown = Vec::new();
    for Passage { a, b, .. } in passages {
        if room == 0 {
            break;
        }
        let sides = [cut(&one[a.start..a.end]), cut(&other[b.start..b.end])];
        room = room.saturating_sub(sides[0].len());
        shown.push(sides);
    }
    Ok(shown)
}

/// The beginning of a text that is too long to show, at a character's end.
fn cut(text: &str) -> String {
    if text.len() <= LONGEST {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(LONGEST);
    format!("{} …", &text[..end])
}

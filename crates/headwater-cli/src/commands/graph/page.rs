//! `--format html`: one self-contained page with the graph drawn and the shared passages behind its edges.

use std::collections::HashMap;
use std::io::Write;

use headwater::coderivative::Relation;
use headwater::graph::Cluster;
use headwater_io::write::Output;
use serde::Serialize;

use super::Plan;
use super::gather::Documents;
use super::rows::rounded;
use super::side_by_side::{Passage, compare};
use crate::args::GraphArgs;
use crate::failure::Failure;
use crate::interrupt;

/// The page without its data.
const PAGE: &str = include_str!("page.html");

/// Where the data goes.
const PLACE: &str = "/*data*/null";

/// What a browser still draws and searches without a pause.
const MOST_EDGES: usize = 100_000;

/// Bytes of passages: a page that is larger takes long to open and cannot be sent to anybody.
const MOST_TEXT: usize = 12 << 20;

/// Bytes of one passage on either side: enough to judge it.
const LONGEST: usize = 4000;

#[derive(Serialize)]
struct Data {
    score: &'static str,
    threshold: f64,
    documents: u32,
    /// Edges that are not in the page, and edges in it whose passages are not.
    edges_left_out: usize,
    passages_left_out: usize,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    passages: Vec<Vec<[String; 2]>>,
}

#[derive(Serialize)]
struct Node {
    id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    cluster: usize,
}

/// Both ends, the score, the chunks, and the place of the passages, or −1.
#[derive(Serialize)]
struct Edge(usize, usize, f64, u32, i64);

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
    let mut data = Data {
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
            node_of.insert(member, data.nodes.len());
            data.nodes.push(Node {
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
                data.passages.push(passages);
                data.passages.len() as i64 - 1
            }
        };
        known.insert(pair, place);
        data.passages_left_out += usize::from(place < 0);
        data.edges.push(Edge(node_of[&a], node_of[&b], rounded(relation.edge.score), relation.chunks, place));
    }
    // Inside a script only this could end it.
    let json = serde_json::to_string(&data).map_err(Failure::run)?.replace("</", "<\\/");
    let (before, after) = PAGE.split_once(PLACE).unwrap_or((PAGE, ""));
    let mut out = Output::create(args.output.target())?;
    for part in [before, &json, after] {
        out.write_all(part.as_bytes())?;
    }
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

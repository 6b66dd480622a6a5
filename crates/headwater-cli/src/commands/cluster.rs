//! `headwater cluster`: which documents are near-duplicates of each other.

mod page;

use headwater::graph::Cluster;
use headwater::neardup::{Found, Want};
use headwater_io::write::{DataType, Field, Row, RowWriter, Schema, SchemaRef};
use serde::Serialize;

use super::neardup::{Gathered, Question, gather};
use super::representative::representatives;
use crate::args::{ClusterArgs, ClusterForm, Representative};
use crate::failure::Failure;
use crate::terminal::{Talk, count};

#[derive(Serialize)]
struct ClusterRow<'a> {
    cluster: usize,
    members: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    representative: Option<&'a str>,
}

#[derive(Serialize)]
struct PairRow<'a> {
    a: &'a str,
    b: &'a str,
    similarity: f64,
}

pub(crate) fn cluster(args: &ClusterArgs) -> Result<(), Failure> {
    let form = args.output.form().map_err(Failure::Usage)?;
    args.input.spare(&args.output.target()).map_err(Failure::Usage)?;
    let talk = Talk::new(args.talk.quiet);
    if form == ClusterForm::Html && args.index.is_given() {
        return Err(Failure::Usage(
            "a page shows texts, and an index of signatures keeps none; leave out --index".into(),
        ));
    }
    let question = Question {
        input: &args.input,
        references: &[],
        neardup: &args.neardup,
        tokens: &args.tokens,
        index: Some(&args.index),
        // A page shows texts, which are read once more for it.
        again: form == ClusterForm::Html,
        derives: true,
    };
    let mut gathered = gather(&question, &talk)?;
    // Whoever only asks is told what concerns the documents that are asked about.
    let since = if args.index.asks() { gathered.references } else { 0 };
    gathered.advise(&talk);
    // The most central member is told by all pairs.
    let all = args.output.pairs || args.output.representative == Some(Representative::Central);
    let found = gathered.find(if all { Want::Pairs } else { Want::Clusters })?;
    let answer = match form {
        ClusterForm::Rows(format) if args.output.pairs => {
            let written = write_pairs(&gathered, &found, since, RowWriter::create(args.output.target(), format)?)?;
            format!("{} pairs", count(written))
        }
        form => {
            let clusters = in_time_order(&gathered, &found, since, args.output.representative);
            let members: usize = clusters.iter().map(|(members, _)| members.len()).sum();
            let line = format!("{} clusters with {} documents", count(clusters.len() as u64), count(members as u64));
            match form {
                ClusterForm::Rows(format) => {
                    write_clusters(&gathered, clusters, RowWriter::create(args.output.target(), format)?)?;
                }
                ClusterForm::Html => page::write(args, &gathered, clusters)?,
            }
            line
        }
    };
    // The index appears once nothing can fail any more that depends on it.
    gathered.finish_index()?;
    talk.say(format_args!("{}; {answer}", gathered.account(&found)));
    Ok(())
}

/// Members in time order, clusters in order of their first; each with the document that stands for it, if one is asked for.
/// Only those with a document from number `since` on.
fn in_time_order(
    gathered: &Gathered,
    found: &Found,
    since: u32,
    which: Option<Representative>,
) -> Vec<(Vec<u32>, Option<u32>)> {
    let mut clusters: Vec<Cluster> = found.matches.clusters();
    clusters.retain(|cluster| cluster.members.iter().any(|&member| member >= since));
    let places = gathered.places();
    let chosen = which.map(|which| representatives(which, &clusters, gathered, &found.matches, &places));
    let mut ordered: Vec<(Vec<u32>, Option<u32>)> = clusters
        .into_iter()
        .enumerate()
        .map(|(at, mut cluster)| {
            cluster.members.sort_unstable_by_key(|&member| places[member as usize]);
            (cluster.members, chosen.as_ref().map(|chosen| chosen[at]))
        })
        .collect();
    ordered.sort_unstable_by_key(|(members, _)| places[members[0] as usize]);
    ordered
}

fn write_clusters<'g>(
    gathered: &'g Gathered,
    clusters: Vec<(Vec<u32>, Option<u32>)>,
    mut rows: RowWriter<ClusterRow<'g>>,
) -> Result<(), Failure> {
    let name = |number: u32| gathered.documents[number as usize].id.as_str();
    for (cluster, (members, representative)) in clusters.into_iter().enumerate() {
        let members = members.into_iter().map(name).collect();
        rows.write(&ClusterRow { cluster, members, representative: representative.map(name) })?;
    }
    Ok(rows.finish()?)
}

/// The earlier document first, pairs in its order; only those with a document from number `since` on.
fn write_pairs<'g>(
    gathered: &'g Gathered,
    found: &Found,
    since: u32,
    mut rows: RowWriter<PairRow<'g>>,
) -> Result<u64, Failure> {
    let wanted = found.matches.pairs().filter(|edge| edge.a.max(edge.b) >= since);
    let places = gathered.places();
    let mut written = 0;
    let mut write = |one: u32, other: u32, similarity: f64| {
        let name = |number: u32| gathered.documents[number as usize].id.as_str();
        let (a, b) = if places[one as usize] < places[other as usize] { (one, other) } else { (other, one) };
        written += 1;
        rows.write(&PairRow { a: name(a), b: name(b), similarity })
    };
    if places.is_sorted() {
        for edge in wanted {
            write(edge.a, edge.b, edge.score)?;
        }
    } else {
        let mut pairs: Vec<_> = wanted.collect();
        let place = |number: u32| places[number as usize];
        pairs.sort_unstable_by_key(|edge| {
            let (a, b) = (place(edge.a), place(edge.b));
            (a.min(b), a.max(b))
        });
        for edge in pairs {
            write(edge.a, edge.b, edge.score)?;
        }
    }
    rows.finish()?;
    Ok(written)
}

fn text(name: &str) -> Field {
    Field::new(name, DataType::Utf8, false)
}

impl Row for ClusterRow<'_> {
    fn schema() -> SchemaRef {
        Schema::new(vec![
            Field::new("cluster", DataType::UInt64, false),
            Field::new("members", DataType::List(text("item").into()), false),
            Field::new("representative", DataType::Utf8, true),
        ])
        .into()
    }
}

impl Row for PairRow<'_> {
    fn schema() -> SchemaRef {
        Schema::new(vec![text("a"), text("b"), Field::new("similarity", DataType::Float64, false)]).into()
    }
}

//! `headwater cluster`: which documents are near-duplicates of each other.

use headwater::graph::Cluster;
use headwater::neardup::{Found, Want};
use headwater_io::write::{DataType, Field, Row, RowWriter, Schema, SchemaRef};
use serde::Serialize;

use super::neardup::{Gathered, gather};
use super::representative::representatives;
use crate::args::{ClusterArgs, Representative};
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
    let format = args.output.format().map_err(Failure::Usage)?;
    let talk = Talk::new(args.talk.quiet);
    let gathered = gather(&args.input, &[], &args.neardup, &args.tokens, &talk, false)?;
    gathered.advise(&talk);
    // The most central member is told by all pairs.
    let all = args.output.pairs || args.output.representative == Some(Representative::Central);
    let found = gathered.find(if all { Want::Pairs } else { Want::Clusters });
    let answer = if args.output.pairs {
        let written = write_pairs(&gathered, &found, RowWriter::create(args.output.target(), format)?)?;
        format!("{} pairs", count(written))
    } else {
        let clusters = found.matches.clusters();
        let members: usize = clusters.iter().map(|cluster| cluster.members.len()).sum();
        let which = args.output.representative;
        write_clusters(&gathered, &found, clusters, which, RowWriter::create(args.output.target(), format)?)?
            + &format!(" with {} documents", count(members as u64))
    };
    talk.say(format_args!("{}; {answer}", gathered.account(&found)));
    Ok(())
}

/// Members in time order, clusters in order of their first.
fn write_clusters<'g>(
    gathered: &'g Gathered,
    found: &Found,
    clusters: Vec<Cluster>,
    which: Option<Representative>,
    mut rows: RowWriter<ClusterRow<'g>>,
) -> Result<String, Failure> {
    let places = gathered.places();
    let chosen = which.map(|which| representatives(which, &clusters, gathered, &found.matches, &places));
    let name = |number: u32| gathered.documents[number as usize].id.as_str();
    let mut ordered: Vec<(Vec<u32>, Option<u32>)> = clusters
        .into_iter()
        .enumerate()
        .map(|(at, mut cluster)| {
            cluster.members.sort_unstable_by_key(|&member| places[member as usize]);
            (cluster.members, chosen.as_ref().map(|chosen| chosen[at]))
        })
        .collect();
    ordered.sort_unstable_by_key(|(members, _)| places[members[0] as usize]);
    let written = ordered.len();
    for (cluster, (members, representative)) in ordered.into_iter().enumerate() {
        let members = members.into_iter().map(name).collect();
        rows.write(&ClusterRow { cluster, members, representative: representative.map(name) })?;
    }
    rows.finish()?;
    Ok(format!("{} clusters", count(written as u64)))
}

/// The earlier document first, pairs in its order.
fn write_pairs<'g>(gathered: &'g Gathered, found: &Found, mut rows: RowWriter<PairRow<'g>>) -> Result<u64, Failure> {
    let places = gathered.places();
    let mut written = 0;
    let mut write = |one: u32, other: u32, similarity: f64| {
        let name = |number: u32| gathered.documents[number as usize].id.as_str();
        let (a, b) = if places[one as usize] < places[other as usize] { (one, other) } else { (other, one) };
        written += 1;
        rows.write(&PairRow { a: name(a), b: name(b), similarity })
    };
    if places.is_sorted() {
        for edge in found.matches.pairs() {
            write(edge.a, edge.b, edge.score)?;
        }
    } else {
        let mut pairs: Vec<_> = found.matches.pairs().collect();
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

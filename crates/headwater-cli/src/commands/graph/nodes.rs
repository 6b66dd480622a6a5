//! The graph for graph programs.

use headwater::coderivative::Relation;
use headwater::graph::Cluster;
use headwater_io::write::{GraphEdge, GraphFormat, GraphNode, Output, write_graph};

use super::gather::Documents;
use super::rows::rounded;
use crate::args::GraphArgs;
use crate::failure::Failure;

pub(super) fn write(
    args: &GraphArgs,
    format: GraphFormat,
    relations: &[Relation],
    clusters: &[Cluster],
    documents: &Documents,
) -> Result<(), Failure> {
    let mut cluster_of = vec![None; documents.len() as usize];
    for (number, cluster) in (0..).zip(clusters) {
        cluster.members.iter().for_each(|&member| cluster_of[member as usize] = Some(number));
    }
    let nodes = (0..documents.len()).map(|place| {
        let entry = documents.entry(place)?;
        Ok(GraphNode {
            id: entry.id.clone(),
            time: entry.time.as_ref().map(ToString::to_string),
            url: entry.url.clone(),
            cluster: cluster_of[place as usize],
        })
    });
    let nodes = nodes.collect::<std::io::Result<Vec<_>>>()?;
    let edges = relations.iter().map(|relation| GraphEdge {
        a: relation.edge.a,
        b: relation.edge.b,
        score: rounded(relation.edge.score),
        chunks: relation.chunks,
    });
    let mut out = Output::create(args.output.target())?;
    write_graph(&mut out, format, nodes, edges)?;
    Ok(out.finish()?)
}

//! `headwater eval`: how good the answers are.

use super::{eval_census, eval_cluster, eval_graph, eval_origin};
use crate::args::EvalCommand;
use crate::failure::Failure;

pub(crate) fn eval(what: &EvalCommand) -> Result<(), Failure> {
    match what {
        EvalCommand::Origin(args) => eval_origin::eval_origin(args),
        EvalCommand::Cluster(args) => eval_cluster::eval_cluster(args),
        EvalCommand::Graph(args) => eval_graph::eval_graph(args),
        EvalCommand::Census(args) => eval_census::eval_census(args),
    }
}

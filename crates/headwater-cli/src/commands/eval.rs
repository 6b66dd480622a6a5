//! `headwater eval`: how good the answers are.

use super::{eval_census, eval_graph};
use crate::args::EvalCommand;
use crate::failure::Failure;

pub(crate) fn eval(what: &EvalCommand) -> Result<(), Failure> {
    match what {
        EvalCommand::Graph(args) => eval_graph::eval_graph(args),
        EvalCommand::Census(args) => eval_census::eval_census(args),
    }
}

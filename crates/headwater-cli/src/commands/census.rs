//! `headwater census`: how large collections are beside each other, and how much they share.

mod answer;
mod drawn;
mod engines;
mod holding;
mod queries;
mod searches;
mod walk;

use headwater::census::{Census, Settings};

use crate::args::{CensusArgs, DrawBy};
use crate::failure::Failure;
use crate::terminal::Talk;
use answer::{About, Answer};

pub(crate) fn census(args: &CensusArgs) -> Result<(), Failure> {
    let talk = Talk::new(args.talk.quiet);
    let method = method(args)?;
    let answer = match method {
        DrawBy::Uniform => uniform(args, &talk)?,
        DrawBy::Queries => queries::by_queries(args, &talk)?,
        DrawBy::Searches => searches::by_searches(args, &talk)?,
        DrawBy::Hosts => walk::by_hosts(args, &talk)?,
        DrawBy::Walk => walk::by_walk(args, &talk)?,
    };
    answer.write(args.form(), args.target())?;
    answer.advise(&talk);
    Ok(())
}

/// What was asked for, else what suits the collections.
fn method(args: &CensusArgs) -> Result<DrawBy, Failure> {
    let searched = args.input.each().iter().find(|path| engines::is_endpoint(path));
    match (args.engines.method, searched) {
        (Some(DrawBy::Uniform | DrawBy::Hosts | DrawBy::Walk), Some(path)) => {
            Err(Failure::Usage(format!("{} can only be searched: choose --method queries or searches", path.display())))
        }
        (Some(method), _) => Ok(method),
        (None, Some(_)) => Ok(DrawBy::Queries),
        (None, None) => Ok(DrawBy::Uniform),
    }
}

fn settings(args: &CensusArgs) -> Settings {
    Settings { confidence: args.drawing.confidence, seed: args.drawing.seed, ..Settings::default() }
}

fn uniform(args: &CensusArgs, talk: &Talk) -> Result<Answer, Failure> {
    let holdings = holding::read_all(args, args.checking.by, talk)?;
    let samples: Vec<_> = (0..holdings.len()).map(|at| drawn::uniform(&holdings, at, args)).collect();
    let about: Vec<About> = holdings.iter().map(holding::Holding::about).collect();
    Ok(Answer::new(&Census::new(&samples, &settings(args)), &about, DrawBy::Uniform, args))
}

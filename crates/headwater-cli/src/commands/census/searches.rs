//! A log of searches, asked of every collection.

use headwater::census::{Census, Searches, Size};

use super::answer::{About, Answer};
use super::engines;
use crate::args::{CensusArgs, DrawBy};
use crate::failure::Failure;
use crate::terminal::{Talk, count};

/// Lawrence and Giles took searches with fewer results than this in total.
const SMALL: usize = 600;

pub(super) fn by_searches(args: &CensusArgs, talk: &Talk) -> Result<Answer, Failure> {
    let path =
        args.engines.log.as_deref().ok_or_else(|| Failure::Usage("--method searches needs --log FILE".into()))?;
    let log =
        std::fs::read_to_string(path).map_err(|error| Failure::run(format_args!("{}: {error}", path.display())))?;
    let asked: Vec<&str> = log.lines().filter(|line| !line.trim().is_empty()).collect();
    if asked.is_empty() {
        return Err(Failure::run(format_args!("{}: there is no search in it", path.display())));
    }
    let (searched, _) = engines::open_all(args, talk)?;
    let about: Vec<About> = searched.iter().map(|searched| searched.about.clone()).collect();
    let exact = headwater::census::Interval { low: 1.0, high: 1.0 };
    let everything = headwater::census::Interval { low: 0.0, high: 1.0 };
    let size = |relative, interval| Size {
        relative,
        interval,
        by_overlap: None,
        by_draws: None,
        coverage: None,
        coverage_interval: everything,
    };
    let (mut sound, mut published) = (vec![size(Some(1.0), exact)], vec![size(Some(1.0), exact)]);
    for other in &searched[1..] {
        let (mut one, mut two) = (searched[0].engine(args)?, other.engine(args)?);
        let found = Searches::run(&mut one, &mut two, asked.iter().copied(), SMALL);
        talk.say(format_args!(
            "{}: {} searches counted, {} had too many results, {} had none in either, {} failed",
            other.about.name,
            count(found.results.len() as u64),
            count(found.too_large),
            count(found.empty),
            count(found.failed)
        ));
        if found.failed == asked.len() as u64 {
            return Err(Failure::run(format_args!("{}: every search failed", other.about.name)));
        }
        let interval = found.interval(args.drawing.confidence, args.drawing.seed);
        sound.push(size(found.ratio_of_sums(), interval));
        published.push(size(found.mean_of_ratios(), interval));
    }
    let census = |collections| Census { collections, overlap: Vec::new() };
    Ok(Answer::new(&census(sound), &about, DrawBy::Searches, args).with_uncorrected(&census(published), &about))
}

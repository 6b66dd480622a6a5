//! Every method on one split.

use headwater::census::{
    Catalogue, Census, Draw, Drawn, Engine, Interval, Members, Memory, Random, RandomQueries, Recaptured, Repeated,
    Sample, Searches, Settings, StrongQuery, Walk, address, host_ratio, recapture,
};
use headwater_engine::{Faults, Part};

use super::split::Split;
use super::{LIMIT, World};
use crate::args::EvalCensusArgs;

/// The ways to a size, in the order of the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    Uniform,
    UniformOverlap,
    Queries,
    QueriesCorrected,
    QueriesOverlap,
    Recapture,
    RecaptureCorrected,
    SearchesMean,
    SearchesSum,
    Hosts,
    Walk,
    WalkCorrected,
}

/// What a method said.
pub(super) struct Outcome {
    pub(super) method: Method,
    pub(super) size: Option<f64>,
    /// None where the draws cannot tell how far off they are.
    pub(super) interval: Option<Interval>,
    /// The two shares, where it has them.
    pub(super) shares: Option<[f64; 2]>,
}

/// Searches of a log that are asked: as many as Lawrence and Giles had in 1998.
const SEARCHES: u32 = 575;

/// Queries that are asked for each document that is wanted: many find nothing.
const PATIENCE: usize = 100;

impl Method {
    pub(super) const ALL: [Method; 12] = [
        Method::Uniform,
        Method::UniformOverlap,
        Method::Queries,
        Method::QueriesCorrected,
        Method::QueriesOverlap,
        Method::Recapture,
        Method::RecaptureCorrected,
        Method::SearchesMean,
        Method::SearchesSum,
        Method::Hosts,
        Method::Walk,
        Method::WalkCorrected,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Method::Uniform => "uniform",
            Method::UniformOverlap => "uniform, overlap alone",
            Method::Queries => "random queries",
            Method::QueriesCorrected => "random queries, corrected",
            Method::QueriesOverlap => "the same, overlap alone",
            Method::Recapture => "capture-recapture",
            Method::RecaptureCorrected => "capture-recapture, corrected",
            Method::SearchesMean => "random searches, mean of ratios",
            Method::SearchesSum => "random searches, ratio of sums",
            Method::Hosts => "random hosts",
            Method::Walk => "random walk",
            Method::WalkCorrected => "random walk, corrected",
        }
    }
}

/// Asks all of them.
pub(super) fn run(
    world: &World,
    split: &Split,
    args: &EvalCensusArgs,
    memory: &mut Memory,
    random: &mut Random,
) -> Vec<Outcome> {
    let settings = settings(args, random);
    let drawn = uniform(split, args, random);
    let mut outcomes = vec![of_census(Method::Uniform, &drawn, &settings)];
    outcomes.push(of_census(Method::UniformOverlap, &drawn.map(Sample::by_overlap), &settings));
    let engines = split.parts.each_ref().map(|part| Part::of(&world.index, part, Faults::default()));
    let queried = queries(world, engines, LIMIT, &Check::Known(split), args, memory, random);
    outcomes.push(of_census(Method::Queries, &queried.plain, &settings));
    outcomes.push(of_census(Method::QueriesCorrected, &queried.corrected, &settings));
    outcomes.push(of_census(Method::QueriesOverlap, &queried.corrected.clone().map(Sample::by_overlap), &settings));
    outcomes.extend(recaptured(&queried, &settings));
    outcomes.extend(searches(world, split, args, &settings, random));
    outcomes.push(hosts(world, split, args, &settings, random));
    outcomes.extend(walk(world, split, args, &settings, random));
    outcomes
}

pub(super) fn settings(args: &EvalCensusArgs, random: &mut Random) -> Settings {
    Settings { confidence: args.drawing.confidence, replicates: 1000, seed: random.next_u64() }
}

pub(super) fn of_census(method: Method, samples: &[Sample; 2], settings: &Settings) -> Outcome {
    let census = Census::new(samples, settings);
    let shares = census.overlap[0].share.zip(census.overlap[1].share).map(|(one, other)| [one, other]);
    let size = census.collections[1];
    Outcome { method, size: size.relative, interval: Some(size.interval), shares }
}

/// As `headwater census` draws: documents by number, as it has them by content.
pub(super) fn uniform(split: &Split, args: &EvalCensusArgs, random: &mut Random) -> [Sample; 2] {
    let number = |at: usize| headwater::text::mix(at as u64);
    let keys = |part: &Vec<bool>| (0..part.len()).filter(|&at| part[at]).map(number).collect();
    let catalogues = split.parts.each_ref().map(|part| Catalogue::new(keys(part)));
    let seed = random.next_u64();
    catalogues.each_ref().map(|catalogue| {
        let mut sample = Sample::new();
        let Draw { documents, reach } = catalogue.draw(args.drawing.samples as usize, seed);
        for key in documents {
            sample.push(1.0, Members::of(2, |other| catalogues[other].contains(key)));
        }
        sample.reached(reach);
        sample
    })
}

/// What came of random queries.
#[derive(Default)]
pub(super) struct Queried {
    pub(super) plain: [Sample; 2],
    pub(super) corrected: [Sample; 2],
    /// The draws themselves: document and weight.
    plain_draws: [Vec<(u64, f64)>; 2],
    corrected_draws: [Vec<(u64, f64)>; 2],
}

/// What a check that fails counts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failing {
    /// The draw does not count.
    Skip,
    /// The document is not there.
    Absent,
}

/// How it is told whether the other engine has a document.
pub(super) enum Check<'a> {
    /// By what a strong query to an engine without fault is known to find.
    Known(&'a Split),
    /// By asking.
    Strong(&'a StrongQuery, Failing),
}

/// Draws from either engine by random queries and looks for the document in the other.
pub(super) fn queries<E: Engine>(
    world: &World,
    mut engines: [E; 2],
    limit: usize,
    check: &Check<'_>,
    args: &EvalCensusArgs,
    memory: &mut Memory,
    random: &mut Random,
) -> Queried {
    let queries = RandomQueries { vocabulary: &world.vocabulary, limit };
    let samples = args.drawing.samples as usize;
    let mut found = Queried::default();
    for from in 0..2 {
        let mut often = Repeated::new();
        for _ in 0..samples * PATIENCE {
            if found.plain_draws[from].len() >= samples {
                break;
            }
            let Ok(Some(drawn)) = queries.draw_plain(&mut engines[from], random) else { continue };
            if let Some(members) = check.members(world, &mut engines, from, &drawn) {
                let document = address(&drawn.hit.address);
                often.push(document, 1.0, members);
                found.plain_draws[from].push((document, 1.0));
            }
        }
        found.plain[from] = often.sample();
        let (mut asked, mut drawn_in_all) = (0, 0);
        for _ in 0..samples * PATIENCE {
            if found.corrected_draws[from].len() >= samples {
                break;
            }
            let Ok(drawn) = queries.draw_guided(&mut engines[from], memory, random) else { continue };
            asked += 1;
            let Some(drawn) = drawn else { continue };
            drawn_in_all += 1;
            if let Some(members) = check.members(world, &mut engines, from, &drawn) {
                found.corrected[from].push(drawn.weight, members);
                found.corrected_draws[from].push((address(&drawn.hit.address), drawn.weight));
            }
        }
        found.corrected[from].tried(asked, drawn_in_all);
    }
    found
}

impl Check<'_> {
    /// Which engines have a document; none where that was not told.
    fn members<E: Engine>(&self, world: &World, engines: &mut [E; 2], from: usize, drawn: &Drawn) -> Option<Members> {
        let hit = &drawn.hit;
        let number = world.index.number(&hit.address)? as usize;
        let is_there = match self {
            Check::Known(split) => world.findable[number] && split.parts[1 - from][number],
            // Nothing else in the collection is nearly the same, so that no text need be looked at.
            Check::Strong(strong, failing) => {
                let words = &world.strong[number];
                let words: Vec<&str> = words.iter().take(strong.words).map(String::as_str).collect();
                match engines[1 - from].search(&words, strong.results) {
                    Ok(found) => found.iter().any(|found| found.address == hit.address),
                    Err(_) if *failing == Failing::Absent => false,
                    Err(_) => return None,
                }
            }
        };
        Some(Members::of(2, |at| at == from || is_there))
    }
}

fn recaptured(queried: &Queried, settings: &Settings) -> [Outcome; 2] {
    let ratio = |method: Method, draws: &[Vec<(u64, f64)>; 2]| {
        let [one, other] = draws.each_ref().map(|draws| recapture(draws, settings.confidence, settings.seed));
        let size = one.size.zip(other.size).map(|(one, other)| other / one);
        Outcome { method, size, interval: Some(ratio_interval(&one, &other)), shares: None }
    };
    // Draws that prefer some documents bound a size from below only, since how much they prefer them cannot be told from the draws (Link
    // 2003). The ratio of two such sizes has no bound at all.
    let plain = Outcome { interval: None, ..ratio(Method::Recapture, &queried.plain_draws) };
    [plain, ratio(Method::RecaptureCorrected, &queried.corrected_draws)]
}

/// Errors of the two are independent, so that their logarithms add up as squares.
fn ratio_interval(one: &Recaptured, other: &Recaptured) -> Interval {
    let (Some(first), Some(second)) = (one.size, other.size) else { return Interval { low: 0.0, high: f64::INFINITY } };
    let middle = second / first;
    let down = (second / other.interval.low).ln().hypot((one.interval.high / first).ln());
    let up = (other.interval.high / second).ln().hypot((first / one.interval.low).ln());
    Interval { low: middle * (-down).exp(), high: middle * up.exp() }
}

fn searches(
    world: &World,
    split: &Split,
    args: &EvalCensusArgs,
    settings: &Settings,
    random: &mut Random,
) -> [Outcome; 2] {
    let asked = args.drawing.samples.min(SEARCHES);
    let log: Vec<&str> = (0..asked).map(|_| world.log[random.below(world.log.len())].as_str()).collect();
    let [mut one, mut other] = split.parts.each_ref().map(|part| Part::of(&world.index, part, Faults::default()));
    // Lawrence and Giles: fewer than 600 results in total.
    let found = Searches::run(&mut one, &mut other, log.into_iter(), 600);
    let interval = Some(found.interval(settings.confidence, settings.seed));
    let outcome = |method: Method, size: Option<f64>| Outcome { method, size, interval, shares: None };
    [outcome(Method::SearchesMean, found.mean_of_ratios()), outcome(Method::SearchesSum, found.ratio_of_sums())]
}

fn hosts(world: &World, split: &Split, args: &EvalCensusArgs, settings: &Settings, random: &mut Random) -> Outcome {
    let hosts = world.hosts.iter().max().map_or(0, |most| *most as usize + 1);
    let mut pages = vec![(0, 0); hosts];
    for (document, &host) in world.hosts.iter().enumerate() {
        pages[host as usize].0 += u64::from(split.parts[0][document]);
        pages[host as usize].1 += u64::from(split.parts[1][document]);
    }
    let chosen = random.choose(hosts, (args.drawing.samples as usize).min(hosts.div_ceil(2)));
    let drawn: Vec<(u64, u64)> = chosen.into_iter().map(|host| pages[host]).collect();
    let found = host_ratio(&drawn, settings.confidence, settings.seed);
    let (size, interval) =
        found.map_or((None, Interval { low: 0.0, high: f64::INFINITY }), |(size, interval)| (Some(size), interval));
    Outcome { method: Method::Hosts, size, interval: Some(interval), shares: None }
}

/// Pages that a walk comes to, of which each part has some.
fn walk(world: &World, split: &Split, args: &EvalCensusArgs, settings: &Settings, random: &mut Random) -> [Outcome; 2] {
    let seed = random.below(world.links.len()) as u32;
    let steps = Walk { steps: 20 * args.drawing.samples as usize, ..Walk::default() };
    let stops = steps.sample(&world.links, &[seed], args.drawing.samples as usize, random);
    let sample = |weighted: bool, part: usize| {
        let mut often = Repeated::new();
        for stop in stops.iter().filter(|stop| split.parts[part][stop.page as usize]) {
            let members = Members::of(2, |at| split.parts[at][stop.page as usize]);
            often.push(stop.page.into(), if weighted { stop.weight } else { 1.0 }, members);
        }
        often.sample()
    };
    let outcome =
        |method: Method, weighted: bool| of_census(method, &[0, 1].map(|part| sample(weighted, part)), settings);
    [outcome(Method::Walk, false), outcome(Method::WalkCorrected, true)]
}

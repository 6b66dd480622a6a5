//! The biases that the slides list, each simulated where the truth is known, beside the same without it.

use headwater::census::{Memory, Random, StrongQuery};
use headwater_engine::{Faults, Part, Ranking};
use headwater_report::census::Bias;

use super::methods::{self, Check, Failing, Method, Queried};
use super::split::Split;
use super::tables::median;
use super::{LIMIT, World};
use crate::args::EvalCensusArgs;

/// In every simulation the second engine is twice as large and has half of the first.
const SIZE: u32 = 2;
const OVERLAP: u32 = 50;

/// How many results engines give where that is too few.
const FEW: usize = 10;

/// How much chance there is in the order of documents, as a multiple of the whole order: a little, so that no two splits are the same.
const CHANCE: f64 = 0.3;

/// Which documents the first engine has. The second has all others, and half of the first's.
#[derive(Clone, Copy)]
enum First {
    /// Any.
    Random,
    /// Mostly the long ones.
    Longest,
    /// Mostly those that came first.
    Earliest,
}

/// One simulation.
struct Simulation {
    name: &'static str,
    what: &'static str,
    first: First,
    /// What is wrong with the second engine.
    faults: Faults,
    truncated: bool,
    strong: StrongQuery,
    failing: Failing,
    /// How many results the engines give.
    limit: usize,
}

pub(super) fn simulate(world: &World, args: &EvalCensusArgs, memory: &mut Memory, random: &mut Random) -> Vec<Bias> {
    simulations().iter().map(|simulation| simulation.run(world, args, memory, random)).collect()
}

fn simulations() -> Vec<Simulation> {
    let fair = || Simulation {
        name: "none",
        what: "engines without fault",
        first: First::Random,
        faults: Faults::default(),
        truncated: false,
        strong: StrongQuery::default(),
        failing: Failing::Skip,
        limit: LIMIT,
    };
    let faults = Faults::default();
    vec![
        fair(),
        Simulation {
            name: "query",
            what: "the first engine has the longer documents, which more queries reach",
            first: First::Longest,
            ..fair()
        },
        Simulation {
            name: "few results",
            what: "the first engine has the earlier documents, and engines give ten results in no order",
            first: First::Earliest,
            limit: FEW,
            ..fair()
        },
        Simulation {
            name: "ranking",
            what: "the same, where the second engine gives early documents first",
            first: First::Earliest,
            limit: FEW,
            faults: Faults { ranking: Ranking::EarliestFirst, ..faults },
            ..fair()
        },
        Simulation {
            name: "checking",
            what: "two words instead of eight, and only the first result is looked at",
            strong: StrongQuery { words: 2, results: 1, ..StrongQuery::default() },
            ..fair()
        },
        Simulation {
            name: "document restriction",
            what: "the second engine indexes the first 500 bytes",
            truncated: true,
            ..fair()
        },
        Simulation {
            name: "query restriction",
            what: "the second engine looks at the first word of a query only",
            faults: Faults { most_words: Some(1), ..faults },
            ..fair()
        },
        Simulation {
            name: "operational",
            what: "a fifth of the second engine's searches time out and count as not found",
            faults: Faults { failing: 0.2, ..faults },
            failing: Failing::Absent,
            ..fair()
        },
        Simulation {
            name: "operational, told",
            what: "the same, where draws that could not be checked do not count",
            faults: Faults { failing: 0.2, ..faults },
            ..fair()
        },
    ]
}

impl Simulation {
    fn run(&self, world: &World, args: &EvalCensusArgs, memory: &mut Memory, random: &mut Random) -> Bias {
        let (mut truth, mut uniform, mut plain, mut corrected) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (mut shared, mut plain_shares, mut corrected_shares) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..args.rounds {
            let split = self.split(world, random);
            let settings = methods::settings(args, random);
            let sound = Part::of(&world.index, &split.parts[0], Faults::default());
            let index = if self.truncated { &world.truncated } else { &world.index };
            let faulty = Part::of(index, &split.parts[1], self.faults);
            let check = Check::Strong(&self.strong, self.failing);
            let Queried { plain: one, corrected: other, .. } =
                methods::queries(world, [sound, faulty], self.limit, &check, args, memory, random);
            truth.push(split.ratio());
            shared.push(split.shares()[0]);
            uniform
                .extend(methods::of_census(Method::Uniform, &methods::uniform(&split, args, random), &settings).size);
            let queried = methods::of_census(Method::Queries, &one, &settings);
            plain.extend(queried.size);
            plain_shares.extend(queried.shares.map(|shares| shares[0]));
            let queried = methods::of_census(Method::QueriesCorrected, &other, &settings);
            corrected.extend(queried.size);
            corrected_shares.extend(queried.shares.map(|shares| shares[0]));
        }
        Bias {
            name: self.name,
            what: self.what,
            truth: median(&mut truth).unwrap_or(f64::NAN),
            uniform: median(&mut uniform),
            queries: median(&mut plain),
            corrected: median(&mut corrected),
            shared: median(&mut shared).unwrap_or(f64::NAN),
            queries_shared: median(&mut plain_shares),
            corrected_shared: median(&mut corrected_shares),
        }
    }

    fn split(&self, world: &World, random: &mut Random) -> Split {
        let documents = world.index.len();
        let mut front = world.different.clone();
        match self.first {
            First::Random => return Split::new(&front, documents, SIZE, OVERLAP, random),
            First::Longest => front.sort_by_key(|&at| std::cmp::Reverse(world.lengths[at])),
            First::Earliest => {}
        }
        let many = front.len() as f64;
        let place = |(place, at): (usize, usize)| (place as f64 / many + CHANCE * random.unit(), at);
        let mut order: Vec<(f64, usize)> = front.into_iter().enumerate().map(place).collect();
        order.sort_unstable_by(|one, other| one.0.total_cmp(&other.0));
        Split::along(&order.into_iter().map(|(_, at)| at).collect::<Vec<_>>(), documents, SIZE, OVERLAP)
    }
}

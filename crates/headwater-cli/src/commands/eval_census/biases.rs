//! The biases that the slides list, each simulated where the truth is known, beside the same without it.

use headwater::census::{Random, StrongQuery};
use headwater_engine::{Faults, Part, Ranking};
use headwater_report::census::Bias;

use super::World;
use super::methods::{self, Failing, Method, Queried};
use super::split::Split;
use super::tables::median;
use crate::args::EvalCensusArgs;
use crate::failure::Failure;

/// In every simulation the second engine is twice as large and has half of the first.
const SIZE: u32 = 2;
const OVERLAP: u32 = 50;

/// One simulation.
struct Simulation {
    name: &'static str,
    what: &'static str,
    /// Whether the first engine has the long documents.
    by_length: bool,
    /// What is wrong with the second engine.
    faults: Faults,
    truncated: bool,
    strong: StrongQuery,
    failing: Failing,
}

pub(super) fn simulate(world: &World, args: &EvalCensusArgs, random: &mut Random) -> Result<Vec<Bias>, Failure> {
    simulations().iter().map(|simulation| simulation.run(world, args, random)).collect()
}

fn simulations() -> Vec<Simulation> {
    let fair = || Simulation {
        name: "none",
        what: "engines without fault",
        by_length: false,
        faults: Faults::default(),
        truncated: false,
        strong: StrongQuery::default(),
        failing: Failing::Skip,
    };
    let faults = Faults::default();
    vec![
        fair(),
        Simulation {
            name: "query",
            what: "the first engine has the longer documents, which more queries reach",
            by_length: true,
            ..fair()
        },
        Simulation {
            name: "ranking",
            what: "the second engine gives long documents first, and at most one of a host",
            faults: Faults { ranking: Ranking::LongestFirst, per_host: Some(1), ..faults },
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
            what: "the second engine looks at two words of a query",
            faults: Faults { most_words: Some(2), ..faults },
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
    fn run(&self, world: &World, args: &EvalCensusArgs, random: &mut Random) -> Result<Bias, Failure> {
        let (mut truth, mut uniform, mut plain, mut corrected) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for _ in 0..args.rounds {
            let split = self.split(world, random);
            let settings = methods::settings(args, random);
            let sound = Part::of(&world.index, &split.parts[0], Faults::default());
            let index = if self.truncated { &world.truncated } else { &world.index };
            let faulty = Part::of(index, &split.parts[1], self.faults);
            let samples = args.drawing.samples as usize;
            let Queried { plain: one, corrected: other, .. } =
                methods::queries(world, [sound, faulty], samples, &self.strong, self.failing, random);
            truth.push(split.ratio());
            uniform
                .extend(methods::of_census(Method::Uniform, &methods::uniform(&split, args, random), &settings).size);
            plain.extend(methods::of_census(Method::Queries, &one, &settings).size);
            corrected.extend(methods::of_census(Method::QueriesCorrected, &other, &settings).size);
        }
        Ok(Bias {
            name: self.name,
            what: self.what,
            truth: median(&mut truth).unwrap_or(f64::NAN),
            uniform: median(&mut uniform),
            queries: median(&mut plain),
            corrected: median(&mut corrected),
        })
    }

    fn split(&self, world: &World, random: &mut Random) -> Split {
        let documents = world.index.len();
        if !self.by_length {
            return Split::new(documents, SIZE, OVERLAP, random);
        }
        // Long ones mostly in front: a little chance, so that no two splits are the same.
        let mut order: Vec<(f64, usize)> =
            (0..documents).map(|at| (-(world.lengths[at] as f64) * (0.5 + random.unit()), at)).collect();
        order.sort_unstable_by(|one, other| one.0.total_cmp(&other.0));
        Split::along(&order.into_iter().map(|(_, at)| at).collect::<Vec<_>>(), documents, SIZE, OVERLAP)
    }
}

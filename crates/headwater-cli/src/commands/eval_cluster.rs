//! `headwater eval cluster`: every near-duplicate method at every threshold on documents whose clusters are known.

mod tables;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

use headwater::Document;
use headwater::graph::{DisjointSets, Edge};
use headwater::neardup::{
    IdfRange, Method, Scratch, Search, Settings, Spots, TokenCounts, Vocabulary, Want, adjusted_rand_index, macro_f1,
    pair_rates,
};
use headwater::text::{Reading, Tokens};
use headwater_io::write::Output;
use headwater_io::{Event, Threads, read};
use headwater_report::sweep::{Sweep, SweepPage};
use serde::Serialize;

use super::truth::Relations;
use crate::args::{EvalClusterArgs, EvalFormat, target};
use crate::failure::Failure;
use crate::interrupt;
use crate::terminal::{Talk, count};

/// Steps of the usual sweep.
const STEPS: u32 = 50;

pub(super) fn eval_cluster(args: &EvalClusterArgs) -> Result<(), Failure> {
    let talk = Talk::new(args.talk.quiet);
    let thresholds = thresholds(args)?;
    let relations = Relations::read(&args.truth)?;
    let collection = Labelled::read(args, &relations, &talk)?;
    let lowest = thresholds.iter().copied().fold(1.0, f64::min);
    let mut contenders = Vec::new();
    for (name, settings) in contenders_of(args.idf, derived(&collection.texts)?) {
        interrupt::check()?;
        let settings = Settings { threshold: lowest, ..settings };
        contenders.push(Contender::measure(name, settings, &collection, &thresholds, args.input.threads())?);
    }
    let answer = Answer {
        documents: collection.texts.len(),
        true_pairs: collection.truth.len(),
        recalls: Recalls::of(&contenders),
        contenders,
    };
    let shown = match args.format {
        EvalFormat::Json => serde_json::to_string(&answer).map_err(Failure::run)? + "\n",
        EvalFormat::Text => tables::show(&answer),
    };
    if let Some(path) = &args.plot {
        let mut out = Output::create(target(Some(path)))?;
        page(&answer).write(&mut out)?;
        out.finish()?;
    }
    let mut out = Output::create(target(args.output.as_deref()))?;
    out.write_all(shown.as_bytes())?;
    out.finish()?;
    let (documents, pairs) = (count(answer.documents as u64), count(answer.true_pairs as u64));
    talk.say(format_args!("{documents} documents, {pairs} pairs that belong together"));
    Ok(())
}

/// What the plot shows.
fn page(answer: &Answer) -> SweepPage {
    let methods = answer.contenders.iter().map(|contender| Sweep {
        name: contender.name.into(),
        scores: contender.scores.iter().map(|scores| (scores.threshold, scores.f1, scores.macro_f1)).collect(),
    });
    SweepPage { documents: answer.documents, pairs: answer.true_pairs, methods: methods.collect() }
}

#[derive(Serialize)]
struct Answer {
    documents: usize,
    true_pairs: usize,
    contenders: Vec<Contender>,
    recalls: Vec<Recalls>,
}

/// A method with what it costs and how good it is at each threshold.
#[derive(Serialize)]
struct Contender {
    name: &'static str,
    parameters: String,
    /// What is compared, as 64-bit features, in MB.
    memory_mb: f64,
    runtime_ms: f64,
    scores: Vec<Scores>,
    /// At the threshold that `headwater cluster` would read off the collection; nothing for methods that have none.
    own: Option<Scores>,
    #[serde(skip)]
    pairs: Vec<Edge>,
}

#[derive(Clone, Copy, Serialize)]
struct Scores {
    threshold: f64,
    precision: f64,
    recall: f64,
    f1: f64,
    macro_f1: f64,
    adjusted_rand_index: f64,
}

/// How many of the pairs that I-Match-S finds a method finds too, as in the paper's second table.
#[derive(Serialize)]
struct Recalls {
    name: &'static str,
    threshold: f64,
    relative_recall: f64,
}

impl Contender {
    fn measure(
        name: &'static str,
        settings: Settings,
        collection: &Labelled,
        thresholds: &[f64],
        threads: usize,
    ) -> Result<Self, Failure> {
        let begun = Instant::now();
        let (method, parameters) = (settings.method, parameters(&settings));
        let mut search = Search::new(settings).map_err(Failure::run)?;
        let (signer, mut scratch) = (search.signer(), Scratch::default());
        for text in &collection.texts {
            search.push(&signer.sign(text, &mut scratch).map_err(Failure::run)?);
        }
        let pairs: Vec<Edge> = search.find(Want::Pairs, &Threads(threads)).matches.pairs().collect();
        let runtime_ms = begun.elapsed().as_secs_f64() * 1000.0;
        let scores = thresholds.iter().map(|&threshold| collection.judge(threshold, &pairs)).collect();
        let memory_mb = search.collection().features() as f64 * 8.0 / 1e6;
        let own = if method.is_imatch() {
            None
        } else {
            search.set_threshold(Settings::new(method).threshold).map_err(Failure::run)?;
            let threshold = search.cut(&Threads(threads)).threshold;
            search.set_threshold(threshold).map_err(Failure::run)?;
            let pairs: Vec<Edge> = search.find(Want::Pairs, &Threads(threads)).matches.pairs().collect();
            Some(collection.judge(threshold, &pairs))
        };
        Ok(Contender { name, parameters, memory_mb, runtime_ms, scores, own, pairs })
    }

    /// Where the macro-averaged F1 is highest, and among equals the pair F1.
    fn best(&self) -> Scores {
        let better =
            |one: &&Scores, other: &&Scores| one.macro_f1.total_cmp(&other.macro_f1).then(one.f1.total_cmp(&other.f1));
        self.scores.iter().max_by(better).copied().expect("at least one threshold is tried")
    }
}

impl Recalls {
    fn of(contenders: &[Contender]) -> Vec<Recalls> {
        let Some(base) = contenders.iter().find(|one| one.name == "I-Match-S") else { return Vec::new() };
        let base: BTreeSet<(u32, u32)> = base.pairs.iter().map(|edge| (edge.a, edge.b)).collect();
        let mut recalls = Vec::new();
        for name in ["SpotSigs", "LSH-S"] {
            for contender in contenders.iter().filter(|one| one.name == name) {
                recalls.extend([1.0, 0.9].map(|threshold| {
                    let alike = contender.pairs.iter().filter(|edge| edge.score >= threshold);
                    let hits = alike.filter(|edge| base.contains(&(edge.a, edge.b))).count();
                    let relative_recall = if base.is_empty() { 1.0 } else { hits as f64 / base.len() as f64 };
                    Recalls { name, threshold, relative_recall }
                }));
            }
        }
        recalls
    }
}

/// The paper's methods and ours; `derived` are the most frequent short words of the collection.
fn contenders_of(idf: Option<IdfRange>, derived: Vocabulary) -> Vec<(&'static str, Settings)> {
    let with = |method: Method, k: usize| {
        let usual = Settings::new(method);
        Settings { k, idf: idf.or(usual.idf), ..usual }
    };
    let own = |method: Method| with(method, Settings::new(method).k);
    let without_frequent = IdfRange::new(0.1, 1.0).ok();
    vec![
        ("SpotSigs", own(Method::SpotSigs)),
        ("1-Shingles", with(Method::Shingles, 1)),
        ("3-Shingles", with(Method::Shingles, 3)),
        ("5-Shingles", with(Method::Shingles, 5)),
        ("8-Shingles", with(Method::Shingles, 8)),
        ("MinHash", with(Method::MinHash, 5)),
        ("LSH-S", own(Method::LshS)),
        ("I-Match", own(Method::IMatch)),
        ("I-Match-S", own(Method::IMatchS)),
        ("SpotSigs, derived", Settings { spots: Spots::new(derived), ..own(Method::SpotSigs) }),
        ("10-Shingles", with(Method::Shingles, 10)),
        ("3-Shingles, rarer", Settings { idf: idf.or(without_frequent), ..with(Method::Shingles, 3) }),
    ]
}

fn derived(texts: &[String]) -> Result<Vocabulary, Failure> {
    let (mut counts, mut tokens) = (TokenCounts::new(), Tokens::new());
    for text in texts {
        tokens.read(text, Reading::Words).map_err(Failure::run)?;
        counts.add(text, &tokens);
    }
    Ok(counts.vocabulary())
}

fn parameters(settings: &Settings) -> String {
    let mut parts = Vec::new();
    if let Some(range) = &settings.idf {
        parts.push(format!("IDF [{range}]"));
    }
    if settings.method.uses_spots() {
        parts.push(format!("d = {}, c = {}", settings.spots.distance, settings.spots.chain));
    }
    if settings.method.uses_sketches() {
        parts.push(format!("{} permutations", settings.permutations));
    }
    parts.join(", ")
}

fn thresholds(args: &EvalClusterArgs) -> Result<Vec<f64>, Failure> {
    if args.threshold.is_empty() {
        return Ok((1..=STEPS).map(|step| f64::from(step) / f64::from(STEPS)).collect());
    }
    match args.threshold.iter().find(|threshold| !(0.0..=1.0).contains(*threshold)) {
        Some(wrong) => Err(Failure::Usage(format!("--threshold {wrong} is no likeness; write numbers from 0 to 1"))),
        None => Ok(args.threshold.clone()),
    }
}

/// Documents and what is known of them.
struct Labelled {
    texts: Vec<String>,
    labels: Vec<u32>,
    truth: BTreeSet<(u32, u32)>,
    /// Where only pairs with an original are judged: the originals.
    originals: Option<BTreeSet<u32>>,
}

impl Labelled {
    fn read(args: &EvalClusterArgs, relations: &Relations, talk: &Talk) -> Result<Self, Failure> {
        let (inputs, options) = (args.input.open().map_err(Failure::run)?, args.input.options());
        let (mut texts, mut numbers) = (Vec::new(), HashMap::new());
        let mut by_words: HashMap<Vec<u64>, u32> = HashMap::new();
        let left_out = relations.of_kinds(&args.leave_out);
        let watch = talk.watch(Arc::clone(&options.progress));
        let prepare = |document: Document| {
            let mut tokens = Tokens::new();
            tokens.read(&document.text, Reading::Words).expect("reading refuses texts of 4 GiB");
            (document, tokens.hashes().to_vec())
        };
        read(&inputs, &options, prepare, |event| {
            match event {
                Event::Document((document, _)) if left_out.contains(document.id.as_str()) => {}
                Event::Document((document, words)) => {
                    interrupt::check()?;
                    let next = texts.len() as u32;
                    let number = if args.collapse { *by_words.entry(words).or_insert(next) } else { next };
                    if number == next {
                        texts.push(document.text);
                    }
                    numbers.entry(document.id).or_insert(number);
                }
                Event::Problem(problem) if args.input.strict => return Err(Failure::run(problem)),
                Event::Problem(problem) => talk.warn(problem),
            }
            Ok::<(), Failure>(())
        })?;
        drop(watch);
        let labels = relations.labels(&numbers, texts.len() as u32, &args.kind)?;
        let mut members: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        (0..).zip(&labels).for_each(|(document, &label)| members.entry(label).or_default().push(document));
        let originals = args.originals.then(|| relations.originals(&numbers));
        let mut labelled = Labelled { texts, labels, truth: BTreeSet::new(), originals };
        let pairs = members.values().flat_map(|members| {
            members.iter().enumerate().flat_map(|(at, &one)| members[at + 1..].iter().map(move |&other| (one, other)))
        });
        labelled.truth = pairs.filter(|&pair| labelled.judges(pair)).collect();
        Ok(labelled)
    }

    fn judges(&self, (one, other): (u32, u32)) -> bool {
        self.originals.as_ref().is_none_or(|originals| originals.contains(&one) || originals.contains(&other))
    }

    fn judge(&self, threshold: f64, pairs: &[Edge]) -> Scores {
        let alike: Vec<(u32, u32)> =
            pairs.iter().filter(|edge| edge.score >= threshold).map(|edge| (edge.a, edge.b)).collect();
        let rates = pair_rates(alike.iter().copied().filter(|&pair| self.judges(pair)), self.truth.iter().copied());
        let documents = self.texts.len() as u32;
        let mut sets = DisjointSets::new(documents);
        for &(a, b) in &alike {
            sets.join(a, b);
        }
        let found: Vec<u32> = (0..documents).map(|document| sets.first(document)).collect();
        Scores {
            threshold,
            precision: rates.precision,
            recall: rates.recall,
            f1: rates.f1,
            macro_f1: macro_f1(alike, &self.labels),
            adjusted_rand_index: adjusted_rand_index(&found, &self.labels),
        }
    }
}

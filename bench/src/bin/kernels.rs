//! The hot kernels, each on the same generated posts, for callgrind: `kernels NAME`, or `kernels` for the names.
//!
//! Only what happens inside of [`measured`] counts, so that making the input, filling tables and starting up do not. Nothing here may
//! depend on the time or on chance.

use std::error::Error;
use std::hint::black_box;

use headwater::coderivative::shared::{Extract, MemoryBins};
use headwater::coderivative::{Collection, InMemory, Lists, Relate};
use headwater::generate::{Posts, Settings as Stream};
use headwater::neardup::{Alone, Hashing, Method, Scratch, Search, Settings as NearSettings, Signature, Want};
use headwater::origin::{InOrder, Prepared, Report, Settings, Tracer};
use headwater::select::Selection;
use headwater::text::{Reading, Tokens, fingerprints};
use headwater_io::{Event, Inputs, Order, ReadOptions, read};

/// Some 1.2 MB of text.
const POSTS: usize = 1000;

type Outcome = Result<(), Box<dyn Error>>;

/// A kernel by its name.
type Kernel = (&'static str, fn(&[String]) -> Outcome);

/// A kernel gets the posts, prepares, and hands what counts to [`measured`].
const KERNELS: &[Kernel] = &[
    ("tokens and their hashes", tokens),
    ("fingerprints of shingles", shingles),
    ("selection by Hailstorm", hailstorm),
    ("prepare for trace", prepare),
    ("trace into an empty table", trace_new),
    ("trace what the table knows", trace_known),
    ("query a table", query),
    ("read JSONL", read_jsonl),
    ("shared chunks and pairs", graph),
    ("sign by spot signatures", |posts| sign(posts, Method::SpotSigs, Hashing::Classic)),
    ("sign by shingles", |posts| sign(posts, Method::Shingles, Hashing::Classic)),
    ("sign by MinHash, classic", |posts| sign(posts, Method::MinHash, Hashing::Classic)),
    ("sign by MinHash, one permutation", |posts| sign(posts, Method::MinHash, Hashing::OnePermutation)),
    ("join spot signatures", |posts| find(posts, Method::SpotSigs, 0.44)),
    ("join shingles", |posts| find(posts, Method::Shingles, 0.8)),
    ("candidates by MinHash", |posts| find(posts, Method::MinHash, 0.8)),
];

fn main() -> Outcome {
    let Some(name) = std::env::args().nth(1) else {
        KERNELS.iter().for_each(|kernel| println!("{}", kernel.0));
        return Ok(());
    };
    let kernel =
        KERNELS.iter().find(|kernel| kernel.0 == name).ok_or_else(|| format!("no kernel is called {name:?}"))?;
    let posts: Vec<String> =
        Posts::new(Stream { seed: 7, ..Stream::default() })?.take(POSTS).map(|post| post.text).collect();
    (kernel.1)(&posts)
}

/// What callgrind counts: it knows this function by its name.
#[unsafe(no_mangle)]
#[inline(never)]
fn measured(run: &mut dyn FnMut()) {
    run();
}

fn count<T>(mut run: impl FnMut() -> T) {
    measured(&mut || drop(black_box(run())));
}

fn read_tokens(posts: &[String]) -> Result<Vec<Tokens>, Box<dyn Error>> {
    let read = |text: &String| {
        let mut tokens = Tokens::new();
        tokens.read(text, Reading::Words)?;
        Ok(tokens)
    };
    posts.iter().map(read).collect()
}

fn tokens(posts: &[String]) -> Outcome {
    let mut tokens = Tokens::new();
    let mut outcome = Ok(());
    count(|| {
        posts.iter().try_for_each(|text| tokens.read(text, Reading::Words)).unwrap_or_else(|error| outcome = Err(error))
    });
    Ok(outcome?)
}

fn shingles(posts: &[String]) -> Outcome {
    let (tokens, mut out) = (read_tokens(posts)?, Vec::new());
    count(|| tokens.iter().for_each(|tokens| fingerprints(tokens.hashes(), 8, &mut out)));
    Ok(())
}

fn hailstorm(posts: &[String]) -> Outcome {
    let tokens = read_tokens(posts)?;
    let shingles: Vec<Vec<u64>> = tokens
        .iter()
        .map(|tokens| {
            let mut shingles = Vec::new();
            fingerprints(tokens.hashes(), 8, &mut shingles);
            shingles
        })
        .collect();
    let (select, mut out) = (Selection::Hailstorm { lean: false }, Vec::new());
    count(|| {
        tokens
            .iter()
            .zip(&shingles)
            .for_each(|(tokens, shingles)| select.select(tokens.hashes(), shingles, 8, &mut out))
    });
    Ok(())
}

fn tracer() -> Result<Tracer, Box<dyn Error>> {
    Ok(Tracer::new(Settings { memory: 1 << 20, ..Settings::default() })?)
}

fn prepared(posts: &[String], tracer: &Tracer) -> Result<Vec<Prepared>, Box<dyn Error>> {
    let preparer = tracer.preparer();
    Ok(posts.iter().map(|text| preparer.prepare(text)).collect::<Result<_, _>>()?)
}

fn prepare(posts: &[String]) -> Outcome {
    let preparer = tracer()?.preparer();
    let mut prepared = Prepared::default();
    let mut outcome = Ok(());
    count(|| {
        posts
            .iter()
            .try_for_each(|text| preparer.prepare_into(text, &mut prepared))
            .unwrap_or_else(|error| outcome = Err(error))
    });
    Ok(outcome?)
}

fn trace_new(posts: &[String]) -> Outcome {
    let mut tracer = tracer()?;
    let (prepared, mut report) = (prepared(posts, &tracer)?, Report::default());
    count(|| prepared.iter().for_each(|prepared| tracer.observe_into(prepared, 0, &InOrder, &mut report)));
    Ok(())
}

fn trace_known(posts: &[String]) -> Outcome {
    let mut tracer = tracer()?;
    let (prepared, mut report) = (prepared(posts, &tracer)?, Report::default());
    prepared.iter().for_each(|prepared| tracer.observe_into(prepared, 0, &InOrder, &mut report));
    count(|| prepared.iter().for_each(|prepared| tracer.observe_into(prepared, 0, &InOrder, &mut report)));
    Ok(())
}

fn query(posts: &[String]) -> Outcome {
    let mut tracer = tracer()?;
    let (prepared, mut report) = (prepared(posts, &tracer)?, Report::default());
    prepared.iter().for_each(|prepared| tracer.observe_into(prepared, 0, &InOrder, &mut report));
    count(|| prepared.iter().take(100).for_each(|prepared| drop(black_box(tracer.trace(prepared, 0, &InOrder)))));
    Ok(())
}

fn read_jsonl(posts: &[String]) -> Outcome {
    let mut lines = Vec::new();
    for (number, text) in posts.iter().enumerate() {
        serde_json::to_writer(
            &mut lines,
            &serde_json::json!({ "id": number.to_string(), "time": number, "text": text }),
        )?;
        lines.push(b'\n');
    }
    let mut inputs = Inputs::new();
    inputs.push_bytes("memory.jsonl", lines);
    let options = ReadOptions { threads: 1, order: Order::Input, ..ReadOptions::default() };
    count(|| {
        let mut bytes = 0;
        let take = |event| {
            if let Event::Document(length) = event {
                bytes += length;
            }
            Ok::<(), std::convert::Infallible>(())
        };
        read(&inputs, &options, |document| document.text.len(), take).map(|_| bytes).map_err(|error| error.to_string())
    });
    Ok(())
}

fn graph(posts: &[String]) -> Outcome {
    let (mut collection, mut lengths) = (InMemory::new(), Vec::new());
    for tokens in read_tokens(posts)? {
        collection.push(tokens.hashes());
        lengths.push(tokens.len() as u32);
    }
    count(|| {
        let extract = Extract { memory: 1 << 24, ..Extract::default() };
        let mut lists = Lists::new();
        let bins = MemoryBins::new(extract.bins(collection.tokens()));
        let Ok(_) = extract.run(&collection, bins, |chunks| {
            chunks.iter().flatten().for_each(|chunk| lists.add(chunk.document_bytes(), chunk.documents));
            Ok(())
        });
        Relate::default().run(&lists, &lengths)
    });
    Ok(())
}

fn settings(method: Method, hashing: Hashing, threshold: f64) -> NearSettings {
    NearSettings { k: 5, threshold, hashing, ..NearSettings::new(method) }
}

fn sign(posts: &[String], method: Method, hashing: Hashing) -> Outcome {
    let search = Search::new(settings(method, hashing, 0.8))?;
    let (signer, mut scratch) = (search.signer(), Scratch::default());
    count(|| posts.iter().map(|text| signer.sign(text, &mut scratch)).collect::<Result<Vec<Signature>, _>>());
    Ok(())
}

fn find(posts: &[String], method: Method, threshold: f64) -> Outcome {
    let mut search = Search::new(settings(method, Hashing::Classic, threshold))?;
    let (signer, mut scratch) = (search.signer(), Scratch::default());
    for text in posts {
        search.push(&signer.sign(text, &mut scratch)?);
    }
    count(|| search.find(Want::Clusters, &Alone));
    Ok(())
}

//! Near-duplicates against truth: pair F1, macro F1 and adjusted Rand index of every method on the labelled collections.
//!
//! `neardup` sweeps the threshold of every method; `neardup speed COLLECTION` measures MB per CPU second from text to clusters.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::error::Error;
use std::fs;

use headwater::graph::{DisjointSets, Edge};
use headwater::neardup::{
    Alone, Hashing, Measure, Method, Scratch, Search, Settings, Want, adjusted_rand_index, macro_f1, pair_rates,
};
use headwater_bench::collection::{self, Line};
use headwater_bench::measure::cpu_seconds;

/// A collection with its true clusters, as one label for each document.
struct Labelled {
    name: &'static str,
    texts: Vec<String>,
    labels: Vec<u32>,
    /// Where only pairs with an original are true or false: which documents are originals.
    originals: Option<BTreeSet<u32>>,
}

struct Score {
    threshold: f64,
    f1: f64,
    macro_f1: f64,
    ari: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [mode, name] = args.as_slice()
        && mode == "speed"
    {
        return speed(name);
    }
    let collections = [licences(false)?, licences(true)?, clough()?, articles()?];
    println!("| method | {} |", collections.each_ref().map(|one| one.name).join(" | "));
    println!("|---|---|---|---|---|");
    for (name, settings) in contenders() {
        let cells = collections.each_ref().map(|labelled| {
            let scores = sweep(&settings, labelled);
            let best = scores.iter().max_by(|a, b| a.f1.total_cmp(&b.f1)).expect("thresholds were tried");
            let most = |of: fn(&Score) -> f64| scores.iter().map(of).fold(0.0, f64::max);
            format!("{:.3}@{:.2} / {:.3} / {:.3}", best.f1, best.threshold, most(|s| s.macro_f1), most(|s| s.ari))
        });
        println!("| {name} | {} |", cells.join(" | "));
    }
    Ok(())
}

/// The methods of the comparison, each with its lowest threshold.
fn contenders() -> Vec<(String, Settings)> {
    let mut contenders = Vec::new();
    for k in [8, 5, 3, 1] {
        contenders.push((format!("{k}-shingles"), Settings { k, ..Settings::new(Method::Shingles) }));
    }
    let shingles = Settings::new(Method::Shingles);
    contenders.push(("5-shingles, counted".into(), Settings { k: 5, repeats: true, ..shingles.clone() }));
    contenders.push(("5-shingles, cosine".into(), Settings { k: 5, measure: Measure::Cosine, ..shingles.clone() }));
    contenders.push(("5-shingles, containment".into(), Settings { k: 5, measure: Measure::Containment, ..shingles }));
    for (distance, chain) in [(1, 2), (1, 1), (1, 3), (2, 2)] {
        let mut settings = Settings::new(Method::SpotSigs);
        (settings.spots.distance, settings.spots.chain) = (distance, chain);
        contenders.push((format!("SpotSigs d{distance} c{chain}"), settings));
    }
    let range = "0.2,0.85".parse().expect("a range");
    contenders.push((
        "SpotSigs d1 c2, IDF [.2, .85] scaled".into(),
        Settings { idf: Some(range), ..Settings::new(Method::SpotSigs) },
    ));
    for hashing in Hashing::ALL {
        contenders.push((format!("MinHash, {hashing}"), Settings { hashing, k: 5, ..Settings::new(Method::MinHash) }));
        contenders.push((format!("LSH-S, {hashing}"), Settings { hashing, ..Settings::new(Method::LshS) }));
    }
    contenders.push(("I-Match".into(), Settings::new(Method::IMatch)));
    contenders.push(("I-Match-S".into(), Settings::new(Method::IMatchS)));
    contenders
}

/// Every threshold from 0.02 to 1 on the pairs of the lowest.
fn sweep(settings: &Settings, labelled: &Labelled) -> Vec<Score> {
    let settings = Settings { threshold: 0.02, ..settings.clone() };
    let mut search = Search::new(settings).expect("the settings are valid");
    let (signer, mut scratch) = (search.signer(), Scratch::default());
    for text in &labelled.texts {
        search.push(&signer.sign(text, &mut scratch).expect("a document of the collections fits"));
    }
    let edges: Vec<Edge> = search.find(Want::Pairs, &Alone).matches.pairs().collect();
    (1..=50).map(|step| score(f64::from(step) / 50.0, &edges, labelled)).collect()
}

fn score(threshold: f64, edges: &[Edge], labelled: &Labelled) -> Score {
    let documents = labelled.labels.len() as u32;
    let counts = |pair: &(u32, u32)| {
        labelled.originals.as_ref().is_none_or(|originals| originals.contains(&pair.0) || originals.contains(&pair.1))
    };
    let pairs: Vec<(u32, u32)> =
        edges.iter().filter(|edge| edge.score >= threshold).map(|edge| (edge.a, edge.b)).collect();
    let mut by_label: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    (0..documents).for_each(|document| by_label.entry(labelled.labels[document as usize]).or_default().push(document));
    let truth = by_label.values().flat_map(|members| {
        members.iter().enumerate().flat_map(|(at, &a)| members[at + 1..].iter().map(move |&b| (a, b)))
    });
    let rates = pair_rates(pairs.iter().copied().filter(counts), truth.filter(counts));
    let mut sets = DisjointSets::new(documents);
    for &(a, b) in &pairs {
        sets.join(a, b);
    }
    let found: Vec<u32> = (0..documents).map(|document| sets.first(document)).collect();
    Score {
        threshold,
        f1: rates.f1,
        macro_f1: macro_f1(pairs, &labelled.labels),
        ari: adjusted_rand_index(&found, &labelled.labels),
    }
}

fn truth(name: &str) -> Result<Vec<Vec<String>>, Box<dyn Error>> {
    let file = fs::read_to_string(collection::data_folder().join(name).join("truth.tsv"))?;
    Ok(file.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect())
}

/// Licence texts by the name that packagers gave them; with exact copies of a text taken once, under its most frequent name.
fn licences(collapsed: bool) -> Result<Labelled, Box<dyn Error>> {
    let label_of: HashMap<String, String> =
        truth("licences")?.into_iter().map(|row| (row[1].clone(), row[0].clone())).collect();
    let lines = collection::read("licences")?;
    let mut texts: Vec<(&str, Vec<&str>)> = Vec::new();
    let mut places: HashMap<Vec<String>, usize> = HashMap::new();
    for Line { id, text } in &lines {
        let words: Vec<String> =
            text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).map(str::to_lowercase).collect();
        let place = if collapsed { *places.entry(words).or_insert(texts.len()) } else { texts.len() };
        if place == texts.len() {
            texts.push((text, Vec::new()));
        }
        texts[place].1.push(&label_of[id]);
    }
    let mut numbers: HashMap<&str, u32> = HashMap::new();
    let label = |names: &[&str]| {
        let count = |name: &&str| names.iter().filter(|other| *other == name).count();
        names.iter().rev().max_by_key(|name| count(name)).map(|name| (*name).to_owned())
    };
    let names: Vec<String> = texts.iter().filter_map(|(_, names)| label(names)).collect();
    let labels = names
        .iter()
        .map(|name| {
            let next = numbers.len() as u32;
            *numbers.entry(name).or_insert(next)
        })
        .collect();
    let name = if collapsed { "licences, copies collapsed" } else { "licences" };
    Ok(Labelled { name, texts: texts.into_iter().map(|(text, _)| text.to_owned()).collect(), labels, originals: None })
}

/// Answers copied or lightly revised belong to their original; heavy revisions take no part.
fn clough() -> Result<Labelled, Box<dyn Error>> {
    let lines = collection::read("clough")?;
    let number: HashMap<&str, u32> = lines.iter().map(|line| line.id.as_str()).zip(0..).collect();
    let mut labels: Vec<u32> = (0..lines.len() as u32).collect();
    let (mut heavy, mut originals) = (BTreeSet::new(), BTreeSet::new());
    for row in truth("clough")? {
        let (answer, original) = (number[row[0].as_str()], number[row[1].as_str()]);
        originals.insert(original);
        match row[2].as_str() {
            "cut" | "light" => labels[answer as usize] = original,
            "heavy" => {
                heavy.insert(answer);
            }
            _ => {}
        }
    }
    let kept: Vec<u32> = (0..lines.len() as u32).filter(|document| !heavy.contains(document)).collect();
    let texts = lines.into_iter().zip(0..).filter(|(_, n)| !heavy.contains(n)).map(|(line, _)| line.text).collect();
    let labels = kept.iter().map(|&document| labels[document as usize]).collect();
    let originals = (0..).zip(&kept).filter(|(_, document)| originals.contains(document)).map(|(at, _)| at).collect();
    Ok(Labelled { name: "clough", texts, labels, originals: Some(originals) })
}

fn articles() -> Result<Labelled, Box<dyn Error>> {
    let lines = collection::read("articles")?;
    let number: HashMap<&str, u32> = lines.iter().map(|line| line.id.as_str()).zip(0..).collect();
    let mut labels: Vec<u32> = (0..lines.len() as u32).collect();
    for row in truth("articles")? {
        labels[number[row[1].as_str()] as usize] = labels[number[row[0].as_str()] as usize];
    }
    let texts = lines.into_iter().map(|line| line.text).collect();
    Ok(Labelled { name: "articles", texts, labels, originals: None })
}

fn speed(name: &str) -> Result<(), Box<dyn Error>> {
    let lines = collection::read(name)?;
    let megabytes = lines.iter().map(|line| line.text.len()).sum::<usize>() as f64 / 1e6;
    println!("{name}: {} documents, {megabytes:.1} MB\n", lines.len());
    println!(
        "| method | threshold | sign, MB/CPU-s | search, CPU-s | end to end, MB/CPU-s | clusters | compared | recall |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for (method, hashing, threshold) in [
        (Method::SpotSigs, Hashing::Classic, 0.44),
        (Method::SpotSigs, Hashing::Classic, 0.8),
        (Method::LshS, Hashing::Classic, 0.8),
        (Method::Shingles, Hashing::Classic, 0.8),
        (Method::MinHash, Hashing::Classic, 0.8),
        (Method::MinHash, Hashing::OnePermutation, 0.8),
        (Method::IMatchS, Hashing::Classic, 0.8),
    ] {
        let settings = Settings { k: 5, threshold, hashing, ..Settings::new(method) };
        let begin = cpu_seconds();
        let mut search = Search::new(settings)?;
        let (signer, mut scratch) = (search.signer(), Scratch::default());
        for line in &lines {
            search.push(&signer.sign(&line.text, &mut scratch)?);
        }
        let signed = cpu_seconds();
        let found = search.find(Want::Clusters, &Alone);
        let clusters = found.matches.clusters().len();
        let end = cpu_seconds();
        println!(
            "| {method} {} | {threshold} | {:.0} | {:.2} | {:.0} | {clusters} | {} | {} |",
            if method == Method::MinHash { hashing.name() } else { "" },
            megabytes / (signed - begin),
            end - signed,
            megabytes / (end - begin),
            found.compared.map_or("all".into(), |compared| compared.to_string()),
            found.recall.map_or("–".into(), |recall| format!("{recall:.4}")),
        );
    }
    Ok(())
}

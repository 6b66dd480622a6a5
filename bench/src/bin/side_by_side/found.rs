//! What a contender found, and how far it agrees with the exact answer: nobody wins by doing less.

use std::collections::HashMap;
use std::error::Error;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::jobs::{Contender, Job, Source};
use crate::place::Place;

/// What was found, for people, and the agreement with the exact answer where there is one.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Found {
    pub told: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agreement: Option<Agreement>,
    /// Single figures that goals ask for.
    #[serde(default, skip_serializing_if = "HashMap::is_empty")]
    pub figures: HashMap<String, f64>,
}

/// Two shares from 0 to 1. Clusters: of the exact answer's pairs those found, of the own pairs those right. Traces: documents with
/// the same dominant origin, tokens that are called new or old alike as far as the numbers of a document tell.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Agreement {
    pub found: f64,
    pub right: f64,
}

/// Reads what the last run of a contender on a slice left behind.
pub fn read(place: &Place, job: &Job, contender: &Contender, size: &str) -> Result<Found, Box<dyn Error>> {
    let out = place.out(job.key, contender.key, size);
    let exact = contender.exact.map(|exact| place.out(job.key, exact, size));
    match contender.found {
        Source::Told => Ok(Found { told: told(&out.with_extension("stderr"))?, ..Found::default() }),
        Source::Printed => printed(&out.with_extension("stdout")),
        Source::Clusters => {
            clusters(&out.with_extension("jsonl"), exact.map(|exact| exact.with_extension("jsonl")).as_deref())
        }
        Source::Traced => {
            traced(&out.with_extension("jsonl"), exact.map(|exact| exact.with_extension("jsonl")).as_deref())
        }
        Source::Counted => counted(&out.with_extension("stdout")),
    }
}

/// The last two lines for people.
fn told(stderr: &Path) -> Result<String, Box<dyn Error>> {
    let text = fs::read_to_string(stderr)?;
    let lines: Vec<&str> = text.split(['\n', '\r']).map(str::trim).collect();
    let lines: Vec<&str> = lines.into_iter().filter(|line| !line.is_empty() && !line.contains(" left")).collect();
    Ok(lines[lines.len().saturating_sub(2)..].join("; "))
}

fn printed(stdout: &Path) -> Result<Found, Box<dyn Error>> {
    let text = fs::read_to_string(stdout)?;
    let value: Value = match serde_json::from_str(&text) {
        Ok(whole) => whole,
        Err(_) => serde_json::from_str(text.lines().rev().find(|line| line.starts_with('{')).unwrap_or("{}"))?,
    };
    let Value::Object(fields) = value else {
        return Ok(Found { told: text.chars().take(200).collect(), ..Found::default() });
    };
    let figures = fields.iter().filter_map(|(name, value)| Some((name.clone(), value.as_f64()?))).collect();
    let simple = fields.iter().filter(|(_, value)| !value.is_object() && !value.is_array() && !value.is_null());
    let told: Vec<String> =
        simple.map(|(name, value)| format!("{} {}", name.replace('_', " "), shown(value))).collect();
    Ok(Found { told: told.join(", "), agreement: None, figures })
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.as_u64().map_or_else(|| format!("{number:.5}"), grouped),
        other => other.to_string(),
    }
}

/// Thousands set apart.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let parts: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|part| std::str::from_utf8(part).ok()).collect();
    parts.join(",")
}

#[derive(Deserialize)]
struct Census {
    collections: Vec<Collection>,
    overlap: Vec<Overlap>,
}

#[derive(Deserialize)]
struct Collection {
    relative_size: Option<f64>,
}

#[derive(Deserialize)]
struct Overlap {
    share: f64,
    low: f64,
    high: f64,
}

fn counted(stdout: &Path) -> Result<Found, Box<dyn Error>> {
    let Census { collections, overlap } = serde_json::from_str(&fs::read_to_string(stdout)?)?;
    let sizes = collections.iter().filter_map(|one| one.relative_size).map(|size| format!("{size:.3}"));
    let shares = overlap.iter().map(|one| format!("{:.3} ({:.3} to {:.3})", one.share, one.low, one.high));
    let (sizes, shares) = (sizes.collect::<Vec<_>>().join(" and "), shares.collect::<Vec<_>>().join(" and "));
    Ok(Found { told: format!("sizes {sizes}; in the other: {shares}"), ..Found::default() })
}

#[derive(Deserialize)]
struct Cluster {
    members: Vec<String>,
}

fn clusters(out: &Path, exact: Option<&Path>) -> Result<Found, Box<dyn Error>> {
    let own = read_clusters(out)?;
    let removed: usize = own.iter().map(|members| members.len() - 1).sum();
    let told = format!("{} removed, {} clusters", grouped(removed as u64), grouped(own.len() as u64));
    let agreement = match exact.filter(|exact| exact.exists()) {
        Some(exact) => Some(compare(&own, &read_clusters(exact)?)),
        None => None,
    };
    Ok(Found { told, agreement, figures: HashMap::from([("removed".into(), removed as f64)]) })
}

fn read_clusters(path: &Path) -> Result<Vec<Vec<String>>, Box<dyn Error>> {
    let file = File::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut clusters = Vec::new();
    for line in BufReader::new(file).lines() {
        let Cluster { members } = serde_json::from_str(&line?)?;
        if members.len() > 1 {
            clusters.push(members);
        }
    }
    Ok(clusters)
}

/// Pairs are counted in whole clusters: listing them would be quadratic.
fn compare(own: &[Vec<String>], exact: &[Vec<String>]) -> Agreement {
    let pairs = |number: u64| number * (number - 1) / 2;
    let all = |clusters: &[Vec<String>]| clusters.iter().map(|members| pairs(members.len() as u64)).sum::<u64>();
    let place: HashMap<&str, usize> = exact
        .iter()
        .enumerate()
        .flat_map(|(at, members)| members.iter().map(move |name| (name.as_str(), at)))
        .collect();
    let mut common = 0;
    for members in own {
        let mut counts: HashMap<usize, u64> = HashMap::new();
        members.iter().filter_map(|name| place.get(name.as_str())).for_each(|&at| *counts.entry(at).or_default() += 1);
        common += counts.into_values().map(pairs).sum::<u64>();
    }
    let share = |of: u64| if of == 0 { 1.0 } else { common as f64 / of as f64 };
    Agreement { found: share(all(exact)), right: share(all(own)) }
}

#[derive(Deserialize)]
struct Traced {
    id: String,
    tokens: u64,
    fresh_tokens: u64,
    dominant_origin: Option<String>,
}

fn traced(out: &Path, exact: Option<&Path>) -> Result<Found, Box<dyn Error>> {
    let (mut documents, mut tokens, mut fresh) = (0u64, 0u64, 0u64);
    let mut exact = exact.and_then(|exact| File::open(exact).ok()).map(|file| BufReader::new(file).lines());
    let (mut same, mut off) = (0u64, 0u64);
    for line in BufReader::new(File::open(out)?).lines() {
        let one: Traced = serde_json::from_str(&line?)?;
        (documents, tokens, fresh) = (documents + 1, tokens + one.tokens, fresh + one.fresh_tokens);
        if let Some(other) = exact.as_mut().and_then(Iterator::next) {
            let other: Traced = serde_json::from_str(&other?)?;
            if other.id != one.id {
                return Err(
                    format!("{}: {} stands where the exact answer has {}", out.display(), one.id, other.id).into()
                );
            }
            same += u64::from(one.dominant_origin == other.dominant_origin);
            off += one.fresh_tokens.abs_diff(other.fresh_tokens);
        }
    }
    let share = |part: u64, of: u64| part as f64 / of.max(1) as f64;
    let told = format!(
        "{} documents, {} tokens, {:.1} % new",
        grouped(documents),
        grouped(tokens),
        100.0 * share(fresh, tokens)
    );
    let agreement = exact.map(|_| Agreement { found: share(same, documents), right: 1.0 - share(off, tokens) });
    Ok(Found { told, agreement, figures: HashMap::from([("new".into(), share(fresh, tokens))]) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_compared_without_listing_them() {
        let clusters = |list: &[&[&str]]| -> Vec<Vec<String>> {
            list.iter().map(|members| members.iter().map(|&name| name.to_owned()).collect()).collect()
        };
        let exact = clusters(&[&["a", "b", "c"], &["d", "e"]]);
        assert_eq!(compare(&exact, &exact), Agreement { found: 1.0, right: 1.0 });
        // One pair of four, and of its own two one is wrong.
        let own = clusters(&[&["a", "b"], &["c", "x"]]);
        assert_eq!(compare(&own, &exact), Agreement { found: 0.25, right: 0.5 });
        assert_eq!(compare(&[], &exact), Agreement { found: 0.0, right: 1.0 });
    }

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!([7, 1000, 1_234_567].map(grouped), ["7", "1,000", "1,234,567"]);
    }
}

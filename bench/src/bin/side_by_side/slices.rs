//! Fixed slices of a large collection.
//!
//! A slice takes whole families: documents whose last part of the name is equal (the same page in two versions of a package)
//! are taken together or not at all, in an order that depends on that part alone. A sample of single documents would lose
//! most relatives, and with them what there is to find. Larger slices contain the smaller ones; documents keep their order,
//! which is that of their times.

use std::error::Error;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;

use headwater::text::mix;

use crate::place::Place;

/// All sizes in MB that are cut; those that are there already stay.
pub const SIZES: [u32; 8] = [2, 20, 25, 50, 100, 200, 400, 1000];

/// Cuts the slices of a collection, and the two overlapping parts of each for the census.
pub fn cut(place: &Place, collection: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(place.root.join("text"))?;
    let mut families = Vec::new();
    each_line(collection, |line| {
        families.push((family(line), line.len() as u64));
        Ok(())
    })?;
    for size in SIZES {
        let text = place.text(&size.to_string());
        if text.exists() {
            continue;
        }
        let last = last_family(&families, u64::from(size) * 1_000_000);
        let mut out = BufWriter::new(File::create(text.with_extension("part"))?);
        let mut at = 0;
        each_line(collection, |line| {
            let taken = families[at].0 <= last;
            at += 1;
            if taken { Ok(out.write_all(line)?) } else { Ok(()) }
        })?;
        out.flush()?;
        fs::rename(text.with_extension("part"), &text)?;
        halve(place, &size.to_string())?;
    }
    let all = place.text("all");
    if !all.exists() {
        std::os::unix::fs::symlink(collection.canonicalize()?, all)?;
    }
    Ok(())
}

/// Two parts that overlap in a third of the documents: every document has a place in a circle of three.
pub fn halve(place: &Place, size: &str) -> Result<(), Box<dyn Error>> {
    let part =
        |side: &str| File::create(place.root.join("text").join(format!("{side}-{size}.jsonl"))).map(BufWriter::new);
    let (mut left, mut right) = (part("left")?, part("right")?);
    let mut number = 0;
    each_line(&place.text(size), |line| {
        let third = mix(number) % 3;
        number += 1;
        if third != 2 {
            left.write_all(line)?;
        }
        if third != 0 {
            right.write_all(line)?;
        }
        Ok(())
    })?;
    left.flush()?;
    Ok(right.flush()?)
}

/// The last family that fits, in the order of their numbers.
fn last_family(families: &[(u64, u64)], bytes: u64) -> u64 {
    let mut ordered = families.to_vec();
    ordered.sort_unstable();
    let (mut sum, mut last) = (0, 0);
    for family in ordered.chunk_by(|one, other| one.0 == other.0) {
        sum += family.iter().map(|document| document.1).sum::<u64>();
        if sum > bytes {
            break;
        }
        last = family[0].0;
    }
    last
}

/// A number for the last part of the name in a line.
fn family(line: &[u8]) -> u64 {
    let mark = b"\"id\": \"";
    let name = line.windows(mark.len()).position(|window| window == mark).map_or(line, |at| &line[at + mark.len()..]);
    let name = name.split(|&byte| byte == b'"').next().unwrap_or_default();
    let last = name.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
    last.iter().fold(1, |hash, &byte| mix(hash ^ u64::from(byte)))
}

fn each_line(path: &Path, mut take: impl FnMut(&[u8]) -> Result<(), Box<dyn Error>>) -> Result<(), Box<dyn Error>> {
    let file = File::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut lines = BufReader::with_capacity(1 << 20, file);
    let mut line = Vec::new();
    while lines.read_until(b'\n', &mut line)? > 0 {
        take(&line)?;
        line.clear();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_hold_whole_families_and_contain_smaller_ones() {
        let family = |name: &str| family(format!("{{\"id\": \"{name}\", \"text\": \"x\"}}").as_bytes());
        assert_eq!(family("a_1/doc/x.html"), family("a_2/doc/x.html"));
        assert_ne!(family("a_1/doc/x.html"), family("a_1/doc/y.html"));
        let families: Vec<(u64, u64)> = (0..1000).map(|at| (mix(at % 300), 10)).collect();
        let taken = |bytes| {
            let last = last_family(&families, bytes);
            families.iter().filter(move |family| family.0 <= last).map(|family| family.1).sum::<u64>()
        };
        assert!((1950..=2000).contains(&taken(2000)));
        assert!(last_family(&families, 1000) < last_family(&families, 2000));
        assert_eq!(taken(1_000_000), 10_000);
    }
}

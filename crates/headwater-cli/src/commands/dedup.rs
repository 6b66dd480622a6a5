//! `headwater dedup`: the collection with one document of each cluster of near-duplicates kept.

use headwater::Document;
use headwater::graph::Cluster;
use headwater::neardup::{Found, Want};
use headwater_io::write::{DataType, Field, Row, RowWriter, Schema, SchemaRef};
use headwater_io::{Event, Format, Summary, read};
use serde::Serialize;

use super::kept::{Kept, KeptRow, form_like};
use super::neardup::{Gathered, Question, gather};
use super::representative::representatives;
use crate::args::{DedupArgs, Representative, format_of, target};
use crate::failure::Failure;
use crate::interrupt;
use crate::record::in_one_line;
use crate::terminal::{Talk, count};

/// A document that went.
#[derive(Serialize)]
struct GoneRow<'a> {
    id: &'a str,
    kept: &'a str,
    /// Below the threshold where the two are only connected through others.
    similarity: Option<f64>,
    cluster: usize,
    /// How many documents the cluster has.
    size: usize,
}

pub(crate) fn dedup(args: &DedupArgs) -> Result<(), Failure> {
    let out = target(args.output.as_deref());
    if args.format.is_none() && args.output.is_some() {
        format_of(None, &out).map_err(Failure::Usage)?;
    }
    let log = args.log.as_deref().map(|path| target(Some(path)));
    let log = log.map(|target| format_of(None, &target).map(|format| (target, format))).transpose();
    let log = log.map_err(Failure::Usage)?;
    let talk = Talk::new(args.talk.quiet);
    let question = Question {
        input: &args.input,
        references: &args.against,
        neardup: &args.neardup,
        tokens: &args.tokens,
        index: None,
        again: true,
        // What goes is lost: that is not left to a guess.
        derives: false,
    };
    let mut gathered = gather(&question, &talk)?;
    gathered.advise(&talk);
    let all = args.representative == Representative::Central;
    let found = gathered.find(if all { Want::Pairs } else { Want::Clusters })?;

    let clusters = found.matches.clusters();
    let verdict = Verdict::new(&gathered, &found, &clusters, args.representative);
    let gone = verdict.gone(&mut gathered, &clusters)?;
    if let Some((target, format)) = log {
        write_log(&gone, &gathered, &clusters, RowWriter::create(target, format)?)?;
    }
    let read = only_format(&gathered.summary);
    let format = match (args.format, &args.output) {
        (None, None) => form_like(read),
        (asked, _) => format_of(asked, &out).map_err(Failure::Usage)?,
    };
    let kept = Kept::create(out, format, read, &gathered.inputs, &gathered.options)?;
    let threshold = gathered.settings.threshold;
    let apart = gone.iter().filter(|gone| gone.similarity.is_some_and(|similarity| similarity < threshold)).count();
    let (kept, gone) = write(&gathered, &verdict, kept)?;
    let mut line = format!("{}; {} kept, {} gone", gathered.account(&found), count(kept), count(gone));
    if apart > 0 {
        line += &format!(
            ", {} of them less like the one that was kept than {threshold}: they hang on it through others",
            count(apart as u64)
        );
    }
    talk.say(line);
    Ok(())
}

/// A document that goes, and the one that is kept for it.
struct Gone {
    document: u32,
    kept: u32,
    similarity: Option<f64>,
    /// The number of their cluster.
    cluster: usize,
}

/// Which documents go.
struct Verdict {
    /// For each document the one that stands for it; itself where it stays.
    stands_for: Vec<u32>,
}

impl Verdict {
    fn new(gathered: &Gathered, found: &Found, clusters: &[Cluster], which: Representative) -> Self {
        let places = gathered.places();
        let chosen = representatives(which, clusters, gathered, &found.matches, &places);
        let mut stands_for: Vec<u32> = (0..places.len() as u32).collect();
        for (cluster, mut chosen) in clusters.iter().zip(chosen) {
            // Members stand in order of arrival, and the reference was read first.
            if cluster.members[0] < gathered.references {
                chosen = cluster.members[0];
            }
            for &member in cluster.members.iter().filter(|&&member| member >= gathered.references) {
                stands_for[member as usize] = chosen;
            }
        }
        Verdict { stands_for }
    }

    fn stays(&self, document: u32) -> bool {
        self.stands_for[document as usize] == document
    }

    /// The documents that go, cluster by cluster.
    fn gone(&self, gathered: &mut Gathered, clusters: &[Cluster]) -> Result<Vec<Gone>, Failure> {
        let members = clusters.iter().enumerate().flat_map(|(n, cluster)| cluster.members.iter().map(move |&m| (n, m)));
        let gone: Vec<(usize, u32)> = members.filter(|&(_, member)| !self.stays(member)).collect();
        let kept = |document: u32| self.stands_for[document as usize];
        let pairs: Vec<(u32, u32)> = gone.iter().map(|&(_, document)| (kept(document), document)).collect();
        // Not those of the pairs that were found: two members of a cluster need not be one.
        let likenesses = gathered.likenesses(&pairs)?;
        let gone = gone.into_iter().zip(likenesses).map(|((cluster, document), similarity)| {
            let kept = kept(document);
            Gone { document, kept, similarity, cluster }
        });
        Ok(gone.collect())
    }
}

fn write_log<'g>(
    gone: &[Gone],
    gathered: &'g Gathered,
    clusters: &[Cluster],
    mut rows: RowWriter<GoneRow<'g>>,
) -> Result<(), Failure> {
    let name = |number: u32| gathered.documents[number as usize].id.as_str();
    for &Gone { document, kept, similarity, cluster } in gone {
        let size = clusters[cluster].members.len();
        rows.write(&GoneRow { id: name(document), kept: name(kept), similarity, cluster, size })?;
    }
    Ok(rows.finish()?)
}

/// Reads the documents again and writes those that stay, as whole records where that can be; the first of all that were
/// read are references.
fn write(gathered: &Gathered, verdict: &Verdict, mut rows: Kept) -> Result<(u64, u64), Failure> {
    let references = gathered.references;
    let mut options = gathered.options.clone();
    let whole = rows.wants_records();
    options.fields.whole = whole;
    let (mut number, mut kept) = (references, 0);
    let changed = || Failure::run("the input changed while it was read; run it again");
    read(
        &gathered.inputs,
        &options,
        |document: Document| document,
        |event| {
            // Problems were named when the documents were read first.
            if let Event::Document(document) = event {
                interrupt::check()?;
                let known = gathered.documents.get(number as usize).filter(|known| known.id == document.id);
                if known.is_none() {
                    return Err(changed());
                }
                if verdict.stays(number) {
                    kept += 1;
                    rows.write(&match whole {
                        true => KeptRow::Record(in_one_line(document.text).ok_or_else(changed)?),
                        false => KeptRow::Document(document.into()),
                    })?;
                }
                number += 1;
            }
            Ok::<(), Failure>(())
        },
    )?;
    if number as usize != gathered.documents.len() {
        return Err(changed());
    }
    rows.finish()?;
    Ok((kept, u64::from(number - references) - kept))
}

/// The format of all inputs, if they have one.
fn only_format(summary: &Summary) -> Option<Format> {
    let mut formats = summary.formats.keys();
    formats.next().filter(|_| formats.next().is_none()).copied()
}

fn text(name: &str, nullable: bool) -> Field {
    Field::new(name, DataType::Utf8, nullable)
}

impl Row for GoneRow<'_> {
    fn schema() -> SchemaRef {
        Schema::new(vec![
            text("id", false),
            text("kept", false),
            Field::new("similarity", DataType::Float64, true),
            Field::new("cluster", DataType::UInt64, false),
            Field::new("size", DataType::UInt64, false),
        ])
        .into()
    }
}

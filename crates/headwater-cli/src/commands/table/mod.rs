//! `headwater table`: what can be done with kept tables.

mod export;
mod stats;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use headwater_io::table::{Access, Opened, Table};

use crate::args::{TableArgs, TableCommand, Which};
use crate::failure::Failure;
use crate::interrupt;
use crate::memory::BEFORE_ALL;
use crate::terminal::{Talk, bytes, count};

pub(crate) fn table(args: &TableArgs) -> Result<(), Failure> {
    let talk = Talk::new(args.talk.quiet);
    match &args.command {
        TableCommand::Stats { files, json } => files.iter().try_for_each(|file| stats::stats(file, *json)),
        TableCommand::Verify { files } => verify(files, &talk),
        TableCommand::Merge { files, output } => merge(files, output, &talk),
        TableCommand::Remove { file, which } => remove(file, which, &talk),
        TableCommand::Export { file, output } => export::export(file, output.as_deref(), &talk),
    }
}

/// Every table is checked, also those behind a damaged one.
fn verify(files: &[PathBuf], talk: &Talk) -> Result<(), Failure> {
    let mut damaged = Vec::new();
    for file in files {
        match Table::open(file, Access::Read).and_then(|opened| opened.verify().map(|()| opened)) {
            Ok(opened) => talk.say(format_args!(
                "{}: sound; {} documents, {}",
                file.display(),
                count(u64::from(opened.tracer.documents())),
                bytes(opened.tracer.table().len() as u64)
            )),
            Err(error) => damaged.push(error.to_string()),
        }
    }
    if damaged.is_empty() { Ok(()) } else { Err(Failure::Run(damaged.join("\nerror: "))) }
}

fn merge(files: &[PathBuf], output: &Path, talk: &Talk) -> Result<(), Failure> {
    interrupt::hold();
    let opened = files.iter().map(|file| Table::open(file, Access::Read)).collect::<Result<Vec<Opened>, _>>()?;
    let documents: u64 = opened.iter().map(|table| u64::from(table.tracer.documents())).sum();
    let dropped = Opened::merge(opened, output)?;
    talk.say(format_args!(
        "{}: {} documents; {} entries found no room",
        output.display(),
        count(documents),
        count(dropped)
    ));
    Ok(())
}

fn remove(file: &Path, which: &Which, talk: &Talk) -> Result<(), Failure> {
    let before = which.before.as_deref().map(|written| {
        let time = headwater_io::time_of_text(written);
        let wrong = || Failure::Usage(format!("--before: '{written}' is no time; write a date, a year or RFC 3339"));
        time.map(|time| time.micros()).ok_or_else(wrong)
    });
    let before = before.transpose()?;
    interrupt::hold();
    let mut opened = Table::open(file, Access::Write)?;
    let mut documents = BTreeSet::new();
    let mut met = BTreeSet::new();
    for number in 0..opened.tracer.documents() {
        let Some(stamp) = opened.register.stamp(number)? else { continue };
        let named = !which.id.is_empty() && {
            let id = &opened.register.get(number)?.id;
            which.id.iter().position(|wanted| wanted == id).map(|at| met.insert(at)).is_some()
        };
        // What was never said to be of any time was not said to be written before one.
        let dated = stamp.order != BEFORE_ALL;
        if named || before.is_some_and(|before| dated && stamp.order < before) {
            documents.insert(number);
        }
    }
    let unmet: Vec<&str> =
        which.id.iter().enumerate().filter(|(at, _)| !met.contains(at)).map(|(_, id)| id.as_str()).collect();
    if !unmet.is_empty() {
        return Err(Failure::Run(format!("{}: no document has the id {}", file.display(), unmet.join(", "))));
    }
    let removed = opened.remove(&documents)?;
    talk.say(format_args!(
        "{}: {} documents forgotten, and {} entries of theirs",
        file.display(),
        count(documents.len() as u64),
        count(removed)
    ));
    Ok(())
}

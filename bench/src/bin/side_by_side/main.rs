//! Every job of ours beside what a user would pick instead: `bench/run` builds all that is needed and calls this.

mod child;
mod found;
mod goals;
mod growth;
#[path = "../../../../crates/headwater-report/src/page.rs"]
#[cfg_attr(not(test), expect(dead_code, reason = "the house's page as it is; this one is drawn without a script"))]
mod house;
mod instructions;
mod jobs;
mod limits;
mod markdown;
mod page;
mod place;
#[path = "../../../../crates/headwater-report/src/plot/mod.rs"]
#[cfg_attr(not(test), expect(dead_code, reason = "the house's plots as they are; not every axis is needed here"))]
mod plot;
mod readme;
mod record;
mod rounds;
mod slices;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use jobs::JOBS;
use place::Place;
use record::Record;
use rounds::Plan;

const USAGE: &str = "usage: side_by_side WORK COMMAND …
  slices COLLECTION.jsonl                  cut the fixed slices
  halves SIZE                              the two parts of a slice for the census
  measure [--jobs A,B] [--sizes 20,200] [--rounds 3] [--only CONTENDER,…] [--growth] [--patience SECONDS]
  instructions [--accept]                  count, compare with what is committed
  render DATE                              write the record, the page, the README's table
  check                                    is the README's table that of the newest record?";

fn main() -> ExitCode {
    match run(std::env::args().skip(1).collect()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("side_by_side: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: Vec<String>) -> Result<bool, Box<dyn Error>> {
    let [work, command, rest @ ..] = arguments.as_slice() else { return Err(USAGE.into()) };
    let place = Place { root: PathBuf::from(work) };
    match (command.as_str(), rest) {
        ("slices", [collection]) => slices::cut(&place, Path::new(collection))?,
        ("halves", [size]) => slices::halve(&place, size)?,
        ("measure", options) => measure(&place, options)?,
        ("instructions", []) => return instructions::count(&place, false),
        ("instructions", [accept]) if accept == "--accept" => return instructions::count(&place, true),
        ("render", [date]) => render(&place, date)?,
        ("check", []) => readme::check()?,
        _ => return Err(USAGE.into()),
    }
    Ok(true)
}

fn measure(place: &Place, options: &[String]) -> Result<(), Box<dyn Error>> {
    let list = |value: &str| value.split(',').map(str::to_owned).collect::<Vec<_>>();
    let mut jobs: Vec<String> = JOBS.iter().map(|job| job.key.to_owned()).collect();
    let mut sizes = list("20");
    let mut plan = Plan { rounds: 3, patience: Duration::from_secs(1200), only: Vec::new(), is_growth: false };
    let mut options = options.iter();
    while let Some(option) = options.next() {
        if option == "--growth" {
            plan.is_growth = true;
            continue;
        }
        let value = options.next().ok_or_else(|| format!("{option} needs a value"))?;
        match option.as_str() {
            "--jobs" => jobs = list(value),
            "--sizes" => sizes = list(value),
            "--rounds" => plan.rounds = value.parse()?,
            "--only" => plan.only = list(value),
            "--patience" => plan.patience = Duration::from_secs(value.parse()?),
            _ => return Err(format!("{option} is not known\n{USAGE}").into()),
        }
    }
    if let Some(unknown) = jobs.iter().find(|name| JOBS.iter().all(|job| job.key != **name)) {
        return Err(format!("no job is called {unknown}").into());
    }
    for job in JOBS.iter().filter(|job| jobs.iter().any(|name| name == job.key)) {
        for size in &sizes {
            rounds::measure(place, job, size, &plan)?;
        }
    }
    Ok(())
}

fn render(place: &Place, date: &str) -> Result<(), Box<dyn Error>> {
    let record = Record::gather(place, date)?;
    let stem = Path::new(env!("CARGO_MANIFEST_DIR")).join("record").join(format!("{date}-side-by-side"));
    fs::write(stem.with_extension("json"), serde_json::to_string_pretty(&record)? + "\n")?;
    fs::write(stem.with_extension("md"), markdown::write(&record))?;
    fs::write(stem.with_extension("html"), page::write(&record)?)?;
    readme::update()?;
    println!("{}", stem.with_extension("md").display());
    Ok(())
}

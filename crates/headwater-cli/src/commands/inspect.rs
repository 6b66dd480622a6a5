//! `headwater inspect`: what is in these files.

mod findings;
mod page;

use std::io::Write;
use std::sync::Arc;

use headwater::text::Tokens;
use headwater_io::write::Output;
use headwater_io::{Event, ReadError, read};

use crate::args::{InspectArgs, InspectFormat, target};
use crate::failure::Failure;
use crate::interrupt;
use crate::terminal::Talk;
use findings::{Findings, Look};

pub(crate) fn inspect(args: &InspectArgs) -> Result<(), Failure> {
    let talk = Talk::new(args.talk.quiet);
    args.input.spare(&target(args.output.as_deref())).map_err(Failure::Usage)?;
    let inputs = args.input.open().map_err(Failure::run)?;
    // The order does not matter for counting, and whether the times are in order is told by what arrives late.
    let mut options = args.input.options();
    options.order = headwater_io::Order::Input;
    let (k, reading) = (usize::from(args.tokens.shingle), args.tokens.tokens);

    let mut findings = Findings::new(k);
    let watch = talk.watch(Arc::clone(&options.progress));
    let look = |document: headwater::Document| {
        let mut tokens = Tokens::new();
        tokens.read(&document.text, reading).expect("reading refuses texts of 4 GiB");
        Look::at(&document, &tokens, k)
    };
    let outcome = read(&inputs, &options, look, |event| match event {
        Event::Document(look) => {
            findings.add(&look);
            interrupt::check()
        }
        Event::Problem(problem) if args.input.strict => Err(Failure::run(problem)),
        Event::Problem(problem) => {
            talk.warn(&problem);
            findings.add_problem(&problem);
            Ok(())
        }
    });
    drop(watch);
    // An empty collection is what people come to `inspect` for: say what there is before saying that it will not do.
    let (summary, failure) = match outcome {
        Ok(summary) => (summary, None),
        Err(ReadError::Empty(summary)) => {
            let failure = Failure::run(ReadError::<Failure>::Empty(summary.clone()));
            (*summary, Some(failure))
        }
        Err(ReadError::NoText { field, summary }) => {
            let failure = Failure::run(ReadError::<Failure>::NoText { field, summary: summary.clone() });
            (*summary, Some(failure))
        }
        Err(other) => return Err(other.into()),
    };
    let shown = match args.format {
        InspectFormat::Text => page::text(&findings, &summary, &options.fields),
        InspectFormat::Json => page::json(&findings, &summary).map_err(Failure::run)?,
    };
    let mut out = Output::create(target(args.output.as_deref()))?;
    out.write_all(shown.as_bytes())?;
    out.finish()?;
    failure.map_or(Ok(()), Err)
}

//! The program `headwater`: parse, choose a command, run it, map the outcome to an exit code.

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod allocator;
mod args;
mod commands;
mod failure;
mod interrupt;
mod memory;
mod namesakes;
mod record;
mod stream;
mod terminal;

use std::process::ExitCode;

use args::Command;

fn main() -> ExitCode {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    allocator::keep_freed_memory();
    let cli = args::parse();
    keep_caught_panics_silent();
    interrupt::listen();
    let outcome = match cli.command {
        Command::Trace(args) => commands::trace(&args),
        Command::Novel(args) => commands::novel(&args),
        Command::Snippet(args) => commands::snippet(&args),
        Command::Copycats(args) => commands::copycats(&args),
        Command::Explain(args) => commands::explain(&args),
        Command::Diff(args) => commands::diff(&args),
        Command::Graph(args) => commands::graph(&args),
        Command::Eval { what } => commands::eval(&what),
        Command::Calibrate(args) => commands::calibrate(&args),
        Command::Generate(args) => commands::generate(&args),
        Command::Cluster(args) => commands::cluster(&args),
        Command::Dedup(args) => commands::dedup(&args),
        Command::Census(args) => commands::census(&args),
        Command::Inspect(args) => commands::inspect(&args),
        Command::Table(args) => commands::table(&args),
        Command::Completions { shell } => commands::completions(shell),
        Command::Man { folder } => commands::man(&folder),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

/// A broken file that a format crate panics on is told as a problem of that file; its backtrace would only frighten.
fn keep_caught_panics_silent() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !headwater_io::panics_are_told() {
            usual(panic);
        }
    }));
}

//! The program `headwater`: parse, choose a command, run it, map the outcome to an exit code.

mod args;
mod commands;
mod failure;
mod interrupt;
mod terminal;

use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};

fn main() -> ExitCode {
    let cli = Cli::parse();
    interrupt::listen();
    let outcome = match cli.command {
        Command::Trace(args) => commands::trace(&args),
        Command::Cluster(args) => commands::cluster(&args),
        Command::Dedup(args) => commands::dedup(&args),
        Command::Inspect(args) => commands::inspect(&args),
        Command::Completions { shell } => commands::completions(shell),
        Command::Man { folder } => commands::man(&folder),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

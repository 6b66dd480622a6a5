//! Which options stand on the command line, as opposed to having their default values.

use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory, FromArgMatches};

use super::{Cli, Command};

/// The options that the user wrote. A kept table brings its own settings, and only what was asked for can differ from them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Given(Vec<String>);

impl Given {
    /// Whether an option, by the name of its field, was given.
    pub(crate) fn has(&self, option: &str) -> bool {
        self.0.iter().any(|given| given == option)
    }

    fn of(matches: &ArgMatches) -> Self {
        let names = matches.ids().map(clap::Id::as_str);
        let written = |name: &&str| matches.value_source(name) == Some(ValueSource::CommandLine);
        Given(names.filter(written).map(str::to_owned).collect())
    }
}

/// Parses the command line; ends the program where it cannot be understood, or asks for help.
pub(crate) fn parse() -> Cli {
    let matches = Cli::command().get_matches();
    let mut cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    if let (Command::Trace(args), Some((_, matches))) = (&mut cli.command, matches.subcommand()) {
        args.memory.given = Given::of(matches);
    }
    cli
}

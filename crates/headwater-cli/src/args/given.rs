//! Which options stand on the command line, as opposed to having their default values.

use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory, FromArgMatches};

use super::{Cli, Command, StreamArgs};

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
    if let (Some(args), Some((_, matches))) = (stream_of(&mut cli.command), matches.subcommand()) {
        args.memory.given = Given::of(matches);
    }
    if let Command::Explain(args) = &mut cli.command {
        // Whoever asks why does not want to change what is asked.
        args.stream.memory.no_add = args.stream.memory.table.is_some();
    }
    if let Command::Copycats(args) = &mut cli.command
        && args.by != "host"
    {
        args.stream.input.set_url_field(&args.by);
    }
    cli
}

/// The arguments of a command that asks for origins.
fn stream_of(command: &mut Command) -> Option<&mut StreamArgs> {
    match command {
        Command::Trace(args) => Some(&mut args.stream),
        Command::Novel(args) => Some(&mut args.stream),
        Command::Snippet(args) => Some(&mut args.stream),
        Command::Copycats(args) => Some(&mut args.stream),
        Command::Explain(args) => Some(&mut args.stream),
        _ => None,
    }
}

//! `headwater completions` and `headwater man`: what a shell and `man` want to know, from the one definition.

use std::io::{self, Write};
use std::path::Path;

use clap::CommandFactory;

use crate::args::Cli;
use crate::failure::Failure;

pub(crate) fn completions(shell: clap_complete::Shell) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "headwater", &mut script);
    Ok(io::stdout().write_all(&script)?)
}

pub(crate) fn man(folder: &Path) -> Result<(), Failure> {
    let explain =
        |error: io::Error| Failure::run(format_args!("cannot write manual pages to {}: {error}", folder.display()));
    std::fs::create_dir_all(folder).map_err(explain)?;
    clap_mangen::generate_to(Cli::command(), folder).map_err(explain)
}

//! Where answers go, and how much is said beside them.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use headwater_io::write::OutputFormat;

#[derive(Args, Debug)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// Write to FILE, whole or not at all, instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// The form of the answers [default: what FILE's extension says, text on a terminal, else jsonl]
    #[arg(long, value_name = "FORMAT", value_enum)]
    format: Option<AnswerFormat>,

    /// Also say what each attribution rests on: shingles found, aligned, bridged or expanded
    #[arg(long)]
    pub(crate) evidence: bool,

    /// Whether text is coloured
    #[arg(long, value_name = "WHEN", value_enum, default_value = "auto")]
    pub(crate) color: Colour,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum AnswerFormat {
    /// One JSON object a line
    Jsonl,
    /// One JSON array
    Json,
    /// Comma-separated, segments as JSON in their column
    Csv,
    /// Columns, compressed
    Parquet,
    /// For reading: each document with its origins in colours
    Text,
}

/// The form of the answers, decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Rows(OutputFormat),
    Text,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    Always,
    Never,
}

impl OutputArgs {
    /// What the user asked for, else what the file's name says, else what suits a terminal or a program.
    pub(crate) fn form(&self) -> Result<Form, String> {
        match self.format {
            Some(AnswerFormat::Jsonl) => Ok(Form::Rows(OutputFormat::Jsonl)),
            Some(AnswerFormat::Json) => Ok(Form::Rows(OutputFormat::Json)),
            Some(AnswerFormat::Csv) => Ok(Form::Rows(OutputFormat::Csv)),
            Some(AnswerFormat::Parquet) => Ok(Form::Rows(OutputFormat::Parquet)),
            Some(AnswerFormat::Text) => Ok(Form::Text),
            None => match &self.output {
                Some(path) if is_text(path) => Ok(Form::Text),
                Some(path) => OutputFormat::of_path(path).map(Form::Rows).ok_or_else(|| {
                    format!("the name {} does not tell the form of the answers; add --format", path.display())
                }),
                None if std::io::stdout().is_terminal() => Ok(Form::Text),
                None => Ok(Form::Rows(OutputFormat::Jsonl)),
            },
        }
    }
}

fn is_text(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "txt")
}

impl Colour {
    /// Whether to colour what goes to standard output, or to a file where `to_file`.
    pub(crate) fn wanted(self, to_file: bool) -> bool {
        match self {
            Colour::Always => true,
            Colour::Never => false,
            Colour::Auto => {
                let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
                !to_file && !refused && std::io::stdout().is_terminal()
            }
        }
    }
}

#[derive(Args, Debug)]
#[command(next_help_heading = "Output")]
pub(crate) struct TalkArgs {
    /// Say nothing on standard error but errors
    #[arg(long)]
    pub(crate) quiet: bool,
}

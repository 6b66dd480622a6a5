//! Where answers go, and how much is said beside them.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use headwater_io::write::{OutputFormat, Target};

#[derive(Args, Debug)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// Write to FILE, whole or not at all, instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

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
    /// One page that can be mailed: documents, their origins, and who took from whom
    Html,
}

/// The form of answers, decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Rows(OutputFormat),
    Text,
}

/// The form of answers that can also be a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PageForm {
    Plain(Form),
    Page,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    Always,
    Never,
}

impl OutputArgs {
    pub(crate) fn form(&self) -> Result<PageForm, String> {
        let asked = match self.format {
            Some(AnswerFormat::Html) => return Ok(PageForm::Page),
            Some(AnswerFormat::Jsonl) => Some(Form::Rows(OutputFormat::Jsonl)),
            Some(AnswerFormat::Json) => Some(Form::Rows(OutputFormat::Json)),
            Some(AnswerFormat::Csv) => Some(Form::Rows(OutputFormat::Csv)),
            Some(AnswerFormat::Parquet) => Some(Form::Rows(OutputFormat::Parquet)),
            Some(AnswerFormat::Text) => Some(Form::Text),
            None => None,
        };
        page_form(asked, &self.target())
    }

    pub(crate) fn target(&self) -> Target {
        target(self.output.as_deref())
    }
}

/// Standard output unless a file is named.
pub(crate) fn target(output: Option<&Path>) -> Target {
    output.map_or(Target::Stdout, Target::from)
}

/// What the user asked for, else what the file's name says, else what suits a terminal or a program.
pub(super) fn form(asked: Option<Form>, target: &Target) -> Result<Form, String> {
    match (asked, target) {
        (Some(form), _) => Ok(form),
        (None, Target::File(path)) if has_extension(path, "txt") => Ok(Form::Text),
        (None, Target::Stdout) if std::io::stdout().is_terminal() => Ok(Form::Text),
        (None, Target::Stdout) => Ok(Form::Rows(OutputFormat::Jsonl)),
        (None, file) => OutputFormat::of(file)
            .map(Form::Rows)
            .ok_or_else(|| format!("the name {file} does not tell the form of the answers; add --format")),
    }
}

/// As [`form`], where the file's name can also ask for a page.
pub(super) fn page_form(asked: Option<Form>, target: &Target) -> Result<PageForm, String> {
    match (asked, target) {
        (None, Target::File(path)) if has_extension(path, "html") => Ok(PageForm::Page),
        (asked, target) => form(asked, target).map(PageForm::Plain),
    }
}

fn has_extension(path: &Path, wanted: &str) -> bool {
    path.extension().is_some_and(|extension| extension == wanted)
}

impl Colour {
    /// Whether to colour what goes there.
    pub(crate) fn wanted(self, target: &Target) -> bool {
        match self {
            Colour::Always => true,
            Colour::Never => false,
            Colour::Auto => {
                let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
                *target == Target::Stdout && !refused && std::io::stdout().is_terminal()
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

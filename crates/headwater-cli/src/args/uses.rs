//! What people do with origins: new text alone, snippets, copycats, two documents side by side, and why.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use headwater_io::write::{OutputFormat, Target};

use super::output::{Colour, Form, TalkArgs, form, target};
use super::{InputArgs, RowFormat, StreamArgs, TokenArgs};

#[derive(Args, Debug)]
pub(crate) struct NovelArgs {
    #[command(flatten)]
    pub(crate) stream: StreamArgs,

    /// Never leave half a sentence: sentences that are more than half new stay whole, the others go whole
    #[arg(long, help_heading = "Output")]
    pub(crate) keep_sentences: bool,

    /// Leave out documents that have nothing new
    #[arg(long, help_heading = "Output")]
    pub(crate) skip_empty: bool,

    /// Write to FILE, whole or not at all, instead of standard output; plain text and pages also to a folder, under their names
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    /// The form of the documents [default: what FILE's extension says, else that of the inputs where their names tell one (several
    /// files of plain text or pages only in a folder), else jsonl]
    ///
    /// Records pass with all fields and columns that they have, JSON into JSON, rows of CSV and Parquet into their own kind or JSON;
    /// into another kind of table go id, time, url and text. Of a page stay its new paragraphs, of a web archive records of plain
    /// text.
    #[arg(long, value_name = "FORMAT", value_enum, help_heading = "Output")]
    pub(crate) format: Option<RowFormat>,

    #[command(flatten)]
    pub(crate) talk: TalkArgs,
}

#[derive(Args, Debug)]
pub(crate) struct SnippetArgs {
    #[command(flatten)]
    pub(crate) stream: StreamArgs,

    /// How many words a snippet has
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..), help_heading = "Output")]
    pub(crate) words: u32,

    #[command(flatten)]
    pub(crate) output: UseOutputArgs,

    #[command(flatten)]
    pub(crate) talk: TalkArgs,
}

#[derive(Args, Debug)]
pub(crate) struct CopycatsArgs {
    #[command(flatten)]
    pub(crate) stream: StreamArgs,

    /// Who is meant: the host of the address, or any FIELD of the records, such as author
    #[arg(long, value_name = "FIELD", default_value = "host", help_heading = "Input")]
    pub(crate) by: String,

    /// Passages that are shown for each source
    #[arg(long, value_name = "N", default_value_t = 3, help_heading = "Output")]
    pub(crate) examples: usize,

    /// Show only the first N copycats
    #[arg(long, value_name = "N", help_heading = "Output")]
    pub(crate) top: Option<usize>,

    #[command(flatten)]
    pub(crate) output: UseOutputArgs,

    #[command(flatten)]
    pub(crate) talk: TalkArgs,
}

#[derive(Args, Debug)]
pub(crate) struct ExplainArgs {
    /// The id of the document
    #[arg(value_name = "DOC", help_heading = "Input")]
    pub(crate) document: String,

    #[command(flatten)]
    pub(crate) stream: StreamArgs,

    #[command(flatten)]
    pub(crate) output: ReadingOutputArgs,

    #[command(flatten)]
    pub(crate) talk: TalkArgs,
}

#[derive(Args, Debug)]
pub(crate) struct DiffArgs {
    /// A file with one document, or the id of a document of the inputs
    #[arg(value_name = "A", help_heading = "Input")]
    pub(crate) a: String,

    /// The other one
    #[arg(value_name = "B", help_heading = "Input")]
    pub(crate) b: String,

    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[command(flatten)]
    pub(crate) tokens: TokenArgs,

    #[command(flatten)]
    pub(crate) output: DiffOutputArgs,
}

/// Where an answer that is mostly read goes.
#[derive(Args, Debug)]
#[command(next_help_heading = "Output")]
pub(crate) struct ReadingOutputArgs {
    /// Write to FILE, whole or not at all, instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// The form of the answer
    #[arg(long, value_name = "FORMAT", value_enum, default_value = "text")]
    pub(crate) format: ReadingFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReadingFormat {
    /// For reading
    Text,
    /// One JSON object
    Json,
}

/// Where two documents side by side go.
#[derive(Args, Debug)]
#[command(next_help_heading = "Output")]
pub(crate) struct DiffOutputArgs {
    /// Write to FILE, whole or not at all, instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// The form of the answer [default: what FILE's extension says, else text]
    #[arg(long, value_name = "FORMAT", value_enum)]
    format: Option<DiffForm>,

    /// Whether text is coloured
    #[arg(long, value_name = "WHEN", value_enum, default_value = "auto")]
    color: Colour,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiffForm {
    /// Two columns, shared passages in the same colour and with the same number
    Text,
    /// One JSON object with the places of the shared passages
    Json,
    /// One page that can be mailed
    Html,
}

impl ReadingOutputArgs {
    pub(crate) fn target(&self) -> Target {
        target(self.output.as_deref())
    }
}

impl DiffOutputArgs {
    pub(crate) fn target(&self) -> Target {
        target(self.output.as_deref())
    }

    pub(crate) fn form(&self) -> Result<DiffForm, String> {
        if let Some(form) = self.format {
            return Ok(form);
        }
        let Some(path) = &self.output else { return Ok(DiffForm::Text) };
        match path.extension().and_then(std::ffi::OsStr::to_str) {
            Some("txt") => Ok(DiffForm::Text),
            Some("json") => Ok(DiffForm::Json),
            Some("html") => Ok(DiffForm::Html),
            _ => Err(format!("the name {} does not tell the form of the answer; add --format", path.display())),
        }
    }

    pub(crate) fn colour(&self) -> bool {
        self.color.wanted(&self.target())
    }
}

/// Where the answers go, and in which form.
#[derive(Args, Debug)]
#[command(next_help_heading = "Output")]
pub(crate) struct UseOutputArgs {
    /// Write to FILE, whole or not at all, instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// The form of the answers [default: what FILE's extension says, text on a terminal, else jsonl]
    #[arg(long, value_name = "FORMAT", value_enum)]
    format: Option<UseFormat>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum UseFormat {
    /// One JSON object a line
    Jsonl,
    /// One JSON array
    Json,
    /// Comma-separated
    Csv,
    /// Columns, compressed
    Parquet,
    /// For reading
    Text,
}

impl UseOutputArgs {
    pub(crate) fn target(&self) -> Target {
        target(self.output.as_deref())
    }

    /// What the user asked for, else what the file's name says, else what suits a terminal or a program.
    pub(crate) fn form(&self) -> Result<Form, String> {
        let asked = self.format.map(|format| match format {
            UseFormat::Jsonl => Form::Rows(OutputFormat::Jsonl),
            UseFormat::Json => Form::Rows(OutputFormat::Json),
            UseFormat::Csv => Form::Rows(OutputFormat::Csv),
            UseFormat::Parquet => Form::Rows(OutputFormat::Parquet),
            UseFormat::Text => Form::Text,
        });
        form(asked, &self.target())
    }
}

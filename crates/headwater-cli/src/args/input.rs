//! Which documents, and how to read them.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use headwater_io::write::Target;
use headwater_io::{Fields, HtmlText, Inputs, Order, ReadOptions};

use super::size::Size;

#[derive(Args, Debug)]
#[command(next_help_heading = "Input")]
pub(crate) struct InputArgs {
    /// Files, folders (with all that is below them), or - for standard input
    #[arg(value_name = "INPUT", required_unless_present = "demo")]
    inputs: Vec<PathBuf>,

    /// Read the small collection that comes with the program
    ///
    /// Forty-three pieces about a weir, a slate and a notebook: a wire report and its reprints, blogs that quote it,
    /// versions of a page, patchworks.
    #[arg(long, conflicts_with = "inputs")]
    demo: bool,

    /// The format of every input, where neither extension nor content tells
    #[arg(long, value_name = "FORMAT")]
    input_format: Option<headwater_io::Format>,

    /// The field with the text; a dotted name reaches inside objects
    #[arg(long, visible_alias = "text-key", value_name = "NAME", default_value = "text")]
    text_field: String,

    /// The field with the document's name; a document without one is called FILE:LINE
    #[arg(long, visible_alias = "id-key", value_name = "NAME", default_value = "id")]
    id_field: String,

    /// The field with the time: RFC 3339, a date, a year, or an integer
    #[arg(long, visible_alias = "time-key", value_name = "NAME", default_value = "time")]
    time_field: String,

    /// The field with the address
    #[arg(long, visible_alias = "url-key", value_name = "NAME", default_value = "url")]
    url_field: String,

    /// Which text of a web page counts
    #[arg(long, value_name = "PART", value_enum, default_value = "main")]
    html: HtmlPart,

    /// The order in which documents are taken
    #[arg(long, value_name = "ORDER", value_enum, default_value = "auto")]
    order: InputOrder,

    /// Refuse documents with more text than this
    #[arg(long, value_name = "SIZE", default_value = "64MiB")]
    max_document: Size,

    /// End at the first record that cannot be read, instead of naming and skipping it
    #[arg(long)]
    pub(crate) strict: bool,

    /// How many threads read and parse; the answers do not depend on it [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum HtmlPart {
    /// The article, without navigation and the like
    Main,
    /// Everything that can be seen
    All,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum InputOrder {
    /// By time where there are times; standard input as it arrives
    Auto,
    /// By time, also standard input, which is then read to its end first
    Time,
    /// As they stand in the inputs, without looking at their times first
    Input,
}

/// What sorting by time may take, beside the table: more would hardly be faster, since the rest goes to disk in long runs.
const SORT_MEMORY: usize = 32 << 20;

/// The collection behind `--demo`.
const DEMO: &[u8] = include_bytes!("../../../../testdata/river/documents.jsonl");

impl InputArgs {
    /// Whether there is anything to read: a question to an index needs nothing.
    pub(crate) fn is_given(&self) -> bool {
        self.demo || !self.inputs.is_empty()
    }

    /// Each input by itself, where every one is a collection of its own.
    pub(crate) fn each(&self) -> &[PathBuf] {
        &self.inputs
    }

    /// Whether the small collection that comes with the program was asked for.
    pub(crate) fn is_demo(&self) -> bool {
        self.demo
    }

    /// Refuses to put answers in the place of the documents that they are about, also of those in folders.
    pub(crate) fn spare(&self, target: &Target) -> Result<(), String> {
        let Target::File(output) = target else { return Ok(()) };
        // What is no ordinary file, such as a terminal, is not replaced.
        if !output.is_file() {
            return Ok(());
        }
        // Opening a pipe would take something out of it.
        let paths: Vec<&PathBuf> = self.inputs.iter().filter(|path| path.is_file() || path.is_dir()).collect();
        match Inputs::open(&paths) {
            Ok(inputs) if inputs.hold(output) => {
                Err(format!("{} is an input: the answers would take the place of the documents", output.display()))
            }
            // What cannot be opened is told where it is read.
            _ => Ok(()),
        }
    }

    pub(crate) fn open(&self) -> Result<Inputs, headwater_io::Error> {
        if self.demo {
            let mut inputs = Inputs::new();
            inputs.push_bytes("river.jsonl", DEMO);
            return Ok(inputs);
        }
        Inputs::open(&self.inputs)
    }

    /// The format of all inputs, where the user or their names tell one.
    pub(crate) fn format(&self) -> Result<Option<headwater_io::Format>, headwater_io::Error> {
        Ok(self.input_format.or(self.open()?.format()))
    }

    /// Takes this field in place of the address.
    pub(super) fn set_url_field(&mut self, field: &str) {
        field.clone_into(&mut self.url_field);
    }

    pub(crate) fn options(&self) -> ReadOptions {
        ReadOptions {
            format: self.input_format,
            fields: Fields {
                text: self.text_field.clone(),
                id: self.id_field.clone(),
                time: self.time_field.clone(),
                url: self.url_field.clone(),
                whole: false,
            },
            html: match self.html {
                HtmlPart::Main => HtmlText::Main,
                HtmlPart::All => HtmlText::All,
            },
            max_document: self.max_document.0,
            threads: self.threads(),
            order: match self.order {
                InputOrder::Auto => Order::Auto,
                InputOrder::Time => Order::Time,
                InputOrder::Input => Order::Input,
            },
            sort_memory: SORT_MEMORY,
            ..ReadOptions::default()
        }
    }

    pub(crate) fn threads(&self) -> usize {
        self.threads.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from)
    }
}

//! What the user typed. Turning it into what the program will do is each command's first step.

mod calibrate;
mod census;
mod duration;
mod eval;
mod eval_origin;
mod generate;
mod given;
mod graph;
mod input;
mod list;
mod neardup;
mod origin;
mod output;
mod size;
mod table;
mod uses;

use clap::{Args, Parser, Subcommand};

pub(crate) use calibrate::{CalibrateArgs, CalibrateFormat};
pub(crate) use census::{By, CensusArgs, CensusForm, DrawBy, EvalCensusArgs, EvalCensusForm};
pub(crate) use eval::{EvalClusterArgs, EvalCommand, EvalFormat, EvalGraphArgs};
pub(crate) use eval_origin::{Amount, EvalOriginArgs, MeasureFormat, SHARES};
pub(crate) use generate::GenerateArgs;
pub(crate) use given::parse;
pub(crate) use graph::{Duplicates, GraphArgs, GraphForm};
pub(crate) use input::InputArgs;
pub(crate) use list::table_3;
pub(crate) use neardup::{
    ClusterForm, ClusterOutputArgs, NeardupArgs, Representative, RowFormat, SignatureIndexArgs, Words, format_of,
};
pub(crate) use origin::{MemoryArgs, OriginArgs, TokenArgs};
pub(crate) use output::{Form, OutputArgs, PageForm, TalkArgs, target};
pub(crate) use size::Size;
pub(crate) use table::{TableArgs, TableCommand, Which};
pub(crate) use uses::{CopycatsArgs, DiffArgs, DiffForm, ExplainArgs, NovelArgs, ReadingFormat, SnippetArgs};

/// The whole command line. The first screen is a tour: what the program answers, with an example of each command.
#[derive(Debug, Parser)]
#[command(
    name = "headwater",
    version,
    about = "Where did this text come from, and what in it is new?",
    help_template = TOUR,
    disable_help_subcommand = true,
    subcommand_required = true,
    arg_required_else_help = true
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const TOUR: &str = "\
{about}

Usage: headwater COMMAND [OPTIONS] INPUT…

Where text came from
  headwater trace posts.jsonl.zst      for every passage, the earliest document that had it; the rest is new
  headwater trace --demo -o demo.html  … as a page, of a small collection that comes with the program
  headwater novel posts.jsonl          the documents with only their new text
  headwater snippet feeds/             of each document the passage that shows best what is new
  headwater copycats crawl/*.warc.gz   who copies most, and from whom
  headwater explain post-17 posts.jsonl  why each passage was attributed as it was
  headwater diff draft.md final.md     two documents side by side, shared passages in the same colour
  headwater table stats news.table     look into kept tables, check, merge and export them, forget documents

Who shares text with whom
  headwater graph docs/ -o graph.html  every pair of documents that share text, across a whole collection

Near-duplicates
  headwater cluster crawl/*.warc.gz    documents that are nearly the same, by what their running text says
  headwater dedup posts.jsonl          the collection with one of each cluster kept, and a log of what went

Sizes
  headwater census monday/ tuesday/    how large collections are beside each other, and how much they share

How good the answers are
  headwater eval origin posts.jsonl    the origin paper's experiment on your documents; eval graph, eval cluster
  headwater calibrate posts.jsonl.zst  which --memory to choose, and what it will give
  headwater generate -o posts.jsonl    made-up posts with planted copies, of any size, and the truth about them

Before you start
  headwater inspect crawl/             what is in these files: formats, fields, times, scripts, problems
  headwater completions bash           tab completion for your shell
  headwater man man/                   manual pages

INPUT is any number of files and folders, or - for standard input: JSONL, JSON, Parquet, CSV, plain text,
Markdown, HTML, WARC, FASTA and source code, each also compressed with gzip, zstd, bzip2 or xz.

{options}
`headwater COMMAND --help` explains a command and all its options, -h in short.
";

/// One command for each question.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// For every passage, tell which earlier document had it first; all else is new
    ///
    /// Reads documents in the order of their times. For each one it reports where its passages come from, names the
    /// dominant origin, and then remembers what is new in it: in a fixed amount of memory, however long the stream.
    #[command(after_help = TRACE_EXAMPLES, override_usage = "headwater trace [OPTIONS] INPUT…\n       headwater trace --demo")]
    Trace(Box<TraceArgs>),

    /// Write the documents back with only their new text
    ///
    /// Reads in the order of times, as `trace` does, and takes out of every document what an earlier one had.
    #[command(after_help = NOVEL_EXAMPLES, override_usage = "headwater novel [OPTIONS] INPUT…\n       headwater novel --demo")]
    Novel(Box<NovelArgs>),

    /// For each document, the passage that shows best what is new in it
    ///
    /// What a search result, a feed or a digest should show of a document that is partly copied: the most new words, whole
    /// sentences where that costs little.
    #[command(after_help = SNIPPET_EXAMPLES, override_usage = "headwater snippet [OPTIONS] INPUT…\n       headwater snippet --demo")]
    Snippet(Box<SnippetArgs>),

    /// Tell who copies most, and from whom
    ///
    /// Adds up by host, or by any field, what documents have from earlier documents of others. Whoever goes on with an own
    /// text copies nobody; a document without a host or field stands for itself.
    #[command(after_help = COPYCATS_EXAMPLES, override_usage = "headwater copycats [OPTIONS] INPUT…\n       headwater copycats --demo")]
    Copycats(Box<CopycatsArgs>),

    /// Tell why each passage of a document was attributed as it was
    ///
    /// Reads up to the document as `trace` does and shows what the answer about it rests on: which shingles the table had,
    /// how far the text around them agrees, which had been evicted. A kept table is only asked, never changed.
    #[command(after_help = EXPLAIN_EXAMPLES, override_usage = "headwater explain [OPTIONS] DOC INPUT…\n       headwater explain DOC --demo")]
    Explain(Box<ExplainArgs>),

    /// Show two documents side by side, shared passages in the same colour
    ///
    /// Every run of K words that both have is found, also where it was moved. A and B are files with one document each or,
    /// where INPUT is given, the ids of two documents in it.
    #[command(
        after_help = DIFF_EXAMPLES,
        override_usage = "headwater diff [OPTIONS] A B\n       headwater diff [OPTIONS] ID ID INPUT…",
        mut_arg("inputs", |inputs| inputs.required_unless_present_any(["demo", "a"]))
    )]
    Diff(Box<DiffArgs>),

    /// Find every pair of documents that share text, in a whole collection
    ///
    /// Extracts all passages of K words that two or more documents have (SPEX: lossless, in bounded memory) and scores the
    /// pairs of documents that share them (DECO). Exact duplicates are told first.
    #[command(
        after_help = GRAPH_EXAMPLES,
        override_usage = "headwater graph [OPTIONS] INPUT…\n       headwater graph --index FILE [INPUT…]",
        mut_arg("inputs", |inputs| inputs.required_unless_present_any(["demo", "index"]))
    )]
    Graph(Box<GraphArgs>),

    /// Measure how good answers are, against documents whose derivation is known
    Eval {
        /// What is measured
        #[command(subcommand)]
        what: EvalCommand,
    },

    /// Tell which accuracy each amount of memory would give on these documents, and recommend one
    ///
    /// Measures on a sample how often the dominant origin would be named (DO) and how many tokens rightly be called fresh or
    /// old (TF), at many amounts of memory and on growing beginnings of the sample; from how these differ it tells what the
    /// whole collection, and one that has grown, will need.
    #[command(after_help = CALIBRATE_EXAMPLES, override_usage = "headwater calibrate [OPTIONS] INPUT…\n       headwater calibrate --demo")]
    Calibrate(Box<CalibrateArgs>),

    /// Write a stream of made-up posts with planted copies, or framed pages, and the truth about them
    ///
    /// Who is copied follows Zipf's law, near in time more often than far; the lengths of passages have a long tail. The stream
    /// can be of any length and takes no memory; the same seed gives the same bytes.
    #[command(after_help = GENERATE_EXAMPLES, override_usage = "headwater generate [OPTIONS]")]
    Generate(Box<GenerateArgs>),

    /// Find documents that are nearly the same
    ///
    /// Compares what the running text of pages says, whatever frames it (spot signatures), or their shingles. Every pair at
    /// the threshold is found; methods that hash say which share they found. Clusters are documents connected by such pairs.
    #[command(
        after_help = CLUSTER_EXAMPLES,
        override_usage = "headwater cluster [OPTIONS] INPUT…\n       headwater cluster --index FILE [INPUT…]\n       headwater cluster --demo",
        mut_arg("inputs", |inputs| inputs.required_unless_present_any(["demo", "index"]))
    )]
    Cluster(Box<ClusterArgs>),

    /// Write the collection with one document of each cluster of near-duplicates kept
    ///
    /// Finds clusters as `cluster` does and writes every document but those that stand behind another one; with --log also
    /// what went, and for which document.
    #[command(after_help = DEDUP_EXAMPLES, override_usage = "headwater dedup [OPTIONS] INPUT…\n       headwater dedup --demo")]
    Dedup(Box<DedupArgs>),

    /// Tell how large collections are beside each other, and how much they share
    ///
    /// Draws documents from each collection, checks which of the others have them, and solves for relative sizes, all with
    /// intervals (Bharat and Broder). A collection is a file, a folder, a table that `trace --table` keeps, or a search service
    /// on the network, described by a file NAME.engine.json; those that can only be searched are drawn from by random queries.
    #[command(
        after_help = CENSUS_EXAMPLES,
        override_usage = "headwater census [OPTIONS] COLLECTION COLLECTION…\n       headwater census --demo",
        mut_arg("inputs", |inputs| inputs.value_name("COLLECTION").help("Two or more collections: files, folders, kept tables, or - for standard input")),
        mut_arg("demo", |demo| demo.help("Compare the two partial crawls that come with the program").long_help(None))
    )]
    Census(Box<CensusArgs>),

    /// Tell what is in these files: a first look, and the answer to an empty result
    ///
    /// Reads everything once and prints formats, fields, counts of documents, tokens and shingles, the range of times,
    /// the scripts it is written in, documents that are too short, and every problem by its kind.
    #[command(after_help = INSPECT_EXAMPLES, override_usage = "headwater inspect [OPTIONS] INPUT…")]
    Inspect(Box<InspectArgs>),

    /// Look into kept tables, check, merge and export them, forget documents
    ///
    /// A table is what `headwater trace --table FILE` keeps: FILE itself, FILE.names with the names of its documents, and
    /// FILE.lock, which is empty. Move and copy the first two together.
    #[command(
        after_help = "Example:\n  headwater table stats news.table",
        override_usage = "headwater table COMMAND FILE…"
    )]
    Table(Box<TableArgs>),

    /// Print tab completion for a shell
    #[command(after_help = "Example:\n  headwater completions zsh > ~/.zfunc/_headwater")]
    Completions {
        /// The shell to complete for
        shell: clap_complete::Shell,
    },

    /// Write the manual pages into a folder
    #[command(after_help = "Example:\n  headwater man man && man -l man/headwater-trace.1")]
    Man {
        /// The folder, which is made where there is none
        folder: std::path::PathBuf,
    },
}

const TRACE_EXAMPLES: &str = "\
Examples:
  headwater trace posts.jsonl.zst > origins.jsonl         one line for each document
  headwater trace --format text letters/ | less -R        read them with every origin in its colour
  headwater trace --memory 2GiB -o origins.parquet crawl/*.warc.gz
  headwater trace --table news.table today.jsonl          go on with what was learnt yesterday
  headwater trace --table news.table --no-add -           where does this come from? paste it
  headwater trace --select NHs --evict LS --estimate BE posts.jsonl       the paper's best";

const NOVEL_EXAMPLES: &str = "\
Examples:
  headwater novel posts.jsonl.zst -o new.jsonl.zst         what is new, in the same form
  headwater novel --keep-sentences --skip-empty feeds/     no half sentences, nothing empty
  headwater novel --table web.table --no-add today.jsonl   what today adds to all that is known";

const SNIPPET_EXAMPLES: &str = "\
Examples:
  headwater snippet posts.jsonl > snippets.jsonl           one line for each document
  headwater snippet --words 12 --format text feeds/        a list for reading";

const COPYCATS_EXAMPLES: &str = "\
Examples:
  headwater copycats crawl/*.warc.gz                       hosts, those that copy most first
  headwater copycats --by author --top 20 posts.jsonl
  headwater copycats --examples 0 -o who.csv posts.jsonl";

const EXPLAIN_EXAMPLES: &str = "\
Examples:
  headwater explain post-17 posts.jsonl
  headwater explain pasted.txt --table web.table pasted.txt
  headwater explain newsbarrel-1 --demo";

const DIFF_EXAMPLES: &str = "\
Examples:
  headwater diff draft.md final.md
  headwater diff post-17 post-4 posts.jsonl -o pair.html   a page to send
  headwater diff plover-gauge-1 newsbarrel-1 --demo";

const GRAPH_EXAMPLES: &str = "\
Examples:
  headwater graph papers.jsonl > edges.jsonl              one line for each pair
  headwater graph docs/ -o graph.html                     drawn, with the passages behind every edge
  headwater graph --for report-7 papers.jsonl             one document's relatives, side by side
  headwater graph --index news.hwg monday.jsonl           begin an index …
  headwater graph --index news.hwg tuesday.jsonl          … and continue it: the graph of both days
  headwater graph --score S1 --threshold 100 --max-df 0.01 --chunks shared.jsonl crawl/";

const CALIBRATE_EXAMPLES: &str = "\
Examples:
  headwater calibrate posts.jsonl.zst                     a minute for 100 MB of text
  headwater calibrate --sample 20MB crawl/                quicker, and less sure
  headwater calibrate --growth 1,5,50 --format json posts.jsonl";

const GENERATE_EXAMPLES: &str = "\
Examples:
  headwater generate --documents 1000 -o posts.jsonl --truth truth.jsonl
  headwater generate --size 2GB --seed 7 | headwater trace --memory 256MiB - > origins.jsonl
  headwater generate --copy-ratio 0.16 --edits 0.05 -o swiss.jsonl.zst
  headwater generate --pages -o pages.warc --truth pages.tsv   for headwater eval cluster --html all";

const CLUSTER_EXAMPLES: &str = "\
Examples:
  headwater cluster crawl/*.warc.gz > clusters.jsonl      one line for each cluster
  headwater cluster --pairs --threshold 0.8 -k 5 --method shingles posts.jsonl
  headwater cluster --method minhash --threshold 0.7 large.parquet
  headwater cluster --language derive gesetze/            words of any language or domain
  headwater cluster --index news.hws today.jsonl          today's beside all earlier ones, and kept
  headwater cluster --index news.hws --no-add page.html   what is like this page? only asked";

const DEDUP_EXAMPLES: &str = "\
Examples:
  headwater dedup posts.jsonl.zst -o unique.jsonl.zst --log gone.jsonl
  headwater dedup --representative longest pages/ > unique.jsonl
  headwater dedup new.jsonl --against test-set.jsonl      leave out what the test set has";

const CENSUS_EXAMPLES: &str = "\
Examples:
  headwater census monday.warc.gz tuesday.warc.gz         how much of one crawl the other has, and which is larger
  headwater census --by address ours/ theirs.jsonl third.parquet
  headwater census --by near --samples 5000 a.jsonl b.jsonl
  headwater census news.table today.jsonl                 a kept table is a collection too
  headwater census ours.jsonl theirs.engine.json          a search service, described by a small file";

const INSPECT_EXAMPLES: &str = "\
Examples:
  headwater inspect crawl/                                all that is below a folder
  headwater inspect --text-field body posts.jsonl         where the text has another name
  headwater inspect --format json posts.parquet           for programs";

/// What every command that asks for origins takes.
#[derive(Args, Debug)]
pub(crate) struct StreamArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) tokens: TokenArgs,
    #[command(flatten)]
    pub(crate) origin: OriginArgs,
    #[command(flatten)]
    pub(crate) memory: MemoryArgs,
}

#[derive(Args, Debug)]
pub(crate) struct TraceArgs {
    #[command(flatten)]
    pub(crate) stream: StreamArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) talk: TalkArgs,
}

#[derive(Args, Debug)]
pub(crate) struct ClusterArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) tokens: TokenArgs,
    #[command(flatten)]
    pub(crate) neardup: NeardupArgs,
    #[command(flatten)]
    pub(crate) index: SignatureIndexArgs,
    #[command(flatten)]
    pub(crate) output: ClusterOutputArgs,
    #[command(flatten)]
    pub(crate) talk: TalkArgs,
}

#[derive(Args, Debug)]
pub(crate) struct DedupArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// Also leave out what is like a document of these, which are not written themselves
    #[arg(long, value_name = "REFERENCE", help_heading = "Input")]
    pub(crate) against: Vec<std::path::PathBuf>,
    #[command(flatten)]
    pub(crate) tokens: TokenArgs,
    #[command(flatten)]
    pub(crate) neardup: NeardupArgs,
    /// Which document of each cluster is kept
    #[arg(long, value_name = "WHICH", value_enum, default_value = "earliest", help_heading = "Output")]
    pub(crate) representative: Representative,
    /// Write what went and why to FILE: the document, the one kept for it, and how alike the two are
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) log: Option<std::path::PathBuf>,
    /// Write to FILE, whole or not at all, instead of standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<std::path::PathBuf>,
    /// The form of the documents [default: what FILE's extension says, else that of the input if all have one, else jsonl]
    #[arg(long, value_name = "FORMAT", value_enum, help_heading = "Output")]
    pub(crate) format: Option<RowFormat>,
    #[command(flatten)]
    pub(crate) talk: TalkArgs,
}

#[derive(Args, Debug)]
pub(crate) struct InspectArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) tokens: TokenArgs,
    /// How to print what was found
    #[arg(long, value_name = "FORMAT", value_enum, default_value = "text", help_heading = "Output")]
    pub(crate) format: InspectFormat,
    /// Write to FILE, whole or not at all, instead of standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<std::path::PathBuf>,
    #[command(flatten)]
    pub(crate) talk: TalkArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum InspectFormat {
    /// For people
    Text,
    /// One JSON object
    Json,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_definition_of_the_command_line_is_sound() {
        super::Cli::command().debug_assert();
    }
}

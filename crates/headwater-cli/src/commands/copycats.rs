//! `headwater copycats`: who copies most, and from whom.

use std::collections::HashMap;
use std::io::Write;

use headwater::origin::{Report, Segment};
use headwater_io::write::{Output, RowWriter};
use headwater_io::{Entry, Order, ReadOptions, read};

use super::copycats_row::{CopycatRow, ExampleRow, SourceRow};
use crate::args::{CopycatsArgs, Form, InputArgs};
use crate::failure::Failure;
use crate::interrupt;
use crate::memory::Memory;
use crate::stream::{Answers, Incoming, stream};
use crate::terminal::{Talk, count, percent, plain};

/// The longest text of an example: enough to judge it.
const LONGEST: usize = 300;

/// Documents that are looked at for the names of fields: what they do not have, hardly any other has.
const LOOKED_AT: u64 = 10_000;

pub(crate) fn copycats(args: &CopycatsArgs) -> Result<(), Failure> {
    let form = args.output.form().map_err(Failure::Usage)?;
    let copycats =
        Copycats { args, form, who: HashMap::new(), all: Vec::new(), has_field: false, examples: args.examples };
    let target = args.output.target();
    stream(&args.stream, &target, copycats, &Talk::new(args.talk.quiet))
}

/// Everybody that was met, and what they took.
struct Copycats<'a> {
    args: &'a CopycatsArgs,
    form: Form,
    /// Everybody's number.
    who: HashMap<String, usize>,
    all: Vec<Party>,
    /// Whether any document says who is meant.
    has_field: bool,
    examples: usize,
}

/// One host, or whatever documents are grouped by.
struct Party {
    name: String,
    documents: u64,
    tokens: u64,
    /// Tokens that others have taken from it.
    given: u64,
    /// What it took from whom.
    taken: HashMap<usize, Taken>,
}

#[derive(Default)]
struct Taken {
    tokens: u64,
    documents: u64,
    /// The last document that took something: each is counted once.
    last: Option<u32>,
    /// The longest passages, longest first.
    examples: Vec<ExampleRow>,
}

impl Answers for Copycats<'_> {
    fn wants_text(&self) -> bool {
        self.examples > 0
    }

    fn before(&mut self, document: &Incoming, _memory: &Memory) -> Result<(), Failure> {
        self.has_field |= document.url.is_some();
        Ok(())
    }

    fn answer(&mut self, document: &Incoming, report: &Report, memory: &Memory) -> Result<(), Failure> {
        let taker = self.party(&document.id, document.url.as_deref());
        self.all[taker].documents += 1;
        self.all[taker].tokens += report.tokens() as u64;
        for segment in report.segments.iter().filter(|segment| segment.origin != report.document) {
            let origin = memory.register.get(segment.origin)?;
            let giver = self.party(&origin.id, origin.url.as_deref());
            // Whoever goes on with an own text copies nobody.
            if giver != taker {
                self.all[giver].given += segment.tokens.len() as u64;
                let examples = self.examples;
                let taken = self.all[taker].taken.entry(giver).or_default();
                taken.add(document, segment, report.document, &origin, examples);
            }
        }
        Ok(())
    }

    fn finish(self) -> Result<(), Failure> {
        // Without an address a document still has its id to go by, but who asks for a field has misspelt one that nobody has.
        if self.args.by != "host" && !self.has_field {
            return Err(no_field(&self.args.by, &self.args.stream.input)?);
        }
        let (target, form) = (self.args.output.target(), self.form);
        let rows = self.rows();
        match form {
            Form::Rows(format) => {
                let mut writer = RowWriter::create(target, format)?;
                rows.iter().try_for_each(|row| writer.write(row))?;
                Ok(writer.finish()?)
            }
            Form::Text => {
                let mut out = Output::create(target)?;
                if rows.is_empty() {
                    writeln!(out, "nobody copies from anybody else")?;
                }
                rows.iter().try_for_each(|row| write_text(row, &mut out))?;
                Ok(out.finish()?)
            }
        }
    }
}

impl Copycats<'_> {
    fn party(&mut self, id: &str, address: Option<&str>) -> usize {
        let name = match address {
            Some(address) if self.args.by == "host" => host(address).unwrap_or_else(|| address.to_owned()),
            Some(field) => field.to_owned(),
            None => id.to_owned(),
        };
        let number = *self.who.entry(name.clone()).or_insert(self.all.len());
        if number == self.all.len() {
            self.all.push(Party { name, documents: 0, tokens: 0, given: 0, taken: HashMap::new() });
        }
        number
    }

    /// Whoever took anything, those that took most first.
    fn rows(self) -> Vec<CopycatRow> {
        let names: Vec<String> = self.all.iter().map(|party| party.name.clone()).collect();
        let mut rows: Vec<CopycatRow> = self
            .all
            .into_iter()
            .filter(|party| !party.taken.is_empty())
            .map(|party| {
                let mut sources: Vec<SourceRow> = party
                    .taken
                    .into_iter()
                    .map(|(giver, taken)| SourceRow {
                        name: names[giver].clone(),
                        tokens: taken.tokens,
                        documents: taken.documents,
                        examples: taken.examples,
                    })
                    .collect();
                sources.sort_by(|one, other| other.tokens.cmp(&one.tokens).then_with(|| one.name.cmp(&other.name)));
                let copied = sources.iter().map(|source| source.tokens).sum();
                CopycatRow {
                    name: party.name,
                    documents: party.documents,
                    tokens: party.tokens,
                    copied_tokens: copied,
                    copied_share: (copied as f64 / party.tokens as f64 * 1e4).round() / 1e4,
                    given_tokens: party.given,
                    sources,
                }
            })
            .collect();
        rows.sort_by(|one, other| other.copied_tokens.cmp(&one.copied_tokens).then_with(|| one.name.cmp(&other.name)));
        rows.truncate(self.args.top.unwrap_or(usize::MAX));
        rows
    }
}

impl Taken {
    fn add(&mut self, document: &Incoming, segment: &Segment, number: u32, origin: &Entry, examples: usize) {
        let tokens = segment.tokens.len() as u64;
        self.tokens += tokens;
        if self.last.replace(number) != Some(number) {
            self.documents += 1;
        }
        let place = self.examples.partition_point(|example| example.tokens >= tokens);
        if place < examples {
            let text = &document.text[segment.bytes.clone()];
            let cut = text.floor_char_boundary(LONGEST);
            let example = ExampleRow {
                id: document.id.clone(),
                origin: origin.id.clone(),
                start: segment.bytes.start,
                end: segment.bytes.end,
                tokens,
                text: if cut < text.len() { format!("{} …", text[..cut].trim_end()) } else { text.to_owned() },
            };
            self.examples.insert(place, example);
            self.examples.truncate(examples);
        }
    }
}

/// What to say where no record has the field that was asked for. Its inputs are read once more, and not far, for the names.
fn no_field(field: &str, input: &InputArgs) -> Result<Failure, Failure> {
    let inputs = input.open().map_err(Failure::run)?;
    let told = if inputs.is_once() {
        "`headwater inspect` tells which fields there are".to_owned()
    } else {
        let options = ReadOptions { order: Order::Input, ..input.options() };
        let mut seen = 0;
        let summary = read(
            &inputs,
            &options,
            |_| (),
            |_| {
                seen += 1;
                if seen == LOOKED_AT {
                    options.progress.stop();
                }
                interrupt::check()
            },
        )?;
        let names: Vec<&str> = summary.fields.iter().map(|(name, _)| name.as_str()).collect();
        match names.as_slice() {
            [] => "these inputs have no fields; leave out --by to go by the host of the address".to_owned(),
            names => format!("the fields there are: {} (--by names the one to take)", names.join(", ")),
        }
    };
    Ok(Failure::run(format_args!("no record has a field {field:?} that says who is meant; {told}")))
}

/// The host of an address, without `www.`.
fn host(address: &str) -> Option<String> {
    let host = headwater::census::host(address)?;
    Some(host.strip_prefix("www.").map_or_else(|| host.clone(), str::to_owned))
}

fn write_text(row: &CopycatRow, out: &mut Output) -> std::io::Result<()> {
    let (copied, tokens, documents) = (count(row.copied_tokens), count(row.tokens), count(row.documents));
    writeln!(out, "{}", plain(&row.name))?;
    write!(out, "  {copied} of {tokens} tokens copied ({}), documents: {documents}", percent(row.copied_share))?;
    if row.given_tokens > 0 {
        write!(out, "; {} taken from it by others", count(row.given_tokens))?;
    }
    writeln!(out)?;
    for source in &row.sources {
        let (tokens, documents) = (count(source.tokens), count(source.documents));
        writeln!(out, "    from {}  {tokens} tokens, documents: {documents}", plain(&source.name))?;
        for example in &source.examples {
            let text = example.text.split_whitespace().collect::<Vec<_>>().join(" ");
            writeln!(out, "        {} ← {}: {}", plain(&example.id), plain(&example.origin), plain(&text))?;
        }
    }
    writeln!(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts() {
        let check = |address: &str, expected: Option<&str>| assert_eq!(host(address).as_deref(), expected, "{address}");
        check("https://news.example/a/b?c#d", Some("news.example"));
        check("https://www.news.example", Some("news.example"));
        check("http://me:secret@news.example:8080/x", Some("news.example"));
        check("http://[::1]:80/x", Some("[::1]"));
        check("news.example/a", None);
        check("file:///tmp/a", None);
    }
}

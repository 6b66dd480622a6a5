//! `headwater explain DOC`: why each passage of a document was attributed as it was.

use std::collections::BTreeMap;
use std::io::Write;

use headwater::origin::{Answer, Around, Explanation, Question, Report, Segment};
use headwater_io::Register;
use headwater_io::write::Sink;
use serde::Serialize;

use super::trace_row::Evidence;
use crate::args::{ExplainArgs, ReadingFormat};
use crate::failure::Failure;
use crate::memory::Memory;
use crate::stream::{Answers, Incoming, stream, verdict};
use crate::terminal::{Talk, count, percent, plain};

/// The longest text of a passage that is shown.
const LONGEST: usize = 240;

pub(crate) fn explain(args: &ExplainArgs) -> Result<(), Failure> {
    let out = Sink::create(args.output.target())?;
    let why = Why { wanted: &args.document, format: args.output.format, out: Some(out) };
    stream(&args.stream, &args.output.target(), why, &Talk::new(args.talk.quiet))
}

struct Why<'a> {
    wanted: &'a str,
    format: ReadingFormat,
    /// Where to say it; gone once it is said.
    out: Option<Sink>,
}

impl Answers for Why<'_> {
    fn wants_text(&self) -> bool {
        true
    }

    fn before(&mut self, document: &Incoming, memory: &Memory) -> Result<(), Failure> {
        let Some(mut out) = self.out.take_if(|_| document.id == self.wanted) else { return Ok(()) };
        let explanation = memory.explain(document.time.as_ref(), &document.prepared)?;
        let account = Account::new(document, &explanation, memory)?;
        match self.format {
            ReadingFormat::Text => account.write_text(&mut out)?,
            ReadingFormat::Json => {
                serde_json::to_writer(&mut out, &account).map_err(Failure::run)?;
                writeln!(out)?;
            }
        }
        out.finish()?;
        Err(Failure::Enough)
    }

    fn answer(&mut self, _: &Incoming, _: &Report, _: &Memory) -> Result<(), Failure> {
        Ok(())
    }

    fn finish(self) -> Result<(), Failure> {
        Err(Failure::run(format_args!("no document has the id {:?}; `headwater trace` shows the ids", self.wanted)))
    }
}

#[derive(Serialize)]
struct Account {
    id: String,
    verdict: String,
    tokens: usize,
    fresh_tokens: usize,
    /// For people; programs have both numbers.
    #[serde(skip)]
    novelty: Option<f64>,
    /// Shingles that the table was asked about, and what it said.
    asked: Tally,
    passages: Vec<PassageAccount>,
    /// Shingles that were found and lie in no passage: most likely other shingles with the same tag.
    by_chance: Vec<Hit>,
}

#[derive(Default, Serialize)]
struct Tally {
    shingles: usize,
    found: usize,
    later: usize,
    never: usize,
    evicted: usize,
}

#[derive(Serialize)]
struct PassageAccount {
    start: usize,
    end: usize,
    first_token: u32,
    tokens: usize,
    origin: String,
    origin_time: Option<String>,
    evidence: Evidence,
    hits: Vec<Hit>,
    /// Shingles of the passage that are not in the table, and whose places have had to make room.
    evicted: usize,
    /// Shingles of the passage that were never stored: of the origin others were chosen.
    never: usize,
    text: String,
}

/// A shingle that the table has.
#[derive(Clone, Serialize)]
struct Hit {
    token: u32,
    origin: String,
    #[serde(flatten)]
    around: Option<AroundAccount>,
}

#[derive(Clone, Serialize)]
struct AroundAccount {
    agrees_before: u32,
    agrees_after: u32,
    open_before: bool,
    open_after: bool,
}

impl From<Around> for AroundAccount {
    fn from(Around { left, right, left_open, right_open }: Around) -> Self {
        AroundAccount { agrees_before: left, agrees_after: right, open_before: left_open, open_after: right_open }
    }
}

impl Account {
    fn new(document: &Incoming, explanation: &Explanation, memory: &Memory) -> Result<Self, Failure> {
        let register = &memory.register;
        let Explanation { report, asked } = explanation;
        let mut tally = Tally { shingles: asked.len(), ..Tally::default() };
        let mut by_chance = Vec::new();
        for question in asked {
            *match question.answer {
                Answer::Found { .. } => &mut tally.found,
                Answer::Later => &mut tally.later,
                Answer::Never => &mut tally.never,
                Answer::Evicted => &mut tally.evicted,
            } += 1;
            let attributed = |segment: &Segment| segment.tokens.contains(&question.tokens.start);
            if matches!(question.answer, Answer::Found { .. }) && !report.segments.iter().any(attributed) {
                by_chance.extend(hit(question, register)?);
            }
        }
        let passages = report.segments.iter().map(|segment| passage(document, segment, asked, register));
        Ok(Account {
            id: document.id.clone(),
            verdict: verdict(document, report, memory)?,
            novelty: document.novelty(report),
            tokens: report.tokens(),
            fresh_tokens: report.fresh_tokens(),
            asked: tally,
            passages: passages.collect::<Result<_, Failure>>()?,
            by_chance,
        })
    }

    fn write_text(&self, out: &mut Sink) -> std::io::Result<()> {
        let novelty = self.novelty.map_or_else(String::new, |novelty| format!(", {} new", percent(novelty)));
        let Tally { shingles, found, later, never, evicted } = &self.asked;
        writeln!(out, "{}\n{} tokens{novelty}; {}", plain(&self.id), count(self.tokens as u64), plain(&self.verdict))?;
        write!(out, "The table was asked about {shingles} shingles: {found} found, {never} never seen")?;
        if *evicted > 0 {
            write!(out, ", {evicted} not there but perhaps evicted")?;
        }
        if *later > 0 {
            write!(out, ", {later} known from a later document, of which this one is now the origin")?;
        }
        writeln!(out, ".")?;
        for passage in &self.passages {
            passage.write_text(out)?;
        }
        if !self.by_chance.is_empty() {
            writeln!(out, "\nFound, but alone and with other text around it, so taken for chance:")?;
            for hit in &self.by_chance {
                writeln!(out, "    token {}, like one of {}", hit.token, plain(&hit.origin))?;
            }
        }
        Ok(())
    }
}

fn passage(
    document: &Incoming,
    segment: &Segment,
    asked: &[Question],
    register: &Register,
) -> Result<PassageAccount, Failure> {
    let inside = asked.iter().filter(|question| segment.tokens.contains(&question.tokens.start));
    let (mut hits, mut evicted, mut never) = (Vec::new(), 0, 0);
    for question in inside {
        match question.answer {
            Answer::Found { .. } => hits.extend(hit(question, register)?),
            Answer::Evicted if question.tokens.end <= segment.tokens.end => evicted += 1,
            Answer::Never if question.tokens.end <= segment.tokens.end => never += 1,
            _ => {}
        }
    }
    let origin = register.get(segment.origin)?;
    let text = &document.text[segment.bytes.clone()];
    let cut = text.floor_char_boundary(LONGEST);
    let shown = text[..cut].split_whitespace().collect::<Vec<_>>().join(" ");
    Ok(PassageAccount {
        start: segment.bytes.start,
        end: segment.bytes.end,
        first_token: segment.tokens.start,
        tokens: segment.tokens.len(),
        origin: origin.id.clone(),
        origin_time: origin.time.as_ref().map(ToString::to_string),
        evidence: segment.evidence.into(),
        hits,
        evicted,
        never,
        text: if cut < text.len() { format!("{shown} …") } else { shown },
    })
}

fn hit(question: &Question, register: &Register) -> Result<Option<Hit>, Failure> {
    let Answer::Found { origin, around } = question.answer else { return Ok(None) };
    let origin = register.get(origin)?.id.clone();
    Ok(Some(Hit { token: question.tokens.start, origin, around: around.map(AroundAccount::from) }))
}

impl Hit {
    fn agrees_all_around(&self) -> bool {
        self.around.as_ref().is_some_and(|around| around.open_before && around.open_after)
    }

    /// How far the text around it agrees, in words.
    fn surroundings(&self) -> String {
        let side = |agrees: u32, open: bool, side: &str| match (agrees, open) {
            (0, false) => format!("{side} it the text differs at once"),
            (_, true) => format!("{side} it {agrees} tokens agree and none is seen to differ"),
            (_, false) => format!("{side} it {agrees} tokens agree, then the text differs"),
        };
        self.around.as_ref().map_or_else(String::new, |around| {
            let before = side(around.agrees_before, around.open_before, "before");
            format!(": {before}; {}", side(around.agrees_after, around.open_after, "after"))
        })
    }
}

impl PassageAccount {
    fn write_text(&self, out: &mut Sink) -> std::io::Result<()> {
        let PassageAccount { first_token, tokens, origin, origin_time, evidence, .. } = self;
        let last = *first_token as usize + tokens - 1;
        write!(out, "\nTokens {first_token} to {last}, {tokens} in all, from {}", plain(origin))?;
        if let Some(time) = origin_time {
            write!(out, " ({})", plain(time))?;
        }
        writeln!(out, ": {evidence}\n    “{}”", plain(&self.text))?;
        let (own, others): (Vec<&Hit>, Vec<&Hit>) = self.hits.iter().partition(|hit| hit.origin == *origin);
        writeln!(out, "    {} of its shingles are in the table as that document’s:", own.len())?;
        // Most lie in the middle of a passage and say the same: one line for each such run.
        for run in own.chunk_by(|one, next| one.agrees_all_around() && next.agrees_all_around()) {
            match run {
                [hit] => writeln!(out, "        token {}{}", hit.token, hit.surroundings())?,
                [first, .., last] => writeln!(
                    out,
                    "        {} from token {} to {}: all that is known of the text around them agrees",
                    run.len(),
                    first.token,
                    last.token
                )?,
                [] => {}
            }
        }
        if !others.is_empty() {
            let mut names: BTreeMap<&str, usize> = BTreeMap::new();
            others.iter().for_each(|hit| *names.entry(&hit.origin).or_default() += 1);
            let names: Vec<String> = names.iter().map(|(name, times)| format!("{} ({times})", plain(name))).collect();
            writeln!(out, "    others are in it under {}", names.join(", "))?;
        }
        if self.evicted > 0 {
            writeln!(
                out,
                "    {} are no longer in the table: evicted, or taken for a copy and never stored",
                self.evicted
            )?;
        }
        if self.never > 0 {
            writeln!(out, "    {} were never stored: of that document other shingles were chosen", self.never)?;
        }
        if self.evidence.expanded() > 0 {
            writeln!(
                out,
                "    {} tokens at its ends are inferred: nothing was seen to differ there",
                self.evidence.expanded()
            )?;
        }
        Ok(())
    }
}

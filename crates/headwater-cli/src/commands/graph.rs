//! `headwater graph`: which documents share text.

mod boilerplate;
mod chunks;
pub(super) mod gather;
mod nodes;
mod page;
mod rows;
mod side_by_side;
pub(super) mod watched;

use std::sync::Arc;

use headwater::coderivative::shared::{Chunks, Extract, Extracted};
use headwater::coderivative::{Collection, Lists, Occupancy, Relate, Relation, Search, Searched, distinct_chunks};
use headwater::graph::Graph;
use headwater_io::spill::{FileBins, SpilledTokens};
use headwater_io::write::RowWriter;
use headwater_io::{IndexReader, Phase, Progress};

use crate::args::{Duplicates, GraphArgs, GraphForm, target};
use crate::failure::Failure;
use crate::interrupt;
use crate::terminal::{Talk, bytes, count};
use boilerplate::Boilerplate;
use chunks::ChunkShelf;
use gather::{Documents, Gathered, Index, Reading};
use rows::{ClusterRow, EdgeRow};
use watched::Watched;

pub(crate) fn graph(args: &GraphArgs) -> Result<(), Failure> {
    let mut plan = Plan::new(args).map_err(Failure::Usage)?;
    args.input.spare(&args.output.target()).map_err(Failure::Usage)?;
    let talk = Talk::new(args.talk.quiet);
    let Gathered { mut documents, spill, subject, summary, index, progress } =
        gather::gather(&plan.reading(args), &talk)?;
    plan.make_do_without(documents.memory());

    let watch = talk.watch(Arc::clone(&progress));
    let found = match subject {
        Some(subject) => plan.search(args, &spill, &documents, subject, &progress),
        None => plan.discover(args, &spill, &mut documents, index, &talk, &progress),
    };
    drop(watch);
    // An interrupt shows as a failure of whatever was going on.
    interrupt::check()?;
    let mut found = found?;
    documents.in_time_order(&mut found);
    let graph = Graph::new(documents.len(), found.iter().map(|relation| relation.edge).collect());
    let clusters = graph.clusters();

    match (plan.form, &subject) {
        (GraphForm::Rows(format), _) => {
            let mut writer = RowWriter::create(args.output.target(), format)?;
            for relation in &found {
                let mut row = EdgeRow::new(relation, &documents)?;
                if subject.is_some() {
                    row.passages = Some(side_by_side::passages(relation, &mut documents, &plan, args.tokens)?);
                }
                writer.write(&row)?;
            }
            writer.finish()?;
        }
        (GraphForm::Graph(format), _) => nodes::write(args, format, &found, &clusters, &documents)?,
        (GraphForm::Html, _) => page::write(args, &plan, &found, &clusters, &mut documents)?,
        (GraphForm::Text, &Some(subject)) => side_by_side::write(args, &plan, subject, &found, &mut documents)?,
        (GraphForm::Text, None) => return Err(Failure::Usage("--format text needs --for DOCUMENT".into())),
    }
    if let Some(path) = &args.output.clusters {
        let mut writer = RowWriter::create(target(Some(path)), rows::format_of(path))?;
        for (number, cluster) in clusters.iter().enumerate() {
            writer.write(&ClusterRow::new(number, cluster, &documents)?)?;
        }
        writer.finish()?;
    }
    let mut line = format!("{} documents", count(u64::from(documents.len())));
    if documents.copies() > 0 {
        line += &format!(" ({} exact duplicates)", count(documents.copies().into()));
    }
    line += &format!(", {} edges, {} clusters", count(found.len() as u64), count(clusters.len() as u64));
    line += &format!("; {} read", bytes(summary.bytes));
    if documents.too_short > 0 {
        line += &format!("; {} too short for a chunk", count(documents.too_short));
    }
    if summary.problems > 0 {
        line += &format!("; {} records skipped", count(summary.problems));
    }
    talk.say(line);
    Ok(())
}

/// What will be done, decided before anything is read.
struct Plan {
    extract: Extract,
    relate: Relate,
    form: GraphForm,
    /// Whether the answer shows text, which is kept only then.
    keeps_text: bool,
}

impl Plan {
    fn new(args: &GraphArgs) -> Result<Self, String> {
        let is_search = args.relation.subject.is_some();
        let form = args.output.form(is_search)?;
        if is_search && args.output.chunks.is_some() {
            return Err("--chunks lists those of the whole collection; leave out --for or --chunks".into());
        }
        if is_search && args.selection.index.is_some() && args.input.is_given() {
            return Err("--for only asks; add these documents to the index first, then ask it without them".into());
        }
        let extract = Extract {
            length: args.chunk.into(),
            schedule: args.selection.schedule(),
            pipeline: args.selection.pipeline(args.tokens)?,
            memory: args.selection.memory(),
        };
        let relate = Relate {
            score: args.relation.score,
            threshold: args.relation.threshold(&args.selection, args.chunk.into())?,
            most_documents: u32::MAX,
            memory: args.selection.memory(),
        };
        let leaves_out = args.relation.max_df.is_some() || extract.pipeline.most_documents() < u32::MAX;
        let keeps_text = is_search || form == GraphForm::Html || args.output.chunks.is_some() || leaves_out;
        Ok(Plan { extract, relate, form, keeps_text })
    }

    /// Leaves room for what is kept of so many documents, and an eighth for what nobody counts: what the allocator holds
    /// back, and what threads need. Never makes do with less than a quarter.
    fn make_do_without(&mut self, taken: usize) {
        let memory = self.extract.memory;
        let left = (memory - memory / 8).saturating_sub(taken).max(memory / 4);
        (self.extract.memory, self.relate.memory) = (left, left);
    }

    fn reading<'a>(&self, args: &'a GraphArgs) -> Reading<'a> {
        Reading {
            input: &args.input,
            tokens: args.tokens,
            length: self.extract.length,
            selection: args.selection.written(),
            collapses: args.selection.duplicates != Duplicates::Keep,
            keeps_text: self.keeps_text,
            index: args.selection.index.as_deref(),
            subject: args.relation.subject.as_deref(),
        }
    }

    /// The relations of all documents.
    fn discover(
        &self,
        args: &GraphArgs,
        spill: &SpilledTokens,
        documents: &mut Documents,
        mut index: Index,
        talk: &Talk,
        progress: &Arc<Progress>,
    ) -> Result<Vec<Relation>, Failure> {
        let mut lists = Lists::new();
        let mut shelf = args.output.chunks.is_some().then(ChunkShelf::create).transpose()?;
        let most = self.most(args, documents);
        let mut boilerplate = Boilerplate::new(documents.representatives(), most);
        let rare = self.extract.pipeline.most_documents();
        if let Some(index) = &mut index.new {
            index.push_tokens(&spill.parts()[1])?;
        }
        let Index { lock: _lock, old, new: mut index } = index;
        let extracted = self.extract(args, spill, old.as_ref(), &documents.lengths, progress, |chunks: Chunks| {
            for chunk in chunks.iter() {
                let chunk = chunk.map_err(std::io::Error::other)?;
                lists.add(chunk.document_bytes(), chunk.documents);
                boilerplate.look(&chunk);
            }
            let chunks = match rare {
                u32::MAX => chunks,
                rare => chunks.only(|chunk| chunk.documents <= rare).map_err(std::io::Error::other)?,
            };
            if let Some(index) = &mut index {
                index.push_chunks(&chunks)?;
            }
            shelf.as_mut().map_or(Ok(()), |shelf| shelf.push(&chunks))
        })?;
        if args.selection.occupancy {
            occupancy(&extracted.occupancy, talk);
        }
        boilerplate.tell(documents, self.extract.length, args.tokens, talk)?;
        if let (Some(path), Some(shelf)) = (&args.output.chunks, shelf) {
            chunks::write(path, shelf, documents, self, args.tokens, most)?;
        }
        lists.settle();
        let relate = Relate { most_documents: most.unwrap_or(u32::MAX), ..self.relate };
        let relations = relate.run_stepwise(&lists, &documents.lengths, |done, total| {
            progress.begin(Phase::Relating, Some(total));
            progress.add_bytes(done);
            interrupt::check()
        })?;
        talk.say(format_args!(
            "{} chunks of {} words are shared, in {} different sets of documents",
            count(lists.chunks()),
            self.extract.length,
            count(lists.len() as u64)
        ));
        // The index appears once nothing can fail any more that depends on it.
        if let Some(index) = index {
            index.finish()?;
        }
        if args.selection.duplicates != Duplicates::Inherit || documents.copies() == 0 {
            return Ok(documents.named(&relations));
        }
        let groups = documents.groups();
        let spill = Watched { what: spill, progress };
        let distinct = distinct_chunks(&spill, self.extract.length, &self.extract.pipeline, |representative| {
            groups.of(representative).len() > 1
        })?;
        let own = relate.own(&lists, documents.representatives());
        Ok(documents.inherit(&relations, |representative| {
            let tokens = documents.lengths[representative as usize];
            let chunks = *distinct.get(&representative)?;
            relate.of_copies(own[representative as usize], chunks, tokens)
        }))
    }

    /// Hands over all shared chunks: what an index has of them, continued, or from the beginning.
    fn extract(
        &self,
        args: &GraphArgs,
        spill: &SpilledTokens,
        old: Option<&IndexReader>,
        lengths: &[u32],
        progress: &Arc<Progress>,
        mut sink: impl FnMut(Chunks) -> std::io::Result<()>,
    ) -> Result<Extracted, Failure> {
        let bins = |tokens: u64| -> std::io::Result<_> {
            let bins = self.extract.bins(tokens);
            let what = FileBins::create(bins, self.extract.memory / 4, args.input.threads(), None)?;
            Ok(Watched { what, progress })
        };
        let [stored, fresh] = spill.parts();
        let old = old.filter(|_| self.extract.can_grow(fresh.tokens()));
        let Some(old) = old else {
            return Ok(self.extract.run(&Watched { what: spill, progress }, bins(spill.tokens())?, sink)?);
        };
        let mut known = old.chunks(&lengths[..stored.documents() as usize])?;
        if fresh.documents() == 0 {
            while let Some(chunks) = known.read_next()? {
                interrupt::check()?;
                sink(chunks)?;
            }
            return Ok(Extracted { occupancy: Vec::new(), candidates: 0 });
        }
        // What the old text has of the new can be as much as the new text again.
        let bins = bins(fresh.tokens().saturating_mul(2))?;
        let [stored, fresh] = [&stored, &fresh].map(|what| Watched { what, progress });
        Ok(self.extract.grow(&stored, &fresh, bins, || known.read_next(), sink)?)
    }

    /// In how many documents a chunk may stand, where there is a limit.
    fn most(&self, args: &GraphArgs, documents: &Documents) -> Option<u32> {
        let limit = args.relation.max_df.map_or(u32::MAX, |limit| limit.most(documents.representatives()));
        Some(limit.min(self.extract.pipeline.most_documents())).filter(|&most| most < u32::MAX)
    }

    /// The relations of one document.
    fn search(
        &self,
        args: &GraphArgs,
        spill: &SpilledTokens,
        documents: &Documents,
        subject: u32,
        progress: &Arc<Progress>,
    ) -> Result<Vec<Relation>, Failure> {
        let representative = documents.representative(subject);
        let search = Search {
            document: representative,
            tokens: &spill.document(representative)?,
            length: self.extract.length,
            pipeline: &self.extract.pipeline,
        };
        let relate = Relate { most_documents: self.most(args, documents).unwrap_or(u32::MAX), ..self.relate };
        let Searched { relations, copies } = search.run(&Watched { what: spill, progress }, &relate)?;
        if args.selection.duplicates == Duplicates::Drop {
            return Ok(documents.named(&relations));
        }
        let all = documents.inherit(&relations, |one| copies.filter(|_| one == representative));
        let of_subject = |one: &Relation| one.edge.a == subject || one.edge.b == subject;
        Ok(all.into_iter().filter(of_subject).collect())
    }
}

/// Figure 3 as a table.
fn occupancy(passes: &[Occupancy], talk: &Talk) {
    talk.warn("length      counters        single      multiple");
    for Occupancy { length, counters, single, multiple } in passes {
        let (counters, single, multiple) = (count(*counters), count(*single), count(*multiple));
        talk.warn(format_args!(
            "{length:>6} {:>13} {:>13} {:>13}",
            counters.to_string(),
            single.to_string(),
            multiple.to_string()
        ));
    }
}

//! `headwater graph`: which documents share text.

mod boilerplate;
mod chunks;
pub(super) mod gather;
mod nodes;
mod page;
mod rows;
mod side_by_side;

use headwater::coderivative::shared::{Chunks, Extract};
use headwater::coderivative::{Collection, Lists, Occupancy, Relate, Relation, Search, Searched, distinct_chunks};
use headwater::graph::Graph;
use headwater_io::IndexWriter;
use headwater_io::spill::{FileBins, SpilledTokens};
use headwater_io::write::RowWriter;

use crate::args::{Duplicates, GraphArgs, GraphForm, target};
use crate::failure::Failure;
use crate::interrupt;
use crate::terminal::{Talk, bytes, count};
use boilerplate::Boilerplate;
use chunks::ChunkShelf;
use gather::{Documents, Gathered, Reading};
use rows::{ClusterRow, EdgeRow};

pub(crate) fn graph(args: &GraphArgs) -> Result<(), Failure> {
    let plan = Plan::new(args).map_err(Failure::Usage)?;
    let talk = Talk::new(args.talk.quiet);
    let Gathered { mut documents, spill, subject, summary, index } = gather::gather(&plan.reading(args), &talk)?;
    let spill = spill.finish(args.input.threads())?;

    let mut found = match &subject {
        Some(subject) => plan.search(args, &spill, &documents, subject)?,
        None => plan.discover(args, &spill, &mut documents, index, &talk)?,
    };
    interrupt::check()?;
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
        (GraphForm::Text, Some(subject)) => side_by_side::write(args, &plan, subject, &found, &mut documents)?,
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
            threshold: args.relation.threshold(&args.selection)?,
            most_documents: u32::MAX,
            memory: args.selection.memory(),
        };
        let keeps_text =
            is_search || form == GraphForm::Html || args.output.chunks.is_some() || args.relation.max_df.is_some();
        Ok(Plan { extract, relate, form, keeps_text })
    }

    fn reading<'a>(&self, args: &'a GraphArgs) -> Reading<'a> {
        Reading {
            input: &args.input,
            tokens: args.tokens,
            length: self.extract.length,
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
        mut index: Option<IndexWriter>,
        talk: &Talk,
    ) -> Result<Vec<Relation>, Failure> {
        let mut lists = Lists::new();
        let mut shelf = args.output.chunks.is_some().then(ChunkShelf::create).transpose()?;
        let most = args.relation.max_df.map(|limit| limit.most(documents.representatives()));
        let mut boilerplate = Boilerplate::new(documents.representatives(), most);
        let bins = self.extract.bins(spill.tokens());
        let bins = FileBins::create(bins, self.extract.memory / 2, args.input.threads(), None)?;
        let extracted = self.extract.run(spill, bins, |chunks: Chunks| {
            interrupt::check().map_err(std::io::Error::other)?;
            for chunk in chunks.iter() {
                let chunk = chunk.map_err(std::io::Error::other)?;
                lists.add(chunk.document_bytes(), chunk.documents);
                boilerplate.look(&chunk);
            }
            if let Some(index) = &mut index {
                index.push_chunks(&chunks)?;
            }
            shelf.as_mut().map_or(Ok(()), |shelf| shelf.push(&chunks))
        });
        interrupt::check()?;
        let extracted = extracted?;
        if args.selection.occupancy {
            occupancy(&extracted.occupancy, talk);
        }
        boilerplate.tell(documents, self.extract.length, args.tokens, talk)?;
        if let (Some(path), Some(shelf)) = (&args.output.chunks, shelf) {
            chunks::write(path, shelf, documents, self, args.tokens, most)?;
        }
        let relate = Relate { most_documents: most.unwrap_or(u32::MAX), ..self.relate };
        let relations = relate.run(&lists, &documents.lengths);
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
        let groups = documents.group_sizes();
        let distinct = distinct_chunks(spill, self.extract.length, &self.extract.pipeline, |representative| {
            groups[representative as usize] > 1
        })?;
        let own = relate.own(&lists, documents.representatives());
        Ok(documents.inherit(&relations, |representative| {
            let tokens = documents.lengths[representative as usize];
            let chunks = *distinct.get(&representative)?;
            relate.of_copies(own[representative as usize], chunks, tokens)
        }))
    }

    /// The relations of one document.
    fn search(
        &self,
        args: &GraphArgs,
        spill: &SpilledTokens,
        documents: &Documents,
        subject: &gather::Subject,
    ) -> Result<Vec<Relation>, Failure> {
        let representative = documents.representative(subject.document);
        let search = Search {
            document: representative,
            tokens: &subject.tokens,
            length: self.extract.length,
            pipeline: &self.extract.pipeline,
        };
        let most = args.relation.max_df.map(|limit| limit.most(documents.representatives()));
        let relate = Relate { most_documents: most.unwrap_or(u32::MAX), ..self.relate };
        let Searched { relations, copies } = search.run(spill, &relate)?;
        if args.selection.duplicates == Duplicates::Drop {
            return Ok(documents.named(&relations));
        }
        let all = documents.inherit(&relations, |one| copies.filter(|_| one == representative));
        let of_subject = |one: &Relation| one.edge.a == subject.document || one.edge.b == subject.document;
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

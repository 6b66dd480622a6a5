//! `headwater generate --pages`: framed news pages, as a web archive or as a folder of files.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use headwater::Document;
use headwater::generate::{Page, Pages};
use headwater_io::write::{Output, Target};
use headwater_io::{Event, Inputs, ReadOptions, read};

use crate::args::{GenerateArgs, target};
use crate::failure::Failure;
use crate::interrupt;
use crate::terminal::{Talk, bytes, count};

/// A given text of fewer words is no article.
const LEAST_WORDS: usize = 40;

pub(super) fn generate(args: &GenerateArgs, talk: &Talk) -> Result<(), Failure> {
    let given = if args.articles_of.is_empty() { Vec::new() } else { articles(&args.articles_of)? };
    let settings = args.page_settings();
    let pages = Pages::new(settings, given).map_err(|error| Failure::Usage(error.to_string()))?;
    let mut home = Home::open(args.output.as_deref())?;
    let mut truth = args.truth.as_deref().map(|path| Output::create(target(Some(path)))).transpose()?;
    let (mut number, mut size) = (0, 0);
    for page in pages.take(usize::try_from(args.limits().0).unwrap_or(usize::MAX)) {
        interrupt::check()?;
        let id = home.write(&page)?;
        if let Some(truth) = &mut truth {
            writeln!(truth, "article-{}\t{id}", page.article)?;
        }
        (number, size) = (number + 1, size + page.html.len() as u64);
    }
    home.finish()?;
    truth.map_or(Ok(()), Output::finish)?;
    talk.say(format_args!("{} pages of {} sites, {}", count(number), count(settings.sites), bytes(size)));
    Ok(())
}

/// The texts that are long enough to be articles.
fn articles(inputs: &[PathBuf]) -> Result<Vec<String>, Failure> {
    let inputs = Inputs::open(inputs).map_err(Failure::run)?;
    let mut texts = Vec::new();
    let text = |document: Document| document.text;
    read(&inputs, &ReadOptions::default(), text, |event| {
        if let Event::Document(text) = event
            && text.split_whitespace().nth(LEAST_WORDS).is_some()
        {
            texts.push(text);
        }
        interrupt::check()
    })?;
    if texts.is_empty() {
        return Err(Failure::run(format_args!(
            "none of these documents has {LEAST_WORDS} words, as an article should"
        )));
    }
    Ok(texts)
}

/// Where pages go.
enum Home {
    Archive(Output),
    Folder { path: PathBuf, begun: tempfile::TempDir },
}

impl Home {
    fn open(path: Option<&Path>) -> Result<Self, Failure> {
        match path {
            Some(path) if path.extension().is_none_or(|extension| extension != "warc") => {
                if path.extension().is_some() {
                    let what = "pages are written to a web archive, FILE.warc, or to a folder";
                    return Err(Failure::Usage(what.into()));
                }
                if path.exists() {
                    let path = path.display();
                    return Err(Failure::run(format_args!(
                        "there is something at {path} already; name another folder"
                    )));
                }
                let beside = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
                let begun = tempfile::Builder::new().prefix(".headwater-partial").tempdir_in(beside);
                Ok(Home::Folder { path: path.to_owned(), begun: begun.map_err(|error| cannot_write(path, &error))? })
            }
            path => {
                Ok(Home::Archive(Output::create(path.map_or(Target::Stdout, |path| Target::File(path.to_owned())))?))
            }
        }
    }

    /// Writes a page; gives back the id that readers will know it by.
    fn write(&mut self, page: &Page) -> Result<String, Failure> {
        match self {
            Home::Archive(out) => {
                let Page { html, url, .. } = page;
                let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{html}");
                write!(
                    out,
                    "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:page:{}>\r\nWARC-Target-URI: {url}\r\n\
                     WARC-Date: {}\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
                    page.number,
                    date(page.number),
                    http.len()
                )?;
                Ok(url.clone())
            }
            Home::Folder { path, begun } => {
                let name = page.url.trim_start_matches("https://").replace('/', "-");
                let file = begun.path().join(&name);
                fs::write(&file, &page.html).map_err(|error| cannot_write(&file, &error))?;
                Ok(path.join(name).display().to_string())
            }
        }
    }

    /// Puts the archive, or the folder, in its place.
    fn finish(self) -> Result<(), Failure> {
        match self {
            Home::Archive(out) => Ok(out.finish()?),
            Home::Folder { path, begun } => {
                fs::rename(begun.path(), &path).map_err(|error| cannot_write(&path, &error))?;
                // It has another name now, and is to stay.
                drop(begun.keep());
                Ok(())
            }
        }
    }
}

/// A page a second from the beginning of 2006 on, in months of 28 days, which every month has.
fn date(number: u64) -> String {
    let (seconds, days) = (number % 86_400, number / 86_400);
    let (day, month, year) = (days % 28 + 1, days / 28 % 12 + 1, 2006 + days / 28 / 12);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Failure {
    Failure::run(format_args!("cannot write {}: {error}", path.display()))
}

//! Where things lie: the folder in which the measurements work, outside of what is committed.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::jobs::{Contender, Job};

/// The working folder.
pub struct Place {
    pub root: PathBuf,
}

impl Place {
    /// The text of a slice: `20` is 20 MB of documentation, `g1000` is 1000 MB generated, `all` is everything.
    pub fn text(&self, size: &str) -> PathBuf {
        self.stem(size).with_extension("jsonl")
    }

    /// What the names of a slice in all formats begin with.
    pub fn stem(&self, size: &str) -> PathBuf {
        self.root.join("text").join(format!("slice-{size}"))
    }

    /// What the names of all that a contender leaves behind begin with.
    pub fn out(&self, job: &str, contender: &str, size: &str) -> PathBuf {
        self.root.join("out").join(format!("{job}-{contender}-{size}"))
    }

    pub fn runs(&self) -> PathBuf {
        self.root.join("runs.jsonl")
    }

    /// Why packages could not be installed: a name, a tab, a reason on each line.
    pub fn missing(&self) -> HashMap<String, String> {
        let lines = fs::read_to_string(self.root.join("missing.tsv")).unwrap_or_default();
        lines.lines().filter_map(|line| line.split_once('\t')).map(|(name, why)| (name.into(), why.into())).collect()
    }

    /// The words of a contender's command on a slice. Its scratch folder is made anew.
    pub fn fill(&self, job: &Job, contender: &Contender, size: &str) -> io::Result<Vec<String>> {
        let scratch = self.root.join("scratch").join(format!("{}-{}", job.key, contender.key));
        let _ = fs::remove_dir_all(&scratch);
        fs::create_dir_all(&scratch)?;
        fs::create_dir_all(self.root.join("out"))?;
        // Whoever needs no package gets the environment that is there in any case.
        let environment = contender.needs.filter(|needs| !needs.is_empty()).unwrap_or("formats");
        let rivals = Path::new(env!("CARGO_MANIFEST_DIR")).join("rivals");
        let side = |side: &str| self.root.join("text").join(format!("{side}-{size}.jsonl"));
        let names = [
            ("{headwater}", self.root.join("bin/headwater")),
            ("{bin}", self.root.join("bin")),
            ("{python}", self.root.join("venv").join(environment).join("bin/python")),
            ("{rivals}", rivals),
            ("{text}", self.text(size)),
            ("{stem}", self.stem(size)),
            ("{left}", side("left")),
            ("{right}", side("right")),
            ("{scratch}", scratch),
            ("{out}", self.out(job.key, contender.key, size)),
        ];
        let fill = |word: &str| {
            names.iter().fold(word.to_owned(), |word, (name, path)| word.replace(name, &path.display().to_string()))
        };
        Ok(contender.command.split_whitespace().map(fill).collect())
    }
}

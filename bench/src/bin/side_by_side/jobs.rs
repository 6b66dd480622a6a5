//! What is measured: every job of ours, and what a user would pick instead, as data.
//!
//! A command is a list of words; names in braces are filled in by [`Place::fill`](crate::place::Place::fill).

/// One question, and all who answer it.
pub struct Job {
    /// Its name on the command line and in files.
    pub key: &'static str,
    /// What is asked.
    pub title: &'static str,
    /// What one must know to read its rows.
    pub note: &'static str,
    pub contenders: &'static [Contender],
}

/// One program with one setting.
pub struct Contender {
    pub key: &'static str,
    pub name: &'static str,
    pub is_ours: bool,
    /// The package of a rival, as the list of what could not be installed names it.
    pub needs: Option<&'static str>,
    pub command: &'static [&'static str],
    /// Where to read what it found.
    pub found: Source,
    /// Whose answer is the exact one for the same question.
    pub exact: Option<&'static str>,
    /// The largest slice that it is given, in MB: slow ones would take hours.
    pub most: u32,
    /// The largest slice at which its growth is measured; 0 where it is not.
    pub grows_to: u32,
    /// The kernel of the machine's limit that its speed is stated as a share of.
    pub limit: Option<&'static str>,
    pub remark: &'static str,
}

/// Where a contender says what it found.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The last lines of standard error, for people.
    Told,
    /// One line of JSON, the last of standard output.
    Printed,
    /// Clusters in its output file.
    Clusters,
    /// The answers of `headwater trace` in its output file.
    Traced,
}

/// Above every slice.
const ANY: u32 = u32::MAX;

const fn ours(key: &'static str, name: &'static str, found: Source, command: &'static [&'static str]) -> Contender {
    Contender {
        key,
        name,
        is_ours: true,
        needs: None,
        command,
        found,
        exact: None,
        most: ANY,
        grows_to: 0,
        limit: None,
        remark: "",
    }
}

const fn rival(
    key: &'static str,
    name: &'static str,
    needs: &'static str,
    found: Source,
    command: &'static [&'static str],
) -> Contender {
    Contender { is_ours: false, needs: Some(needs), ..ours(key, name, found, command) }
}

impl Contender {
    const fn up_to(self, most: u32) -> Self {
        Contender { most, ..self }
    }

    const fn grows_to(self, grows_to: u32) -> Self {
        Contender { grows_to, ..self }
    }

    const fn beside(self, exact: &'static str) -> Self {
        Contender { exact: Some(exact), ..self }
    }

    const fn limit(self, limit: &'static str) -> Self {
        Contender { limit: Some(limit), ..self }
    }

    const fn remark(self, remark: &'static str) -> Self {
        Contender { remark, ..self }
    }
}

use Source::{Clusters, Printed, Told, Traced};

/// The kernels of `benches/limits.rs` that jobs are compared with.
const PARSE: &str = "JSONL parse/sonic-rs";
const SELECT: &str = "JSONL to Hailstorm/sonic-rs and fused";

pub const JOBS: &[Job] = &[
    Job {
        key: "trace",
        title: "trace: where is each passage from?",
        note: "JSONL in, one line of JSON for each document out. No other tool answers this; the exact answer is the paper's, \
               with every shingle in a table that forgets nothing (agreement: the same dominant origin; tokens called new or old alike).",
        contenders: &[
            ours(
                "64-1",
                "headwater trace, 64 MiB, 1 thread",
                Traced,
                &["{headwater}", "trace", "--threads", "1", "--memory", "64MiB", "{text}", "-o", "{out}"],
            )
            .beside("exact")
            .limit(SELECT),
            ours(
                "64-2",
                "headwater trace, 64 MiB, 2 threads",
                Traced,
                &["{headwater}", "trace", "--threads", "2", "--memory", "64MiB", "{text}", "-o", "{out}"],
            )
            .beside("exact")
            .limit(SELECT)
            .grows_to(2000),
            ours(
                "1024-1",
                "headwater trace, 1 GiB, 1 thread",
                Traced,
                &["{headwater}", "trace", "--threads", "1", "--memory", "1GiB", "{text}", "-o", "{out}"],
            )
            .beside("exact")
            .limit(SELECT),
            ours(
                "1024-2",
                "headwater trace, 1 GiB, 2 threads",
                Traced,
                &["{headwater}", "trace", "--threads", "2", "--memory", "1GiB", "{text}", "-o", "{out}"],
            )
            .beside("exact")
            .limit(SELECT),
            ours(
                "4096-1",
                "headwater trace, 4 GiB, 1 thread",
                Traced,
                &["{headwater}", "trace", "--threads", "1", "--memory", "4GiB", "{text}", "-o", "{out}"],
            )
            .beside("exact")
            .limit(SELECT),
            ours(
                "4096-2",
                "headwater trace, 4 GiB, 2 threads",
                Traced,
                &["{headwater}", "trace", "--threads", "2", "--memory", "4GiB", "{text}", "-o", "{out}"],
            )
            .beside("exact")
            .limit(SELECT),
            ours(
                "exact",
                "headwater trace --select All --estimate NB, 4 GiB",
                Traced,
                &[
                    "{headwater}",
                    "trace",
                    "--select",
                    "All",
                    "--estimate",
                    "NB",
                    "--memory",
                    "4GiB",
                    "{text}",
                    "-o",
                    "{out}",
                ],
            )
            .up_to(200)
            .remark("exact as long as memory lasts"),
        ],
    },
    Job {
        key: "latency",
        title: "one query: where is this text of 350 words from?",
        note: "In the library, against an open table that has read the slice; microseconds. The time of the whole process is mostly that of filling the table.",
        contenders: &[
            ours("64", "headwater, 64 MiB", Printed, &["{bin}/latency", "64", "{text}"]),
            ours("1024", "headwater, 1 GiB", Printed, &["{bin}/latency", "1024", "{text}"]),
            ours("4096", "headwater, 4 GiB", Printed, &["{bin}/latency", "4096", "{text}"]),
            rival(
                "infini-gram",
                "infini-gram: counts of the same text's windows of 8",
                "infini-gram",
                Printed,
                &["{python}", "{rivals}/query_infini_gram.py", "{text}", "{out}", "{scratch}"],
            )
            .up_to(20)
            .remark("says how often a window occurs, not where first"),
        ],
    },
    Job {
        key: "graph",
        title: "graph: which documents share text?",
        note: "Ours goes on from shared runs of 8 words to scored pairs; suffix arrays stop at the runs; dolma marks repeated paragraphs and cannot say whose they are.",
        contenders: &[
            ours("default", "headwater graph", Told, &["{headwater}", "graph", "{text}", "-o", "{out}.jsonl"])
                .grows_to(2000)
                .limit(SELECT),
            ours(
                "small",
                "headwater graph --memory 64MiB",
                Told,
                &["{headwater}", "graph", "--memory", "64MiB", "{text}", "-o", "{out}.jsonl"],
            )
            .limit(SELECT),
            rival(
                "suffix-words",
                "suffix array of words (libsais)",
                "suffix-array",
                Printed,
                &["{bin}/suffix-array-rival", "words", "{text}"],
            )
            .up_to(1400)
            .grows_to(400)
            .remark("nobody offers it: the fair question"),
            rival(
                "suffix-bytes",
                "suffix array of bytes (libsais)",
                "suffix-array",
                Printed,
                &["{bin}/suffix-array-rival", "bytes", "{text}"],
            )
            .up_to(400)
            .grows_to(200)
            .remark("runs of 50 bytes, as tools for training text do"),
            rival(
                "dolma",
                "dolma dedupe, paragraphs",
                "dolma",
                Printed,
                &["{python}", "{rivals}/paragraphs_dolma.py", "{text}", "{out}", "{scratch}"],
            )
            .up_to(400)
            .remark("Bloom filter; its own job"),
            ours(
                "for-dolma",
                "headwater trace, 64 MiB, beside dolma",
                Traced,
                &["{headwater}", "trace", "--memory", "64MiB", "{text}", "-o", "{out}"],
            )
            .remark("ours that is nearest to dolma's job: what stood in an earlier document, in fixed memory"),
        ],
    },
    Job {
        key: "cluster",
        title: "cluster: which documents are nearly the same?",
        note: "Word 5-grams at Jaccard 0.8 where not said otherwise. Removed: documents that a user would drop, all but one of each cluster. \
               Agreement: pairs of documents put together, of the exact answer's (found) and of its own (right). Drivers of rivals cut words with a \
               regular expression or at blanks, not by Unicode's rules as we do, so that even an exact rival differs a little.",
        contenders: &[
            ours(
                "shingles",
                "headwater cluster --method shingles",
                Clusters,
                &[
                    "{headwater}",
                    "cluster",
                    "--method",
                    "shingles",
                    "-k",
                    "5",
                    "--threshold",
                    "0.8",
                    "{text}",
                    "-o",
                    "{out}.jsonl",
                ],
            )
            .grows_to(1000)
            .remark("exact join"),
            ours(
                "minhash",
                "headwater cluster --method minhash",
                Clusters,
                &[
                    "{headwater}",
                    "cluster",
                    "--method",
                    "minhash",
                    "-k",
                    "5",
                    "--threshold",
                    "0.8",
                    "{text}",
                    "-o",
                    "{out}.jsonl",
                ],
            )
            .beside("shingles")
            .grows_to(2000)
            .remark("pairs verified exactly"),
            ours(
                "minhash-one",
                "headwater cluster --method minhash --hashing one-permutation",
                Clusters,
                &[
                    "{headwater}",
                    "cluster",
                    "--method",
                    "minhash",
                    "--hashing",
                    "one-permutation",
                    "-k",
                    "5",
                    "--threshold",
                    "0.8",
                    "{text}",
                    "-o",
                    "{out}.jsonl",
                ],
            )
            .beside("shingles")
            .remark("pairs verified exactly"),
            ours(
                "spotsigs",
                "headwater cluster --method spotsigs",
                Clusters,
                &["{headwater}", "cluster", "--method", "spotsigs", "{text}", "-o", "{out}.jsonl"],
            )
            .grows_to(2000)
            .remark("spot signatures at 0.44: another question, its own exact answer"),
            ours(
                "lsh-s",
                "headwater cluster --method lsh-s",
                Clusters,
                &["{headwater}", "cluster", "--method", "lsh-s", "{text}", "-o", "{out}.jsonl"],
            )
            .beside("spotsigs"),
            ours(
                "imatch",
                "headwater cluster --method imatch",
                Clusters,
                &["{headwater}", "cluster", "--method", "imatch", "{text}", "-o", "{out}.jsonl"],
            )
            .remark("equal words of middling frequency: another question"),
            ours(
                "imatch-s",
                "headwater cluster --method imatch-s",
                Clusters,
                &["{headwater}", "cluster", "--method", "imatch-s", "{text}", "-o", "{out}.jsonl"],
            )
            .remark("another question"),
            rival(
                "gaoya-crate",
                "gaoya, the crate",
                "gaoya-crate",
                Clusters,
                &["{bin}/gaoya-rival", "{text}", "{out}.jsonl"],
            )
            .beside("shingles")
            .grows_to(400)
            .remark("checked by sketch"),
            rival(
                "gaoya",
                "gaoya (PyPI)",
                "gaoya",
                Clusters,
                &["{python}", "{rivals}/near_gaoya.py", "{text}", "{out}.jsonl"],
            )
            .beside("shingles")
            .up_to(400)
            .remark("checked by sketch"),
            rival(
                "rensa",
                "rensa (PyPI)",
                "rensa",
                Clusters,
                &["{python}", "{rivals}/near_rensa.py", "{text}", "{out}.jsonl"],
            )
            .beside("shingles")
            .up_to(200)
            .remark("not checked"),
            rival(
                "datasketch",
                "datasketch (PyPI)",
                "datasketch",
                Clusters,
                &["{python}", "{rivals}/near_datasketch.py", "{text}", "{out}.jsonl"],
            )
            .beside("shingles")
            .up_to(200)
            .remark("not checked"),
            rival(
                "set-similarity-search",
                "SetSimilaritySearch (PyPI)",
                "SetSimilaritySearch",
                Clusters,
                &["{python}", "{rivals}/near_exact.py", "{text}", "{out}.jsonl"],
            )
            .beside("shingles")
            .up_to(20)
            .remark("exact"),
            rival(
                "simhash",
                "simhash (PyPI)",
                "simhash",
                Clusters,
                &["{python}", "{rivals}/near_simhash.py", "{text}", "{out}.jsonl"],
            )
            .beside("shingles")
            .up_to(20)
            .remark("64 bits, distance 3"),
            rival(
                "text-dedup",
                "text-dedup minhash (PyPI)",
                "text-dedup",
                Clusters,
                &["{python}", "{rivals}/near_text_dedup.py", "{text}", "{out}.jsonl", "{scratch}"],
            )
            .beside("shingles")
            .up_to(20)
            .remark("not checked"),
            rival(
                "datatrove",
                "datatrove minhash (PyPI)",
                "datatrove",
                Clusters,
                &["{python}", "{rivals}/near_datatrove.py", "{text}", "{out}.jsonl", "{scratch}"],
            )
            .beside("shingles")
            .up_to(20)
            .remark("not checked; its own choice of bands"),
            rival(
                "copydetect",
                "copydetect (PyPI)",
                "copydetect",
                Clusters,
                &["{python}", "{rivals}/near_copydetect.py", "{text}", "{out}.jsonl", "{scratch}"],
            )
            .up_to(2)
            .remark("winnowing of every pair: another question"),
        ],
    },
    Job {
        key: "census",
        title: "census: how large are two collections beside each other?",
        note: "Two overlapping thirds of the slice. Ours draws a sample and gives intervals; the script that a user would write holds a hash of every text.",
        contenders: &[
            ours(
                "census",
                "headwater census",
                Printed,
                &["{headwater}", "census", "--format", "json", "{left}", "{right}"],
            )
            .grows_to(1000),
            rival(
                "script",
                "a script with two sets of hashes",
                "",
                Printed,
                &["{python}", "{rivals}/census_script.py", "{left}", "{right}"],
            )
            .remark("exact, equal texts only"),
        ],
    },
    Job {
        key: "inspect",
        title: "inspect: reading alone, each format",
        note: "MB are those of the slice as JSONL, whatever the format; inspect also counts tokens, scripts and languages, readers of rivals count documents and characters.",
        contenders: &[
            ours(
                "jsonl",
                "headwater inspect, JSONL",
                Told,
                &["{headwater}", "inspect", "--format", "json", "{text}", "-o", "{out}"],
            )
            .limit(PARSE)
            .grows_to(2000),
            ours(
                "gz",
                "headwater inspect, JSONL + gzip",
                Told,
                &["{headwater}", "inspect", "--format", "json", "{stem}.jsonl.gz", "-o", "{out}"],
            ),
            ours(
                "zst",
                "headwater inspect, JSONL + zstd",
                Told,
                &["{headwater}", "inspect", "--format", "json", "{stem}.jsonl.zst", "-o", "{out}"],
            ),
            ours(
                "bz2",
                "headwater inspect, JSONL + bzip2",
                Told,
                &["{headwater}", "inspect", "--format", "json", "{stem}.jsonl.bz2", "-o", "{out}"],
            )
            .up_to(20),
            ours(
                "xz",
                "headwater inspect, JSONL + xz",
                Told,
                &["{headwater}", "inspect", "--format", "json", "{stem}.jsonl.xz", "-o", "{out}"],
            )
            .up_to(20),
            ours(
                "json",
                "headwater inspect, JSON",
                Told,
                &["{headwater}", "inspect", "--format", "json", "{stem}.json", "-o", "{out}"],
            ),
            ours(
                "csv",
                "headwater inspect, CSV",
                Told,
                &["{headwater}", "inspect", "--format", "json", "{stem}.csv", "-o", "{out}"],
            ),
            ours(
                "tsv",
                "headwater inspect, TSV",
                Told,
                &["{headwater}", "inspect", "--format", "json", "{stem}.tsv", "-o", "{out}"],
            ),
            ours(
                "parquet",
                "headwater inspect, Parquet",
                Told,
                &["{headwater}", "inspect", "--format", "json", "{stem}.parquet", "-o", "{out}"],
            ),
            ours(
                "warc",
                "headwater inspect, WARC + gzip of HTML",
                Told,
                &["{headwater}", "inspect", "--format", "json", "{stem}.warc.gz", "-o", "{out}"],
            ),
            ours(
                "folder",
                "headwater inspect, a folder of plain text",
                Told,
                &["{headwater}", "inspect", "--format", "json", "{stem}.txt.d", "-o", "{out}"],
            ),
            rival(
                "python-jsonl",
                "Python json, JSONL",
                "",
                Printed,
                &["{python}", "{rivals}/read.py", "jsonl", "{text}"],
            ),
            rival(
                "pyarrow-jsonl",
                "pyarrow, JSONL",
                "pyarrow",
                Printed,
                &["{python}", "{rivals}/read.py", "arrow-jsonl", "{text}"],
            ),
            rival(
                "pyarrow-parquet",
                "pyarrow, Parquet",
                "pyarrow",
                Printed,
                &["{python}", "{rivals}/read.py", "parquet", "{stem}.parquet"],
            ),
            rival("python-csv", "Python csv, CSV", "", Printed, &["{python}", "{rivals}/read.py", "csv", "{stem}.csv"]),
            rival(
                "warcio",
                "warcio, WARC + gzip",
                "warcio",
                Printed,
                &["{python}", "{rivals}/read.py", "warc", "{stem}.warc.gz"],
            )
            .remark("records only: no text is taken from HTML"),
        ],
    },
];

/// A contender by the keys of its job and its own.
pub fn contender(job: &str, key: &str) -> Option<&'static Contender> {
    let job = JOBS.iter().find(|one| one.key == job)?;
    job.contenders.iter().find(|contender| contender.key == key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_different_and_exact_answers_exist() {
        for job in JOBS {
            for (at, one) in job.contenders.iter().enumerate() {
                assert!(job.contenders[..at].iter().all(|other| other.key != one.key), "{}/{}", job.key, one.key);
                let exact = one.exact.map(|exact| contender(job.key, exact));
                assert!(exact.is_none_or(|exact| exact.is_some_and(|exact| exact.found == one.found)), "{}", one.key);
            }
        }
    }
}

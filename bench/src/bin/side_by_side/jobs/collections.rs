//! Whole collections: how large they are, and what it takes to read them.

use super::Source::{Counted, Printed, Told};
use super::{Job, PARSE, ours, rival};

pub const CENSUS: Job = Job {
    key: "census",
    title: "census: how large are two collections beside each other?",
    note: "Two overlapping thirds of the slice. Ours draws a sample and gives intervals; the script that a user would write holds a hash of every text.",
    contenders: &[
        ours("census", "headwater census", Counted, "{headwater} census --format json {left} {right}").grows_to(1000),
        rival(
            "script",
            "a script with two sets of hashes",
            "",
            Printed,
            "{python} {rivals}/census_script.py {left} {right}",
        )
        .remark("exact, equal texts only"),
    ],
};

pub const INSPECT: Job = Job {
    key: "inspect",
    title: "inspect: reading alone, each format",
    note: "MB are those of the slice as JSONL, whatever the format; inspect also counts tokens, scripts and languages, readers of rivals count documents and characters.",
    contenders: &[
        ours("jsonl", "headwater inspect, JSONL", Told, "{headwater} inspect --format json {text} -o {out}.json")
            .limit(PARSE)
            .grows_to(2000),
        ours(
            "gz",
            "headwater inspect, JSONL + gzip",
            Told,
            "{headwater} inspect --format json {stem}.jsonl.gz -o {out}.json",
        ),
        ours(
            "zst",
            "headwater inspect, JSONL + zstd",
            Told,
            "{headwater} inspect --format json {stem}.jsonl.zst -o {out}.json",
        ),
        ours(
            "bz2",
            "headwater inspect, JSONL + bzip2",
            Told,
            "{headwater} inspect --format json {stem}.jsonl.bz2 -o {out}.json",
        )
        .up_to(20),
        ours(
            "xz",
            "headwater inspect, JSONL + xz",
            Told,
            "{headwater} inspect --format json {stem}.jsonl.xz -o {out}.json",
        )
        .up_to(20),
        ours("json", "headwater inspect, JSON", Told, "{headwater} inspect --format json {stem}.json -o {out}.json"),
        ours("csv", "headwater inspect, CSV", Told, "{headwater} inspect --format json {stem}.csv -o {out}.json"),
        ours("tsv", "headwater inspect, TSV", Told, "{headwater} inspect --format json {stem}.tsv -o {out}.json"),
        ours(
            "parquet",
            "headwater inspect, Parquet",
            Told,
            "{headwater} inspect --format json {stem}.parquet -o {out}.json",
        ),
        ours(
            "warc",
            "headwater inspect, WARC + gzip of HTML",
            Told,
            "{headwater} inspect --format json {stem}.warc.gz -o {out}.json",
        ),
        ours(
            "folder",
            "headwater inspect, a folder of plain text",
            Told,
            "{headwater} inspect --format json {stem}.txt.d -o {out}.json",
        ),
        rival("python-jsonl", "Python json, JSONL", "", Printed, "{python} {rivals}/read.py jsonl {text}"),
        rival("pyarrow-jsonl", "pyarrow, JSONL", "pyarrow", Printed, "{python} {rivals}/read.py arrow-jsonl {text}"),
        rival(
            "pyarrow-parquet",
            "pyarrow, Parquet",
            "pyarrow",
            Printed,
            "{python} {rivals}/read.py parquet {stem}.parquet",
        ),
        rival("python-csv", "Python csv, CSV", "", Printed, "{python} {rivals}/read.py csv {stem}.csv"),
        rival("warcio", "warcio, WARC + gzip", "warcio", Printed, "{python} {rivals}/read.py warc {stem}.warc.gz")
            .remark("records only: no text is taken from HTML"),
    ],
};

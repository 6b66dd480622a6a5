//! Where text is from.

use super::Source::{Printed, Traced};
use super::{Job, SELECT, ours, rival};

pub const TRACE: Job = Job {
    key: "trace",
    title: "trace: where is each passage from?",
    note: "JSONL in, one line of JSON for each document out. No other tool answers this; the exact answer is the paper's, \
           with every shingle in a table that forgets nothing (agreement: the same dominant origin; tokens called new or old alike).",
    contenders: &[
        ours(
            "64-1",
            "headwater trace, 64 MiB, 1 thread",
            Traced,
            "{headwater} trace --threads 1 --memory 64MiB {text} -o {out}.jsonl",
        )
        .beside("exact")
        .limit(SELECT),
        ours(
            "64-2",
            "headwater trace, 64 MiB, 2 threads",
            Traced,
            "{headwater} trace --threads 2 --memory 64MiB {text} -o {out}.jsonl",
        )
        .beside("exact")
        .limit(SELECT)
        .grows_to(2000),
        ours(
            "1024-1",
            "headwater trace, 1 GiB, 1 thread",
            Traced,
            "{headwater} trace --threads 1 --memory 1GiB {text} -o {out}.jsonl",
        )
        .beside("exact")
        .limit(SELECT),
        ours(
            "1024-2",
            "headwater trace, 1 GiB, 2 threads",
            Traced,
            "{headwater} trace --threads 2 --memory 1GiB {text} -o {out}.jsonl",
        )
        .beside("exact")
        .limit(SELECT),
        ours(
            "4096-1",
            "headwater trace, 4 GiB, 1 thread",
            Traced,
            "{headwater} trace --threads 1 --memory 4GiB {text} -o {out}.jsonl",
        )
        .beside("exact")
        .limit(SELECT),
        ours(
            "4096-2",
            "headwater trace, 4 GiB, 2 threads",
            Traced,
            "{headwater} trace --threads 2 --memory 4GiB {text} -o {out}.jsonl",
        )
        .beside("exact")
        .limit(SELECT),
        ours(
            "exact",
            "headwater trace --select All --estimate NB, 4 GiB",
            Traced,
            "{headwater} trace --select All --estimate NB --memory 4GiB {text} -o {out}.jsonl",
        )
        .up_to(200)
        .remark("exact as long as memory lasts"),
    ],
};

pub const LATENCY: Job = Job {
    key: "latency",
    title: "one query: where is this text of 350 words from?",
    note: "In the library, against an open table that has read the slice; microseconds. The time of the whole process is mostly that of filling the table.",
    contenders: &[
        ours("64", "headwater, 64 MiB", Printed, "{bin}/latency 64 {text}"),
        ours("1024", "headwater, 1 GiB", Printed, "{bin}/latency 1024 {text}"),
        ours("4096", "headwater, 4 GiB", Printed, "{bin}/latency 4096 {text}"),
        rival(
            "infini-gram",
            "infini-gram: counts of the same text's windows of 8",
            "infini-gram",
            Printed,
            "{python} {rivals}/query_infini_gram.py {text} {out} {scratch}",
        )
        .up_to(20)
        .remark("says how often a window occurs, not where first"),
    ],
};

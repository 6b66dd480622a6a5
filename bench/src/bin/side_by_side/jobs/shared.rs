//! Which documents share text.

use super::Source::{Printed, Told, Traced};
use super::{Job, SELECT, ours, rival};

pub const GRAPH: Job = Job {
    key: "graph",
    title: "graph: which documents share text?",
    note: "Ours goes on from shared runs of 8 words to scored pairs; suffix arrays stop at the runs; dolma marks repeated paragraphs and cannot say whose they are.",
    contenders: &[
        ours("default", "headwater graph", Told, "{headwater} graph {text} -o {out}.jsonl")
            .grows_to(2000)
            .limit(SELECT),
        ours("small", "headwater graph --memory 64MiB", Told, "{headwater} graph --memory 64MiB {text} -o {out}.jsonl")
            .limit(SELECT),
        rival(
            "suffix-words",
            "suffix array of words (libsais)",
            "suffix-array",
            Printed,
            "{bin}/suffix-array-rival words {text}",
        )
        .up_to(1400)
        .grows_to(400)
        .remark("nobody offers it: the fair question"),
        rival(
            "suffix-bytes",
            "suffix array of bytes (libsais)",
            "suffix-array",
            Printed,
            "{bin}/suffix-array-rival bytes {text}",
        )
        .up_to(400)
        .grows_to(200)
        .remark("runs of 50 bytes, as tools for training text do"),
        rival(
            "dolma",
            "dolma dedupe, paragraphs",
            "dolma",
            Printed,
            "{python} {rivals}/paragraphs_dolma.py {text} {out} {scratch}",
        )
        .up_to(400)
        .remark("Bloom filter; its own job"),
        ours(
            "for-dolma",
            "headwater trace, 64 MiB, beside dolma",
            Traced,
            "{headwater} trace --memory 64MiB {text} -o {out}.jsonl",
        )
        .remark("ours that is nearest to dolma's job: what stood in an earlier document, in fixed memory"),
    ],
};

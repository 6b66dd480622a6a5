//! Which documents are nearly the same.

use super::Source::Clusters;
use super::{Job, ours, rival};

pub const CLUSTER: Job = Job {
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
            "{headwater} cluster --method shingles -k 5 --threshold 0.8 {text} -o {out}.jsonl",
        )
        .grows_to(1000)
        .remark("exact join"),
        ours(
            "minhash",
            "headwater cluster --method minhash",
            Clusters,
            "{headwater} cluster --method minhash -k 5 --threshold 0.8 {text} -o {out}.jsonl",
        )
        .beside("shingles")
        .grows_to(2000)
        .remark("pairs verified exactly"),
        ours(
            "minhash-one",
            "headwater cluster --method minhash --hashing one-permutation",
            Clusters,
            "{headwater} cluster --method minhash --hashing one-permutation -k 5 --threshold 0.8 {text} -o {out}.jsonl",
        )
        .beside("shingles")
        .remark("pairs verified exactly"),
        ours(
            "spotsigs",
            "headwater cluster --method spotsigs",
            Clusters,
            "{headwater} cluster --method spotsigs --threshold 0.44 {text} -o {out}.jsonl",
        )
        .grows_to(2000)
        .remark("spot signatures at 0.44: another question, its own exact answer"),
        ours(
            "lsh-s",
            "headwater cluster --method lsh-s",
            Clusters,
            "{headwater} cluster --method lsh-s --threshold 0.44 {text} -o {out}.jsonl",
        )
        .beside("spotsigs"),
        ours(
            "imatch",
            "headwater cluster --method imatch",
            Clusters,
            "{headwater} cluster --method imatch {text} -o {out}.jsonl",
        )
        .remark("equal words of middling frequency: another question"),
        ours(
            "imatch-s",
            "headwater cluster --method imatch-s",
            Clusters,
            "{headwater} cluster --method imatch-s {text} -o {out}.jsonl",
        )
        .remark("another question"),
        rival("gaoya-crate", "gaoya, the crate", "gaoya-crate", Clusters, "{bin}/gaoya-rival {text} {out}.jsonl")
            .beside("shingles")
            .grows_to(400)
            .remark("checked by sketch"),
        rival("gaoya", "gaoya (PyPI)", "gaoya", Clusters, "{python} {rivals}/near_gaoya.py {text} {out}.jsonl")
            .beside("shingles")
            .up_to(400)
            .remark("checked by sketch"),
        rival("rensa", "rensa (PyPI)", "rensa", Clusters, "{python} {rivals}/near_rensa.py {text} {out}.jsonl")
            .beside("shingles")
            .up_to(200)
            .remark("not checked"),
        rival(
            "datasketch",
            "datasketch (PyPI)",
            "datasketch",
            Clusters,
            "{python} {rivals}/near_datasketch.py {text} {out}.jsonl",
        )
        .beside("shingles")
        .up_to(200)
        .remark("not checked"),
        rival(
            "set-similarity-search",
            "SetSimilaritySearch (PyPI)",
            "SetSimilaritySearch",
            Clusters,
            "{python} {rivals}/near_exact.py {text} {out}.jsonl",
        )
        .beside("shingles")
        .up_to(20)
        .remark("exact"),
        rival("simhash", "simhash (PyPI)", "simhash", Clusters, "{python} {rivals}/near_simhash.py {text} {out}.jsonl")
            .beside("shingles")
            .up_to(20)
            .remark("64 bits, distance 3"),
        rival(
            "text-dedup",
            "text-dedup minhash (PyPI)",
            "text-dedup",
            Clusters,
            "{python} {rivals}/near_text_dedup.py {text} {out}.jsonl {scratch}",
        )
        .beside("shingles")
        .up_to(20)
        .remark("not checked"),
        rival(
            "datatrove",
            "datatrove minhash (PyPI)",
            "datatrove",
            Clusters,
            "{python} {rivals}/near_datatrove.py {text} {out}.jsonl {scratch}",
        )
        .beside("shingles")
        .up_to(20)
        .remark("not checked; its own choice of bands"),
        rival(
            "copydetect",
            "copydetect (PyPI)",
            "copydetect",
            Clusters,
            "{python} {rivals}/near_copydetect.py {text} {out}.jsonl {scratch}",
        )
        .up_to(2)
        .remark("winnowing of every pair: another question"),
    ],
};

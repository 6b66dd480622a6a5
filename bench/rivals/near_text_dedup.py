"""text-dedup: its MinHash command with 5-grams, 128 hashes, threshold 0.8; it keeps one of each cluster, so clusters are read from its cache."""

import pickle
import subprocess
import sys

from protocol import HASHES, K, THRESHOLD, Clusters, documents

text, _, scratch = sys.argv[1:4]
run = subprocess.run(
    [
        sys.executable, "-m", "text_dedup.minhash", "--path", "json", "--data_files", text, "--split", "train",
        "--cache_dir", f"{scratch}/cache", "--output", f"{scratch}/output", "--column", "text", "--batch_size", "10000",
        "--ngram", str(K), "--num_perm", str(HASHES), "--threshold", str(THRESHOLD), "--num_proc", "1", "--debug",
    ],
    capture_output=True, text=True,
)
if run.returncode:
    sys.exit(run.stderr)
names = [name for name, _ in documents()]
clusters = Clusters()
with open(f"{scratch}/output/uf.pkl", "rb") as stored:
    for document, above in pickle.load(stored).parent.items():
        if document != above:
            clusters.join(document, above)
clusters.tell(names, verified="no")

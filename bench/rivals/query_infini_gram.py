"""infini-gram: an index of bytes, built, then asked where a text of 350 words stands (its `attribute`, as in OLMoTrace) and how often
each of its windows of 8 words occurs. Times of single queries are taken here, because only here is the index open."""

import os
import random
import subprocess
import sys
import time

from infini_gram.engine import InfiniGramEngine

from protocol import documents, tell

# One takes more than a second.
QUERIES = 20

text, _, scratch = sys.argv[1:]
os.makedirs(f"{scratch}/data")
os.symlink(os.path.abspath(text), f"{scratch}/data/text.jsonl")
run = subprocess.run(
    [
        sys.executable, "-m", "infini_gram.indexing", "--data_dir", f"{scratch}/data", "--save_dir", f"{scratch}/index",
        "--token_dtype", "u8", "--cpus", "1", "--mem", "4", "--ulimit", "1024",
    ],
    capture_output=True, text=True,
)
if run.returncode:
    sys.exit(run.stderr or run.stdout)
# Its numbers must fit a byte; neither 254 nor 255 occurs in UTF-8.
engine = InfiniGramEngine(index_dir=f"{scratch}/index", eos_token_id=254, vocab_size=255, version=4, token_dtype="u8")

texts = [text.split() for _, text in documents()]
texts = [words for words in texts if len(words) >= 700]
random.seed(7)
attributes, counts = [], []
for words in random.sample(texts, min(QUERIES, len(texts))):
    start = random.randrange(len(words) - 350)
    passage = list(" ".join(words[start : start + 350]).encode())
    begun = time.perf_counter()
    engine.attribute(input_ids=passage, delim_ids=[], min_len=40, max_cnt=10, enforce_bow=False)
    attributes.append(time.perf_counter() - begun)
    window = list(" ".join(words[start : start + 8]).encode())
    begun = time.perf_counter()
    engine.count(input_ids=window)
    counts.append(time.perf_counter() - begun)


def at(times, share):
    return round(sorted(times)[int(len(times) * share)] * 1e6, 1)


tell(p50=at(attributes, 0.5), p99=at(attributes, 0.99), one_window_p50=at(counts, 0.5), queries=len(attributes))

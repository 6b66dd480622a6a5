"""dolma dedupe: paragraphs that stood earlier, by a Bloom filter, through its command line. It marks spans; whose they are it cannot say."""

import gzip
import json
import os
import subprocess
import sys

from protocol import tell

text, _, scratch = sys.argv[1:]
os.makedirs(f"{scratch}/documents")
os.symlink(os.path.abspath(text), f"{scratch}/documents/text.jsonl")
run = subprocess.run(
    [
        os.path.join(os.path.dirname(sys.executable), "dolma"), "dedupe",
        "--documents", f"{scratch}/documents/*",
        "--dedupe.name", "paragraphs",
        "--dedupe.paragraphs.attribute_name", "seen",
        "--dedupe.skip_empty",
        "--bloom_filter.file", f"{scratch}/bloom",
        "--no-bloom_filter.read_only",
        # As many paragraphs as bytes of text could hold at fifty each.
        "--bloom_filter.estimated_doc_count", str(os.path.getsize(text) // 50),
        "--bloom_filter.desired_false_positive_rate", "0.00001",
        "--compression.input", "none",
        "--compression.output", "none",
        "--processes", "1",
    ],
    capture_output=True, text=True,
)
if run.returncode:
    sys.exit(run.stderr)
documents = spans = characters = 0
for folder, _, files in os.walk(f"{scratch}/attributes"):
    for name in files:
        opened = gzip.open if name.endswith(".gz") else open
        with opened(os.path.join(folder, name), "rt", encoding="utf-8") as lines:
            for line in lines:
                documents += 1
                for start, end, _ in json.loads(line)["attributes"]["seen"]:
                    spans += 1
                    characters += end - start
if not documents:
    sys.exit("dolma wrote no attributes")
tell(documents=documents, repeated_paragraphs=spans, repeated_bytes=characters)

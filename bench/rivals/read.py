"""Readers of Python: every document of a file, its text as a string. `python read.py FORMAT FILE`."""

import csv
import json
import sys

from protocol import tell


def jsonl(path):
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)["text"]


def arrow(path, columns):
    table = columns(path)
    for batch in table.to_batches():
        yield from batch.column("text").to_pylist()


def arrow_jsonl(path):
    from pyarrow.json import ReadOptions, read_json

    return arrow(path, lambda path: read_json(path, ReadOptions(block_size=64 << 20)))


def parquet(path):
    from pyarrow.parquet import read_table

    return arrow(path, lambda path: read_table(path, columns=["text"]))


def commas(path):
    csv.field_size_limit(1 << 30)
    with open(path, encoding="utf-8", newline="") as rows:
        for row in csv.DictReader(rows):
            yield row["text"]


def warc(path):
    from warcio.archiveiterator import ArchiveIterator

    with open(path, "rb") as stream:
        for record in ArchiveIterator(stream):
            if record.rec_type == "response":
                yield record.content_stream().read().decode()


READERS = {"jsonl": jsonl, "arrow-jsonl": arrow_jsonl, "parquet": parquet, "csv": commas, "warc": warc}

number = characters = 0
for text in READERS[sys.argv[1]](sys.argv[2]):
    number += 1
    characters += len(text)
tell(documents=number, characters=characters)

"""A slice in every other format that is read: `python formats.py STEM` takes STEM.jsonl and leaves STEM.csv and so on beside it."""

import bz2
import csv
import gzip
import html
import io
import json
import lzma
import os
import shutil
import sys

stem = sys.argv[1]


def documents():
    with open(f"{stem}.jsonl", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def packed(extension, opened, **options):
    path = f"{stem}.jsonl.{extension}"
    if not os.path.exists(path):
        with open(f"{stem}.jsonl", "rb") as text, opened(f"{path}.part", "wb", **options) as out:
            shutil.copyfileobj(text, out, 1 << 20)
        os.rename(f"{path}.part", path)


def made(path, make):
    if not os.path.exists(path):
        make(f"{path}.part")
        os.rename(f"{path}.part", path)


def whole(path):
    with open(path, "w", encoding="utf-8") as out:
        for at, document in enumerate(documents()):
            out.write(("[" if at == 0 else ",\n") + json.dumps(document, ensure_ascii=False))
        out.write("]\n")


def rows(delimiter):
    def make(path):
        with open(path, "w", encoding="utf-8", newline="") as out:
            writer = csv.writer(out, delimiter=delimiter)
            writer.writerow(["id", "time", "text"])
            writer.writerows([document["id"], document["time"], document["text"]] for document in documents())

    return make


def parquet(path):
    import pyarrow
    from pyarrow.parquet import ParquetWriter

    schema = pyarrow.schema([(name, pyarrow.string()) for name in ("id", "time", "text")])
    with ParquetWriter(path, schema, compression="zstd") as writer:
        batch = []
        for document in documents():
            batch.append({name: document[name] for name in schema.names})
            if len(batch) == 2000:
                writer.write_table(pyarrow.Table.from_pylist(batch, schema))
                batch = []
        writer.write_table(pyarrow.Table.from_pylist(batch, schema))


def warc(path):
    from warcio.statusandheaders import StatusAndHeaders
    from warcio.warcwriter import WARCWriter

    with open(path, "wb") as out:
        writer = WARCWriter(out, gzip=True)
        for document in documents():
            paragraphs = "".join(f"<p>{html.escape(part)}</p>\n" for part in document["text"].split("\n\n"))
            page = f"<!doctype html><html><head><meta charset=utf-8><title>a page</title></head><body><article>{paragraphs}</article></body></html>"
            headers = StatusAndHeaders("200 OK", [("Content-Type", "text/html; charset=utf-8")], protocol="HTTP/1.1")
            record = writer.create_warc_record(
                f"https://docs.example/{document['id']}", "response", payload=io.BytesIO(page.encode()), http_headers=headers,
                warc_headers_dict={"WARC-Date": document["time"]},
            )
            writer.write_record(record)


def folder(path):
    os.makedirs(path)
    for at, document in enumerate(documents()):
        with open(f"{path}/{at:07}.txt", "w", encoding="utf-8") as out:
            out.write(document["text"])


packed("gz", gzip.open, compresslevel=6)
packed("zst", lambda path, mode: __import__("zstandard").open(path, mode))
if os.path.getsize(f"{stem}.jsonl") < 25_000_000:
    packed("bz2", bz2.open)
    packed("xz", lzma.open, preset=2)
made(f"{stem}.json", whole)
made(f"{stem}.csv", rows(","))
made(f"{stem}.tsv", rows("\t"))
made(f"{stem}.parquet", parquet)
made(f"{stem}.warc.gz", warc)
made(f"{stem}.txt.d", folder)

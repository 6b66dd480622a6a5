#!/usr/bin/env python3
"""Makes two collections without any locality, for `quality` and `headwater eval origin`, from Debian's own packages.

usage: shuffled_collections.py FOLDER

FOLDER/desc/docs.jsonl  the descriptions of all packages, shuffled
FOLDER/ldoc/docs.jsonl  the kernel's documentation, 6.1 and three fifths of 6.12, cut to 300 words each, shuffled

They are made as those of the research notes were (desc, ldoc), as far as the notes say it; packages are updated, so that figures
move a little. Needs apt-get and dpkg-deb, and lists of packages with their English descriptions, which are fetched.
"""
import gzip
import json
import random
import re
import subprocess
import sys
from pathlib import Path

SEED = 7
WORD = re.compile(r"[^\W_]+")


def run(*command, folder=None):
    """What the command prints; what it complains of is for the user to see."""
    return subprocess.run(command, cwd=folder, check=True, stdout=subprocess.PIPE, text=True).stdout


def write(folder, documents):
    if not documents:
        sys.exit(f"{folder.name}: no documents; are these Debian 12 (bookworm) package lists?")
    folder.mkdir(parents=True, exist_ok=True)
    random.Random(SEED).shuffle(documents)
    with open(folder / "docs.jsonl", "w", encoding="utf-8") as out:
        for time, (name, text) in enumerate(documents):
            out.write(json.dumps({"id": name, "time": time, "text": text}) + "\n")
    print(f"{folder / 'docs.jsonl'}: {len(documents)} documents")


def descriptions():
    """One document a package: what it is in a line, and the paragraphs behind it."""
    english = ("-o", "Acquire::Languages=en")
    run("apt-get", "update", *english)
    wanted = ("Created-By: Translations", "Codename: bookworm")
    files = run("apt-get", "indextargets", *english, "--format", "$(FILENAME)", *wanted).split()
    listed = "".join(run("/usr/lib/apt/apt-helper", "cat-file", file) for file in files)
    documents = []
    for block in listed.split("\n\n"):
        name = re.search(r"^Package: (\S+)", block, re.M)
        text = re.search(r"^Description-en: (.*(?:\n .*)*)", block, re.M)
        if name and text:
            lines = [line.removeprefix(" ") for line in text[1].split("\n")]
            documents.append((name[1], "\n".join("" if line == "." else line for line in lines)))
    return documents


def pieces(name, text):
    """The text in pieces of 300 words."""
    ends = [word.end() for word in WORD.finditer(text)]
    start = 0
    for first in range(0, len(ends), 300):
        end = ends[min(first + 299, len(ends) - 1)]
        yield f"{name}#{first}", text[start:end]
        start = end


def kernel(folder):
    folder.mkdir(parents=True, exist_ok=True)
    chance = random.Random(SEED)
    documents = []
    for version, share in (("6.1", 1.0), ("6.12", 0.6)):
        package = f"linux-doc-{version}"
        run("apt-get", "download", package, folder=folder)
        run("dpkg-deb", "-x", str(next(folder.glob(f"{package}_*.deb")).resolve()), str(folder / package))
        for file in sorted((folder / package).rglob("*.rst.gz")):
            text = gzip.decompress(file.read_bytes()).decode("utf-8", "replace")
            name = f"{version}/{file.relative_to(folder / package)}"
            documents += [piece for piece in pieces(name, text) if chance.random() < share]
    return documents


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = Path(sys.argv[1])
    write(folder / "desc", descriptions())
    write(folder / "ldoc", kernel(folder / "ldoc"))


if __name__ == "__main__":
    main()

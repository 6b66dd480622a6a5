#!/usr/bin/env python3
"""Makes three collections without any locality, for `quality` and `headwater eval origin`, from Debian's own packages.

usage: shuffled_collections.py FOLDER

FOLDER/desc/docs.jsonl  the descriptions of all packages, shuffled
FOLDER/ldoc/docs.jsonl  the kernel's documentation, 6.1 and three fifths of 6.12, cut to 300 words each, shuffled
FOLDER/man/docs.jsonl   the man pages and copyright files that are installed here, as they are written, cut to 200 words each, shuffled

They are made as those of the research notes were, as far as the notes say it; packages are updated, so that figures move a little, and
what is installed is another selection on every machine. Needs apt-get and dpkg-deb, and lists of packages with their English
descriptions, which are fetched.
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
BETWEEN_SPACES = re.compile(r"\S+")


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


def pieces(name, text, words, word=WORD):
    """The text in pieces of so many words."""
    ends = [word.end() for word in word.finditer(text)]
    start = 0
    for first in range(0, len(ends), words):
        end = ends[min(first + words, len(ends)) - 1]
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
            documents += [piece for piece in pieces(name, text, 300) if chance.random() < share]
    return documents


def manuals():
    pages = [file for file in Path("/usr/share/man").rglob("*.gz") if not file.is_symlink()]
    notices = [file for file in Path("/usr/share/doc").glob("*/copyright") if not file.is_symlink()]
    documents = []
    for file in sorted(pages + notices):
        data = file.read_bytes()
        text = (gzip.decompress(data) if file.suffix == ".gz" else data).decode("utf-8", "replace")
        documents += pieces(str(file), text, 200, BETWEEN_SPACES)
    return documents


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = Path(sys.argv[1])
    write(folder / "desc", descriptions())
    write(folder / "ldoc", kernel(folder / "ldoc"))
    write(folder / "man", manuals())


if __name__ == "__main__":
    main()

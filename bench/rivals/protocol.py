"""What every driver of a rival has in common.

A driver is run as `python DRIVER.py INPUT.jsonl CLUSTERS.jsonl`. It reads documents (fields "id" and "text"), does its job, writes
the clusters that it found to CLUSTERS.jsonl in the form of `headwater cluster` (one {"members": [ids]} a line; nothing where its job
gives none), and prints one line of JSON: what it found. A driver measures nothing: whoever starts it does.
"""

import json
import re
import sys

# The job of every near-duplicate driver: word 5-grams, Jaccard 0.8, 128 hashes where there are any.
K = 5
THRESHOLD = 0.8
HASHES = 128

WORD = re.compile(r"\w+")


def documents():
    """Pairs of a name and a text, in order."""
    with open(sys.argv[1], encoding="utf-8") as lines:
        for line in lines:
            document = json.loads(line)
            yield document["id"], document["text"]


def shingles(text):
    """The set of a text's word 5-grams; a shorter text is one shingle."""
    words = WORD.findall(text.lower())
    if len(words) < K:
        return {" ".join(words)} if words else set()
    return {" ".join(words[at : at + K]) for at in range(len(words) - K + 1)}


class Clusters:
    """Documents that are connected by pairs."""

    def __init__(self):
        self.above = {}
        self.pairs = 0

    def top(self, document):
        top = document
        while (above := self.above.setdefault(top, top)) != top:
            top = above
        while document != top:
            self.above[document], document = top, self.above[document]
        return top

    def join(self, one, other):
        self.pairs += 1
        one, other = self.top(one), self.top(other)
        if one != other:
            self.above[max(one, other)] = min(one, other)

    def tell(self, names, **more):
        """Writes the clusters, prints what was found."""
        members = {}
        for document in sorted(self.above):
            members.setdefault(self.top(document), []).append(names[document])
        members = [cluster for cluster in members.values() if len(cluster) > 1]
        with open(sys.argv[2], "w", encoding="utf-8") as out:
            for cluster in members:
                print(json.dumps({"members": cluster}), file=out)
        removed = sum(len(cluster) - 1 for cluster in members)
        tell(documents=len(names), clusters=len(members), removed=removed, pairs=self.pairs, **more)


def tell(**found):
    print(json.dumps(found))

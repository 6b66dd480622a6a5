"""rensa: RMinHash-128 and its LSH, shingles made in Python because it takes sets of tokens; candidates are not checked."""

from rensa import RMinHash, RMinHashLSH

from protocol import HASHES, THRESHOLD, Clusters, documents, shingles

# 16 bands of 8: the steepest part of the curve lies at 0.7, so that few pairs at 0.8 are missed.
index = RMinHashLSH(threshold=THRESHOLD, num_perm=HASHES, num_bands=16)
names, clusters = [], Clusters()
for number, (name, text) in enumerate(documents()):
    names.append(name)
    sketch = RMinHash(num_perm=HASHES, seed=42)
    sketch.update(list(shingles(text)))
    for other in index.query(sketch):
        clusters.join(other, number)
    index.insert(number, sketch)
clusters.tell(names, verified="no")

"""datasketch: MinHash-128 and MinHashLSH with its own choice of bands; candidates are not checked."""

from datasketch import MinHash, MinHashLSH

from protocol import HASHES, THRESHOLD, Clusters, documents, shingles

index = MinHashLSH(threshold=THRESHOLD, num_perm=HASHES)
names, clusters = [], Clusters()
for number, (name, text) in enumerate(documents()):
    names.append(name)
    sketch = MinHash(num_perm=HASHES)
    sketch.update_batch([shingle.encode() for shingle in shingles(text)])
    for other in index.query(sketch):
        clusters.join(other, number)
    index.insert(number, sketch)
clusters.tell(names, verified="no")

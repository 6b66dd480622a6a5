"""gaoya: MinHash-128 LSH through its Python interface; candidates are checked by their sketches."""

from gaoya.minhash import MinHashStringIndex

from protocol import HASHES, K, THRESHOLD, Clusters, documents

index = MinHashStringIndex(
    hash_size=32, jaccard_threshold=THRESHOLD, num_hashes=HASHES, num_bands=None, band_size=None,
    analyzer="word", lowercase=True, ngram_range=(K, K),
)
names, clusters = [], Clusters()
for number, (name, text) in enumerate(documents()):
    names.append(name)
    # It has no call that does both: each text is sketched twice.
    for other in index.query(text):
        clusters.join(other, number)
    index.insert_document(number, text)
clusters.tell(names, verified="by sketch")

"""simhash: 64 bits over word 5-grams, pairs at a distance of at most 3."""

from simhash import Simhash, SimhashIndex

from protocol import Clusters, documents, shingles

names, clusters = [], Clusters()
index = SimhashIndex([], k=3)
for number, (name, text) in enumerate(documents()):
    names.append(name)
    sketch = Simhash(list(shingles(text)))
    for other in index.get_near_dups(sketch):
        clusters.join(int(other), number)
    index.add(str(number), sketch)
clusters.tell(names, verified="by sketch")

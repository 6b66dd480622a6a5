"""SetSimilaritySearch: every pair at Jaccard 0.8, exactly."""

from SetSimilaritySearch import all_pairs

from protocol import THRESHOLD, Clusters, documents, shingles

names, sets = [], []
for name, text in documents():
    names.append(name)
    sets.append(shingles(text))
# It cannot take empty sets: a text without words is like no other.
kept = [number for number, shingles_of in enumerate(sets) if shingles_of]
clusters = Clusters()
for one, other, _ in all_pairs([sets[number] for number in kept], similarity_func_name="jaccard", similarity_threshold=THRESHOLD):
    clusters.join(kept[one], kept[other])
clusters.tell(names, verified="exact")

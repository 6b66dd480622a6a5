"""datatrove: its four steps of MinHash deduplication, one task each, 5-grams, its own 14 bands of 8."""

import glob
import json
import sys

from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.dedup import MinhashDedupBuckets, MinhashDedupCluster, MinhashDedupFilter, MinhashDedupSignature
from datatrove.pipeline.dedup.minhash import MinhashConfig
from datatrove.pipeline.readers import JsonlReader
from datatrove.pipeline.writers import JsonlWriter

from protocol import K, Clusters, documents

text, _, scratch = sys.argv[1:4]
folder, name = text.rsplit("/", 1)
config = MinhashConfig(n_grams=K)


def reader():
    return JsonlReader(folder, glob_pattern=name)


for steps, tasks in [
    ([reader(), MinhashDedupSignature(output_folder=f"{scratch}/signatures", config=config)], 1),
    ([MinhashDedupBuckets(input_folder=f"{scratch}/signatures", output_folder=f"{scratch}/buckets", config=config)], config.num_buckets),
    ([MinhashDedupCluster(input_folder=f"{scratch}/buckets", output_folder=f"{scratch}/remove", config=config, save_cluster_id=True)], 1),
    ([
        reader(),
        MinhashDedupFilter(input_folder=f"{scratch}/remove", load_cluster_ids=True, exclusion_writer=JsonlWriter(f"{scratch}/removed", compression=None)),
        JsonlWriter(f"{scratch}/kept", compression=None),
    ], 1),
]:
    LocalPipelineExecutor(pipeline=steps, tasks=tasks, workers=1, logging_dir=None).run()

names = [name for name, _ in documents()]
number = {name: at for at, name in enumerate(names)}
clusters, first = Clusters(), {}
for path in glob.glob(f"{scratch}/kept/*") + glob.glob(f"{scratch}/removed/*"):
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            document = json.loads(line)
            cluster = document["metadata"].get("minhash_cluster_id", -1)
            if cluster >= 0:
                at = number[document["id"]]
                clusters.join(first.setdefault(cluster, at), at)
clusters.tell(names, verified="no")

"""copydetect: winnowing of every document against every other, likeness 0.8 of the shorter one's fingerprints."""

import os
import sys

from copydetect import CopyDetector

from protocol import THRESHOLD, Clusters, documents

scratch = sys.argv[3]
names = []
for number, (name, text) in enumerate(documents()):
    names.append(name)
    with open(f"{scratch}/{number}.txt", "w", encoding="utf-8") as out:
        out.write(text)
detector = CopyDetector(
    test_dirs=[scratch], ref_dirs=[scratch], extensions=["txt"], display_t=THRESHOLD, disable_filtering=True, silent=True, autoopen=False,
)
detector.run()
clusters = Clusters()
for row in detector.get_copied_code_list():
    one, other = (int(os.path.basename(path)[:-4]) for path in row[2:4])
    if one != other:
        clusters.join(one, other)
clusters.tell(names, verified="exact over its fingerprints")

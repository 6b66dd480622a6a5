# Helpers for the spring report.
import math

def mean_level(levels):
    return math.fsum(levels) / len(levels) if levels else 0.0

def floods(
    levels,
    limit
):
    # spells of high water
    spells = []; start = None

    for day, level in enumerate(levels):
        if level > limit and start is None: start = day
        elif level <= limit and start is not None:
            spells.append((start, day-1)); start = None

    if start is not None: spells.append((start, len(levels)-1))
    return spells

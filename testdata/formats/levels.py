"""River levels read off a notched slab: a small invented module."""


def notches_to_metres(notches, quarters=0, pitch=0.043):
    """The height of the water over the slab's foot, in metres."""
    if notches < 0 or not 0 <= quarters < 4:
        raise ValueError(f"no such mark: {notches} notches, {quarters} quarters")
    return (notches + quarters / 4) * pitch


def floods(levels, limit):
    """The (first, last) days of each spell on which the level stood above the limit."""
    spells = []
    start = None
    for day, level in enumerate(levels):
        if level > limit and start is None:
            start = day
        elif level <= limit and start is not None:
            spells.append((start, day - 1))
            start = None
    if start is not None:
        spells.append((start, len(levels) - 1))
    return spells

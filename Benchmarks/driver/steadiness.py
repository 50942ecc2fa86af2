"""Whether the machine was quiet enough for figures to be judged.

A busy machine makes the same work take now this long, now that long. So the floor's rounds are compared with one another.
Some floors are so short that other processes hardly touch them. So a fixed piece of work before and after each benchmark
is compared, too.
"""

import time
from statistics import median

# The middle half of the rounds may lie that far apart, as a share of their median. The fixed work lies 2 % apart when
# nothing else runs, and 90 % or more when other processes want the processors as well.
LIMIT = 0.3
# With fewer rounds, one slow round would decide.
FEWEST = 4
PIECES = 20


def spread(rounds):
    """How far the middle half of the rounds lies apart, as a share of their median; None for too few rounds."""
    if len(rounds) < FEWEST:
        return None
    ordered = sorted(rounds)
    quarter = len(ordered) // 4
    middle = median(ordered)
    return (ordered[-1 - quarter] - ordered[quarter]) / middle if middle > 0 else None


def objection(floors, around):
    """Why a figure cannot be judged; None when it can.

    `floors` are the floor's rounds, `around` the times of the fixed work before and after.
    """
    for name, rounds in (("the rounds of the floor", floors), ("the same work before and after", around)):
        found = spread(rounds)
        if found is not None and found > LIMIT:
            return f"the machine was too busy to judge: {name} lie {found:.0%} apart, {LIMIT:.0%} are allowed"
    return None


def fixed_work():
    """Seconds that the same piece of work took, each time."""
    return [_piece() for _ in range(PIECES)]


def _piece():
    start = time.perf_counter()
    sum(range(200_000))
    return time.perf_counter() - start

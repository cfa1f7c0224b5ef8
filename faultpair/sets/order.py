"""The fixed shuffled order of a set: stratified, so that every prefix is a fair sample.

After m places, a stratum that makes up the share p of the set holds more than
m·p − 1 and fewer than m·p + 1 of them. Its j-th member therefore has a window
of places, from ⌊(j−1)/p⌋ to ⌈j/p⌉ − 1 (0-based). Filling every place with the
open member whose window closes first meets all windows.

References
----------
Baruah, Cohen, Plaxton, Varvel (1996), Proportionate progress: a notion of
fairness in resource allocation, Algorithmica 15, 600–625.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from heapq import heappop, heappush

from faultpair.env.records import Trajectory
from faultpair.env.rng import stream

__all__ = ["interleave", "stratified_order", "stratum_of"]


def stratum_of(run: Trajectory) -> str:
    """Return the stratum of a run: clean, a control, or fault × policy × outcome.

    A run that a model made has no reply policy, and its stratum none either.
    """
    label = run.label
    if label.control is not None:
        return f"control:{label.control}"
    if label.failure_type is None:
        return "clean"
    policy = "" if label.reply_policy is None else f":{label.reply_policy}"
    return f"{label.failure_type}{policy}:{'silent' if label.outcome_correct else 'loud'}"


def stratified_order(members: Mapping[str, Sequence[int]], seed: int) -> array[int]:
    """Return all members in a shuffled order that is fair to every stratum.

    >>> list(stratified_order({"clean": [0, 1, 2, 3], "faulty": [4, 5]}, seed=1))
    [3, 2, 4, 1, 0, 5]
    """
    shuffled = {name: iter(_shuffled(name, members[name], seed)) for name in members}
    order = array("Q")
    for name in interleave({name: len(members[name]) for name in members}):
        order.append(next(shuffled[name]))
    return order


def interleave(sizes: Mapping[str, int]) -> Iterator[str]:
    """Yield stratum names so that each keeps within one of its share at every place.

    >>> "".join(interleave({"a": 3, "b": 1}))
    'aaab'
    """
    total = sum(sizes.values())
    strata = [(name, size) for name, size in sizes.items() if size]
    waiting = [(0, rank, 1) for rank in range(len(strata))]
    open_windows: list[tuple[int, int, int]] = []
    for place in range(total):
        while waiting and waiting[0][0] <= place:
            _, rank, nth = heappop(waiting)
            heappush(open_windows, (-(-nth * total // strata[rank][1]) - 1, rank, nth))
        _, rank, nth = heappop(open_windows)
        name, size = strata[rank]
        yield name
        if nth < size:
            heappush(waiting, (nth * total // size, rank, nth + 1))


def _shuffled(name: str, members: Sequence[int], seed: int) -> list[int]:
    rng = stream(seed, "order", name)
    return sorted(members, key=lambda _: rng.random())

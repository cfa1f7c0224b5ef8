"""How often `[stop]` decides wrongly, how many calls it saves, and what twenty looks do.

The floor is .2 and the shape is that of the committed set ``balanced``, its instances in an order
that is drawn anew in each study. The same judges are given to the fixed design: the smallest
number of instances whose published interval makes the floor clear in 90 % of studies.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import numpy as np

from ..data.columns import BoolArray, FloatArray, IntArray
from ..stats.paired_difference import Clustered, square_and_add
from ..stats.sequential import is_beyond
from .design import COMMITTED, Cell, Dependence, sizes_of
from .simulated import Judged, drawn, uniform

__all__ = ["LookCell", "StopCell", "look_cells", "look_counts", "stop_cells", "stop_counts"]

FLOOR, POWER = 0.2, 0.9
DELTAS, BASE_RATES = (0.0, 0.1, 0.2, 0.3, 0.6), (0.02, 0.1)
DEPENDENCES = (Dependence.NONE, Dependence.ALL)
LOOKS, LOOKED_AT = 20, (Dependence.NONE, Dependence.ONE)
CHUNK = 1_000
SHAPE = "balanced"
N = sum(COMMITTED[SHAPE].values())


@dataclass(frozen=True, slots=True)
class StopCell:
    """A judge, and whether the published Δ is watched or the mean over instances."""

    delta: float
    base_rate: float
    dependence: Dependence
    by_instance: bool

    @property
    def judge(self) -> Cell:
        """Return the judge on its shape."""
        return Cell(SHAPE, N, self.base_rate, self.delta, self.dependence)


@dataclass(frozen=True, slots=True)
class LookCell:
    """A judge that finds nothing, looked at twenty times."""

    base_rate: float
    dependence: Dependence

    @property
    def judge(self) -> Cell:
        """Return the judge on its shape."""
        return Cell(SHAPE, N, self.base_rate, 0.0, self.dependence)


def stop_cells() -> tuple[StopCell, ...]:
    """Return every cell of the table of stops."""
    return tuple(
        StopCell(delta, base_rate, dependence, by_instance)
        for by_instance in (False, True)
        for delta in DELTAS
        for base_rate in BASE_RATES
        for dependence in DEPENDENCES
    )


def look_cells() -> tuple[LookCell, ...]:
    """Return every cell of the table of looks."""
    return tuple(LookCell(rate, kind) for rate in (*BASE_RATES, 0.3) for kind in LOOKED_AT)


def stop_counts(cell: StopCell, studies: int) -> dict[str, Any]:
    """Count passes, fails, calls, and the studies in which the interval ever lost the true Δ.

    ``calls`` and ``instances`` are sums over the studies, ``all_calls`` those of a whole set.
    ``fixed`` is the fixed design in instances and calls, None if no part of the set has the power.
    """
    found = dict.fromkeys(("passed", "failed", "above", "below", "calls", "instances"), 0)
    for total, size in _studies(cell.judge, studies):
        watched: tuple[FloatArray, IntArray] = (total.astype(np.float64), size)
        if cell.by_instance:
            watched = (total / size, np.ones_like(size))
        beyond = partial(is_beyond, *watched, largest=int(watched[1].max()))
        above, below = beyond(FLOOR, 1), beyond(FLOOR, -1)
        passed, failed = _first(above), _first(below)
        n = np.minimum(np.minimum(passed, failed), total.shape[1])
        asked = np.take_along_axis(np.cumsum(size + 1, axis=1), n[:, np.newaxis] - 1, axis=1)
        found["passed"] += int((passed < failed).sum())
        found["failed"] += int((failed < passed).sum())
        found["calls"] += int(asked.sum())
        found["instances"] += int(n.sum())
        for name, sign in (("above", 1), ("below", -1)):
            found[name] += int(beyond(cell.delta, sign).any(axis=1).sum())
    size = sizes_of(cell.judge)
    whole = {"studies": studies, "all_calls": int(size.sum()) + len(size)}
    return {**asdict(cell), **whole, **found, "fixed": _fixed(cell, CHUNK)}


def look_counts(cell: LookCell, studies: int) -> dict[str, Any]:
    """Count the studies in which an interval is without 0 at any of twenty looks, or at the last.

    ``published`` and ``always`` are two numbers each: at any look, and at the last one.
    """
    found = {"published": [0, 0], "always": [0, 0]}
    place = [round(N * look / LOOKS) for look in range(1, LOOKS + 1)]
    for total, size in _studies(cell.judge, studies):
        largest = int(size.max())
        beyond = [is_beyond(total, size, 0.0, sign, largest=largest) for sign in (1, -1)]
        lost = np.stack([(beyond[0] | beyond[1])[:, n - 1] for n in place])
        plain = np.stack([_is_away(total[:, :n], size[:, :n]) for n in place])
        for name, at in (("always", lost), ("published", plain)):
            found[name][0] += int(at.any(axis=0).sum())
            found[name][1] += int(at[-1].sum())
    return {**asdict(cell), "studies": studies, **found}


def _studies(cell: Cell, studies: int) -> Iterator[tuple[IntArray, IntArray]]:
    """Yield summed differences and sizes, of shape (some studies, instances), in drawn orders."""
    for start in range(0, studies, CHUNK):
        n = min(CHUNK, studies - start)
        judged = drawn(cell, n, "stop", start)
        keys = uniform(n * N, *cell.place, "order", start).reshape(n, N)
        order = np.argsort(keys, axis=1)
        yield np.take_along_axis(_totals(judged), order, axis=1), judged.shape.size[order]


def _totals(judged: Judged) -> IntArray:
    flagged = judged.shape.by_instance(judged.fault)
    return np.asarray(flagged - judged.parent * judged.shape.size, np.int64)


def _first(clear: BoolArray) -> IntArray:
    """Return after how many instances each study is clear; one more than there are if never."""
    n = clear.shape[1]
    return np.asarray(np.where(clear.any(axis=1), clear.argmax(axis=1), n) + 1)


def _is_away(total: IntArray, size: IntArray) -> BoolArray:
    """Return whether the published interval of each study is without 0."""
    low, high = _published(total, size)
    away: BoolArray = (low > 0) | (high < 0)
    return away


def _published(total: IntArray, size: IntArray) -> tuple[FloatArray, FloatArray]:
    pairs = Clustered(np.maximum(total, 0), np.maximum(-total, 0), size)
    return square_and_add(pairs)


def _fixed(cell: StopCell, studies: int) -> list[int] | None:
    """Return the instances and the calls of the smallest fixed design with the power."""
    if math.isclose(cell.delta, FLOOR):
        return None
    parts = list(_studies(cell.judge, studies))
    total, size = (np.concatenate(part) for part in zip(*parts, strict=True))

    def has_power(n: int) -> bool:
        low, high = _published(total[:, :n], size[:, :n])
        clear = low > FLOOR if cell.delta > FLOOR else high < FLOOR
        return bool(clear.mean() >= POWER)

    few, many = 9, N
    if not has_power(many):
        return None
    while many - few > 1:
        middle = (few + many) // 2
        few, many = (few, middle) if has_power(middle) else (middle, many)
    return [many, round(many * (1 + float(size.mean())))]

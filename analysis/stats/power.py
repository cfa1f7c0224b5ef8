"""Power: what a design can show, simulated before a judge is run.

A judge is simulated on the design many times, and each simulated study gets the interval that
a study publishes. So what the interval asks for, such as t quantiles and ten instances in
effect, is in the power. Where no interval is published nothing is found.

References
----------
Arnold, Hogan, Colford and Hubbard (2011), BMC Med. Res. Methodol. 11, 94, for power by simulation.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import numpy as np
from scipy.optimize import brentq

from ..data.columns import FloatArray, IntArray
from .clusters import TAIL, is_borne
from .intervals import clopper_pearson
from .margins import LEVEL
from .paired_difference import Clustered, exact_interval, square_and_add
from .planned_judge import Draws, PlannedJudge

__all__ = [
    "POWER",
    "false_alarm_bound",
    "half_width",
    "instances_needed",
    "is_published",
    "least_above_floor",
    "least_delta",
    "power_at",
    "root",
]

POWER = 0.8
STUDIES, FEWER = 2_000, 250
"""Studies that are simulated for a power, and for its first approximation and for a width."""

NEAR = 0.25
"""The part of the first approximation within which the least Δ is looked for first."""
CLOSE = 5e-4
"""The distance in Δ at which the search ends."""
LARGEST = 2_000
"""Instances up to which a width is simulated; beyond, it falls with the root of their number."""
ROUNDS = 6


def least_delta(size: IntArray, judge: PlannedJudge) -> float | None:
    """Return the least Δ whose published 95 % interval is wholly above 0 with a chance of 80 %.

    Parameters
    ----------
    size : array of int, shape (instances,)
        Pairs of every instance that has any.

    Returns
    -------
    float or None
        None if not even a judge that flags every fault that it scores is found, or if no
        interval is published.
    """
    return _least(size, judge, 0.0, TAIL)


def least_above_floor(size: IntArray, judge: PlannedJudge, floor: float) -> float | None:
    """Return the least Δ that is found to be above a floor, at 5 %, with a chance of 80 %.

    The test is `non_inferiority` to the floor.
    """
    return _least(size, judge, floor, LEVEL)


def power_at(
    size: IntArray, judge: PlannedJudge, delta: float, *, floor: float = 0.0, tail: float = TAIL
) -> float:
    """Return the chance that the interval of Δ is wholly above a floor."""
    return _found(Draws.of(size, judge, STUDIES), delta, floor, tail)


def half_width(size: IntArray, judge: PlannedJudge, delta: float) -> float | None:
    """Return half the mean width of the 95 % interval; None if none is published."""
    draws = Draws.of(size, judge, FEWER)
    low, high = _ends(draws.pairs(delta), TAIL)
    width = (high - low)[~np.isnan(low)]
    return float(width.mean()) / 2 if len(width) else None


def instances_needed(size: IntArray, judge: PlannedJudge, wanted: float, delta: float) -> IntArray:
    """Return the pairs of each of so many instances that the half-width is as wanted.

    Instances are taken to bear as many faults each as they do in ``size``. The sum of the
    result is the number of pairs.
    """
    least = _least_borne(size)
    n = max(least, len(size))
    for _ in range(ROUNDS):
        tried = min(n, LARGEST)
        found = half_width(_resized(size, tried), judge, delta)
        if found is None:
            break
        now = max(least, math.ceil(tried * (found / wanted) ** 2))
        if now == n:
            break
        n = now
    return _resized(size, n)


def false_alarm_bound(n_clean: int) -> float:
    """Return the false-alarm rate that n clean runs without a flag still allow.

    The upper exact bound 1 − 0.025^(1/n) (Clopper and Pearson 1934); 1 without a run.

    >>> round(false_alarm_bound(100), 4)
    0.0362
    """
    return clopper_pearson(0, n_clean)[1] if n_clean else 1.0


def is_published(size: IntArray) -> bool:
    """Return whether an interval is published for pairs of these instances."""
    return bool(is_borne(size)) or bool(len(size) and (size == 1).all())


def root(power: Callable[[float, int], float], low: float, high: float) -> float | None:
    """Return where a power reaches 80 %; None if it does not up to ``high``.

    ``power`` takes a difference and the number of studies. It is looked for with a few studies
    first, and then near there with all of them.
    """
    power = cache(power)
    if power(high, STUDIES) < POWER:
        return None
    about = _halved(lambda x: power(x, FEWER), low, high)
    near = NEAR * (about - low)
    bottom, top = max(low, about - near), min(high, about + near)
    bottom = bottom if power(bottom, STUDIES) < POWER else low
    top = top if power(top, STUDIES) >= POWER else high
    if power(bottom, STUDIES) >= POWER:
        return bottom
    return float(brentq(lambda x: power(x, STUDIES) - POWER, bottom, top, xtol=CLOSE))


def _halved(power: Callable[[float], float], low: float, high: float) -> float:
    while high - low > max(CLOSE, NEAR / 10 * high):
        middle = (low + high) / 2
        low, high = (low, middle) if power(middle) >= POWER else (middle, high)
    return high


def _least(size: IntArray, judge: PlannedJudge, floor: float, tail: float) -> float | None:
    if not is_published(size):
        return None
    draws = Draws.of(size, judge, STUDIES)
    some = {STUDIES: draws, FEWER: draws.first(FEWER)}
    low = max(floor, -judge.base_rate)
    if low > 1 - judge.base_rate:
        return None
    return root(lambda x, n: _found(some[n], x, floor, tail), low, 1 - judge.base_rate)


def _found(draws: Draws, delta: float, floor: float, tail: float) -> float:
    low, _ = _ends(draws.pairs(delta), tail)
    return float(np.mean(low > floor))


def _ends(pairs: Clustered, tail: float) -> tuple[FloatArray, FloatArray]:
    """Return the published ends of every study; NaN where it has none."""
    if pairs.size.ndim > 1 or not (pairs.size == 1).all():
        return _ends_of_each(pairs, tail)
    # With one pair an instance, the numbers of gains and losses are all that the ends rest on.
    counts = pairs.gain.sum(axis=-1) * (pairs.n + 1) + pairs.loss.sum(axis=-1)
    _, first, place = np.unique(counts, return_index=True, return_inverse=True)
    some = Clustered(pairs.gain[first], pairs.loss[first], pairs.size)
    low, high = _ends_of_each(some, tail)
    return low[place], high[place]


def _ends_of_each(pairs: Clustered, tail: float) -> tuple[FloatArray, FloatArray]:
    size: IntArray = np.broadcast_to(pairs.size, pairs.gain.shape).astype(np.int64)
    runs = size.sum(axis=-1)
    borne = is_borne(size)
    alone = ~borne & (size.max(axis=-1) == 1)
    low, high = np.full(len(size), np.nan), np.full(len(size), np.nan)
    if borne.any():
        held = Clustered(pairs.gain[borne], pairs.loss[borne], _rows(pairs.size, borne))
        low[borne], high[borne] = square_and_add(held, tail)
    gains, losses = pairs.gain.sum(axis=-1), pairs.loss.sum(axis=-1)
    for study in np.flatnonzero(alone).tolist():
        counts = int(gains[study]), int(losses[study]), int(runs[study])
        low[study], high[study] = exact_interval(*counts, tail)
    return low, high


def _rows(size: IntArray | FloatArray, some: np.ndarray) -> IntArray | FloatArray:
    return size if size.ndim == 1 else size[some]


def _resized(size: IntArray, n: int) -> IntArray:
    """Return n instances with the mix of sizes that these have."""
    return np.sort(size)[np.arange(n) * len(size) // n]


def _least_borne(size: IntArray) -> int:
    n = 1
    while not is_borne(_resized(size, n)):
        n += 1
    return n

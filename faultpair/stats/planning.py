"""Power before a judge is asked, for a design given by its numbers of pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from faultpair.analysis.data.columns import IntArray
from faultpair.analysis.stats import power as planned
from faultpair.analysis.stats.clusters import TAIL
from faultpair.analysis.stats.margins import LEVEL
from faultpair.analysis.stats.planned_judge import Answers, PlannedJudge
from faultpair.env.errors import UsageError

__all__ = ["Answers", "PlannedJudge", "least_delta", "power"]

JUDGE = PlannedJudge(base_rate=0.05)


def power(
    pairs: Sequence[int], delta: float, *, judge: PlannedJudge = JUDGE, floor: float | None = None
) -> float:
    """Return the chance that a judge with this Δ is found to discriminate.

    Studies are simulated, and found is what the published interval finds: its low end is
    above 0, or above a floor at 5 % as in a test of non-inferiority.

    Parameters
    ----------
    pairs : sequence of int
        The pairs of each unit that has any: faults that share a clean run share a unit.
    delta : float in [0, 1 - base rate]
        The true Δ.
    judge : PlannedJudge
        What else is assumed: by default it flags 5 % of clean runs, gives one answer to all
        faults of a unit, and scores all runs.
    floor : float, optional
        A Δ that is to be exceeded.

    Returns
    -------
    float in [0, 1]
        Its simulation error is about 0.01. 0 where no interval is published, as for fewer
        than ten units in effect.

    Raises
    ------
    UsageError
        If a unit has no pair, or Δ is not possible with the base rate.

    Examples
    --------
    >>> round(power([1] * 30, 0.5), 1)
    1.0
    """
    size = _sizes(pairs)
    if not 0 <= delta <= 1 - judge.base_rate:
        raise UsageError(
            f"A Δ of {delta:g} with a base rate of {judge.base_rate:g}: expected 0 to "
            f"{1 - judge.base_rate:g}."
        )
    if not planned.is_published(size):
        return 0.0
    tail = LEVEL if floor is not None else TAIL
    return planned.power_at(size, judge, delta, floor=floor or 0.0, tail=tail)


def least_delta(
    pairs: Sequence[int], *, judge: PlannedJudge = JUDGE, base_rate: float | None = None
) -> float | None:
    """Return the least Δ whose published 95 % interval is above 0 with a power of 80 %.

    Parameters
    ----------
    pairs : sequence of int
        The pairs of each unit that has any, as in `power`.
    judge : PlannedJudge
        What else is assumed, as in `power`.
    base_rate : float in [0, 1), optional
        The share of clean runs that the judge flags, in place of ``judge.base_rate``.

    Returns
    -------
    float or None
        None if not even a judge that flags every fault is found, or if no interval is
        published, as for fewer than ten units in effect.

    Raises
    ------
    UsageError
        If a unit has no pair.

    Examples
    --------
    >>> round(least_delta([1] * 100), 1)
    0.1
    """
    judge = judge if base_rate is None else replace(judge, base_rate=base_rate)
    return planned.least_delta(_sizes(pairs), judge)


def _sizes(pairs: Sequence[int]) -> IntArray:
    size = np.array(pairs, np.int64)
    if size.ndim != 1 or not len(size) or bool((size < 1).any()):
        raise UsageError("Pairs: expected the number of pairs of each unit, at least one each.")
    return size

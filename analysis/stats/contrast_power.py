"""Power of a contrast: two judges on the same runs, decided by sign flips over instances."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from statistics import NormalDist

import numpy as np

from ..data.columns import BoolArray, IntArray
from .bootstrap import uniform
from .planned_judge import Draws, PlannedJudge
from .power import STUDIES, root
from .tests import COUNT_ALL_UP_TO

__all__ = ["is_rejected", "least_alarm_difference", "least_difference"]


def least_difference(size: IntArray, judge: PlannedJudge, level: float) -> float | None:
    """Return the least difference of Δ of two judges that is found with a chance of 80 %.

    The judges answer independently of each other and flag clean runs alike. Their mean Δ is
    (1 − b)/2 with b their base rate, where a difference is hardest to find.

    Parameters
    ----------
    size : array of int, shape (instances,)
        Pairs of every instance that has any.
    level : float
        The p at or below which they differ: .05, divided by the number of contrasts for the
        first step of Holm's correction.
    """
    if not len(size):
        return None
    judge = replace(judge, abstains=0.0)
    some = [Draws.of(size, judge, STUDIES, side) for side in ("one", "other")]
    most = 1 - judge.base_rate

    def power(difference: float, studies: int) -> float:
        one, other = (
            draws.first(studies).pairs((most + sign * difference) / 2).total
            for draws, sign in zip(some, (1, -1), strict=True)
        )
        return float(is_rejected(np.asarray(one - other, np.int64), level).mean())

    return root(power, 0.0, most)


def least_alarm_difference(n_clean: int, base_rate: float, level: float) -> float | None:
    """Return the least difference of false alarms that is found with a chance of 80 %.

    One judge flags clean runs at the base rate, the other one more.
    """
    if not n_clean:
        return None
    one, other = (
        uniform(STUDIES * n_clean, "power", side, "clean").reshape(STUDIES, n_clean)
        for side in ("one", "other")
    )

    def power(difference: float, studies: int) -> float:
        more = (one[:studies] < base_rate + difference).astype(np.int64)
        return float(is_rejected(more - (other[:studies] < base_rate), level).mean())

    return root(power, 0.0, 1 - base_rate)


def is_rejected(total: IntArray, level: float) -> BoolArray:
    """Return of every study whether its sign flips give a p at or below a level.

    ``total`` has the shape (studies, instances). With few instances that differ, all signs are
    counted. With more, the sum under random signs is taken for normal with variance Σ total²,
    which is its own. The sum moves in steps of twice the greatest common divisor of its parts,
    so that half a step is taken off it.
    """
    moved = (total != 0).sum(axis=1)
    spread = np.sqrt((total**2).sum(axis=1))
    bound = NormalDist().inv_cdf(1 - level / 2)
    half_step = np.gcd.reduce(total, axis=1)
    rejected: BoolArray = np.abs(total.sum(axis=1)) - half_step >= bound * np.maximum(spread, 1)
    for study in np.flatnonzero(moved <= COUNT_ALL_UP_TO).tolist():
        sizes = np.sort(np.abs(total[study][total[study] != 0]))
        rejected[study] = _p(tuple(sizes.tolist()), abs(int(total[study].sum()))) <= level
    return rejected


@cache
def _p(sizes: tuple[int, ...], observed: int) -> float:
    """Return the p of sign flips: the chance that the sum of signed sizes is as far from 0."""
    chance = np.ones(1)
    for size in sizes:
        moved = np.zeros(len(chance) + 2 * size)
        moved[: len(chance)] += chance / 2
        moved[2 * size :] += chance / 2
        chance = moved
    away = np.abs(np.arange(len(chance)) - len(chance) // 2)
    return float(chance[away >= observed].sum())

"""Power of a contrast: two judges on the same runs, decided by sign flips over instances."""

from __future__ import annotations

from dataclasses import replace
from statistics import NormalDist

import numpy as np

from ..data.columns import BoolArray, IntArray
from .bootstrap import uniform
from .planned_judge import Draws, PlannedJudge
from .power import STUDIES, root
from .tests import COUNT_ALL_UP_TO, sign_flip

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
    which is its own.
    """
    moved = (total != 0).sum(axis=1)
    spread = np.sqrt((total**2).sum(axis=1))
    bound = NormalDist().inv_cdf(1 - level / 2)
    rejected: BoolArray = np.abs(total.sum(axis=1)) >= bound * np.maximum(spread, 1)
    for study in np.flatnonzero(moved <= COUNT_ALL_UP_TO).tolist():
        rejected[study] = 2.0 ** (1 - int(moved[study])) <= level and _p(total[study]) <= level
    return rejected


def _p(total: IntArray) -> float:
    p = sign_flip(total).estimate
    return 1.0 if p is None else p

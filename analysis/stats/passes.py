"""Δ over the passes of one judge: its interval, what it varies by, and what more would buy.

Asked again about the same runs, a judge may answer otherwise. The variance of Δ then has two
parts: that of the instances, which further passes do not lessen, and that of the judge, which
they do. Passes are taken as independent of each other, given the instances.

References
----------
Searle, Casella and McCulloch (1992), Variance Components, chapter 3, for both parts from mean
squares.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from ..data.columns import IntArray
from .estimate import NO_PAIR, Estimate, point, undefined
from .intervals import delta_estimate
from .paired_difference import Clustered

__all__ = ["PassSample", "delta_over_passes", "more_of_either"]

MOMENTS = "mean squares between and within instances"
LEAST_SPLIT = 5
NO_SPLIT = f"no split of the variance: fewer than {LEAST_SPLIT} instances"
NO_PASS = "no split of the variance: one pass"
NO_ERROR = "a standard error"


@dataclass(frozen=True, slots=True)
class PassSample:
    """What a number of passes says of Δ; n counts pairs.

    Attributes
    ----------
    delta : Estimate
        Δ, averaged over passes.
    judge_sd, instance_sd : Estimate
        The standard deviation of Δ of one pass: over passes on the same instances, and over
        instances were there passes without end. A part that comes out below 0 is 0.
    error : Estimate
        The standard error of Δ as it is averaged.
    one_more_pass, one_more_instance : Estimate
        The standard error that is expected with one pass more, and with one instance more
        that is as large as the others.
    """

    delta: Estimate
    judge_sd: Estimate
    instance_sd: Estimate
    error: Estimate
    one_more_pass: Estimate
    one_more_instance: Estimate


def delta_over_passes(unit: IntArray, difference: IntArray, n_units: int) -> PassSample:
    """Return Δ over passes with its interval, and the parts of its variance.

    Parameters
    ----------
    unit : array of int, shape (pairs,)
        The instance of each pair, from 0 to ``n_units`` - 1.
    difference : array of int, shape (passes, pairs)
        flag(fault) − flag(parent) of each pair in each pass.

    Returns
    -------
    PassSample
        Without parts of the variance, and with the reason, for one pass or for fewer than five
        instances; without an interval for fewer than ten in effect.
    """
    passes, n = difference.shape
    if not n:
        return PassSample(*[undefined(NO_PAIR)] * 6)
    # A pair counts once a pass, and all of its passes are of one instance.
    every = Clustered.of(np.tile(unit, passes), difference.ravel(), n_units)
    delta = replace(delta_estimate(every, NO_PAIR), n=n)
    sums = np.array([np.bincount(unit, row, minlength=n_units) for row in difference])
    size = np.bincount(unit, minlength=n_units)
    instances = int((size > 0).sum())
    if passes == 1 or instances < LEAST_SPLIT:
        nothing = undefined(NO_PASS if passes == 1 else NO_SPLIT, n)
        return PassSample(delta, *[nothing] * 5)
    judge, instance = _parts(sums[:, size > 0], size[size > 0], float(every.delta))
    now, more_passes, more_instances = (
        math.sqrt(variance) for variance in more_of_either(judge, instance, passes, instances)
    )
    parts = (math.sqrt(judge), math.sqrt(instance), now, more_passes, more_instances)
    return PassSample(delta, *(_sd(part, n) for part in parts))


def more_of_either(
    judge: float, instance: float, passes: int, instances: int
) -> tuple[float, float, float]:
    """Return the variance of Δ as it is, with one pass more, and with one instance more.

    ``judge`` and ``instance`` are the two parts of the variance of Δ in one pass. A pass
    lessens the first alone, an instance both. So for as many calls, instances buy at least as
    much as passes.

    >>> more_of_either(0.04, 0.01, passes=4, instances=100)
    (0.02, 0.018000000000000002, 0.019801980198019802)
    """
    now = instance + judge / passes
    return now, instance + judge / (passes + 1), now * instances / (instances + 1)


def _parts(sums: IntArray, size: IntArray, delta: float) -> tuple[float, float]:
    """Return the variance of Δ of one pass by the judge, and by the instances.

    ``sums`` are those of each pass and instance, shape (passes, instances).
    """
    passes, instances = sums.shape
    away = sums - delta * size
    mean = away.mean(axis=0)
    within = float(((away - mean) ** 2).sum()) / (passes - 1)
    between = float((mean**2).sum()) * instances / (instances - 1)
    n = int(size.sum())
    return within / n**2, max(0.0, between - within / passes) / n**2


def _sd(value: float, n: int) -> Estimate:
    return point(value, n, MOMENTS, NO_ERROR)

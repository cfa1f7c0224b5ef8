"""The floors of alignment: what a judge gets that does not look at the plan.

A judge aligns with the reference by the mean of 1 − |p − verdict| over records and
metrics. Where most plans are good, a judge that always says 1 aligns well.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import fsum

from .metrics import Scores

__all__ = ["SCALE", "alignment_of_constant", "alignment_of_random"]

SCALE = (0.0, 0.5, 1.0)
"""The verdicts that a judge may give on a metric."""


def alignment_of_constant(scores: Iterable[Scores], value: float) -> float:
    """Return the alignment, in [0, 1], of a judge that says the same of every metric.

    Raises
    ------
    ValueError
        If there is no record.
    """
    return _mean(1 - abs(p - value) for record in scores for p in record.values)


def alignment_of_random(scores: Iterable[Scores]) -> float:
    """Return the expected alignment of a judge that draws each verdict evenly from the scale.

    For a score p it is (2 − |p − ½|) / 3: a half at 0 and 1, two thirds at ½.

    Raises
    ------
    ValueError
        If there is no record.
    """
    return _mean((2 - abs(p - 0.5)) / 3 for record in scores for p in record.values)


def _mean(parts: Iterable[float]) -> float:
    every = list(parts)
    if not every:
        raise ValueError("the alignment over no record is undefined")
    return fsum(every) / len(every)

"""Intervals of F1 and precision, which need recall and the false-alarm rate together.

Both say that a·r − b·f − c is 0, with r the recall, f the false-alarm rate, and a, b, c
known numbers that depend on the value asked about. A value is held if the interval of that
sum, made from the intervals of r and f by the squares of their distances, holds 0.

References
----------
Fieller (1954), J. R. Stat. Soc. B 16, 175-185, for a ratio as a sum that is 0; Zou and Donner
(2008), Statist. Med. 27, 1693-1702, for the interval of the sum.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..data.columns import FloatArray, IntArray
from .clusters import TAIL, Share, correlation
from .paired_difference import distance

__all__ = ["Rates", "f1_ends", "precision_ends"]

HALVINGS = 50

Ends = tuple[FloatArray, FloatArray]
Terms = Callable[[FloatArray], tuple[FloatArray, FloatArray, FloatArray]]
"""The numbers a, b and c of a value."""


@dataclass(frozen=True, slots=True)
class Rates:
    """Flags on faults and on clean runs, summed by instance; the last axis is the instance.

    An instance without a fault, or without a clean run, has size 0 there.
    """

    caught: IntArray
    faults: IntArray
    alarms: IntArray
    clean: IntArray

    @property
    def sides(self) -> tuple[tuple[IntArray, IntArray], tuple[IntArray, IntArray]]:
        """Return sums and sizes of faults and of clean runs."""
        return (self.caught, self.faults), (self.alarms, self.clean)


def f1_ends(rates: Rates, tail: float = TAIL) -> Ends:
    """Return the ends of 2·TP / (2·TP + FP + FN), at the study's own number of clean runs.

    F1 is v where (2 − v)·r − v·(clean runs / faults)·f − v = 0.
    """
    share = rates.clean.sum(axis=-1) / rates.faults.sum(axis=-1)
    return _ends(rates, lambda v: (2 - v, v * share, v), tail)


def precision_ends(rates: Rates, prevalence: float, tail: float = TAIL) -> Ends:
    """Return the ends of r·p / (r·p + f·(1 − p)) at a prevalence p.

    Precision is v where (1 − v)·p·r − v·(1 − p)·f = 0.
    """
    return _ends(
        rates, lambda v: ((1 - v) * prevalence, v * (1 - prevalence), np.zeros_like(v)), tail
    )


def _ends(rates: Rates, terms: Terms, tail: float) -> Ends:
    recall, alarms = (Share.of(*side) for side in rates.sides)
    # A positive correlation of the two would only shorten the interval, and one instance that
    # is flagged throughout can feign it.
    related = np.minimum(0.0, correlation(*rates.sides))
    of_recall, of_alarms = ((s.value, *s.ends(tail)) for s in (recall, alarms))

    def low_of_sum(value: FloatArray) -> FloatArray:
        a, b, c = terms(value)
        below = distance(
            a * (of_recall[0] - of_recall[1]), b * (of_alarms[2] - of_alarms[0]), related
        )
        return np.asarray(a * of_recall[0] - b * of_alarms[0] - c - below)

    def high_of_sum(value: FloatArray) -> FloatArray:
        a, b, c = terms(value)
        above = distance(
            a * (of_recall[2] - of_recall[0]), b * (of_alarms[0] - of_alarms[1]), related
        )
        return np.asarray(a * of_recall[0] - b * of_alarms[0] - c + above)

    shape = np.broadcast_shapes(recall.value.shape, alarms.value.shape)
    return _root(low_of_sum, shape), _root(high_of_sum, shape)


def _root(end_of_sum: Callable[[FloatArray], FloatArray], shape: tuple[int, ...]) -> FloatArray:
    """Return the largest value in [0, 1] at which the end of the sum is not below 0."""
    low, high = np.zeros(shape), np.ones(shape)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        is_above = end_of_sum(middle) >= 0
        low, high = np.where(is_above, middle, low), np.where(is_above, high, middle)
    return np.asarray(np.where(high == 1.0, 1.0, low))

"""Shares of runs that come in clusters: their variance, effective number and interval.

The runs of an instance are not independent: faults share a parent, and a judge that reads
one page alike reads the next alike. A share is therefore worth fewer runs than it counts.
Every function takes arrays whose last axis is the instance; the axes before it, if any,
are studies, so that a simulation asks for all of its studies at once.

References
----------
Clopper and Pearson (1934), Biometrika 26, 404-413; Korn and Graubard (1998), Survey
Methodology 24, 193-201, for their interval at the effective number; Kish (1965), Survey
Sampling, section 5.4, for the effective number of instances.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from scipy.special import betaincinv, stdtrit

from ..data.columns import BoolArray, FloatArray, IntArray

__all__ = [
    "FEW",
    "IN_PARTS",
    "LEAST_INSTANCES",
    "TAIL",
    "Share",
    "Sums",
    "correlation",
    "effective_instances",
    "exact_ends",
    "is_borne",
]

Ends = tuple[FloatArray, FloatArray]
Counts = IntArray | FloatArray
Sums = tuple[Counts, Counts]
"""What is summed over the runs of each instance, and how many these are."""

TAIL = 0.025
"""The chance that an end of a 95 % interval may miss its side."""

LEAST_INSTANCES = 10
FEW = "no interval: several runs for each instance, and fewer than 10 instances in effect"


@dataclass(frozen=True, slots=True)
class Share:
    """A share, and how many independent runs it is worth.

    Attributes
    ----------
    value : array
        The sum over runs of a value in [0, 1], over the number of runs.
    runs, instances : array
        The number of runs, and of equal instances that the instances are worth.
    effect : array
        The design effect: the variance of the share over that of independent runs.
    """

    value: FloatArray
    runs: FloatArray
    instances: FloatArray
    effect: FloatArray

    @classmethod
    def of(cls, count: Counts, size: Counts, *, added: float = 1.0, least: float = 1.0) -> Self:
        """Return the share of the sums of instances in their sizes; some size is above 0.

        A few instances, or rare flags, estimate a design effect badly. So one instance of the
        usual size Σk³/Σk² is added before, half of it all ones and half of it all zeros: it
        leaves independent runs independent, and holds what does not vary for clustered.

        Parameters
        ----------
        added : float
            How much the added instance counts.
        least : float
            The least design effect: 1 where a run is yes or no, less where it is a part of a
            value in steps, which varies less than yes or no does.
        """
        total, runs, usual = count.sum(axis=-1), size.sum(axis=-1), _usual(size)
        middle = (total + added * usual / 2) / (runs + added * usual)
        squares = _squares(count, size, middle)
        return cls._of(total / runs, squares, size, usual, added=added, least=least)

    @classmethod
    def of_parts(cls, count: Counts, size: Counts) -> Self:
        """Return the mean of values in [0, 1] that are seldom 0 or 1, such as squared errors."""
        return cls.of(count, size, added=IN_PARTS, least=IN_PARTS)

    @classmethod
    def of_units(cls, value: FloatArray, variance: FloatArray, units: int) -> Self:
        """Return a mean over units of equal weight, of values in [0, 1], by its variance."""
        size = np.full(units, PARTS)
        squares = variance * (units * PARTS) ** 2
        return cls._of(value, squares, size, np.asarray(float(PARTS)), least=0.0)

    @classmethod
    def of_influence(
        cls, value: FloatArray, influence: FloatArray, size: Counts, runs: Counts
    ) -> Self:
        """Return a number in [0, 1] that is no share, from what each instance adds to it.

        Parameters
        ----------
        value, influence : array
            The number, and what each instance moves it by, times the sum of ``size``.
        size : array
            The part of each instance in the denominator.
        runs : array
            The runs of each instance: as much as its part could be.
        """
        return cls._of(value, (influence**2).sum(axis=-1), size, _usual(runs))

    @classmethod
    def _of(
        cls,
        value: FloatArray,
        squares: FloatArray,
        size: Counts,
        usual: FloatArray,
        *,
        added: float = 1.0,
        least: float = 1.0,
    ) -> Self:
        """Return a value whose error has this sum of squares between instances."""
        runs = size.sum(axis=-1)
        middle = (value * runs + added * usual / 2) / (runs + added * usual)
        more = added * usual**2 * (middle**2 + (1 - middle) ** 2) / 2
        alone = (runs + added * usual) * middle * (1 - middle)
        effect = np.maximum(least, (squares + more) / alone)
        return cls(np.asarray(value), runs * 1.0, effective_instances(size), effect)

    def worth(self, tail: float = TAIL) -> FloatArray:
        """Return how many independent runs this is worth: at least 1, at most its runs.

        Runs over design effect, times (t(n − 1) / t(m − 1))² with n runs and m instances in
        effect: the variance is estimated from m sums.
        """
        known = stdtrit(np.maximum(self.runs - 1, 1), 1 - tail)
        few = known / stdtrit(np.maximum(self.instances - 1, 1), 1 - tail)
        return np.asarray(np.maximum(1.0, self.runs / self.effect * few**2))

    def ends(self, tail: float = TAIL) -> Ends:
        """Return the interval of Clopper and Pearson at the effective number of runs."""
        n = self.worth(tail)
        return exact_ends(self.value * n, n, tail)

    def middle_ends(self, weight: float | FloatArray, tail: float = TAIL) -> Ends:
        """Return ends for a sum of shares, in which what one of them lacks another has.

        They are those of Clopper and Pearson, moved by ``weight`` towards those of Jeffreys.
        Exact ends are too far for a sum of two shares, and those of Jeffreys, whose chance to
        miss a side is the stated one on average alone, too near where one of the two does not
        vary. The ends of none and of all stay exact.
        """
        n = self.worth(tail)
        return _middle_ends(self.value * n, n, weight, tail)


def exact_ends(count: FloatArray, n: FloatArray, tail: float) -> Ends:
    """Return Clopper-Pearson ends of counts that need not be whole."""
    none, every = count <= ROUNDING * n, count >= (1 - ROUNDING) * n
    # Where an end is known no quantile is asked for, and the arguments only have to be valid.
    some, rest = np.where(none, 0.5, count), np.where(every, 0.5, n - count)
    low = np.where(none, 0.0, betaincinv(some, n - some + 1, tail))
    high = np.where(every, 1.0, betaincinv(n - rest + 1, rest, 1 - tail))
    return low, high


def _middle_ends(count: FloatArray, n: FloatArray, weight: float | FloatArray, tail: float) -> Ends:
    low, high = exact_ends(count, n, tail)
    is_edge = (count <= ROUNDING * n) | (count >= (1 - ROUNDING) * n)
    some = np.where(is_edge, n / 2, count)
    ends = (betaincinv(some + 0.5, n - some + 0.5, level) for level in (tail, 1 - tail))
    below, above = (
        np.where(is_edge, exact, exact + weight * (other - exact))
        for exact, other in zip((low, high), ends, strict=True)
    )
    return below, above


def effective_instances(size: Counts) -> FloatArray:
    """Return how many instances of equal size these are worth: (Σk)² / Σk²."""
    part = size.astype(np.float64)  # squares of sizes in fine steps are no int64
    runs, squares = part.sum(axis=-1), (part * part).sum(axis=-1)
    return np.asarray(runs * runs / np.maximum(squares, SOME))


def is_borne(size: Counts) -> BoolArray:
    """Return whether there are enough instances to estimate a variance between them."""
    return np.asarray(effective_instances(size) >= LEAST_INSTANCES)


def correlation(one: Sums, other: Sums) -> FloatArray:
    """Return the correlation of two means, each given by the sums and sizes of instances.

    A positive one makes the interval of a difference shorter, so few instances must not be
    believed: the instance that is added to each mean has no part in the covariance, and draws
    a positive correlation to 0.
    """
    (count, size), (count_2, size_2) = one, other
    p, q = (c.sum(axis=-1) / np.maximum(k.sum(axis=-1), SOME) for c, k in (one, other))
    both = (count * count_2).sum(axis=-1) - p * (size * count_2).sum(axis=-1)
    both = both - q * (count * size_2).sum(axis=-1) + p * q * (size * size_2).sum(axis=-1)
    alone = (_squares(count, size, p), _squares(count_2, size_2, q))
    added = ((_usual(size) / 2) ** 2, (_usual(size_2) / 2) ** 2)
    spread = [
        np.where(both > 0, squares + more, squares)
        for squares, more in zip(alone, added, strict=True)
    ]
    return np.asarray(np.clip(both / np.maximum(np.sqrt(spread[0] * spread[1]), SOME), -1.0, 1.0))


IN_PARTS = 0.5
"""How much the added instance counts, and the least design effect, of values in parts."""

PARTS = 1_000
"""The runs that a unit counts as where only its mean is known."""

SOME = 1e-300
"""What 0 is divided by where there is nothing, for a result of 0."""

ROUNDING = 1e-12
"""The part of n by which a count of none or all may differ from it by rounding."""


def _usual(size: Counts) -> FloatArray:
    """Return Σk³ / Σk²: the size of an instance as its part in the variance finds it."""
    part = size.astype(np.float64)
    squares = part * part
    return np.asarray((squares * part).sum(axis=-1) / np.maximum(squares.sum(axis=-1), SOME))


def _squares(count: Counts, size: Counts, share: FloatArray) -> FloatArray:
    """Return Σ (xᵢ − p·kᵢ)², from sums of whole numbers."""
    squares, products, sizes = (
        (one * other).sum(axis=-1) for one, other in ((count, count), (count, size), (size, size))
    )
    return np.asarray(np.maximum(0.0, squares - 2 * share * products + share**2 * sizes))

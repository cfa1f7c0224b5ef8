"""An interval of Δ that stays valid however often it is looked at, and when it makes a floor clear.

Instances come one at a time in a drawn order. Against a value f, a gambler bets on the sign of
d − f·k, with d the summed differences of an instance and k its pairs. If Δ is f, d − f·k is 0
on average, so the capital is multiplied by more than 40 at any time in at most 1/40 of studies,
whatever the answers of one instance have to do with each other. The interval holds every value
against which the capital has not grown so far. It is about Δ of the population from which the
instances are drawn, as the interval after a whole set is.

Stakes are a fixed mixture of fractions of the largest bet that cannot lose more than the capital.
They may not follow the size of the next instance, on which Δ may depend.

References
----------
Waudby-Smith and Ramdas (2024), J. R. Statist. Soc. B 86, 1-27, for betting on a bounded mean;
Ville (1939), Étude critique de la notion de collectif, for the bound on the capital.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from ..data.columns import BoolArray, FloatArray, IntArray

__all__ = ["ALWAYS_VALID", "Reached", "Region", "Watched", "always_valid", "is_beyond"]

ALWAYS_VALID = "always-valid, by betting"
TAIL = 0.025
"""The chance that an end is ever beyond the true value, on each side."""

FRACTIONS = np.array((0.1, 0.3, 0.98))
SHARES = np.array((0.2, 0.3, 0.5))
"""Stakes as fractions of the largest bet, and the share of the capital on each."""

HALVINGS = 40
MOST_LOG = 700.0
Sums = IntArray | FloatArray


@dataclass(frozen=True, slots=True)
class Region:
    """The values that pass, ``least`` to ``most``; a floor has no upper end."""

    least: float = -math.inf
    most: float = math.inf


@dataclass(frozen=True, slots=True)
class Reached:
    """What is known after some instances.

    Attributes
    ----------
    instances : int
        The instances that count.
    estimate, low, high : float
        In the unit of the region.
    passed : bool or None
        Whether the whole interval is in the region; False if it is outside, None if neither.
    """

    instances: int
    estimate: float
    low: float
    high: float
    passed: bool | None


@dataclass(slots=True, kw_only=True)
class Watched:
    """A sequence of instances, watched until its interval is inside a region or outside of it.

    Attributes
    ----------
    largest : int
        The most pairs that any instance of the set has.
    steps : int
        2 for a difference of two judges, which is in [−2, 2]; else 1.
    by_instance : bool
        Whether each instance counts as one, so that the mean over instances is estimated.
    """

    region: Region
    largest: int
    steps: int = 1
    by_instance: bool = False
    _passed: bool | None = None
    _totals: list[float] = field(default_factory=list)
    _sizes: list[float] = field(default_factory=list)
    _logs: dict[tuple[float, int], FloatArray] = field(default_factory=dict)

    def add(self, total: int, size: int) -> Reached | None:
        """Count an instance, and return what is known once the region is clear.

        Parameters
        ----------
        total : the sum of flag(fault) − flag(parent) over its pairs, or of its differences
        size : its number of pairs, at least 1
        """
        unit = size if self.by_instance else 1
        self._totals.append(total / (unit * self.steps))
        self._sizes.append(size / unit)
        self._passed = self._decision()
        return None if self._passed is None else self.reached()

    def reached(self) -> Reached:
        """Return the interval after the instances so far; there must be one."""
        totals, sizes = np.array(self._totals), np.array(self._sizes)
        low, high = always_valid(totals, sizes, largest=self._largest)
        estimate = math.fsum(self._totals) / math.fsum(self._sizes)
        estimate, low, high = (one * self.steps for one in (estimate, low, high))
        return Reached(len(totals), estimate, low, high, self._passed)

    @property
    def _largest(self) -> int:
        return 1 if self.by_instance else self.largest

    def _decision(self) -> bool | None:
        least, most = self.region.least / self.steps, self.region.most / self.steps
        ends = [(value, sign) for value in (least, most) for sign in (1, -1)]
        above_least, below_least, above_most, below_most = (self._is_beyond(*end) for end in ends)
        if below_least or above_most:
            return False
        return True if above_least and below_most else None

    def _is_beyond(self, value: float, sign: int) -> bool:
        """Return whether Δ is clearly above a value (sign 1), or below it (sign −1)."""
        if not -1 < value < 1:
            return sign * value < 0
        logs = self._logs.setdefault((value, sign), np.zeros(len(FRACTIONS)))
        last = np.array(self._totals[-1:]), np.array(self._sizes[-1:])
        logs += _growth(*last, value, self._largest, sign)[0]
        return bool(_capital(logs) >= 1 / TAIL)


def always_valid(
    total: Sums, size: Sums, *, largest: int, tail: float = TAIL
) -> tuple[float, float]:
    """Return both ends of the interval of Δ = Σ total / Σ size after some instances.

    Parameters
    ----------
    total : array, shape (instances,)
        Summed differences, each at least −size and at most size.
    size : array, shape (instances,)
        Pairs of each instance. With ones, and means as totals, Δ is the mean over instances.
    largest : int
        The most pairs of an instance of the set, seen or not.
    tail : float in (0, 1)
        The chance that an end is ever beyond the true Δ, on each side.

    Returns
    -------
    (float, float)
        In [−1, 1]; (−1, 1) before the first instance.

    Examples
    --------
    >>> import numpy as np
    >>> low, high = always_valid(np.full(20, 3), np.full(20, 5), largest=5)
    >>> (round(low, 2), round(high, 2))
    (0.28, 0.68)
    """
    ends = (-_end(-total, size, largest, tail), _end(total, size, largest, tail))
    return min(ends[0], 1.0) + 0.0, ends[1] + 0.0


def is_beyond(
    total: Sums, size: Sums, value: float, sign: int, *, largest: int, tail: float = TAIL
) -> BoolArray:
    """Return whether Δ is clearly above a value, or below it, after each instance of each study.

    Parameters
    ----------
    total, size : array, shape (studies, instances)
        As in `always_valid`, in the order in which the instances are judged.
    value : float in (−1, 1)
    sign : 1 for above, −1 for below

    Returns
    -------
    array of bool, shape (studies, instances)
    """
    grown = np.cumsum(_growth(total, size, value, largest, sign), axis=-2)
    return np.asarray(_capital(grown) >= 1 / tail)


def _end(total: Sums, size: Sums, largest: int, tail: float) -> float:
    """Return the least value that Δ is clearly below, by bisection; 1 if there is none.

    The capital against a value grows with the value, at every fraction.
    """
    low, high = -1.0, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        logs = _growth(total, size, middle, largest, -1).sum(axis=-2)
        is_below = bool(_capital(logs) >= 1 / tail)
        low, high = (low, middle) if is_below else (middle, high)
    return high


def _growth(total: Sums, size: Sums, value: float, largest: int, sign: int) -> FloatArray:
    """Return the logarithm of the growth of the capital at each instance and each fraction."""
    won = sign * (np.asarray(total) - value * np.asarray(size)) / (largest * (1 + sign * value))
    return np.asarray(np.log1p(np.maximum(won, -1.0)[..., np.newaxis] * FRACTIONS))


def _capital(logs: FloatArray) -> FloatArray:
    """Return the capital that is spread over the fractions; a huge one stays finite."""
    return np.asarray(np.exp(np.minimum(logs, MOST_LOG)) @ SHARES)

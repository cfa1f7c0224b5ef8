"""The interval of Δ: a mean of differences in [−1, 1] that come in clusters.

Δ is the share of gains minus the share of losses; a gain is a fault flagged whose parent
is not, a loss the reverse. A loss takes all pairs of its parent with it while gains come
one by one, so each share has an interval at its own effective number, and the two are put
together by the squares of their distances. Why so is in
docs/decisions/0036-intervals-that-cover.md.

References
----------
Newcombe (1998), Statist. Med. 17, 2635-2650, method 10; Zou and Donner (2008), Statist. Med.
27, 1693-1702, for squares of distances in general; Tango (1998), Statist. Med. 17, 891-908,
and Hsueh, Liu and Chen (2001), Biometrics 57, 478-483, for the exact interval of few pairs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from ..data.columns import FloatArray, IntArray
from .clusters import TAIL, Counts, Share, correlation, is_borne
from .few_pairs import exact_interval

__all__ = ["EXACT", "SQUARES", "Clustered", "ends_of_difference", "interval", "square_and_add"]

SQUARES = "square-and-add of clustered gains and losses"
EXACT = "exact unconditional score interval"

Ends = tuple[FloatArray, FloatArray]
Held = tuple[FloatArray, FloatArray, FloatArray] | FloatArray
"""A number, its low end and its high end."""


@dataclass(frozen=True, slots=True)
class Clustered:
    """Gains and losses summed by instance, and the number of pairs of each instance.

    The last axis is the instance. ``gain`` and ``loss`` are at most ``size``.
    """

    gain: Counts
    loss: Counts
    size: Counts

    @classmethod
    def of(cls, unit: IntArray, difference: IntArray, n_units: int, steps: int = 1) -> Self:
        """Sum differences from −steps to steps by unit; units without a pair are left out.

        A difference in steps, such as a difference of two differences, counts as so many
        pairs: Δ is then in units of ``steps``.
        """
        size = np.bincount(unit, minlength=n_units) * steps
        gain = np.bincount(unit, np.maximum(difference, 0), minlength=n_units)
        loss = np.bincount(unit, np.maximum(-difference, 0), minlength=n_units)
        some = size > 0
        return cls(*(part[some].astype(np.int64) for part in (gain, loss, size)))

    @property
    def total(self) -> Counts:
        """Return the summed difference of each instance."""
        return self.gain - self.loss

    @property
    def n(self) -> int:
        """Return the number of pairs."""
        return int(self.size.sum())

    @property
    def delta(self) -> float:
        """Return Δ; there must be a pair."""
        return int(self.total.sum()) / self.n

    @property
    def is_alone(self) -> bool:
        """Return whether each instance has one pair."""
        return bool((self.size == 1).all())


def interval(pairs: Clustered, tail: float = TAIL) -> tuple[float, float, str] | None:
    """Return both ends of the interval of Δ and its name; None if the instances are too few.

    With fewer than ten instances in effect, it is exact if each has one pair; else there is
    none.
    """
    if bool(is_borne(pairs.size)):
        low, high = square_and_add(pairs, tail)
        return float(low), float(high), SQUARES
    if pairs.is_alone:
        gains, losses = int(pairs.gain.sum()), int(pairs.loss.sum())
        return *exact_interval(gains, losses, pairs.n, tail), EXACT
    return None


def square_and_add(pairs: Clustered, tail: float = TAIL) -> Ends:
    """Return the ends of Δ of every study at once.

    With g and l the shares of gains and losses, each with its ends, and ρ their correlation,
    the low end is Δ − √((g − g₋)² + (l₊ − l)² − 2ρ(g − g₋)(l₊ − l)); the high end is that of
    −Δ turned round.
    """
    gain, loss = Share.of(pairs.gain, pairs.size), Share.of(pairs.loss, pairs.size)
    related = correlation((pairs.gain, pairs.size), (pairs.loss, pairs.size))
    one = (gain.value, *gain.middle_ends(tail))
    return ends_of_difference(one, (loss.value, *loss.middle_ends(tail)), related)


def ends_of_difference(
    one: Held,
    other: Held,
    related: FloatArray,
) -> Ends:
    """Return the ends of one number minus another, each given as value, low end, high end."""
    value = one[0] - other[0]
    below = _distance(one[0] - one[1], other[2] - other[0], related)
    above = _distance(one[2] - one[0], other[0] - other[1], related)
    return value - below, value + above


def _distance(one: FloatArray, other: FloatArray, related: FloatArray) -> FloatArray:
    squares = one**2 + other**2 - 2 * related * one * other
    return np.asarray(np.sqrt(np.maximum(squares, 0.0)))

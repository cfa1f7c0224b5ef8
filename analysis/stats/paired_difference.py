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
from functools import cache
from typing import Self

import numpy as np
from scipy.special import gammaln, xlogy

from ..data.columns import FloatArray, IntArray
from .clusters import IN_PARTS, TAIL, Counts, Share, correlation, is_borne

__all__ = [
    "ADDED_BY_STEPS",
    "EXACT",
    "IN_PARTS",
    "SQUARES",
    "Clustered",
    "distance",
    "ends_of_difference",
    "exact_interval",
    "interval",
    "square_and_add",
]

SQUARES = "square-and-add of clustered gains and losses"
EXACT = "exact unconditional score interval"

SCANNED, CHANCES, HALVINGS = 41, 41, 25
"""Values of Δ and of the chance of a loss that the exact interval tries, and its halvings."""
TIE = 1e-9
ADDED_BY_STEPS = {1: 1.0, 2: 0.25}
"""How much the added instance counts, by the steps of a difference."""

Ends = tuple[FloatArray, FloatArray]
Held = tuple[FloatArray, FloatArray, FloatArray] | FloatArray
"""A number, its low end and its high end."""


@dataclass(frozen=True, slots=True)
class Clustered:
    """Gains and losses summed by instance, and the number of pairs of each instance.

    The last axis is the instance. ``gain`` and ``loss`` are at most ``size``, which counts a
    pair as often as its difference has steps. ``added`` is how much the instance counts that
    is added to estimate a variance: below 1 where a pair seldom moves through all its steps.
    """

    gain: Counts
    loss: Counts
    size: Counts
    added: float = 1.0

    @classmethod
    def of(
        cls,
        unit: IntArray,
        difference: IntArray,
        n_units: int,
        steps: int = 1,
        *,
        added: float | None = None,
    ) -> Self:
        """Sum differences from −steps to steps by unit; units without a pair are left out.

        A difference in steps, such as a difference of two differences, counts as so many
        pairs: Δ is then in units of ``steps``.

        Parameters
        ----------
        added : float, optional
            As above. By default 1 for one step; a quarter for two, which are the flags of two
            judges: an instance that moves by one step has a quarter of the variance; else a half.
        """
        size = np.bincount(unit, minlength=n_units) * steps
        gain = np.bincount(unit, np.maximum(difference, 0), minlength=n_units)
        loss = np.bincount(unit, np.maximum(-difference, 0), minlength=n_units)
        some = size > 0
        won, lost, pairs = (part[some].astype(np.int64) for part in (gain, loss, size))
        return cls(
            won, lost, pairs, ADDED_BY_STEPS.get(steps, IN_PARTS) if added is None else added
        )

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
    sides = (pairs.gain, pairs.loss)
    least = IN_PARTS if pairs.added < 1 else 1.0
    gain, loss = (Share.of(side, pairs.size, added=pairs.added, least=least) for side in sides)
    related = correlation(*((side, pairs.size) for side in sides))
    weight = _weight(pairs)
    one, other = ((side.value, *side.middle_ends(weight, tail)) for side in (gain, loss))
    return ends_of_difference(one, other, related)


def _weight(pairs: Clustered) -> FloatArray:
    """Return how far the ends of gains and of losses are moved from exact ones, of each study.

    A third where few instances tell how far pairs go together; two thirds where each has one
    pair, or pairs differ by steps. Where there is no gain or no loss the other is a share
    alone, which bears a third.
    """
    is_alone = pairs.added < 1 or pairs.is_alone
    both = (pairs.gain.sum(axis=-1) > 0) & (pairs.loss.sum(axis=-1) > 0)
    return np.where(both & is_alone, 2 / 3, 1 / 3)


def ends_of_difference(
    one: Held,
    other: Held,
    related: FloatArray,
) -> Ends:
    """Return the ends of one number minus another, each given as value, low end, high end."""
    value = one[0] - other[0]
    below = distance(one[0] - one[1], other[2] - other[0], related)
    above = distance(one[2] - one[0], other[0] - other[1], related)
    return value - below, value + above


def distance(one: FloatArray, other: FloatArray, related: FloatArray) -> FloatArray:
    """Return √(x² + y² − 2ρxy) for the distances x and y of two ends and the correlation ρ."""
    squares = one**2 + other**2 - 2 * related * one * other
    return np.asarray(np.sqrt(np.maximum(squares, 0.0)))


@cache
def exact_interval(gains: int, losses: int, n: int, tail: float) -> tuple[float, float]:
    """Return the ends of Δ for so many gains and losses in n pairs that share nothing.

    They hold every Δ that neither of two one-sided tests rejects. A test orders all results of
    n pairs by Tango's score and takes the chance of the observed one or a more extreme one, at
    the chance of a loss that makes it largest.

    >>> [round(end, 2) for end in exact_interval(5, 0, 5, 0.025)]
    [-0.04, 1.0]
    """
    return 0.0 - _high(losses, gains, n, tail), _high(gains, losses, n, tail)


def _high(gains: int, losses: int, n: int, tail: float) -> float:
    """Return the largest Δ at which so few gains, or fewer, have at least the chance ``tail``."""
    outcomes = np.array([(g, r) for g in range(n + 1) for r in range(n + 1 - g)])
    place = int(np.flatnonzero((outcomes == (gains, losses)).all(axis=1))[0])

    def is_held(delta: float) -> bool:
        score = _scores(outcomes, n, delta)
        extreme = outcomes[score <= score[place] + TIE]
        return bool(_chances(extreme, n, delta).max() >= tail)

    # The chance need not fall steadily, so the hull of all that is held is taken.
    deltas = np.linspace((gains - losses) / n, 1.0, SCANNED)
    last = len(deltas) - 1
    while last > 0 and not is_held(float(deltas[last])):
        last -= 1
    if last == len(deltas) - 1:
        return 1.0
    low, high = float(deltas[last]), float(deltas[last + 1])
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if is_held(middle) else (low, middle)
    return high


def _scores(outcomes: np.ndarray, n: int, delta: float) -> FloatArray:
    """Return Tango's score of each result: (g − l − nΔ) / √(n·(2q + Δ(1 − Δ)))."""
    gains, losses = outcomes[:, 0], outcomes[:, 1]
    slope = (2 * n - gains + losses) * delta - gains - losses
    constant = -losses * delta * (1 - delta)
    root = np.sqrt(np.maximum(0.0, slope**2 - 8 * n * constant))
    variance = n * (2 * (root - slope) / (4 * n) + delta * (1 - delta))
    away = gains - losses - n * delta
    return np.asarray(away / np.sqrt(np.maximum(variance, TIE)))


def _chances(outcomes: np.ndarray, n: int, delta: float) -> FloatArray:
    """Return the summed chance of some results, for each of many chances of a loss."""
    loss = np.linspace(max(0.0, -delta), (1 - delta) / 2, CHANCES)[:, np.newaxis]
    gains, losses = outcomes[:, 0], outcomes[:, 1]
    rest = n - gains - losses
    ways = gammaln(n + 1) - gammaln(gains + 1) - gammaln(losses + 1) - gammaln(rest + 1)
    gain = np.maximum(loss + delta, 0.0)
    neither = np.maximum(1 - loss - gain, 0.0)
    logs = ways + xlogy(gains, gain) + xlogy(losses, loss) + xlogy(rest, neither)
    return np.asarray(np.exp(logs).sum(axis=1))

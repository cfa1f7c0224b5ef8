"""Intervals of a difference of paired proportions, by test inversion at an effective sample size.

With h hits and r reversed pairs among n, Δ is (h − r)/n. Pairs of one instance
share their clean parent, so n pairs are worth fewer; both intervals therefore
take the counts scaled to an effective n, which need not be whole.

References
----------
Tango (1998), Statist. Med. 17, 891-908; Rao and Scott (1992), Biometrics 48,
577-585, for the effective number; Korn and Graubard (1998), Survey Methodology
24, 193-201, for few clusters; Agresti and Min (2005), Statist. Med. 24, 729-740,
for pairs added.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

import numpy as np
from scipy.special import betaincinv, stdtrit

from ..data.columns import IntArray

__all__ = ["Clustered", "Z", "effective_pairs", "score_interval", "t_interval", "union_interval"]

Z = 1.959963984540054
"""The 97.5 % quantile of the normal distribution."""

HALVINGS = 50


@dataclass(frozen=True, slots=True)
class Clustered:
    """The outcomes of a group of pairs under one judge, summed by instance.

    ``total`` and ``size`` are the summed difference and the number of pairs of
    every instance that has any; ``hits`` and ``reverses`` count over all of them.
    """

    total: IntArray
    size: IntArray
    hits: int
    reverses: int

    @classmethod
    def of(cls, unit: IntArray, difference: IntArray, n_units: int) -> Self:
        """Sum differences of -1, 0 or 1 by unit; units without a pair are left out."""
        size = np.bincount(unit, minlength=n_units)
        total = np.bincount(unit, difference, minlength=n_units)
        some = size > 0
        hits, reverses = int((difference > 0).sum()), int((difference < 0).sum())
        return cls(total[some].astype(np.int64), size[some].astype(np.int64), hits, reverses)

    @property
    def n(self) -> int:
        """Return the number of pairs."""
        return int(self.size.sum())

    @property
    def delta(self) -> float:
        """Return Δ; there must be a pair."""
        return (self.hits - self.reverses) / self.n


def effective_pairs(pairs: Clustered) -> float:
    """Return how many independent pairs these are worth: at least 1, at most n.

    n / d · (t(n−1) / t(m−1))², with m instances, t(k) the 97.5 % quantile of
    Student's t, and d the design effect, at least 1: the variance of Δ between
    instances over that of independent pairs. Few varying pairs estimate d badly, so
    one instance of the usual size is added before, half of it all hits and half of it
    all reversed.
    """
    n, m = pairs.n, len(pairs.size)
    if m < 2:
        return 1.0
    usual = int((pairs.size * pairs.size).sum()) / n
    delta = (pairs.hits - pairs.reverses) / (n + usual)
    between = _squares(pairs, delta) + usual**2 * (1 + delta**2)
    alone = pairs.hits + pairs.reverses + usual - (n + usual) * delta**2
    student = float(stdtrit(n - 1, 0.975)) / float(stdtrit(m - 1, 0.975))
    return max(1.0, n / max(1.0, between / alone) * student**2)


def score_interval(pairs: Clustered) -> tuple[float, float]:
    """Return Tango's score interval at the effective number of pairs.

    It holds every Δ that the score test of h − r − nΔ = 0 does not reject, with
    the chance of a reversed pair at its most likely value under that Δ.
    """
    n = effective_pairs(pairs)
    hits, reverses = n * pairs.hits / pairs.n, n * pairs.reverses / pairs.n
    low = -_highest(reverses, hits, n)
    return low + 0.0, _highest(hits, reverses, n)


def union_interval(pairs: Clustered) -> tuple[float, float]:
    """Return the difference of two exact intervals, of hits and of reversed pairs, each at 97.5 %.

    By Bonferroni's inequality it covers at least 95 % for independent pairs.
    """
    n = effective_pairs(pairs)
    hits_low, hits_high = _exact(n * pairs.hits / pairs.n, n)
    reverses_low, reverses_high = _exact(n * pairs.reverses / pairs.n, n)
    return hits_low - reverses_high, hits_high - reverses_low


def t_interval(pairs: Clustered) -> tuple[float, float] | None:
    """Return Δ ± t(m−1) · standard error between instances; None for one instance."""
    m = len(pairs.size)
    if m < 2:
        return None
    reach = float(stdtrit(m - 1, 0.975)) * math.sqrt(_variance(pairs))
    return pairs.delta - reach, pairs.delta + reach


def _variance(pairs: Clustered) -> float:
    """Return m/(m − 1) · Σ (Dᵢ − Δ·nᵢ)² / n²."""
    m = len(pairs.size)
    return m / (m - 1) * _squares(pairs, pairs.delta) / pairs.n**2


def _squares(pairs: Clustered, delta: float) -> float:
    """Return Σ (Dᵢ − Δ·nᵢ)², from sums of whole numbers."""
    total, size = pairs.total, pairs.size
    squares, products, sizes = (
        int((one * other).sum()) for one, other in ((total, total), (total, size), (size, size))
    )
    return max(0.0, squares - 2 * delta * products + delta**2 * sizes)


def _highest(hits: float, reverses: float, n: float) -> float:
    """Find the largest Δ not rejected, by halving; above Δ the score only falls."""
    # `scipy.optimize.brentq` interpolates, and the score may be infinite at either end.
    low, high = (hits - reverses) / n, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if _score(hits, reverses, n, middle) >= -Z:
            low = middle
        else:
            high = middle
    return high if high == 1.0 else low


def _score(hits: float, reverses: float, n: float, delta: float) -> float:
    """Return (h − r − nΔ) / √(n·(2q + Δ(1 − Δ))), q the likeliest chance of a reversed pair."""
    slope = (2 * n - hits + reverses) * delta - hits - reverses
    constant = -reverses * delta * (1 - delta)
    chance = (math.sqrt(max(0.0, slope**2 - 8 * n * constant)) - slope) / (4 * n)
    variance = n * (2 * chance + delta * (1 - delta))
    away = hits - reverses - n * delta
    return away / math.sqrt(variance) if variance > 0 else math.copysign(math.inf, away)


def _exact(k: float, n: float) -> tuple[float, float]:
    low = 0.0 if k <= 0 else float(betaincinv(k, n - k + 1, 0.0125))
    high = 1.0 if k >= n else float(betaincinv(k + 1, n - k, 0.9875))
    return low, high

"""Intervals: percentile and BCa from resampled values, Clopper-Pearson from counts.

References
----------
Efron (1979), Ann. Statist. 7, 1-26; Efron (1987), J. Am. Stat. Assoc. 82, 171-185;
Clopper and Pearson (1934), Biometrika 26, 404-413.
"""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
from scipy.special import betaincinv

from ..data.columns import FloatArray
from .bootstrap import Replicates
from .estimate import Estimate, undefined

__all__ = ["ALPHA", "bca", "clopper_pearson", "from_draws", "percentile", "proportion", "quantiles"]

ALPHA = 0.05

MOST_UNDEFINED = 0.05
CONSTANT = "no interval: the value is the same in every resample"
NORMAL = NormalDist()


def quantiles(values: FloatArray, levels: tuple[float, ...]) -> list[float]:
    """Return quantiles by linear interpolation between order statistics."""
    ordered = np.sort(values)
    places = [level * (len(ordered) - 1) for level in levels]
    low = [int(place) for place in places]
    high = [min(place + 1, len(ordered) - 1) for place in low]
    return [
        float(ordered[a] + (ordered[b] - ordered[a]) * (place - a))
        for a, b, place in zip(low, high, places, strict=True)
    ]


def percentile(draws: FloatArray) -> tuple[float, float] | None:
    """Return the 95 % percentile interval; ``draws[0]`` is the value as observed.

    Resamples in which the value is undefined are left out; None if they are more
    than one in twenty.
    """
    values = _defined(draws)
    if values is None:
        return None
    low, high = quantiles(values, (ALPHA / 2, 1 - ALPHA / 2))
    return low, high


def bca(draws: FloatArray, jackknife: FloatArray) -> tuple[float, float] | None:
    """Return the bias-corrected and accelerated interval.

    Levels are Φ(z₀ + (z₀ + z)/(1 − a(z₀ + z))) with z₀ from the share of resamples
    below the value (ties count half) and a from the leave-one-out values.
    """
    values, left_out = _defined(draws), jackknife[~np.isnan(jackknife)]
    if values is None or len(left_out) < 2:
        return None
    below = float(np.mean(values < draws[0]) + np.mean(values == draws[0]) / 2)
    if not 0 < below < 1:
        return None
    bias = NORMAL.inv_cdf(below)
    away = left_out.mean() - left_out
    spread = float((away**2).sum())
    skew = float((away**3).sum()) / (6 * spread**1.5) if spread > 0 else 0.0
    levels = [_bca_level(bias, skew, level) for level in (ALPHA / 2, 1 - ALPHA / 2)]
    low, high = quantiles(values, (levels[0], levels[1]))
    return low, high


def clopper_pearson(k: int, n: int, alpha: float = ALPHA) -> tuple[float, float]:
    """Return the exact interval of k successes in n trials, from beta quantiles."""
    low = 0.0 if k == 0 else float(betaincinv(k, n - k + 1, alpha / 2))
    high = 1.0 if k == n else float(betaincinv(k + 1, n - k, 1 - alpha / 2))
    return low, high


def proportion(k: int, n: int, nothing: str) -> Estimate:
    """Return a single proportion with its exact interval; null, with a reason, for n = 0."""
    if n == 0:
        return undefined(nothing)
    return Estimate(k / n, *clopper_pearson(k, n), n, "Clopper-Pearson")


def from_draws(drawn: Replicates, method: str) -> Estimate:
    """Return an estimate with its percentile interval.

    A value that no resample moves has no such interval, which is said in its reason.
    """
    value, n = float(drawn.values[0]), drawn.n
    if np.isnan(value):
        return undefined(drawn.nothing, n)
    ends = percentile(drawn.values)
    if ends is None:
        return Estimate(value, None, None, n, method, "no interval: undefined in many resamples")
    if ends[0] == ends[1] and bool((drawn.values[1:] == value).all()):
        return Estimate(value, None, None, n, method, CONSTANT)
    return Estimate(value, *ends, n, method)


def _defined(draws: FloatArray) -> FloatArray | None:
    values = draws[1:]
    known = values[~np.isnan(values)]
    if np.isnan(draws[0]) or len(known) < (1 - MOST_UNDEFINED) * len(values) or not len(known):
        return None
    return known


def _bca_level(bias: float, skew: float, level: float) -> float:
    shifted = bias + NORMAL.inv_cdf(level)
    return NORMAL.cdf(bias + shifted / (1 - skew * shifted))

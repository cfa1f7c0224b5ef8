"""Intervals: percentile and BCa from replicates, Clopper-Pearson from counts, and those of Δ.

Which interval of Δ is the default, and why, is in docs/decisions/0005-interval-of-delta.md;
the table that decides is results/validity/tables/coverage.md.

References
----------
Efron (1979), Ann. Statist. 7, 1-26; Efron (1987), J. Am. Stat. Assoc. 82, 171-185;
Clopper and Pearson (1934), Biometrika 26, 404-413.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from statistics import NormalDist

import numpy as np
from scipy.special import betaincinv

from ..data.columns import FloatArray
from .bootstrap import Replicates, ratio
from .estimate import Estimate, point, undefined
from .paired_difference import Clustered, score_interval, t_interval, union_interval

__all__ = [
    "ALPHA",
    "BY_INSTANCE",
    "METHODS",
    "SCORE",
    "bca",
    "clopper_pearson",
    "delta_estimates",
    "from_replicates",
    "leave_one_out",
    "percentile",
    "proportion",
    "quantiles",
]

ALPHA = 0.05
SCORE = "Tango score at the effective number of pairs"
BY_INSTANCE = "percentile bootstrap over instances"

BCA = "BCa bootstrap over instances"
NO_BCA = "no interval: too few instances, or every resample on one side of the value"
CONSTANT = "no interval: the value is the same in every resample"
OFTEN_UNDEFINED = "no interval: undefined in many resamples"
MOST_UNDEFINED = 0.05
NORMAL = NormalDist()

Ends = tuple[float, float] | None

METHODS: dict[str, Callable[[Clustered, Replicates], Ends]] = {
    "score": lambda pairs, _: score_interval(pairs),
    "union": lambda pairs, _: union_interval(pairs),
    "t": lambda pairs, _: t_interval(pairs),
    "percentile": lambda _, delta: percentile(delta.values),
    "bca": lambda pairs, delta: bca(delta.values, leave_one_out(pairs)),
}
"""Every interval of Δ that the validity table compares."""


def quantiles(values: FloatArray, levels: tuple[float, ...]) -> list[float]:
    """Return quantiles by linear interpolation between order statistics."""
    # `numpy.quantile` has the same definition, but interpolates from the nearer end, and so
    # differs in the last bit between versions; committed digits rest on this one.
    places = [level * (len(values) - 1) for level in levels]
    low = [int(place) for place in places]
    high = [min(place + 1, len(values) - 1) for place in low]
    ordered = np.partition(values, sorted({*low, *high}))  # only these places are in order
    return [
        float(ordered[a] + (ordered[b] - ordered[a]) * (place - a))
        for a, b, place in zip(low, high, places, strict=True)
    ]


def percentile(values: FloatArray) -> Ends:
    """Return the 95 % percentile interval; ``values[0]`` is the value as observed.

    Resamples in which the value is undefined are left out; None if they are more
    than one in twenty.
    """
    known = _defined(values)
    if known is None:
        return None
    low, high = quantiles(known, (ALPHA / 2, 1 - ALPHA / 2))
    return low, high


def bca(values: FloatArray, jackknife: FloatArray) -> Ends:
    """Return the bias-corrected and accelerated interval.

    Levels are Φ(z₀ + (z₀ + z)/(1 − a(z₀ + z))) with z₀ from the share of resamples
    below the value (ties count half) and a from the leave-one-out values.
    """
    known, left_out = _defined(values), jackknife[~np.isnan(jackknife)]
    if known is None or len(left_out) < 2:
        return None
    below = float(np.mean(known < values[0]) + np.mean(known == values[0]) / 2)
    if not 0 < below < 1:
        return None
    bias = NORMAL.inv_cdf(below)
    away = left_out.mean() - left_out
    spread = float((away**2).sum())
    skew = float((away**3).sum()) / (6 * spread**1.5) if spread > 0 else 0.0
    levels = [_bca_level(bias, skew, level) for level in (ALPHA / 2, 1 - ALPHA / 2)]
    low, high = quantiles(known, (levels[0], levels[1]))
    return low, high


def clopper_pearson(k: int, n: int, alpha: float = ALPHA) -> tuple[float, float]:
    """Return the exact interval of k successes in n trials, from beta quantiles."""
    # statsmodels' proportion_confint(method="beta") is these two quantiles. Nearly every
    # process needs them, and importing it takes longer than all that a short command does.
    low = 0.0 if k == 0 else float(betaincinv(k, n - k + 1, alpha / 2))
    high = 1.0 if k == n else float(betaincinv(k + 1, n - k, 1 - alpha / 2))
    return low, high


def proportion(k: int, n: int, undefined_reason: str) -> Estimate:
    """Return a single proportion with its exact interval; null, with a reason, for n = 0."""
    if n == 0:
        return undefined(undefined_reason)
    return Estimate(k / n, *clopper_pearson(k, n), n, "Clopper-Pearson")


def from_replicates(number: Replicates, method: str) -> Estimate:
    """Return an estimate with its percentile interval.

    A value that is the same in every resample has no such interval; the reason says so.
    """
    value, n = float(number.values[0]), number.n
    if np.isnan(value):
        return undefined(number.undefined_reason, n)
    ends = percentile(number.values)
    if ends is None:
        return point(value, n, method, OFTEN_UNDEFINED)
    if ends[0] == ends[1] and bool((number.values[1:] == value).all()):
        return point(value, n, method, CONSTANT)
    return Estimate(value, *ends, n, method)


def delta_estimates(pairs: Clustered, delta: Replicates) -> dict[str, Estimate]:
    """Return Δ with the default interval under ``""``, and under ``percentile`` and ``bca``."""
    if pairs.n == 0:
        return {name: undefined(delta.undefined_reason) for name in ("", "percentile", "bca")}
    value = float(delta.values[0])
    by_bca = from_replicates(delta, BCA)
    if by_bca.ci_low is not None:
        low, high = bca(delta.values, leave_one_out(pairs)) or (None, None)
        reason = NO_BCA if low is None else None
        by_bca = replace(by_bca, ci_low=low, ci_high=high, reason=reason)
    return {
        "": Estimate(value, *score_interval(pairs), pairs.n, SCORE),
        "percentile": from_replicates(delta, BY_INSTANCE),
        "bca": by_bca,
    }


def leave_one_out(pairs: Clustered) -> FloatArray:
    """Return Δ without each instance in turn; NaN where no pair is left."""
    total = pairs.hits - pairs.reverses - pairs.total
    return ratio(total.astype(np.float64), (pairs.n - pairs.size).astype(np.float64))


def _defined(values: FloatArray) -> FloatArray | None:
    resampled = values[1:]
    known = resampled[~np.isnan(resampled)]
    is_scarce = len(known) < (1 - MOST_UNDEFINED) * len(resampled)
    return None if np.isnan(values[0]) or is_scarce or not len(known) else known


def _bca_level(bias: float, skew: float, level: float) -> float:
    shifted = bias + NORMAL.inv_cdf(level)
    return NORMAL.cdf(bias + shifted / (1 - skew * shifted))

"""Estimates with their intervals: of shares, of Δ, and percentiles from replicates.

Which interval a number has, and why, is in docs/decisions/0036-intervals-that-cover.md; the
tables that decide are in results/validity/tables.

References
----------
Efron (1979), Ann. Statist. 7, 1-26; Clopper and Pearson (1934), Biometrika 26, 404-413.
"""

from __future__ import annotations

import numpy as np
from scipy.special import betaincinv

from ..data.columns import FloatArray, IntArray
from .bootstrap import Replicates
from .clusters import FEW, LEAST_INSTANCES, Share, Sums, correlation, is_borne
from .estimate import NO_INTERVAL, Estimate, point, undefined
from .paired_difference import Clustered, ends_of_difference, interval

__all__ = [
    "ADDED",
    "ALPHA",
    "BY_INSTANCE",
    "CLUSTERED",
    "NO_METHOD",
    "OF_PARTS",
    "ONE_SIDE",
    "OVER_UNITS",
    "clopper_pearson",
    "delta_estimate",
    "from_replicates",
    "gap",
    "mean_of_parts",
    "mean_of_units",
    "percentile",
    "proportion",
    "quantiles",
    "share",
]

ALPHA = 0.05
BY_INSTANCE = "percentile bootstrap over instances"
CLUSTERED = "Clopper-Pearson at the effective number of runs"
OF_PARTS = "Clopper-Pearson at the effective number of runs, of values in steps"
OVER_UNITS = "Clopper-Pearson at the effective number of records"
NO_METHOD = "no interval: no method is known to cover"
FEW_UNITS = "no interval: fewer than 10 records, or undefined without some of them"
ADDED = "square-and-add of two intervals"
ONE_SIDE = "no interval: one side has none"

CONSTANT = "no interval: the value is the same in every resample"
OFTEN_UNDEFINED = "no interval: undefined in many resamples"
MOST_UNDEFINED = 0.05

Ends = tuple[float, float] | None


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


def mean_of_units(number: Replicates) -> Estimate:
    """Return a mean over resampled units of equal weight, such as the records of plans.

    The resamples give its variance; the interval is that of a share with this variance. A
    number that is no such mean has none: percentiles of few units do not cover.
    """
    value, n = float(number.values[0]), number.n
    if np.isnan(value):
        return undefined(number.undefined_reason, n)
    if number.units == 0:
        return point(value, n, OVER_UNITS, NO_METHOD)
    known = _defined(number.values)
    if number.units < LEAST_INSTANCES or known is None:
        return point(value, n, NO_INTERVAL, FEW_UNITS)
    low, high = Share.of_units(np.array(value), np.asarray(known.var()), number.units).ends()
    return Estimate(value, float(low), float(high), n, OVER_UNITS)


def share(count: IntArray, size: IntArray, undefined_reason: str) -> Estimate:
    """Return the share of runs that come in clusters; null, with a reason, without a run.

    Parameters
    ----------
    count, size : array of int, shape (instances,)
        The runs of each instance that count, and its runs; instances without a run are left
        out. With one run in each instance the interval is the exact one.
    """
    some = size > 0
    count, size = count[some], size[some]
    k, n = int(count.sum()), int(size.sum())
    if n == len(size):
        return proportion(k, n, undefined_reason)
    if not is_borne(size):
        return point(k / n, n, NO_INTERVAL, FEW)
    low, high = Share.of(count, size).ends()
    return Estimate(k / n, float(low), float(high), n, CLUSTERED)


def mean_of_parts(total: FloatArray, size: IntArray, undefined_reason: str) -> Estimate:
    """Return the mean of values in [0, 1], such as squared errors, of runs in clusters.

    Parameters
    ----------
    total, size : array, shape (instances,)
        The summed values of each instance, and its runs; instances without a run are left out.
    """
    some = size > 0
    total, size = total[some], size[some]
    n = int(size.sum())
    if n == 0:
        return undefined(undefined_reason)
    value = float(total.sum()) / n
    if not is_borne(size):
        return point(value, n, NO_INTERVAL, FEW)
    low, high = Share.of_parts(total, size).ends()
    return Estimate(value, float(low), float(high), n, OF_PARTS)


def delta_estimate(pairs: Clustered, undefined_reason: str, steps: int = 1) -> Estimate:
    """Return a mean difference with its interval; null, with a reason, without a pair.

    ``steps`` is 2 if ``pairs`` holds differences of two differences.
    """
    if pairs.n == 0:
        return undefined(undefined_reason)
    n, ends = pairs.n // steps, interval(pairs)
    if ends is None:
        return point(steps * pairs.delta, n, NO_INTERVAL, FEW)
    low, high, method = ends
    return Estimate(steps * pairs.delta, steps * low, steps * high, n, method)


def gap(
    one: Estimate,
    other: Estimate,
    sums: tuple[Sums, Sums],
    undefined_reason: str,
) -> Estimate:
    """Return one number minus another, each with its interval, of the same instances.

    ``sums`` holds of each number the sums and sizes of all instances, which say how far the
    two vary together.
    """
    n = one.n + other.n
    if one.estimate is None or other.estimate is None:
        return undefined(undefined_reason, n)
    value = one.estimate - other.estimate
    if one.ci_low is None or one.ci_high is None or other.ci_low is None or other.ci_high is None:
        return point(value, n, NO_INTERVAL, ONE_SIDE)
    left = (one.estimate, one.ci_low, one.ci_high)
    right = (other.estimate, other.ci_low, other.ci_high)
    low, high = ends_of_difference(np.array(left), np.array(right), correlation(*sums))
    return Estimate(value, float(low), float(high), n, ADDED)


def _defined(values: FloatArray) -> FloatArray | None:
    resampled = values[1:]
    known = resampled[~np.isnan(resampled)]
    is_scarce = len(known) < (1 - MOST_UNDEFINED) * len(resampled)
    return None if np.isnan(values[0]) or is_scarce or not len(known) else known

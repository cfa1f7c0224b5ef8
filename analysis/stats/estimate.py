"""An estimate: a number, its interval, what it rests on, and why it may be missing."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

__all__ = [
    "NO_INTERVAL",
    "NO_PAIR",
    "Estimate",
    "count",
    "point",
    "significant",
    "undefined",
    "without_interval",
]

NO_INTERVAL = "too few instances"
"""The method of a number whose interval no method bears; the reason says why."""

NO_PAIR = "no such pair was judged"


@dataclass(frozen=True, slots=True)
class Estimate:
    """One number with its uncertainty.

    Attributes
    ----------
    estimate : float or None
        None where it is undefined; ``reason`` then says why.
    ci_low, ci_high : float or None
        Ends of the 95 % interval; None where there is none, with the reason.
    n : int
        What the denominator counts: runs, pairs, verdicts.
    method : str
        How the interval was made, or ``"count"``, ``"structural zero"``.
    """

    estimate: float | None
    ci_low: float | None
    ci_high: float | None
    n: int
    method: str
    reason: str | None = None


def point(value: float | None, n: int, method: str, reason: str | None = None) -> Estimate:
    """Return a number without an interval, with the reason why it has none."""
    return Estimate(value, None, None, n, method, reason=reason)


def count(value: int, n: int) -> Estimate:
    """Return a plain count among n, which has no interval."""
    return point(float(value), n, "count")


def undefined(reason: str, n: int = 0) -> Estimate:
    """Return the null estimate, with its reason."""
    return point(None, n, "undefined", reason)


def without_interval(estimate: Estimate, method: str, reason: str) -> Estimate:
    """Keep the number and drop the interval, saying why."""
    return replace(estimate, ci_low=None, ci_high=None, method=method, reason=reason)


def significant(value: float | None, digits: int = 9) -> float | None:
    """Round to significant digits, as numbers are kept; zero loses its sign.

    >>> significant(2 / 3)
    0.666666667
    """
    if value is None or math.isnan(value):
        return None
    return float(f"{value:.{digits}g}") + 0.0

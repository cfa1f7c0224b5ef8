"""Tallies of intervals: how often they cover, on which side they miss, and how wide they are."""

from __future__ import annotations

import numpy as np

from ..data.columns import FloatArray
from ..stats.estimate import significant
from ..stats.type_ends import Ended
from .trial import Tried

__all__ = ["SLOTS", "Tally", "tally", "tally_of_drawn"]

SLOTS = ("of", "above", "below", "given", "width", "own", "steps")
"""What is counted of a kind: the studies, those whose ends are both above the truth, both
below it, and those with an interval; the mean width of these, the width of the central 95 %
of their estimates, and how many steps of one instance that is (−1: it has no such step)."""

Tally = list[float]
"""In the order of `SLOTS`."""

SLACK = 1e-9


def tally(tried: Tried) -> Tally | None:
    """Count intervals of one true value by where they lie; None if there is none in any study."""
    is_given = ~np.isnan(tried.low)
    if not is_given.any():
        return None
    ends, truth = (tried.low[is_given], tried.high[is_given]), np.asarray(tried.truth)
    own = _central(tried.value[is_given])
    return _counts(ends, truth, studies=len(tried.low), own=own, step=tried.step)


def tally_of_drawn(
    found: Ended, truth: FloatArray, own: FloatArray | None = None, step: float = 0.0
) -> Tally:
    """Count intervals whose true value is drawn anew in each study; all have one.

    ``own`` is what the width is compared with the central 95 % of: by default, the errors.
    ``step`` is what one instance of usual size moves the number by; 0 if it has no such step.
    """
    central = _central(found.value - truth if own is None else own)
    central = central if central > SLACK else 0.0
    ends = (found.low, found.high)
    return _counts(ends, truth, studies=truth.size, own=central, step=step)


def _central(values: FloatArray) -> float:
    """Return the width of the central 95 % of some values."""
    return float(np.quantile(values, 0.975) - np.quantile(values, 0.025))


def _counts(
    ends: tuple[FloatArray, FloatArray], truth: FloatArray, *, studies: int, own: float, step: float
) -> Tally:
    low, high = ends
    return [
        studies,
        int((low > truth + SLACK).sum()),
        int((high < truth - SLACK).sum()),
        low.size,
        significant(float((high - low).mean()), 6) or 0.0,
        significant(own, 6) or 0.0,
        (significant(own / step, 6) or 0.0) if step else -1.0,
    ]

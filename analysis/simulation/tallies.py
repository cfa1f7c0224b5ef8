"""Tallies of intervals whose true value is drawn anew in each study."""

from __future__ import annotations

import numpy as np

from ..data.columns import FloatArray
from ..stats.estimate import significant
from ..stats.type_ends import Ended

__all__ = ["Tally", "tally"]

Tally = list[float]
"""In the order of `coverage.SLOTS`."""

SLACK = 1e-9


def tally(
    found: Ended, truth: FloatArray, own: FloatArray | None = None, step: float = 0.0
) -> Tally:
    """Count intervals by where they lie; all have one.

    ``own`` is what the width is compared with the central 95 % of: by default, the errors.
    ``step`` is what one instance of usual size moves the number by; 0 if it has no such step.
    """
    errors = found.value - truth if own is None else own
    central = float(np.quantile(errors, 0.975) - np.quantile(errors, 0.025))
    central = central if central > SLACK else 0.0
    width = float((found.high - found.low).mean())
    return [
        truth.size,
        int((found.low > truth + SLACK).sum()),
        int((found.high < truth - SLACK).sum()),
        truth.size,
        significant(width, 6) or 0.0,
        significant(central, 6) or 0.0,
        (significant(central / step, 6) or 0.0) if step else -1.0,
    ]

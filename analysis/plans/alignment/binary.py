"""The binary collapse: the ranking of judges when a verdict of ½ must be 0 or 1.

A verdict of ½ goes to 0 if the reference is below ½, else to 1: to the side of the
reference, so that judges that often answer ½ gain. It is a bound and no score.
"""

from __future__ import annotations

import numpy as np

from ...data.columns import FloatArray, IntArray
from .cells import Cells
from .key import PlanKey, PlanNumbers
from .marginals import marginal_numbers
from .match_score import SCALE
from .ranking import compared_numbers

__all__ = ["binary_numbers", "collapsed", "halves"]

HALF = 0.5


def collapsed(reference: FloatArray, verdict: FloatArray) -> FloatArray:
    """Return the verdicts without their halves.

    >>> collapsed(np.array([0.25, 0.5, 1.0]), np.array([0.5, 0.5, 0.0]))
    array([0., 1., 0.])
    """
    return np.where(verdict == HALF, (reference >= HALF).astype(np.float64), verdict)


def halves(verdict: FloatArray) -> IntArray:
    """Return 1 where a verdict is ½, in units."""
    return np.where(verdict == HALF, SCALE, 0)


def binary_numbers(standard: Cells, binary: Cells, half: Cells) -> PlanNumbers:
    """Return both alignments over shared cells, their difference, ρ, and rates of ½."""
    numbers = marginal_numbers(PlanKey("half-rate"), half, ("condition", "judge"))
    numbers |= marginal_numbers(PlanKey("half-rate"), half, ("condition", "judge", "metric"))
    return numbers | compared_numbers("binary", standard, binary, ("standard", "collapsed", "gain"))

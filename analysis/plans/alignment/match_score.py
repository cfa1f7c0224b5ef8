"""The match score of a verdict, and the whole numbers in which scores are summed."""

from __future__ import annotations

import numpy as np

from ...data.columns import FloatArray, IntArray

__all__ = ["SCALE", "SLACK", "bias", "match", "rounded", "units"]

SCALE = 1_441_440_000
"""Units in 1: a thousand times what all of 1 to 16 and their halves divide.

Shares of up to 16 calls, half points, means of up to 16 judges and verdicts of three
decimals are whole numbers of it, so that their sums are exact.
"""


SLACK = 1e-9
"""Values in [0, 1] that differ by no more are equal."""


def units(values: FloatArray) -> IntArray:
    """Return values in [0, 1] as whole numbers of 1 / SCALE.

    >>> units(np.array([1 / 3, 0.5])) * 3 / SCALE
    array([1. , 1.5])
    """
    return np.rint(values * SCALE).astype(np.int64)


def rounded(values: FloatArray) -> FloatArray:
    """Return means without the last bits, by which two sums of the same numbers may differ."""
    return np.round(values, 12)


def match(reference: FloatArray, verdict: FloatArray) -> IntArray:
    """Return μ = 1 − |p − v| of every metric, in units (equation 4a)."""
    score: IntArray = SCALE - np.abs(units(reference) - units(verdict))
    return score


def bias(reference: FloatArray, verdict: FloatArray) -> IntArray:
    """Return v − p of every metric, in units: above zero where the verdict is too high."""
    return units(verdict) - units(reference)

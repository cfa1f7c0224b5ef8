"""What a pair counts for when a judge says nothing of one of its two runs.

A judge that abstains where it is unsure looks better on what it judged. So Δ has three
readings, which are equal where every run is scored:

- *judged*: over pairs of which both runs are scored;
- *cautious*: an unscored fault counts as missed, an unscored parent as flagged, so that
  silence never helps;
- *gate*: an unscored run counts as not flagged, as where a gate lets it pass.

Two equal pages are one page. A judge that says nothing of either would have said the same of
both, so such a pair counts as 0. A run that was never put to the judge is in no reading.
"""

from __future__ import annotations

from enum import StrEnum

import numpy as np

from ..data.columns import BoolArray, IntArray

__all__ = ["NOT_ASKED", "UNSCORED", "Reading", "asked", "differences"]

UNSCORED, NOT_ASKED = -1, -2
"""Codes of a run without a flag; a run with one has 1 if it is flagged, else 0."""


class Reading(StrEnum):
    """How an unscored run counts."""

    JUDGED = "judged"
    CAUTIOUS = "cautious"
    GATE = "gate"


def asked(fault: IntArray, parent: IntArray) -> BoolArray:
    """Return the pairs of which both runs were put to the judge."""
    both: BoolArray = (fault != NOT_ASKED) & (parent != NOT_ASKED)
    return both


def differences(
    fault: IntArray, parent: IntArray, reading: Reading, *, is_alike: BoolArray | None = None
) -> tuple[IntArray, BoolArray]:
    """Return flag(fault) − flag(parent) of every pair, and which pairs count.

    Parameters
    ----------
    fault, parent : array of int, shape (pairs,)
        1 if the run is flagged, 0 if not, `UNSCORED` or `NOT_ASKED`.
    is_alike : array of bool, shape (pairs,), optional
        Whether the judge is shown the same of both runs; by default of no pair.

    Returns
    -------
    (array of int, array of bool)
        The difference, 0 where the pair does not count.
    """
    rows = asked(fault, parent)
    if reading is Reading.JUDGED:
        rows = rows & (fault >= 0) & (parent >= 0)
    silent_parent = 1 if reading is Reading.CAUTIOUS else 0
    of_fault = np.where(fault == 1, 1, 0)
    of_parent = np.where(parent >= 0, parent, silent_parent)
    is_known = rows
    if is_alike is not None:
        is_known = rows & ~(is_alike & (fault == UNSCORED) & (parent == UNSCORED))
    return np.where(is_known, of_fault - of_parent, 0).astype(np.int64), rows

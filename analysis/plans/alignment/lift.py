"""Differences between two conditions: the lift of a ground truth, and the effect of a wrong one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...data.columns import IntArray
from ...stats.bootstrap import Replicates
from .cells import Cells, Weighting

__all__ = ["lifts"]

UNMATCHED = "no cell was judged under both conditions"
MATCHED_BY = ("judge", "generator", "tier")


def lifts(
    cells: Cells,
    minuend: str,
    subtrahend: str,
    by: Sequence[str] = ("judge",),
    *,
    weighting: Weighting = Weighting.CELLS,
) -> dict[tuple[str, ...], Replicates]:
    """Return mean alignment under one condition minus that under another (equation 5b).

    Both means run over the cells that were judged under both conditions, whatever their
    number, and both are taken over the same resampled records.
    """
    one, other = _matched(cells, minuend, subtrahend)
    found: dict[tuple[str, ...], Replicates] = {}
    for names, members in cells.groups(by):
        own = np.isin(one, members)
        if own.any():
            key = tuple(names[factor] for factor in by)
            found[key] = _difference(cells, one[own], other[own], weighting=weighting)
    return found


def _difference(
    cells: Cells, one: IntArray, other: IntArray, *, weighting: Weighting = Weighting.CELLS
) -> Replicates:
    """Return the mean over some cells minus that over others; n is the smaller number of plans."""
    left, right = (
        cells.mean(members, weighting=weighting).mean(axis=1) for members in (one, other)
    )
    return Replicates(left - right, min(cells.n(one), cells.n(other)), UNMATCHED)


def _matched(cells: Cells, one: str, other: str) -> tuple[IntArray, IntArray]:
    """Return the cells under two conditions that agree in judge, generator and tier."""
    left, right = cells.where(condition=one), cells.where(condition=other)
    key = cells.key(MATCHED_BY)
    _, of_left, of_right = np.intersect1d(
        key[left], key[right], assume_unique=True, return_indices=True
    )
    return left[of_left], right[of_right]

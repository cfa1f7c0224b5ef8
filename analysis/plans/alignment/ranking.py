"""Rankings of judges: how two of them correlate, and how one stands up to other metric weights.

References
----------
Spearman (1904), Am. J. Psychol. 15, 72-101; ties have their mean rank.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...data.columns import FloatArray
from ...stats.bootstrap import Replicates, ratio
from ...stats.estimate import Estimate
from .cells import EQUAL, Cells, mean_of_each, shared
from .marginals import NO_PLAN, estimated, number_name
from .match_score import levelled

__all__ = [
    "FEWEST",
    "WEIGHTINGS",
    "compared_numbers",
    "ranks",
    "same_ranking",
    "spearman",
    "weighting_numbers",
]

WEIGHTINGS = {
    "equal": EQUAL,
    "sequence × 2": (1.0, 1.0, 2.0, 1.0),
    "parameters × 2": (1.0, 2.0, 1.0, 1.0),
    "coverage × 0.5": (1.0, 1.0, 1.0, 0.5),
    "sequence × 2, parameters × 2": (1.0, 2.0, 2.0, 1.0),
    "parameters × 0.5": (1.0, 0.5, 1.0, 1.0),
    "without parameters": (1.0, 0.0, 1.0, 1.0),
}
"""Weights of the four metrics; the last two are those of the paper's Table 14."""

FEWEST = 3
"""With two, every ranking is the same or the reverse."""

NO_RANKING = "fewer than three judges share a cell, or all of them are equal"


def ranks(values: FloatArray) -> FloatArray:
    """Return ranks from 1 along the last axis, ties at their mean.

    >>> ranks(np.array([0.2, 0.9, 0.2]))
    array([1.5, 3. , 1.5])
    """
    rounded = levelled(values)
    one, other = rounded[..., :, np.newaxis], rounded[..., np.newaxis, :]
    tied = (other == one).sum(axis=-1)
    rank: FloatArray = (other < one).sum(axis=-1) + (1 + tied) / 2
    return rank


def spearman(one: FloatArray, other: FloatArray) -> FloatArray:
    """Return the correlation of ranks along the last axis; NaN where one is constant."""
    left, right = (r - r.mean(axis=-1, keepdims=True) for r in (ranks(one), ranks(other)))
    spread = np.sqrt((left**2).sum(axis=-1) * (right**2).sum(axis=-1))
    rho = ratio((left * right).sum(axis=-1), spread)
    known = ~(np.isnan(one) | np.isnan(other)).any(axis=-1)
    return np.where(known, rho, np.nan)


def same_ranking(one: Mapping[str, FloatArray], other: Mapping[str, FloatArray]) -> Replicates:
    """Return Spearman's ρ of two sets of values of the same judges, at least three."""
    if len(one) < FEWEST:
        return Replicates(np.full(1, np.nan), len(one), NO_RANKING)
    left, right = (np.stack([of[judge] for judge in one], axis=-1) for of in (one, other))
    return Replicates(spearman(left, right), len(one), NO_RANKING)


def compared_numbers(
    stem: str, one: Cells, other: Cells, names: tuple[str, str, str]
) -> dict[str, Estimate]:
    """Set two alignments of each judge side by side, over the cells that all judges share.

    ``names`` are those of the one, the other, and the other minus the one; ρ compares the
    two rankings.
    """
    found: dict[str, Estimate] = {}
    for condition in one.names["condition"]:
        judges = shared(one, condition=condition)
        before, after = (mean_of_each(cells, judges) for cells in (one, other))
        for judge, own in judges.items():
            three = (before[judge], after[judge], after[judge] - before[judge])
            for name, values in zip(names, three, strict=True):
                full = number_name(f"{stem}/{name}", condition=condition, judge=judge)
                found[full] = estimated(Replicates(values, one.n(own), NO_PLAN))
        if judges:
            rho = estimated(same_ranking(before, after))
            found[number_name(f"{stem}/spearman", condition=condition)] = rho
    return found


def weighting_numbers(cells: Cells) -> dict[str, Estimate]:
    """Return alignment under each weighting, and ρ of its ranking with the equal one."""
    found: dict[str, Estimate] = {}
    for condition in cells.names["condition"]:
        judges = shared(cells, condition=condition)
        values = {
            weighting: mean_of_each(cells, judges, weights)
            for weighting, weights in WEIGHTINGS.items()
        }
        for weighting, of_judges in values.items():
            stem = f"weighting/{weighting}"
            for judge, drawn in of_judges.items():
                name = number_name(stem, condition=condition, judge=judge)
                found[name] = estimated(Replicates(drawn, cells.n(judges[judge]), NO_PLAN))
            if judges:
                rho = same_ranking(values["equal"], of_judges)
                found[number_name(f"{stem}/spearman", condition=condition)] = estimated(rho)
    return found

"""Rankings of judges: the correlation of two of them, and of one under other metric weights."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...data.columns import FloatArray
from ...stats.bootstrap import Replicates
from ...stats.tests import spearman
from .cells import EQUAL, Cells, mean_of_each, shared
from .key import PlanKey, PlanNumbers
from .marginals import NO_PLAN, estimated
from .record_bootstrap import EVERY

__all__ = ["WEIGHTINGS", "compared_numbers", "weighting_numbers"]

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


def compared_numbers(
    stat: str, one: Cells, other: Cells, names: tuple[str, str, str]
) -> PlanNumbers:
    """Return two alignments of each judge, over the cells that all judges share.

    ``names`` are those of the one, the other, and the other minus the one; ρ compares the
    two rankings.
    """
    numbers: PlanNumbers = {}
    for condition in one.names["condition"]:
        judges = shared(one, condition=condition)
        before, after = (mean_of_each(cells, judges) for cells in (one, other))
        for judge, own in judges.items():
            three = (before[judge], after[judge], after[judge] - before[judge])
            for name, values in zip(names, three, strict=True):
                key = PlanKey(stat, name, condition=condition, judge=judge)
                # A difference is no mean of values in [0, 1].
                units = 0 if name == names[-1] else one.records[EVERY]
                numbers[key] = estimated(Replicates(values, one.n(own), NO_PLAN, units))
        if judges:
            rho = estimated(_correlation(before, after))
            numbers[PlanKey(stat, "spearman", condition=condition)] = rho
    return numbers


def weighting_numbers(cells: Cells) -> PlanNumbers:
    """Return alignment under each weighting, and ρ of its ranking with the equal one."""
    numbers: PlanNumbers = {}
    for condition in cells.names["condition"]:
        judges = shared(cells, condition=condition)
        values = {
            weighting: mean_of_each(cells, judges, weights)
            for weighting, weights in WEIGHTINGS.items()
        }
        for weighting, of_judges in values.items():
            key = PlanKey("weighting", weighting, condition=condition)
            for judge, replicates in of_judges.items():
                n = cells.n(judges[judge])
                number = Replicates(replicates, n, NO_PLAN, cells.records[EVERY])
                numbers[key._replace(judge=judge)] = estimated(number)
            if judges:
                rho = _correlation(values["equal"], of_judges)
                numbers[key._replace(part="spearman")] = estimated(rho)
    return numbers


def _correlation(one: Mapping[str, FloatArray], other: Mapping[str, FloatArray]) -> Replicates:
    """Return Spearman's ρ of two sets of values of the same judges, at least three."""
    if len(one) < FEWEST:
        return Replicates(np.full(1, np.nan), len(one), NO_RANKING)
    left, right = (np.stack([of[judge] for judge in one], axis=-1) for of in (one, other))
    return Replicates(spearman(left, right), len(one), NO_RANKING)

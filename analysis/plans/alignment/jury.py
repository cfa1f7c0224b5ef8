"""A soft jury: the mean of all judges' verdicts on a plan, beside the best single judge.

References
----------
Verga et al. (2024), Replacing Judges with Juries.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...data.columns import Coded, IntArray
from ...stats.bootstrap import Replicates
from .cells import Cells, mean_of_each, shared, tally
from .grid import FACTORS, Grid
from .key import PlanKey, PlanNumbers
from .marginals import NO_PLAN, estimated
from .match_score import SCALE, match, rounded, units
from .record_bootstrap import EVERY, Resample

__all__ = ["JURY", "jury_cells", "jury_numbers", "with_jury"]

JURY = "jury"
PLAN = ("condition", "record", "generator", "tier")


def jury_cells(grid: Grid, resample: Resample) -> Cells | None:
    """Return the cells of the jury and its judges; None if no plan was judged by all of two."""
    joined = with_jury(grid)
    if not len(joined):
        return None
    return tally(joined, match(joined.reference, joined.verdict), resample)


def with_jury(grid: Grid) -> Grid:
    """Return the plans that every judge of their condition and tier judged, with a jury's rows."""
    # How many judges a (condition, tier) has: each counts once, however many plans it judged.
    place = grid.key("condition", "tier")
    present = np.unique(np.column_stack((place, grid.judge.codes)), axis=0)[:, 0]
    n_judges = np.bincount(present, minlength=int(place.max(initial=0)) + 1)[place]
    # How many verdicts each plan has: a judge gives one, so that equal numbers mean all judges.
    _, plan = np.unique(grid.key(*PLAN), return_inverse=True)
    n_verdicts = np.bincount(plan)[plan]
    kept = grid.take((n_verdicts == n_judges) & (n_judges > 1))
    # The jury's row of a plan is the first of its rows with the mean of all as verdict;
    # verdicts are summed in whole units, so that the mean does not depend on their order.
    _, first, jury_row = np.unique(kept.key(*PLAN), return_index=True, return_inverse=True)
    jury = kept.take(first)
    mean = np.zeros_like(jury.verdict)
    for metric in range(mean.shape[1]):
        total = np.bincount(jury_row, units(kept.verdict[:, metric]), minlength=len(first))
        mean[:, metric] = total / (np.bincount(jury_row, minlength=len(first)) * SCALE)
    names = (*grid.judge.names, JURY)
    code = np.full(len(first), len(grid.judge.names))
    jury = replace(jury, judge=Coded(names, code), verdict=mean)
    return _stacked(replace(kept, judge=Coded(names, kept.judge.codes)), jury)


def jury_numbers(cells: Cells) -> PlanNumbers:
    """Return the jury's alignment and its gain over the best judge, by condition and tier.

    The best judge is the one with the highest alignment on the same plans, as observed.
    """
    numbers: PlanNumbers = {}
    places = [names for names, _ in cells.groups(("condition",))]
    places += [names for names, _ in cells.groups(("condition", "tier"))]
    for place in places:
        judges = shared(cells, **place)
        if JURY not in judges:
            continue
        values = mean_of_each(cells, judges)
        jury, n = values.pop(JURY), cells.n(judges[JURY])
        best = max(values, key=lambda judge: float(rounded(values[judge])[0]))
        for name, replicates in (
            ("alignment", jury),
            ("best", values[best]),
            ("gain", jury - values[best]),
        ):
            # The best was chosen for its value, and a gain is no mean of values in [0, 1].
            units = cells.records[EVERY] if name == "alignment" else 0
            number = estimated(Replicates(replicates, n, NO_PLAN, units))
            numbers[PlanKey("jury", name, **place)] = number
    return numbers


def _stacked(one: Grid, other: Grid) -> Grid:
    def both(left: Coded, right: Coded) -> Coded:
        codes: IntArray = np.concatenate((left.codes, right.codes))
        return Coded(left.names, codes)

    return Grid(
        **{factor: both(one.of(factor), other.of(factor)) for factor in FACTORS},
        reference=np.concatenate((one.reference, other.reference)),
        verdict=np.concatenate((one.verdict, other.verdict)),
        repeat=np.concatenate((one.repeat, other.repeat)),
    )

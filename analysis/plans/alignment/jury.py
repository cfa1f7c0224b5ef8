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
from ...stats.estimate import Estimate
from .cells import Cells, mean_of_each, shared, tally
from .grid import Grid
from .marginals import NO_PLAN, estimated, number_name
from .match_score import SCALE, levelled, match, units
from .record_bootstrap import Resample

__all__ = ["JURY", "jury_cells", "jury_numbers", "with_jury"]

JURY = "jury"
PLAN = ("condition", "record", "generator", "tier")


def jury_cells(grid: Grid, resample: Resample) -> Cells | None:
    """Return the cells of the jury and its judges; None if no plan was judged by all of two."""
    seated = with_jury(grid)
    if not len(seated):
        return None
    return tally(seated, match(seated.reference, seated.verdict), resample)


def with_jury(grid: Grid) -> Grid:
    """Return the plans that every judge of their condition and tier judged, with a jury's rows."""
    _, plan = np.unique(grid.key(*PLAN), return_inverse=True)
    bench = grid.key("condition", "tier")
    judges = np.unique(np.column_stack((bench, grid.judge.codes)), axis=0)[:, 0]
    wanted = np.bincount(judges, minlength=int(bench.max(initial=0)) + 1)[bench]
    judged = np.bincount(plan)[plan]
    kept = grid.take((judged == wanted) & (wanted > 1))
    names = (*grid.judge.names, JURY)
    _, first, of = np.unique(kept.key(*PLAN), return_index=True, return_inverse=True)
    jury = kept.take(first)
    mean = np.zeros_like(jury.verdict)
    for metric in range(mean.shape[1]):
        total = np.bincount(of, units(kept.verdict[:, metric]), minlength=len(first))
        mean[:, metric] = total / (np.bincount(of, minlength=len(first)) * SCALE)
    code = np.full(len(first), len(grid.judge.names))
    jury = replace(jury, judge=Coded(names, code), verdict=mean)
    return _stacked(replace(kept, judge=Coded(names, kept.judge.codes)), jury)


def jury_numbers(cells: Cells) -> dict[str, Estimate]:
    """Return the jury's alignment and what it has over the best judge, by condition and tier.

    The best judge is the one with the highest alignment on the same plans, as observed.
    """
    found: dict[str, Estimate] = {}
    places = [names for names, _ in cells.groups(("condition",))]
    places += [names for names, _ in cells.groups(("condition", "tier"))]
    for place in places:
        judges = shared(cells, **place)
        if JURY not in judges:
            continue
        values = mean_of_each(cells, judges)
        jury, n = values.pop(JURY), cells.n(judges[JURY])
        best = max(values, key=lambda judge: float(levelled(values[judge])[0]))
        for stem, drawn in (
            ("jury/alignment", jury),
            ("jury/best", values[best]),
            ("jury/gain", jury - values[best]),
        ):
            found[number_name(stem, **place)] = estimated(Replicates(drawn, n, NO_PLAN))
    return found


def _stacked(one: Grid, other: Grid) -> Grid:
    def both(left: Coded, right: Coded) -> Coded:
        codes: IntArray = np.concatenate((left.codes, right.codes))
        return Coded(left.names, codes)

    return Grid(
        both(one.record, other.record),
        both(one.generator, other.generator),
        both(one.judge, other.judge),
        both(one.tier, other.tier),
        both(one.topology, other.topology),
        both(one.condition, other.condition),
        np.concatenate((one.reference, other.reference)),
        np.concatenate((one.verdict, other.verdict)),
        np.concatenate((one.repeat, other.repeat)),
    )

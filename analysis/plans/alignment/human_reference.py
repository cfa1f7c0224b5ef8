"""Human answers as a second reference: its agreement with the first, and its ranking of judges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from faultpair.judges.plan_metrics.metrics import METRICS

from ...data.columns import BoolArray, FloatArray, IntArray
from ...stats.estimate import Estimate
from ...stats.intervals import proportion
from .cells import tally
from .grid import Grid
from .human import HumanRow, PlanName
from .key import PlanKey, PlanNumbers
from .match_score import match
from .ranking import compared_numbers
from .record_bootstrap import Resample

__all__ = ["human_numbers", "plans_read", "second_reference"]

NOTHING = "nobody has said anything"


def human_numbers(grid: Grid, rows: Sequence[HumanRow], *, n_resamples: int) -> PlanNumbers:
    """Return agreement with the reference by metric and topology, and judges against both.

    The alignment of a judge with people is that on the plans of the study with human values
    in place of the programmatic ones; ρ compares the two rankings of judges. Plans without
    a judge's verdict count for agreement alone.
    """
    numbers = _agreement(rows)
    before = plans_read(grid, rows)
    if not len(before):
        return numbers
    after = second_reference(grid, rows)
    resample = Resample.of(before, n_resamples)
    programmatic, human = (
        tally(one, match(one.reference, one.verdict), resample) for one in (before, after)
    )
    names = ("programmatic", "people", "difference")
    return numbers | compared_numbers("human", programmatic, human, names)


def plans_read(grid: Grid, rows: Sequence[HumanRow]) -> Grid:
    """Return the verdicts on the plans that people read."""
    return grid.take(_line_of(grid, rows) >= 0)


def second_reference(grid: Grid, rows: Sequence[HumanRow]) -> Grid:
    """Return the same verdicts with the values of people as their reference."""
    line = _line_of(grid, rows)
    kept = grid.take(line >= 0)
    values: FloatArray = np.array([row.values for row in rows]).reshape(-1, len(METRICS))
    return replace(kept, reference=values[line[line >= 0]])


def _line_of(grid: Grid, rows: Sequence[HumanRow]) -> IntArray:
    """Return for every row of the grid the number of the human row about its plan, or -1."""
    line = {row.plan: number for number, row in enumerate(rows)}
    columns = [grid.of(factor) for factor in PlanName._fields]
    plans = zip(*(column.texts() for column in columns), strict=True)
    return np.array([line.get(PlanName(*plan), -1) for plan in plans], dtype=np.int64)


def _agreement(rows: Sequence[HumanRow]) -> PlanNumbers:
    agrees = np.array([row.agrees for row in rows], dtype=np.bool_).reshape(-1, len(METRICS))
    key = PlanKey("human", "agrees")
    numbers = {
        key._replace(metric=metric): _share(agrees[:, place])
        for place, metric in enumerate(METRICS)
    }
    numbers[key] = _share(agrees)
    topologies = [row.plan.topology for row in rows]
    for name in dict.fromkeys(topologies):
        own = agrees[[topology == name for topology in topologies]]
        numbers[key._replace(topology=name)] = _share(own)
    return numbers


def _share(agrees: BoolArray) -> Estimate:
    return proportion(int(agrees.sum()), int(agrees.size), NOTHING)

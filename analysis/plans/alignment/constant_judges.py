"""Floors: the alignment of judges that do not look, from the reference alone.

A judge that always says v has 1 − |p − v| on a plan: p for 1 (the accuracy of the
generator itself), 1 − p for 0, 1 − |p − ½| for ½. One that draws from {0, ½, 1} with
equal chances has their mean in expectation, (2 − |p − ½|) / 3, and so at least one half.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ...data.columns import Coded, FloatArray, IntArray
from ...stats.estimate import Estimate
from .cells import Cells, Weighting, tally
from .grid import Grid
from .marginals import crossed_numbers
from .match_score import SCALE, units
from .record_bootstrap import Resample

__all__ = ["FLOORS", "accuracy_numbers", "expected", "expected_binary", "floor_cells"]

FLOORS = ("always 1", "always 0.5", "always 0", "random")
NOBODY = "nobody"

Scores = Callable[[FloatArray], dict[str, IntArray]]


def expected(reference: FloatArray) -> dict[str, IntArray]:
    """Return the expected match score of each floor, in units, of the shape of the reference."""
    p = units(reference)
    off_half = np.abs(p - SCALE // 2)
    random = np.rint((2 * SCALE - off_half) / 3).astype(np.int64)
    return dict(zip(FLOORS, (p, SCALE - off_half, SCALE - p, random), strict=True))


def expected_binary(reference: FloatArray) -> dict[str, IntArray]:
    """Return the same after the binary collapse, in which ½ goes to the reference's side.

    The judge that always says ½ then has max(p, 1 − p): more than any that says 0 or 1.
    """
    p = units(reference)
    near = np.maximum(p, SCALE - p)
    random = np.rint((SCALE + near) / 3).astype(np.int64)
    return dict(zip(FLOORS, (p, near, SCALE - p, random), strict=True))


def floor_cells(grid: Grid, resample: Resample, scores_of: Scores = expected) -> Cells:
    """Return the cells of all floors, as judges of every plan that anybody judged there."""
    _, first = np.unique(grid.key("record", "generator", "tier", "condition"), return_index=True)
    plans = grid.take(first)
    scores = scores_of(plans.reference)
    judge = np.repeat(np.arange(len(FLOORS)), len(plans))
    every = plans.take(np.tile(np.arange(len(plans)), len(FLOORS)))
    every = replace(every, judge=Coded(FLOORS, judge))
    return tally(every, np.concatenate([scores[name] for name in FLOORS]), resample)


def accuracy_numbers(grid: Grid, resample: Resample) -> dict[str, Estimate]:
    """Return the accuracy p of each generator, over the plans that anybody judged.

    By tier also with every topology counting the same, as the paper's Table 11 has it.
    """
    _, first = np.unique(grid.key("record", "generator", "tier"), return_index=True)
    plans = grid.take(first)
    nobody = Coded((NOBODY,), np.zeros(len(plans), dtype=np.int64))
    plans = replace(plans, judge=nobody, condition=nobody)
    cells = tally(plans, units(plans.reference), resample)
    found: dict[str, Estimate] = {}
    for by in (("generator",), ("generator", "metric"), ("generator", "tier")):
        found |= crossed_numbers("accuracy", cells, by)
    by_topology = Weighting.TOPOLOGIES
    return found | crossed_numbers(
        f"accuracy/by-{by_topology}", cells, ("generator", "tier"), weighting=by_topology
    )

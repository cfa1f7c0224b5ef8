"""Floors: the alignment of judges whose verdict is constant or random, from the reference alone.

A judge that always answers v has 1 − |p − v| on a plan: p for 1 (the accuracy of the
generator itself), 1 − p for 0, 1 − |p − ½| for ½. One that draws from {0, ½, 1} with
equal chances has their mean in expectation, (2 − |p − ½|) / 3, and so at least one half.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from faultpair.judges.baselines import CONSTANT_GRADES

from ...data.columns import Coded, FloatArray, IntArray
from .cells import Cells, Weighting, tally
from .grid import Grid
from .key import PlanKey, PlanNumbers
from .marginals import marginal_numbers
from .match_score import SCALE, units
from .record_bootstrap import Resample

__all__ = ["accuracy_numbers", "constant_judge_cells", "expected_binary"]

NO_JUDGE = "none"

Scores = Callable[[FloatArray], dict[str, IntArray]]


def expected(reference: FloatArray) -> dict[str, IntArray]:
    """Return the expected match score of each constant judge, in units, shaped as the reference."""
    p = units(reference)
    off_half = np.abs(p - SCALE // 2)
    random = np.rint((2 * SCALE - off_half) / 3).astype(np.int64)
    return dict(zip(CONSTANT_GRADES, (p, SCALE - off_half, SCALE - p, random), strict=True))


def expected_binary(reference: FloatArray) -> dict[str, IntArray]:
    """Return the same after the binary collapse, in which ½ goes to the reference's side.

    The judge that always answers ½ then has max(p, 1 − p): more than one that answers 0 or 1.
    """
    p = units(reference)
    near = np.maximum(p, SCALE - p)
    random = np.rint((SCALE + near) / 3).astype(np.int64)
    return dict(zip(CONSTANT_GRADES, (p, near, SCALE - p, random), strict=True))


def constant_judge_cells(grid: Grid, resample: Resample, scores_of: Scores = expected) -> Cells:
    """Return the cells of all constant judges, on every plan that some judge judged there."""
    _, first = np.unique(grid.key("record", "generator", "tier", "condition"), return_index=True)
    plans = grid.take(first)
    scores = scores_of(plans.reference)
    judge = np.repeat(np.arange(len(CONSTANT_GRADES)), len(plans))
    every = plans.take(np.tile(np.arange(len(plans)), len(CONSTANT_GRADES)))
    every = replace(every, judge=Coded(CONSTANT_GRADES, judge))
    return tally(every, np.concatenate([scores[name] for name in CONSTANT_GRADES]), resample)


def accuracy_numbers(grid: Grid, resample: Resample) -> PlanNumbers:
    """Return the accuracy p of each generator, over the plans that some judge judged.

    By tier also with every topology counting the same, as the paper's Table 11 has it.
    """
    _, first = np.unique(grid.key("record", "generator", "tier"), return_index=True)
    plans = grid.take(first)
    none = Coded((NO_JUDGE,), np.zeros(len(plans), dtype=np.int64))
    plans = replace(plans, judge=none, condition=none)
    cells = tally(plans, units(plans.reference), resample)
    numbers: PlanNumbers = {}
    for by in (("generator",), ("generator", "metric"), ("generator", "tier")):
        numbers |= marginal_numbers(PlanKey("accuracy"), cells, by)
    by_topology = Weighting.TOPOLOGIES
    key = PlanKey("accuracy", f"by-{by_topology}")
    return numbers | marginal_numbers(key, cells, ("generator", "tier"), weighting=by_topology)

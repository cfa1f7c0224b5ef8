"""Repeatability: how far the passes of one judge over the same runs agree.

Only runs that every pass scored are counted, and of runs that share one answer only the
one whose request was sent. A *flip* is a further pass that decides otherwise than the
first, on which all other tables rest. The SD of Δ is over passes, with n − 1.
"""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations

import numpy as np

from ..data.columns import BoolArray, IntArray
from ..data.study_data import StudyData
from ..data.verdicts import Series, Verdicts
from ..stats.estimate import count, point, undefined
from ..stats.intervals import delta_estimate, share
from ..stats.passes import delta_over_passes
from .detection import share_of
from .groups import reached
from .key import NumberKey, Numbers
from .pairs import NO_PAIR, PairDesign, clustered, outcomes_in

__all__ = ["identical_pairs", "pass_key", "passes_of", "repeatability_numbers"]

NO_RUN = "no run was scored in every pass"
OVER_PASSES = "over passes"


def passes_of(study: StudyData, judge: str) -> Verdicts:
    """Return every pass of a judge, in their order."""
    series = enumerate(study.passes.series)
    return study.passes.take(row for row, one in series if one.judge_id == judge)


def pass_key(series: Series) -> NumberKey:
    """Return the key of Δ of one pass."""
    return NumberKey("noise/delta", series.name)


def repeatability_numbers(study: StudyData, design: PairDesign, judge: int) -> Numbers:
    """Return agreement and Δ of the passes of a judge that has several; else nothing."""
    passes = passes_of(study, study.judges[judge])
    if len(passes.series) < 2:
        return {}
    return _agreement(study, passes) | _deltas(study, design, passes)


def identical_pairs(study: StudyData, judge: int) -> Numbers:
    """Return the share of equal verdicts among the pairs whose two pages are equal.

    Only pairs with a request for each side count. Nothing for a judge whose view is not
    known, or shows every fault unlike its parent.
    """
    verdicts, fault, parent = study.verdicts, study.fault, study.parent
    reach = reached(study.runs, verdicts.view[judge], fault, parent)
    if reach is None or reach.all():
        return {}
    scored, shared = verdicts.scored[judge], verdicts.shared[judge]
    asked = ~reach & scored[fault] & scored[parent] & ~shared[fault] & ~shared[parent]
    same = asked.copy()
    decision = (verdicts.flagged, verdicts.step, verdicts.named.codes, verdicts.rationale)
    for column in decision:
        same &= column[judge][fault] == column[judge][parent]
    sure = verdicts.confidence[judge]
    # Two verdicts without a confidence agree in it, although NaN is unequal to itself.
    same &= (sure[fault] == sure[parent]) | (np.isnan(sure[fault]) & np.isnan(sure[parent]))
    nothing = "no pair that looks alike was asked about twice"
    instances = study.runs.instance
    n_same, n_asked = (
        np.bincount(instances.codes[fault[rows]], minlength=len(instances.names)).astype(np.int64)
        for rows in (same, asked)
    )
    return {NumberKey("identical-pairs"): share(n_same, n_asked, nothing)}


def _agreement(study: StudyData, passes: Verdicts) -> Numbers:
    rows: BoolArray = np.logical_and.reduce(passes.scored & ~passes.shared)
    flags, k = passes.flagged, len(passes.series)
    flips = (flags[1:] != flags[0]).sum(axis=0)
    alike = sum(
        ((flags[one] == flags[other]).astype(np.int64) for one, other in combinations(range(k), 2)),
        np.zeros(len(rows), np.int64),
    )
    runs = study.by_instance(rows)
    counts = {"agreement": (alike, math.comb(k, 2)), "flips": (flips, k - 1)}
    return {NumberKey("noise/same"): share_of(study, rows, flips == 0, NO_RUN)} | {
        NumberKey(f"noise/{name}"): replace(
            share(study.by_instance(rows, values), most * runs, NO_RUN), n=int(rows.sum())
        )
        for name, (values, most) in counts.items()
    }


def _deltas(study: StudyData, design: PairDesign, passes: Verdicts) -> Numbers:
    """Return Δ of each pass over the pairs that every pass judged, and over all passes."""
    every = [outcomes_in(study, passes, row) for row in range(len(passes.series))]
    rows = np.logical_and.reduce([outcomes.judged for outcomes in every])
    numbers: Numbers = {}
    deltas: list[float] = []
    for series, outcomes in zip(passes.series, every, strict=True):
        pairs = clustered(design, outcomes, rows)
        numbers[pass_key(series)] = delta = delta_estimate(pairs, NO_PAIR)
        if delta.estimate is not None:
            deltas.append(delta.estimate)
    difference = np.array([outcomes.difference[rows] for outcomes in every])
    return numbers | _spread(deltas) | _over_passes(design, rows, difference)


def _spread(deltas: list[float]) -> Numbers:
    keys = [NumberKey(f"noise/delta-{name}") for name in ("least", "largest", "sd")]
    if not deltas:
        return {key: undefined(NO_PAIR) for key in keys}
    n = len(deltas)
    mean = math.fsum(deltas) / n
    sd = math.sqrt(math.fsum((delta - mean) ** 2 for delta in deltas) / (n - 1))
    return {
        key: point(value, n, OVER_PASSES, "a few passes")
        for key, value in zip(keys, (min(deltas), max(deltas), sd), strict=True)
    }


def _over_passes(design: PairDesign, rows: BoolArray, difference: IntArray) -> Numbers:
    """Return Δ over passes, the parts of its variance, and what a pass or an instance buys.

    A further pass asks about every run of the pairs once; a further instance has as many runs
    as one has on average, and asks about each in every pass.
    """
    found = delta_over_passes(design.unit[rows], difference, design.n_units)
    runs = len(np.union1d(design.fault[rows], design.parent[rows]))
    instances = len(np.unique(design.unit[rows]))
    calls = round(runs * len(difference) / instances) if instances else 0
    numbers = {
        "delta-mean": found.delta,
        "judge-sd": found.judge_sd,
        "instance-sd": found.instance_sd,
        "error": found.error,
        "error/one-more-pass": found.one_more_pass,
        "error/one-more-instance": found.one_more_instance,
        "calls/one-more-pass": count(runs, runs),
        "calls/one-more-instance": count(calls, runs),
    }
    return {NumberKey(f"noise/{name}"): number for name, number in numbers.items()}

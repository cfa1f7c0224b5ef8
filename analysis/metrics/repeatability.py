"""Repeatability: how far the passes of one judge over the same runs agree.

Only runs that every pass scored are counted, and of runs that share one answer only the
one whose request was sent. A *flip* is a further pass that decides otherwise than the
first, on which all other tables rest. The SD of Δ is over passes, with n − 1.
"""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np

from ..data.columns import BoolArray, IntArray
from ..data.study_data import StudyData
from ..data.verdicts import Series, Verdicts
from ..stats.bootstrap import Replicates, UnitColumns, ratio
from ..stats.estimate import Estimate, point, undefined
from ..stats.intervals import SCORE, from_replicates, proportion
from ..stats.paired_difference import score_interval
from .detection import BY_CELLS
from .groups import design_cells
from .key import NumberKey, Numbers
from .pairs import NO_PAIR, PairDesign, clustered, outcomes_in
from .reach import reached

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


def repeatability_numbers(
    study: StudyData, design: PairDesign, judge: int, n_resamples: int
) -> Numbers:
    """Return agreement and Δ of the passes of a judge that has several; else nothing."""
    passes = passes_of(study, study.judges[judge])
    if len(passes.series) < 2:
        return {}
    return _agreement(study, passes, n_resamples) | _deltas(study, design, passes)


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
    return {NumberKey("identical-pairs"): proportion(int(same.sum()), int(asked.sum()), nothing)}


def _agreement(study: StudyData, passes: Verdicts, n_resamples: int) -> Numbers:
    rows: BoolArray = np.logical_and.reduce(passes.scored & ~passes.shared)
    flags, k = passes.flagged, len(passes.series)
    flips = (flags[1:] != flags[0]).sum(axis=0)
    alike = sum(
        ((flags[one] == flags[other]).astype(np.int64) for one, other in combinations(range(k), 2)),
        np.zeros(len(rows), np.int64),
    )
    n = int(rows.sum())
    counts = {"agreement": (alike, math.comb(k, 2)), "flips": (flips, k - 1)}
    return {
        NumberKey("noise/same"): proportion(int((rows & (flips == 0)).sum()), n, NO_RUN),
        **{
            NumberKey(f"noise/{name}"): from_replicates(share, BY_CELLS)
            for name, share in _shares(study, rows, counts, n_resamples).items()
        },
    }


def _shares(
    study: StudyData, rows: BoolArray, counts: dict[str, tuple[IntArray, int]], n_resamples: int
) -> dict[str, Replicates]:
    """Return counts of each run over what they could be at most, under resamples of the runs."""
    columns = UnitColumns(len(rows))
    columns.add("runs", rows)
    for name, (values, _) in counts.items():
        columns.add(name, np.where(rows, values, 0))
    strata = design_cells(study.runs).codes
    sums = columns.sums(strata, purpose="runs", n_resamples=n_resamples)
    n = int(rows.sum())
    return {
        name: Replicates(ratio(sums[name], sums["runs"] * most), n, NO_RUN)
        for name, (_, most) in counts.items()
    }


def _deltas(study: StudyData, design: PairDesign, passes: Verdicts) -> Numbers:
    """Return Δ of each pass over the pairs that every pass judged, and how far they spread."""
    every = [outcomes_in(study, passes, row) for row in range(len(passes.series))]
    rows = np.logical_and.reduce([outcomes.judged for outcomes in every])
    numbers: Numbers = {}
    deltas: list[float] = []
    for series, outcomes in zip(passes.series, every, strict=True):
        pairs = clustered(design, outcomes, rows)
        if pairs.n == 0:
            numbers[pass_key(series)] = undefined(NO_PAIR)
            continue
        delta = Estimate(pairs.delta, *score_interval(pairs), pairs.n, SCORE)
        numbers[pass_key(series)] = delta
        deltas.append(pairs.delta)
    return numbers | _spread(deltas)


def _spread(deltas: list[float]) -> Numbers:
    keys = [NumberKey(f"noise/delta-{name}") for name in ("mean", "least", "largest", "sd")]
    if not deltas:
        return {key: undefined(NO_PAIR) for key in keys}
    n = len(deltas)
    mean = math.fsum(deltas) / n
    sd = math.sqrt(math.fsum((delta - mean) ** 2 for delta in deltas) / (n - 1))
    return {
        key: point(value, n, OVER_PASSES, "a few passes")
        for key, value in zip(keys, (mean, min(deltas), max(deltas), sd), strict=True)
    }

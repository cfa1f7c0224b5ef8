"""Noise: what a judge says of the same run when it is asked again.

Only runs that every pass scored are counted, and of runs that share one answer only the
one that was asked about. A *flip* is a further pass that decides otherwise than the
first, on which all other tables rest. The SD of Δ is over passes, with n − 1.
"""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np

from ..data.columns import BoolArray, IntArray
from ..data.study_data import StudyData
from ..data.verdicts import Verdicts
from ..stats.bootstrap import Replicates, UnitColumns, ratio
from ..stats.delta import SCORE
from ..stats.estimate import Estimate, undefined
from ..stats.intervals import from_draws, proportion
from ..stats.paired_difference import score_interval
from .detection import BY_CELLS
from .groups import design_cells
from .pairs import NO_PAIR, PairDesign, clustered, fates_in
from .reach import reached

__all__ = ["identical_pairs", "noise_numbers", "passes_of"]

NO_RUN = "no run was scored in every pass"
OVER_PASSES = "over passes"


def passes_of(study: StudyData, judge: str) -> Verdicts:
    """Return every pass of a judge, in their order."""
    series = enumerate(study.passes.series)
    return study.passes.take(row for row, one in series if one.judge_id == judge)


def noise_numbers(
    study: StudyData, design: PairDesign, judge: int, n_resamples: int
) -> dict[str, Estimate]:
    """Return agreement and Δ of the passes of a judge that has several; else nothing."""
    passes = passes_of(study, study.judges[judge])
    if len(passes.series) < 2:
        return {}
    return _agreement(study, passes, n_resamples) | _deltas(study, design, passes)


def identical_pairs(study: StudyData, judge: int) -> dict[str, Estimate]:
    """Return how many pairs that look alike got one verdict to the letter, each side asked.

    Nothing for a judge whose view is not known, or tells every fault from its parent.
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
    same &= (sure[fault] == sure[parent]) | (np.isnan(sure[fault]) & np.isnan(sure[parent]))
    nothing = "no pair that looks alike was asked about twice"
    return {"identical-pairs": proportion(int(same.sum()), int(asked.sum()), nothing)}


def _agreement(study: StudyData, passes: Verdicts, n_resamples: int) -> dict[str, Estimate]:
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
        "noise/same": proportion(int((rows & (flips == 0)).sum()), n, NO_RUN),
        **{
            f"noise/{name}": from_draws(drawn, BY_CELLS)
            for name, drawn in _shares(study, rows, counts, n_resamples).items()
        },
    }


def _shares(
    study: StudyData, rows: BoolArray, counts: dict[str, tuple[IntArray, int]], n_resamples: int
) -> dict[str, Replicates]:
    """Return counts of each run over what they could be at most, under resamples of the runs."""
    ledger = UnitColumns(len(rows))
    ledger.add("runs", rows)
    for name, (values, _) in counts.items():
        ledger.add(name, np.where(rows, values, 0))
    strata = design_cells(study.runs).codes
    sums = ledger.sums(strata, purpose="runs", n_resamples=n_resamples)
    n = int(rows.sum())
    return {
        name: Replicates(ratio(sums[name], sums["runs"] * most), n, NO_RUN)
        for name, (_, most) in counts.items()
    }


def _deltas(study: StudyData, design: PairDesign, passes: Verdicts) -> dict[str, Estimate]:
    """Return Δ of each pass over the pairs that every pass judged, and how far they spread."""
    every = [fates_in(study, passes, row) for row in range(len(passes.series))]
    rows = np.logical_and.reduce([fates.judged for fates in every])
    found: dict[str, Estimate] = {}
    deltas: list[float] = []
    for series, fates in zip(passes.series, every, strict=True):
        pairs = clustered(design, fates, rows)
        name = f"noise/delta/{series.sample}.{series.repeat}"
        if pairs.n == 0:
            found[name] = undefined(NO_PAIR)
            continue
        found[name] = Estimate(pairs.delta, *score_interval(pairs), pairs.n, SCORE)
        deltas.append(pairs.delta)
    return found | _spread(deltas)


def _spread(deltas: list[float]) -> dict[str, Estimate]:
    names = ("mean", "least", "largest", "sd")
    if not deltas:
        return {f"noise/delta-{name}": undefined(NO_PAIR) for name in names}
    n = len(deltas)
    mean = math.fsum(deltas) / n
    sd = math.sqrt(math.fsum((delta - mean) ** 2 for delta in deltas) / (n - 1))
    return {
        f"noise/delta-{name}": Estimate(value, None, None, n, OVER_PASSES, "a few passes")
        for name, value in zip(names, (mean, min(deltas), max(deltas), sd), strict=True)
    }

"""Variants: Δ of a fault type planted in several wordings, with the wording as unit of sampling.

Fifty faults in four wordings are a sample of four wordings; resampling wordings estimates
how far Δ would move with other ones.
"""

from __future__ import annotations

import numpy as np

from ..data.columns import IntArray
from ..data.study_data import StudyData
from ..stats.bootstrap import Replicates, UnitColumns, ratio
from ..stats.intervals import from_replicates
from .key import Group, NumberKey, Numbers
from .pairs import NO_PAIR, PairDesign, PairOutcomes

__all__ = ["BY_WORDING", "variant_numbers"]

BY_WORDING = "delta-by-wording"
METHOD = "percentile bootstrap over wordings"


def variant_numbers(
    study: StudyData, design: PairDesign, outcomes: list[PairOutcomes], n_resamples: int
) -> Numbers:
    """Return Δ by type, clustered by wording, for every type that has several."""
    numbers: Numbers = {}
    variant = study.runs.variant.codes[design.fault]
    for kind in study.runs.failure_type.names:
        rows = study.runs.failure_type.where(kind)[design.fault] & (variant >= 0)
        wordings, unit = np.unique(variant[rows], return_inverse=True)
        if len(wordings) < 2:
            continue
        deltas = _by_wording(rows.nonzero()[0], unit, outcomes, n_resamples)
        for judge, delta in zip(study.judges, deltas, strict=True):
            key = NumberKey(BY_WORDING, Group("type", kind), judge=judge)
            numbers[key] = from_replicates(delta, METHOD)
    return numbers


def _by_wording(
    pairs: IntArray, unit: IntArray, outcomes: list[PairOutcomes], n_resamples: int
) -> list[Replicates]:
    n_units = int(unit.max()) + 1
    columns = UnitColumns(n_units)
    for judge, own in enumerate(outcomes):
        judged = own.judged[pairs]
        total = np.bincount(unit[judged], own.difference[pairs][judged], minlength=n_units)
        columns.add((judge, "difference"), total.astype(np.int64))
        columns.add((judge, "pairs"), np.bincount(unit[judged], minlength=n_units))
    sums = columns.sums(purpose="wordings", n_resamples=n_resamples)
    sides = ((sums[judge, "difference"], sums[judge, "pairs"]) for judge in range(len(outcomes)))
    return [Replicates(ratio(total, n), int(n[0]), NO_PAIR) for total, n in sides]

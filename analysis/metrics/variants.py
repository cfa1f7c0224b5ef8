"""Wordings: a fault type written in several forms, with the form as the unit of sampling.

Fifty faults in four wordings are four draws, not fifty, if what counts is the
wording; resampling wordings says how far Δ would move with other ones.
"""

from __future__ import annotations

import numpy as np

from ..data.columns import IntArray
from ..data.study_data import StudyData
from ..stats.bootstrap import Replicates, UnitColumns, ratio
from ..stats.estimate import Estimate
from ..stats.intervals import from_draws
from .pairs import NO_PAIR, PairDesign, PairOutcomes

__all__ = ["wording_numbers"]

METHOD = "percentile bootstrap over wordings"


def wording_numbers(
    study: StudyData, design: PairDesign, fates: list[PairOutcomes], n_resamples: int
) -> dict[str, Estimate]:
    """Return Δ by type, clustered by wording, for every type that has several."""
    found: dict[str, Estimate] = {}
    variant = study.runs.variant.codes[design.fault]
    for kind in study.runs.failure_type.names:
        rows = study.runs.failure_type.where(kind)[design.fault] & (variant >= 0)
        wordings, unit = np.unique(variant[rows], return_inverse=True)
        if len(wordings) < 2:
            continue
        numbers = _by_wording(rows.nonzero()[0], unit, fates, n_resamples)
        for judge, drawn in zip(study.judges, numbers, strict=True):
            name = f"{judge}/delta-by-wording/type={kind}"
            found[name] = from_draws(drawn, METHOD)
    return found


def _by_wording(
    pairs: IntArray, unit: IntArray, fates: list[PairOutcomes], n_resamples: int
) -> list[Replicates]:
    n_units = int(unit.max()) + 1
    ledger = UnitColumns(n_units)
    for judge, fate in enumerate(fates):
        judged = fate.judged[pairs]
        total = np.bincount(unit[judged], fate.difference[pairs][judged], minlength=n_units)
        ledger.add((judge, "difference"), total.astype(np.int64))
        ledger.add((judge, "pairs"), np.bincount(unit[judged], minlength=n_units))
    strata = np.zeros(n_units, np.int64)
    sums = ledger.sums(strata, purpose="wordings", n_resamples=n_resamples)
    return [
        Replicates(
            ratio(sums[judge, "difference"], sums[judge, "pairs"]),
            int(sums[judge, "pairs"][0]),
            NO_PAIR,
        )
        for judge in range(len(fates))
    ]

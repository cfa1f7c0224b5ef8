"""What stands beside the Δ of the judged: its other readings, coverage, and controls."""

from __future__ import annotations

import numpy as np

from ..data.study_data import StudyData
from ..metrics.cost import NO_CONTROL
from ..stats.estimate import NO_PAIR, Estimate, undefined
from ..stats.intervals import delta_estimate, gap, share
from ..stats.readings import Reading, asked
from .verdicts_on_pairs import PairVerdicts
from .weights import weighted_delta

__all__ = ["adjusted_delta", "coverage", "delta_in", "weighted"]


def delta_in(said: PairVerdicts, reading: Reading) -> Estimate:
    """Return Δ of all pairs in a reading."""
    return delta_estimate(said.clustered(reading), NO_PAIR)


def coverage(said: PairVerdicts) -> Estimate:
    """Return the share of the pairs that were asked about of which both sides are scored."""
    n, unit = len(said.unit.names), said.unit.codes
    is_asked = asked(said.fault, said.parent)
    is_whole = is_asked & (said.fault >= 0) & (said.parent >= 0)
    whole, every = (np.bincount(unit[rows], minlength=n) for rows in (is_whole, is_asked))
    return share(whole, every, "no pair was asked about")


def weighted(said: PairVerdicts, reading: Reading) -> Estimate | None:
    """Return Δ with each pair as often as its weight says; None if all weights are equal."""
    if not len(said.weight) or (said.weight == said.weight[0]).all():
        return None
    difference, counts = said.differences(reading)
    unit, weight = said.unit.codes[counts], said.weight[counts]
    return weighted_delta(unit, difference[counts], weight, len(said.unit.names))


def adjusted_delta(
    study: StudyData, judge: int, said: PairVerdicts, deltas: tuple[Estimate, Estimate]
) -> Estimate:
    """Return the judged Δ minus control-Δ, which share clean runs; ``deltas`` holds both."""
    judged, control_delta = deltas
    if control_delta.estimate is None:
        return undefined(control_delta.reason or NO_CONTROL)
    scored, flagged = study.verdicts.scored[judge], study.verdicts.flagged[judge]
    runs, parent = study.runs, study.runs.parent
    rows = (runs.control.codes >= 0) & (parent >= 0) & scored & scored[parent]
    change = flagged.astype(np.int64) - flagged[parent]
    of_controls = study.by_instance(rows, change), study.by_instance(rows)
    difference, counts = said.differences(Reading.JUDGED)
    unit, n = said.unit.codes, len(said.unit.names)
    sums = np.bincount(unit, difference, minlength=n).astype(np.int64)
    sizes = np.bincount(unit[counts], minlength=n)
    return gap(judged, control_delta, ((sums, sizes), of_controls), NO_CONTROL)

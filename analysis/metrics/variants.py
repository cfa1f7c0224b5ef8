"""Variants: Δ of a fault type planted in several wordings, with the wording as unit of sampling.

Fifty faults in four wordings are a sample of four wordings, which is too few to say how far
Δ would move with other ones: there is an interval from ten wordings on.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..data.study_data import StudyData
from ..stats.estimate import Estimate
from ..stats.intervals import delta_estimate
from ..stats.paired_difference import Clustered
from .key import Group, NumberKey, Numbers
from .pairs import NO_PAIR, PairDesign, PairOutcomes

__all__ = ["BY_WORDING", "variant_numbers"]

BY_WORDING = "delta-by-wording"


def variant_numbers(study: StudyData, design: PairDesign, outcomes: list[PairOutcomes]) -> Numbers:
    """Return Δ by type, clustered by wording, for every type that has several."""
    numbers: Numbers = {}
    variant = study.runs.variant.codes[design.fault]
    for kind in study.runs.failure_type.names:
        rows = study.runs.failure_type.where(kind)[design.fault] & (variant >= 0)
        if len(np.unique(variant[rows])) < 2:
            continue
        for judge, own in zip(study.judges, outcomes, strict=True):
            judged = rows & own.judged
            n_wordings = len(study.runs.variant.names)
            pairs = Clustered.of(variant[judged], own.difference[judged], n_wordings)
            key = NumberKey(BY_WORDING, Group("type", kind), judge=judge)
            numbers[key] = _of_wordings(delta_estimate(pairs, NO_PAIR))
    return numbers


def _of_wordings(number: Estimate) -> Estimate:
    """Name the unit: what `delta_estimate` calls instances are wordings here."""
    reason = number.reason and number.reason.replace("instance", "wording")
    return replace(number, method=number.method.replace("instances", "wordings"), reason=reason)

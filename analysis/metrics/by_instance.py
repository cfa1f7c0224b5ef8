"""Runs counted by instance, and shares of them with their interval."""

from __future__ import annotations

import numpy as np

from ..data.columns import BoolArray, IntArray
from ..data.study_data import StudyData
from ..stats.estimate import Estimate
from ..stats.intervals import delta_estimate, share
from ..stats.paired_difference import Clustered

__all__ = ["counted", "difference_of_flags", "share_of"]


def counted(study: StudyData, rows: BoolArray, values: IntArray | None = None) -> IntArray:
    """Return, for every instance, how many of these runs it has, or the sum of their values."""
    instance = study.runs.instance
    weights = None if values is None else values[rows]
    counts = np.bincount(instance.codes[rows], weights, minlength=len(instance.names))
    return counts.astype(np.int64)


def share_of(study: StudyData, rows: BoolArray, yes: BoolArray, reason: str) -> Estimate:
    """Return the share of these runs for which something is true; undefined without a run."""
    return share(counted(study, rows & yes), counted(study, rows), reason)


def difference_of_flags(
    study: StudyData, rows: BoolArray, one: BoolArray, other: BoolArray, reason: str
) -> Estimate:
    """Return the share for which one thing is true minus that of another, on the same runs."""
    difference = one.astype(np.int64) - other
    instance = study.runs.instance
    pairs = Clustered.of(instance.codes[rows], difference[rows], len(instance.names))
    return delta_estimate(pairs, reason)

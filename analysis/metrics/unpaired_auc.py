"""Unpaired AUC: is the score of a fault above that of a clean run, any clean run?

U / (faults × clean runs), with U the Mann-Whitney count of fault and clean run of which
the fault has the higher score, ties half. Faults and clean runs of one instance are
alike, so instances are what is drawn; where there are very many, the interval is that of
the standard error between them, which then says the same and takes no resamples.

References
----------
Mann and Whitney (1947), Ann. Math. Statist. 18, 50-60; Hanley and McNeil (1982),
Radiology 143, 29-36; Obuchowski (1997), Biometrics 53, 567-578, for clusters.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..data.columns import BoolArray, FloatArray, IntArray
from ..data.study_data import StudyData
from ..stats.bootstrap import Replicates, draws, ratio, raw_words
from ..stats.delta import BY_INSTANCE
from ..stats.estimate import Estimate
from ..stats.intervals import from_draws
from ..stats.paired_difference import Z

__all__ = ["by_standard_error", "unpaired_aucs"]

MANY = 1_000
"""Instances from which on none are drawn."""

BY_ERROR = "standard error between instances"
CONSTANT = "no interval: every instance adds the same"
NOTHING = "no such fault, or no clean run, has a score"


@dataclass(frozen=True, slots=True)
class Field:
    """The runs that are ranked against each other.

    ``fault_unit`` and ``clean_unit`` are the drawn instances, clean runs in the order of
    their scores. ``below`` and ``level`` count, for each fault, the clean runs with a
    lower score, and with one that is no higher. ``members`` are the groups of the faults.
    """

    fault_unit: IntArray
    clean_unit: IntArray
    below: IntArray
    level: IntArray
    members: FloatArray
    n_units: int

    def aucs(self, times: FloatArray) -> FloatArray:
        """Return the AUC of each group, each instance taken so many times; shape (…, groups)."""
        fault, clean = times[:, self.fault_unit], times[:, self.clean_unit]
        upto = np.zeros((len(times), clean.shape[1] + 1))
        np.cumsum(clean, axis=1, out=upto[:, 1:])
        won = fault * (upto[:, self.below] + upto[:, self.level]) / 2
        return ratio(won @ self.members, (fault @ self.members) * upto[:, -1:])


def unpaired_aucs(
    study: StudyData, judge: int, groups: dict[str, BoolArray], n_resamples: int
) -> dict[str, Estimate]:
    """Return the unpaired AUC of the faults of each group of runs against all clean runs."""
    field = _field(study, judge, groups)
    n_clean, size = len(field.clean_unit), field.members.sum(axis=0).astype(np.int64)
    values = np.full((1 + n_resamples, len(groups)), np.nan)
    if field.n_units:
        values[0] = field.aucs(np.ones((1, field.n_units)))[0]
    is_drawn = 0 < field.n_units <= MANY
    if is_drawn:
        words = raw_words("bootstrap", "auc")
        for block, times in draws(words, np.arange(field.n_units), n_resamples):
            values[1:][block] = field.aucs(times)
    found: dict[str, Estimate] = {}
    for place, name in enumerate(groups):
        own = Replicates(values[:, place], int(size[place]) + n_clean, NOTHING)
        is_known = is_drawn or np.isnan(own.values[0])
        found[f"auc-unpaired/{name}"] = (
            from_draws(own, BY_INSTANCE) if is_known else by_standard_error(field, place, own)
        )
    return found


def by_standard_error(field: Field, group: int, number: Replicates) -> Estimate:
    """Return AUC ± z · standard error, each instance adding what its runs add to the AUC.

    An instance adds Σ (below − A) over its faults, of the clean runs the share with a
    lower score, and Σ (above − A) over its clean runs, each over the runs of its kind.
    """
    auc, n_clean = float(number.values[0]), len(field.clean_unit)
    own = field.members[:, group] > 0
    unit, twice_below = field.fault_unit[own], (field.below + field.level)[own]
    n_fault = len(unit)
    # Clean run j has fault i above it if j < below, and beside it if below <= j < level.
    ends = [np.bincount(end[own], minlength=n_clean + 1) for end in (field.below, field.level)]
    twice_above = sum(n_fault - np.cumsum(end)[:n_clean] for end in ends)
    won = np.bincount(unit, twice_below, minlength=field.n_units)
    won += np.bincount(field.clean_unit, twice_above, minlength=field.n_units)
    faults = np.bincount(unit, minlength=field.n_units) / n_fault
    cleans = np.bincount(field.clean_unit, minlength=field.n_units) / n_clean
    added = won / (2 * n_fault * n_clean) - auc * (faults + cleans)
    n = field.n_units
    reach = Z * math.sqrt(n / (n - 1) * math.fsum(added**2))
    if reach == 0:
        return Estimate(auc, None, None, number.n, BY_ERROR, CONSTANT)
    return Estimate(auc, max(0.0, auc - reach), min(1.0, auc + reach), number.n, BY_ERROR)


def _field(study: StudyData, judge: int, groups: dict[str, BoolArray]) -> Field:
    runs, score = study.runs, study.verdicts.score[judge]
    known = ~np.isnan(score)
    fault, clean = np.flatnonzero(runs.faulty & known), np.flatnonzero(runs.clean & known)
    clean = clean[np.argsort(score[clean], kind="stable")]
    rows = np.concatenate([fault, clean])
    units, unit = np.unique(runs.instance.codes[rows], return_inverse=True)
    return Field(
        unit[: len(fault)],
        unit[len(fault) :],
        np.searchsorted(score[clean], score[fault], side="left"),
        np.searchsorted(score[clean], score[fault], side="right"),
        np.array([members[fault] for members in groups.values()], np.float64).T,
        len(units),
    )

"""Declared contrasts: differences between two judges, tested by sign flips over instances.

Holm's step-down holds the family of declared contrasts.
"""

from __future__ import annotations

import numpy as np

from faultpair.env.errors import StudyError

from ..data.columns import BoolArray, IntArray
from ..data.study_data import LABELLER, LABELLER_ROW, Contrast, StudyData
from ..stats.bootstrap import Replicates, UnitColumns, ratio
from ..stats.estimate import Estimate, point, undefined
from ..stats.intervals import BY_INSTANCE, from_replicates
from ..stats.tests import NOTHING_SHARED, holm, sign_flip
from .key import NumberKey, Numbers
from .pairs import PairDesign, PairOutcomes

__all__ = ["contrast_key", "contrast_numbers"]


def contrast_key(contrast: Contrast, part: str) -> NumberKey:
    """Return the key of a contrast's ``difference``, ``p`` or ``p-holm``."""
    return NumberKey("", contrast.name, part, family="contrast")


def contrast_numbers(
    study: StudyData, design: PairDesign, outcomes: list[PairOutcomes], n_resamples: int
) -> Numbers:
    """Return difference, p and Holm-adjusted p of every declared contrast."""
    numbers: Numbers = {}
    for contrast in study.contrasts:
        difference = p = _pending(study, contrast)
        if difference is None or p is None:
            total, units = _by_instance(study, design, outcomes, contrast)
            difference, p = _difference(total, units, n_resamples), sign_flip(total)
        numbers[contrast_key(contrast, "difference")] = difference
        numbers[contrast_key(contrast, "p")] = p
    family = [(c, numbers[contrast_key(c, "p")]) for c in study.contrasts]
    adjusted = holm([p.estimate for _, p in family])
    method = f"Holm over {len(family)} contrasts"
    for (contrast, raw), value in zip(family, adjusted, strict=True):
        number = raw if value is None else point(value, raw.n, method, "a p-value")
        numbers[contrast_key(contrast, "p-holm")] = number
    return numbers


def _by_instance(
    study: StudyData, design: PairDesign, outcomes: list[PairOutcomes], contrast: Contrast
) -> tuple[IntArray, IntArray]:
    """Return the summed difference and the number of units of every instance that has any."""
    left, right = (_judge(study, contrast, name) for name in (contrast.judge, contrast.against))
    if contrast.metric == "delta":
        # The units are pairs that both judges judged, each with the difference of two
        # differences: between -2 and 2, and so no `Clustered` of pairs.
        rows = _group(design, contrast) & outcomes[left].judged & outcomes[right].judged
        value = outcomes[left].difference - outcomes[right].difference
        instance = study.runs.instance.codes[design.fault]
    else:
        # The units are clean runs that both judges scored.
        scored, flagged = study.verdicts.scored, study.verdicts.flagged.astype(np.int64)
        rows = study.runs.clean & scored[left] & scored[right]
        value = flagged[left] - flagged[right]
        instance = study.runs.instance.codes
    # Instances without such a unit would count as ties in the test; `unique` leaves them out.
    _, unit = np.unique(instance[rows], return_inverse=True)
    total = np.bincount(unit, value[rows]).astype(np.int64)
    return total, np.bincount(unit).astype(np.int64)


def _difference(total: IntArray, units: IntArray, n_resamples: int) -> Estimate:
    columns = UnitColumns(len(total))
    columns.add("total", total)
    columns.add("units", units)
    sums = columns.sums(purpose="contrast", n_resamples=n_resamples)
    values = ratio(sums["total"], sums["units"])
    return from_replicates(Replicates(values, int(units.sum()), NOTHING_SHARED), BY_INSTANCE)


def _pending(study: StudyData, contrast: Contrast) -> Estimate | None:
    """Return why a contrast has no number yet; None if both judges have verdicts or are unknown."""
    for name in (contrast.judge, contrast.against):
        if name not in study.judges and name in study.expected:
            is_labeller = bool(study.episodes) and name in (LABELLER, LABELLER_ROW)
            reason = "is the labeller, not a judge" if is_labeller else "has not answered yet"
            return undefined(f"{name} {reason}")
    return None


def _judge(study: StudyData, contrast: Contrast, name: str) -> int:
    if name not in study.judges:
        raise StudyError(
            f"Contrast '{contrast.name}' names judge '{name}', which has no verdicts here. "
            f"Judges: {', '.join(study.judges)}."
        )
    return study.judges.index(name)


def _group(design: PairDesign, contrast: Contrast) -> BoolArray:
    groups = {str(group): rows for group, rows in design.groups.items()}
    if contrast.group not in groups:
        raise StudyError(
            f"Contrast '{contrast.name}' names group '{contrast.group}', which has no pairs here. "
            f"Groups: {', '.join(groups)}."
        )
    return groups[contrast.group]

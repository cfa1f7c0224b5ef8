"""Declared contrasts: differences between two judges, tested by sign flips over instances.

Holm's step-down holds the family of all declared contrasts, those that are open included. The
test decides; the interval is widened to 0 where it would say otherwise.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from faultpair.env.errors import StudyError

from ..data.columns import BoolArray
from ..data.study_data import LABELLER, LABELLER_ROW, Contrast, StudyData
from ..stats.estimate import Estimate, point, undefined
from ..stats.intervals import ALPHA, delta_estimate
from ..stats.paired_difference import Clustered
from ..stats.tests import NOTHING_SHARED, holm, sign_flip
from .key import NumberKey, Numbers
from .pairs import PairDesign, PairOutcomes

__all__ = ["contrast_key", "contrast_numbers"]


def contrast_key(contrast: Contrast, part: str) -> NumberKey:
    """Return the key of a contrast's ``difference``, ``p`` or ``p-holm``."""
    return NumberKey("", contrast.name, part, family="contrast")


def contrast_numbers(study: StudyData, design: PairDesign, outcomes: list[PairOutcomes]) -> Numbers:
    """Return difference, p and Holm-adjusted p of every declared contrast."""
    numbers: Numbers = {}
    for contrast in study.contrasts:
        difference = p = _pending(study, contrast)
        if difference is None or p is None:
            shared, steps = _by_instance(study, design, outcomes, contrast)
            p = sign_flip(shared.total.astype(np.int64))
            difference = _difference(shared, steps, p)
        numbers[contrast_key(contrast, "difference")] = difference
        numbers[contrast_key(contrast, "p")] = p
    family = [(c, numbers[contrast_key(c, "p")]) for c in study.contrasts]
    adjusted = holm([p.estimate for _, p in family])
    method = f"Holm over {len(family)} declared contrasts, an open one at p = 1"
    for (contrast, raw), value in zip(family, adjusted, strict=True):
        number = raw if value is None else point(value, raw.n, method, "a p-value")
        numbers[contrast_key(contrast, "p-holm")] = number
    return numbers


def _by_instance(
    study: StudyData, design: PairDesign, outcomes: list[PairOutcomes], contrast: Contrast
) -> tuple[Clustered, int]:
    """Return the differences of every instance that has any, and the steps they are in."""
    left, right = (_judge(study, contrast, name) for name in (contrast.judge, contrast.against))
    if contrast.metric == "delta":
        # The units are pairs that both judges judged, each with the difference of two
        # differences: between -2 and 2, in steps of a half.
        steps = 2
        rows = _group(design, contrast) & outcomes[left].judged & outcomes[right].judged
        value = outcomes[left].difference - outcomes[right].difference
        instance = study.runs.instance.codes[design.fault]
    else:
        # The units are clean runs that both judges scored.
        steps = 1
        scored, flagged = study.verdicts.scored, study.verdicts.flagged.astype(np.int64)
        rows = study.runs.clean & scored[left] & scored[right]
        value = flagged[left] - flagged[right]
        instance = study.runs.instance.codes
    # Instances without such a unit would count as ties in the test; `of` leaves them out.
    return Clustered.of(instance[rows], value[rows], len(study.runs.instance.names), steps), steps


def _difference(pairs: Clustered, steps: int, p: Estimate) -> Estimate:
    """Return the difference with its interval, which holds 0 wherever p does not reject it.

    What is read is p alone; the interval says how large the difference may be, and must not
    seem to decide otherwise.
    """
    number = delta_estimate(pairs, NOTHING_SHARED, steps)
    if p.estimate is None or p.estimate <= ALPHA or number.ci_low is None or number.ci_high is None:
        return number
    if number.ci_low <= 0 <= number.ci_high:
        return number
    low, high = min(0.0, number.ci_low), max(0.0, number.ci_high)
    return replace(number, ci_low=low, ci_high=high, method=f"{number.method}, up to 0 as p > 0.05")


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

"""The conditions of judges of plans: the ground truth they see, and the form of their grades.

A form is a scale, the texts that explain it, and the JSON schema of its answers.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from ..plan_metrics.metrics import METRICS

__all__ = ["SCALES", "GroundTruth", "PlanForm", "schema_of", "value_of"]

LONGEST_REASON = 200
"""Characters of a reason: twice the length that the prompt asks for."""


class GroundTruth(StrEnum):
    """Which reference plan a judge is shown: the right one, none, or that of another record."""

    SHOWN = "shown"
    NONE = "none"
    CORRUPTED = "corrupted"


class PlanForm(StrEnum):
    """The form of grades.

    ``rubric`` defines the metrics and the scale 0, 0.5, 1; ``binary`` the scale 0, 1;
    ``free`` defines neither and takes any number in [0, 1]; ``single`` asks for one
    metric a call on a scale from 1 to 5 with a description of each grade.
    """

    RUBRIC = "rubric"
    FREE = "free"
    BINARY = "binary"
    SINGLE = "single"


SCALES: dict[PlanForm, tuple[float, ...]] = {
    PlanForm.RUBRIC: (0, 0.5, 1),
    PlanForm.BINARY: (0, 1),
    PlanForm.SINGLE: (1, 2, 3, 4, 5),
}
"""The grades of each form with a discrete scale."""

_VALUES = {1: 0.0, 2: 0.0, 3: 0.5, 4: 0.5, 5: 1.0}
"""Grades from 1 to 5 on the scale 0, 0.5, 1; docs/decisions/0011 gives the reasons."""


def value_of(grade: float, form: PlanForm) -> float:
    """Return a grade as a value in [0, 1].

    >>> [value_of(grade, PlanForm.SINGLE) for grade in (1, 2, 3, 4, 5)]
    [0.0, 0.0, 0.5, 0.5, 1.0]
    """
    return _VALUES[int(grade)] if form is PlanForm.SINGLE else float(grade)


def schema_of(form: PlanForm, metrics: tuple[str, ...] = METRICS) -> dict[str, Any]:
    """Return the JSON schema of an answer; for each metric the reason comes before the score."""
    score = {"enum": list(SCALES[form])} if form in SCALES else _ANY_SHARE
    reason = {"type": "string", "maxLength": LONGEST_REASON}
    entry = _closed({"reason": reason, "score": score})
    return _closed(dict.fromkeys(metrics, entry))


_ANY_SHARE = {"type": "number", "minimum": 0, "maximum": 1}


def _closed(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }

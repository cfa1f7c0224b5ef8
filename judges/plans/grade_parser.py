"""Parsing the grades of a plan. A grade off the scale is never moved onto it.

A number may be written as 1, 1.0 or "1"; true and false are no grades. A metric that
is missing or off the scale leaves the whole answer unscored, with the reason.
"""

from __future__ import annotations

import json
import re
from typing import Any

from faultpair.engines.json_text import unfenced, why_not_json, without_thoughts

from ..finding_parser import kept_text
from ..judge import Finding
from ..plan_metrics.metrics import METRICS
from .conditions import SCALES, PlanForm, value_of

__all__ = ["read_grades"]

LONGEST_REASON = 1_000
"""Characters of a reason that are kept."""

_NUMBER = re.compile(r"\s*\d+(\.\d+)?\s*", re.ASCII)


class _UnreadableError(ValueError):
    """An answer without grades, with the reason as its text."""


def read_grades(text: str, form: PlanForm, *, finish_reason: str = "stop") -> Finding:
    """Return the finding in an answer, or the reason why there is none.

    The form ``single`` grades one metric an answer, all others grade four.
    """
    try:
        answer = _object_in(text, finish_reason)
        return finding_on(
            {metric: _graded(metric, answer[metric], form) for metric in _asked(answer, form)}
        )
    except _UnreadableError as error:
        return Finding(None, unscored=str(error))


def finding_on(scores: dict[str, Any]) -> Finding:
    """Return the finding of grades: a plan is faulty if any is below 1."""
    return Finding(any(entry["value"] < 1 for entry in scores.values()), scores=scores)


def _object_in(text: str, finish_reason: str) -> dict[str, Any]:
    text = without_thoughts(text)
    try:
        answer = json.loads(unfenced(text))
    except (ValueError, RecursionError):
        raise _UnreadableError(why_not_json(text, finish_reason)) from None
    if not isinstance(answer, dict):
        raise _UnreadableError("the answer is JSON, but no object")
    return answer


def _asked(answer: dict[str, Any], form: PlanForm) -> tuple[str, ...]:
    given = tuple(metric for metric in METRICS if metric in answer)
    if form is PlanForm.SINGLE:
        if len(given) != 1:
            raise _UnreadableError(f"the answer grades {len(given)} metrics, not one")
        return given
    for metric in METRICS:
        if metric not in given:
            raise _UnreadableError(f"the answer does not grade {metric}")
    return given


def _graded(metric: str, entry: Any, form: PlanForm) -> dict[str, Any]:
    if not isinstance(entry, dict) or "score" not in entry:
        raise _UnreadableError(f"the answer gives no score of {metric}")
    grade = _number(entry["score"])
    if grade is None or not _is_on_scale(grade, form):
        raise _UnreadableError(f"the score of {metric} is not on the scale")
    reason = kept_text(entry.get("reason", ""), LONGEST_REASON)
    scored = {"value": value_of(grade, form), "reason": reason}
    return scored | {"grade": int(grade)} if form is PlanForm.SINGLE else scored


def _number(value: Any) -> float | None:
    if isinstance(value, str):
        return float(value) if _NUMBER.fullmatch(value) else None
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value if is_number else None


def _is_on_scale(grade: float, form: PlanForm) -> bool:
    return grade in SCALES[form] if form in SCALES else 0 <= grade <= 1

"""The judge of end states alone, as τ-bench scores its tasks. It misses every silent fault."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from faultpair.env.catalog import DOMAINS

from .exhibit import Exhibit
from .judge import Finding
from .rules.values import TOLERANCE, number_in, show

__all__ = ["StateCheck"]


@dataclass(frozen=True, slots=True)
class StateCheck:
    """Compare the end state with the required one, each entry of which must be met.

    Further entries are ignored. Numbers may differ by `TOLERANCE`; an amount that is
    absent or null counts as 0. The domain declares which entries are amounts.
    """

    judge_id: str = "state-check"
    summary: str = "The end state against the required one, as outcome-only benchmarks score."
    view: str = "end-state-with-reference"
    task: str = "check-end-state"

    def judge(self, exhibit: Exhibit) -> Finding:
        """Flag a run whose end state is not the required one; it names no step or type."""
        ended, required = exhibit.end_state, exhibit.reference
        if required is None:
            return Finding(None, unscored="the exhibit has no reference end state")
        if ended is None:
            return Finding(None, unscored="the exhibit has no end state")
        amounts = DOMAINS[exhibit.domain].amounts
        for key, expected in required.items():
            reached = ended.get(key)
            if not _met(reached, expected, is_amount=key.startswith(amounts)):
                words = f"{key} is {show(reached)}, the reference has {show(expected)}"
                return Finding(faulty=True, confidence=1.0, rationale=words)
        return Finding(faulty=False, confidence=1.0, rationale="the required end state was reached")


def _met(reached: Any, expected: Any, *, is_amount: bool) -> bool:
    if is_amount:
        reached, expected = (0.0 if value is None else value for value in (reached, expected))
    number, goal = number_in(reached), number_in(expected)
    if goal is not None:
        return number is not None and abs(number - goal) <= TOLERANCE
    try:
        return bool(reached == expected)
    except RecursionError:
        return False

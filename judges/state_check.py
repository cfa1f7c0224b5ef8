"""The judge that looks at nothing but the end state, as τ-bench scores its tasks.

It cannot see how the end was reached, so every silent fault escapes it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .exhibit import Exhibit
from .judge import Finding
from .rules.values import CENT, number_in, show

__all__ = ["StateCheck"]


@dataclass(frozen=True, slots=True)
class StateCheck:
    """Compare the end state with the required one, each entry of which must be met.

    Entries that the reference does not name are not looked at. Amounts may
    differ by a cent, and an amount that is absent or null is none at all: 0.
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
        for key, wanted in required.items():
            found = ended.get(key)
            if not _met(key, found, wanted):
                words = f"{key} is {show(found)}, the reference has {show(wanted)}"
                return Finding(faulty=True, confidence=1.0, rationale=words)
        return Finding(faulty=False, confidence=1.0, rationale="the required end state was reached")


def _met(key: str, found: Any, wanted: Any) -> bool:
    if key.startswith("amount_"):
        found, wanted = (0.0 if amount is None else amount for amount in (found, wanted))
    number, goal = number_in(found), number_in(wanted)
    if goal is not None:
        return number is not None and abs(number - goal) <= CENT
    try:
        return bool(found == wanted)
    except RecursionError:
        return False

"""Reach: does a fault change what a view shows, compared with its clean parent?

A judge whose verdict depends only on its view cannot tell a fault that does not
reach it from the parent; its expected discrimination there is zero by structure.
"""

from __future__ import annotations

import numpy as np

from .columns import BoolArray, IntArray
from .runs import Runs

__all__ = ["VIEW_PARTS", "parts_of", "reached"]

VIEW_PARTS: dict[str, tuple[str, ...]] = {
    "goal-and-reply": ("goal", "reply"),
    "full-steps": ("goal", "steps", "reply"),
    "end-state": ("goal", "end_state"),
}
"""The parts of a run that each view renders; a view is looked up by how its name begins."""


def reached(runs: Runs, view: str | None, fault: IntArray, parent: IntArray) -> BoolArray | None:
    """Return which faults reach a view; None if nobody knows what the view shows."""
    parts = parts_of(view)
    if not parts:
        return None
    changed = np.zeros(len(fault), np.bool_)
    for part in parts:
        changed |= runs.marks[part][fault] != runs.marks[part][parent]
    return changed


def parts_of(view: str | None) -> tuple[str, ...]:
    """Return the parts of a run that a view renders; none if nobody knows."""
    return next((parts for name, parts in VIEW_PARTS.items() if (view or "").startswith(name)), ())

"""Reach: does a fault change what a view shows, compared with its clean parent?

A judge whose verdict depends only on its view cannot distinguish a fault that does not
reach it from the parent; its expected discrimination there is zero by structure.
"""

from __future__ import annotations

import numpy as np

from faultpair.judges.view import VIEWS

from ..data.columns import BoolArray, IntArray
from ..data.runs import Runs

__all__ = ["parts_of", "reached"]

PARTS_SHOWN: dict[str, tuple[str, ...]] = {
    "goal": ("goal",),
    "steps": ("thoughts", "calls", "answers"),
    "steps_without_thoughts": ("calls", "answers"),
    "calls": ("calls",),
    "observations": ("tools", "answers"),
    "reply": ("reply",),
    "end_state": ("end_state",),
}
"""The parts of a run that each part of a judge's view puts on the page."""

OTHERS: dict[str, tuple[str, ...]] = {"end-state": ("goal", "end_state"), "plan": ("goal", "calls")}
"""The parts shown by views that are not among those of `faultpair.judges.view`."""

REFERENCES = ("-with-reference", "-with-corrupted-reference")
"""Ends of the names of views that also show a reference, the same for both sides of a pair."""


def reached(runs: Runs, view: str | None, fault: IntArray, parent: IntArray) -> BoolArray | None:
    """Return which faults reach a view; None if it is not known what the view shows."""
    parts = parts_of(view)
    if not parts:
        return None
    changed = np.zeros(len(fault), np.bool_)
    for part in parts:
        changed |= runs.marks[part][fault] != runs.marks[part][parent]
    return changed


def parts_of(view: str | None) -> tuple[str, ...]:
    """Return the parts of a run that a view renders; none of an unknown view.

    >>> parts_of("reply-with-observations")
    ('goal', 'tools', 'answers', 'reply')
    """
    name = view or ""
    for reference in REFERENCES:
        name = name.removesuffix(reference)
    if name in OTHERS:
        return OTHERS[name]
    if name not in VIEWS:
        return ()
    return tuple(shown for part in VIEWS[name].parts for shown in PARTS_SHOWN[part])

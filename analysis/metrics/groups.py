"""The groups of faults that numbers are given for, and the cells of the design.

Among the groups are the faults that reach a judge: those that change what its view shows,
compared with the clean parent. A judge whose verdict depends only on its view cannot
distinguish another fault from the parent; its expected discrimination there is zero by
structure.
"""

from __future__ import annotations

import numpy as np

from faultpair.env.records import Cell
from faultpair.judges.view import VIEWS

from ..data.columns import BoolArray, Coded, IntArray, encode
from ..data.runs import Runs
from .key import ALL, CHANGED, LOUD, SILENT, UNCHANGED, Group

__all__ = ["PARTS_SHOWN", "design_cells", "fault_groups", "omissions", "parts_of", "reached"]

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


def fault_groups(runs: Runs) -> dict[Group, BoolArray]:
    """Return every group of faults that gets a number.

    The strata ``all``, ``silent``, ``loud``, ``unchanged``, ``changed`` and the cells always;
    by type, by scenario, by reply policy inside a cell and by variant inside a type where
    there is a fault.
    """
    faulty = runs.faulty
    strata = {
        ALL: faulty,
        SILENT: faulty & runs.outcome_correct,
        LOUD: faulty & ~runs.outcome_correct,
        UNCHANGED: faulty & (runs.reply_changed == 0),
        CHANGED: faulty & (runs.reply_changed == 1),
    }
    cells = _cells(runs)
    types = _by_name("type", runs.failure_type, faulty)
    groups = strata | cells | types | _by_name("scenario", runs.scenario, faulty)
    for cell, rows in cells.items():
        groups |= _by_name("policy", runs.reply_policy, rows, cell)
    for kind, rows in types.items():
        groups |= _by_name("variant", runs.variant, rows, kind)
    return groups


def design_cells(runs: Runs) -> Coded:
    """Return the strata of the bootstrap: clean, each control, each type silent or loud."""
    return encode([_design_cell(runs, row) for row in range(len(runs.ids))])


def omissions(runs: Runs) -> BoolArray:
    """Return the faults whose failure is an action never taken.

    Such a run is shorter than its parent, and its failure step is the last it has.
    """
    shorter = (runs.parent >= 0) & (runs.n_steps < runs.n_steps[runs.parent])
    last = np.equal(runs.failure_step, runs.n_steps - 1)
    return runs.faulty & shorter & last


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


def _cells(runs: Runs) -> dict[Group, BoolArray]:
    """Return the faults of each cell; a fault whose reply cannot be compared is in none."""
    known = runs.faulty & (runs.reply_changed >= 0)
    changed = runs.reply_changed == 1
    rows = {
        Cell.UNCHANGED_SURVIVES: known & ~changed & runs.outcome_correct,
        Cell.UNCHANGED_LOST: known & ~changed & ~runs.outcome_correct,
        Cell.CHANGED_SURVIVES: known & changed & runs.outcome_correct,
        Cell.CHANGED_LOST: known & changed & ~runs.outcome_correct,
    }
    return {Group("cell", str(cell)): members for cell, members in rows.items()}


def _by_name(
    factor: str, column: Coded, rows: BoolArray, inside: Group | None = None
) -> dict[Group, BoolArray]:
    outer = None if inside is None else str(inside)
    groups = {Group(factor, name, outer): rows & column.where(name) for name in column.names}
    return {group: members for group, members in groups.items() if bool(np.any(members))}


def _design_cell(runs: Runs, row: int) -> str:
    if runs.faulty[row]:
        outcome = "silent" if runs.outcome_correct[row] else "loud"
        return f"{runs.failure_type.name(row)}-{outcome}"
    control = runs.control.name(row)
    return "clean" if control is None else f"control={control}"

"""The groups of faults that numbers are given for, and the cells of the design."""

from __future__ import annotations

import numpy as np

from faultpair.env.records import Cell

from ..data.columns import BoolArray, Coded, encode
from ..data.runs import Runs
from .key import ALL, CHANGED, LOUD, SILENT, UNCHANGED, Group

__all__ = ["design_cells", "fault_groups", "omissions"]


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

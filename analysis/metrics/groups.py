"""The groups of runs that numbers are given for, by name, and the cells of the design."""

from __future__ import annotations

import numpy as np

from faultpair.env.records import Cell

from ..data.columns import BoolArray, Coded, encode
from ..data.runs import Runs

__all__ = ["cells", "design_cells", "fault_groups", "omissions"]


def cells(runs: Runs) -> dict[str, BoolArray]:
    """Return the faults of each cell; a fault whose reply cannot be compared is in none."""
    known = runs.faulty & (runs.reply_changed >= 0)
    changed = runs.reply_changed == 1
    return {
        Cell.UNCHANGED_SURVIVES: known & ~changed & runs.outcome_correct,
        Cell.UNCHANGED_LOST: known & ~changed & ~runs.outcome_correct,
        Cell.CHANGED_SURVIVES: known & changed & runs.outcome_correct,
        Cell.CHANGED_LOST: known & changed & ~runs.outcome_correct,
    }


def fault_groups(runs: Runs) -> dict[str, BoolArray]:
    """Return every group of faults that gets a number, by name.

    ``all``, ``silent``, ``loud``, ``unchanged``, ``changed``, ``cell=…``,
    ``type=…``, ``scenario=…``, ``policy=…/cell=…`` and ``variant=…/type=…``;
    groups without a fault are left in only for the fixed names.
    """
    faulty = runs.faulty
    groups = {
        "all": faulty,
        "silent": faulty & runs.outcome_correct,
        "loud": faulty & ~runs.outcome_correct,
        "unchanged": faulty & (runs.reply_changed == 0),
        "changed": faulty & (runs.reply_changed == 1),
    }
    by_cell = {f"cell={name}": rows for name, rows in cells(runs).items()}
    groups |= by_cell
    groups |= _named("type", runs.failure_type, faulty)
    groups |= _named("scenario", runs.scenario, faulty)
    for cell, rows in by_cell.items():
        groups |= {
            f"{policy}/{cell}": found
            for policy, found in _named("policy", runs.reply_policy, rows).items()
        }
    for kind, rows in _named("type", runs.failure_type, faulty).items():
        groups |= {
            f"{variant}/{kind}": found
            for variant, found in _named("variant", runs.variant, rows).items()
        }
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


def _named(kind: str, column: Coded, rows: BoolArray) -> dict[str, BoolArray]:
    found = {f"{kind}={name}": rows & column.where(name) for name in column.names}
    return {name: members for name, members in found.items() if bool(np.any(members))}


def _design_cell(runs: Runs, row: int) -> str:
    if runs.faulty[row]:
        fate = "silent" if runs.outcome_correct[row] else "loud"
        return f"{runs.failure_type.name(row)}-{fate}"
    control = runs.control.name(row)
    return "clean" if control is None else f"control={control}"

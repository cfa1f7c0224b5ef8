"""The two forms of plain data: one row a verdict, or one row a pair with two flags.

A row of a pair has ``flagged_fault`` and ``flagged_clean`` in place of ``flagged``. It
becomes two rows, the one of its clean run once for each judge and pass.
"""

from __future__ import annotations

from collections.abc import Collection

from faultpair.env.errors import RecordError

from .pair_columns import COLUMNS
from .pair_files import TextColumns

__all__ = ["FAULT_FLAG", "PARENT_FLAG", "long_form"]

FAULT_FLAG, PARENT_FLAG = "flagged_fault", "flagged_clean"
OF_BOTH = ("judge", "unit", "repeat", "scenario")
"""Columns of a pair that its clean run has, too."""

NOT_OF_PAIRS = ("flagged", "score", "seconds")


def long_form(table: TextColumns) -> TextColumns:
    """Return a table with one row a verdict, whichever form it has.

    Without a column ``parent`` each pair has a clean run of its own, named after the fault.

    Raises
    ------
    RecordError
        If one of the two flags is missing, a column is of verdicts alone, or two pairs of
        one clean run have different flags for it.
    """
    flags = [name for name in (FAULT_FLAG, PARENT_FLAG) if name in table.columns]
    if not flags:
        return table
    missing = {FAULT_FLAG, PARENT_FLAG, "run", "unit"} - set(table.columns)
    if missing:
        raise RecordError(
            f"{table.name} has a column '{flags[0]}', so a row is a pair, and no column "
            f"'{min(missing)}'. Add it."
        )
    for name in table.columns:
        if name not in (FAULT_FLAG, PARENT_FLAG) and (name not in COLUMNS or name in NOT_OF_PAIRS):
            allowed = [known for known in COLUMNS if known not in NOT_OF_PAIRS]
            raise RecordError(
                f"{table.name}: no column of pairs is named '{name}'. Columns: "
                f"{', '.join((*allowed, FAULT_FLAG, PARENT_FLAG))}."
            )
    return _two_rows_each(table)


def _two_rows_each(table: TextColumns) -> TextColumns:
    given = table.columns
    n = table.n_rows
    parent = given.get("parent") or [f"{run} (clean)" for run in given["run"]]
    clean = _clean_rows(table, parent)
    of_clean = {"run": parent, "flagged": given[PARENT_FLAG]}
    columns: dict[str, list[str]] = {}
    for name in dict.fromkeys((*given, "parent", "flagged")):
        if name in (FAULT_FLAG, PARENT_FLAG):
            continue
        own = (
            parent if name == "parent" else given[FAULT_FLAG] if name == "flagged" else given[name]
        )
        side = of_clean.get(name, own if name in OF_BOTH else [""] * n)
        columns[name] = [*own, *(side[row] for row in clean)]
    return TextColumns(
        table.name, columns, lambda row: table.place(row if row < n else clean[row - n])
    )


def _clean_rows(table: TextColumns, parent: Collection[str]) -> list[int]:
    """Return the first row of each clean run under each judge and pass; all must agree."""
    empty = [""] * table.n_rows
    judge, repeat = (table.columns.get(name, empty) for name in ("judge", "repeat"))
    flags = table.columns[PARENT_FLAG]
    first: dict[tuple[str, str, str], int] = {}
    for row, key in enumerate(zip(judge, repeat, parent, strict=True)):
        before = first.setdefault(key, row)
        if flags[before] != flags[row]:
            raise RecordError(
                f"{table.place(row)}: {PARENT_FLAG} of '{key[2]}' is '{flags[row]}', and "
                f"'{flags[before]}' in {table.place(before)}. A clean run has one verdict of a "
                "judge."
            )
    return list(first.values())

"""What plain data must hold: each column checked, and every refusal with its line.

One row is one verdict. A run without a parent is a clean run; a run with one is a fault made
from it, or a control if the column ``control`` names a kind. Nothing is guessed: an unknown
column, a flag that is neither 0 nor 1, or a fault without its parent is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NoReturn, TypeVar

import numpy as np

from faultpair.env.errors import RecordError, UsageError
from faultpair.env.records import Cell

from .columns import BoolArray, Coded, FloatArray, IntArray, encode
from .pair_columns import COLUMNS, ONE_JUDGE, REQUIRED, PairColumns
from .pair_files import TextColumns

__all__ = ["checked"]

UNSCORED = -1
FLAGS = {"1": 1, "1.0": 1, "true": 1, "0": 0, "0.0": 0, "false": 0, "": UNSCORED, "null": UNSCORED}
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?", re.ASCII)
WHOLE = re.compile(r"\d{1,6}(\.0)?", re.ASCII)


T = TypeVar("T", bound=PairColumns)


def checked(made: type[T], table: TextColumns, threshold: float | None) -> T:
    """Return the columns of a table with one row a verdict, as ``made`` holds them.

    ``threshold`` is the least score of a flagged run, where the table has no flags.
    """
    _check_names(table, threshold)
    if not table.n_rows:
        raise RecordError(f"{table.name} holds no verdict. Expected a row for each.")
    for name in ("unit", "run", "judge"):
        _refuse_empty(table, name)
    run = encode(table.columns["run"])
    first = np.unique(run.codes, return_index=True)[1]
    of_runs = {
        name: _of_run(table, run, first, name)
        for name in ("unit", "parent", "type", "cell", "scenario", "control")
    }
    weight = _numbers(table, "weight", 0, np.inf, 1.0)
    _refuse_change(table, run, first, "weight", weight)
    judge = encode(table.columns.get("judge") or [ONE_JUDGE] * table.n_rows)
    repeat = _repeats(table)
    _refuse_doubles(table, run, judge, repeat)
    score = _numbers(table, "score", 0, 1, np.nan)
    return made(
        name=Path(table.name).stem,
        judge=judge,
        run=run,
        repeat=repeat,
        flagged=_flags(table, score, threshold),
        score=score,
        seconds=_numbers(table, "seconds", 0, np.inf, np.nan),
        unit=of_runs["unit"],
        parent=_parents(table, run, first, of_runs),
        type=of_runs["type"],
        cell=of_runs["cell"],
        scenario=of_runs["scenario"],
        control=of_runs["control"],
        weight=weight[first],
    )


def _check_names(table: TextColumns, threshold: float | None) -> None:
    known = ", ".join(COLUMNS)
    for name in table.columns:
        if name not in COLUMNS:
            raise RecordError(
                f"{table.name}: no column is named '{name}' here. Columns: {known}. Rename it, "
                "or leave it out."
            )
    for name in REQUIRED:
        if name not in table.columns:
            raise RecordError(f"{table.name} has no column '{name}': {COLUMNS[name]}.")
    has_flags, has_scores = ("flagged" in table.columns, "score" in table.columns)
    if not has_flags and (not has_scores or threshold is None):
        raise RecordError(
            f"{table.name} has no column 'flagged'. Add it: {COLUMNS['flagged']}; or a column "
            "'score' and a threshold at which a run is flagged."
        )
    if has_flags and threshold is not None:
        raise UsageError(
            f"{table.name} has a column 'flagged', so a threshold has nothing to decide. Leave "
            "the threshold out, or the column."
        )


def _refuse_empty(table: TextColumns, name: str) -> None:
    column = table.columns.get(name, ())
    if "" in column:
        where = table.place(list(column).index(""))
        raise RecordError(f"{where}: column {name} is empty. Expected {COLUMNS[name]}.")


def _of_run(table: TextColumns, run: Coded, first: IntArray, name: str) -> Coded:
    """Return what a column says of each run; all of its rows must say the same."""
    texts = table.columns.get(name)
    if texts is None:
        return Coded((), np.full(len(run.names), -1, np.int64))
    column = encode([text or None for text in texts])
    _refuse_change(table, run, first, name, column.codes)
    return column.take(first)


def _refuse_change(
    table: TextColumns, run: Coded, first: IntArray, name: str, column: IntArray | FloatArray
) -> None:
    other = np.flatnonzero(column[first][run.codes] != column)
    if len(other):
        row = int(other[0])
        here, before = (table.columns[name][at] for at in (row, first[run.codes[row]]))
        raise RecordError(
            f"{table.place(row)}: run '{run.name(row)}' has {name} '{here}', and '{before}' in "
            f"{table.place(int(first[run.codes[row]]))}. An id is of one run in the whole file."
        )


def _refuse_doubles(table: TextColumns, run: Coded, judge: Coded, repeat: IntArray) -> None:
    order = np.lexsort((repeat, run.codes, judge.codes))
    keys = np.stack([judge.codes, run.codes, repeat])[:, order]
    again = np.flatnonzero((keys[:, 1:] == keys[:, :-1]).all(axis=0))
    if len(again):
        one, other = sorted(int(order[place]) for place in (again[0], again[0] + 1))
        raise RecordError(
            f"{table.place(other)}: judge '{judge.name(other)}' has a verdict on run "
            f"'{run.name(other)}' already, in {table.place(one)}. Keep one, or number the passes "
            "in a column 'repeat'."
        )


def _parents(
    table: TextColumns, run: Coded, first: IntArray, of_runs: Mapping[str, Coded]
) -> IntArray:
    """Return the place of each parent among the runs, checked to be a clean run of the unit."""
    named, unit = of_runs["parent"], of_runs["unit"].codes
    place = {name: number for number, name in enumerate(run.names)}
    known = np.array([*(place.get(name, -2) for name in named.names), -1], np.int64)
    parent = known[named.codes]
    refuse = _Refusals(table, run, first)
    refuse.first(
        parent == -2,
        lambda row: (
            f"names the parent '{named.name(row)}', of which there is no row. Add the "
            "verdicts on it, or leave this run out."
        ),
    )
    is_child = parent >= 0
    refuse.first(
        is_child & (parent[parent] >= 0),
        lambda row: (
            f"names the parent '{named.name(row)}', which has a parent itself. Expected a "
            "clean run."
        ),
    )
    refuse.first(
        is_child & (unit[parent] != unit),
        lambda row: f"is of another unit than its parent '{named.name(row)}'. Expected one unit.",
    )
    _check_kinds(refuse, is_child, of_runs)
    return parent


def _check_kinds(refuse: _Refusals, is_child: BoolArray, of_runs: Mapping[str, Coded]) -> None:
    """Refuse a control without a parent, a type or cell of a run that is no fault, no such cell."""
    cell, is_control = of_runs["cell"], of_runs["control"].codes >= 0
    refuse.first(
        is_control & ~is_child,
        lambda row: "is a control without a parent. Name the clean run that it was made from.",
    )
    is_fault = is_child & ~is_control
    for name in ("type", "cell"):
        what = f"has a {name}, which only a fault has. Name its parent, or leave the {name} empty."
        refuse.first((of_runs[name].codes >= 0) & ~is_fault, partial(_always, what))
    is_strange = np.array([*(name not in set(Cell) for name in cell.names), False])
    refuse.first(
        is_strange[cell.codes],
        lambda row: (
            f"has the cell '{cell.name(row)}'. Expected {COLUMNS['cell']}; another group "
            "stands in the column 'scenario'."
        ),
    )
    if cell.names:
        refuse.first(
            is_fault & (cell.codes < 0), lambda row: "has no cell, and other faults have one."
        )


def _always(what: str, _: int) -> str:
    return what


@dataclass(frozen=True, slots=True)
class _Refusals:
    """Refuses a run by the place of its first row."""

    table: TextColumns
    run: Coded
    first_row: IntArray

    def first(self, wrong: BoolArray, what: Callable[[int], str]) -> None:
        """Refuse the first run that is wrong; ``what`` says of a run what is wrong with it."""
        for row in np.flatnonzero(wrong)[:1].tolist():
            where = self.table.place(int(self.first_row[row]))
            raise RecordError(f"{where}: run '{self.run.names[row]}' {what(row)}")


def _flags(table: TextColumns, score: FloatArray, threshold: float | None) -> IntArray:
    texts = table.columns.get("flagged")
    if texts is None:
        above = (score >= (1.0 if threshold is None else threshold)).astype(np.int64)
        return np.where(np.isnan(score), UNSCORED, above)
    return _mapped(table, "flagged", texts, lambda text: FLAGS.get(text.lower()))


def _repeats(table: TextColumns) -> IntArray:
    texts = table.columns.get("repeat")
    if texts is None:
        return np.zeros(table.n_rows, np.int64)
    return _mapped(
        table,
        "repeat",
        texts,
        lambda t: int(float(t or 0)) if not t or WHOLE.fullmatch(t) else None,
    )


def _mapped(
    table: TextColumns, name: str, texts: Sequence[str], value: Callable[[str], int | None]
) -> IntArray:
    values = {text: value(text) for text in set(texts)}
    if None in values.values():
        _refuse(table, name, next(row for row, text in enumerate(texts) if values[text] is None))
    return np.fromiter((values[text] or 0 for text in texts), np.int64, len(texts))


def _numbers(
    table: TextColumns, name: str, least: float, most: float, missing: float
) -> FloatArray:
    texts = table.columns.get(name)
    if texts is None:
        return np.full(table.n_rows, missing)
    known = {text: float(text) for text in set(texts) if NUMBER.fullmatch(text)}
    known |= dict.fromkeys(("", "null"), missing)
    column = np.fromiter((known.get(text, np.inf) for text in texts), np.float64, len(texts))
    wrong = ~np.isnan(column) & ~((column >= least) & (column <= most) & np.isfinite(column))
    if wrong.any():
        _refuse(table, name, int(np.flatnonzero(wrong)[0]))
    return column


def _refuse(table: TextColumns, name: str, row: int) -> NoReturn:
    raise RecordError(
        f"{table.place(row)}: column {name} is '{table.columns[name][row]}'. Expected "
        f"{COLUMNS[name]}."
    )

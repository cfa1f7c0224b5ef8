"""A human study: which plans to show, and what people said of the reference on them.

Twenty plans of the hardest tier are drawn in each topology: fourteen with some metric
below 1 and six perfect (AgentJudgeBench, appendix G). Of each metric a reader says
whether the value is right, and if it is not, which one is.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from random import Random

import numpy as np

from env.errors import RecordError
from env.rng import below, stream

from .grid import METRICS, Grid

__all__ = ["HEADING", "HumanRow", "Sample", "read_human", "sampled"]

IMPERFECT = 14
PERFECT = 6
SLACK = 1e-9
AGREES = "{}_agrees"
VALUE = "{}_value"
PLAN = ("record", "generator", "tier", "topology")
HEADING = (
    *PLAN,
    *(
        column
        for metric in METRICS
        for column in (metric, AGREES.format(metric), VALUE.format(metric))
    ),
    "why",
)
"""The columns of the file that is filled in."""

ANSWERS = {"yes": True, "no": False}


@dataclass(frozen=True, slots=True)
class Sample:
    """Plans to show, as rows under `HEADING`, and what strata were too small to give."""

    rows: tuple[dict[str, str], ...]
    shortfalls: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HumanRow:
    """What one person said of one plan: agreement with each metric, and the values held right."""

    record: str
    generator: str
    tier: str
    agrees: tuple[bool, ...]
    values: tuple[float, ...]


def sampled(grid: Grid, seed: int, tier: str | None = None) -> Sample:
    """Draw the plans, of the hardest tier unless another is named; a short stratum is told."""
    chosen = tier or grid.tier.names[-1]
    own = grid.take(grid.tier.where(chosen))
    _, first = np.unique(own.key("topology", "record", "generator"), return_index=True)
    plans = own.take(first)
    perfect = np.logical_and.reduce(plans.reference >= 1 - SLACK, axis=1)
    rows: list[dict[str, str]] = []
    short: list[str] = []
    for topology in grid.topology.names:
        for kind, is_kind, wanted in (
            ("imperfect", ~perfect, IMPERFECT),
            ("perfect", perfect, PERFECT),
        ):
            members = np.flatnonzero(plans.topology.where(topology) & is_kind)
            if len(members) < wanted:
                short.append(f"{topology}: {len(members)} {kind} plans, {wanted} wanted")
            rng = stream(seed, "human", chosen, topology, kind)
            rows += [_row(plans, row) for row in _drawn(rng, members.tolist(), wanted)]
    return Sample(tuple(rows), tuple(short))


def read_human(lines: Iterable[str], source: str) -> tuple[HumanRow, ...]:
    """Read a file that was filled in.

    Raises
    ------
    RecordError
        If a column is missing, or a cell is not as asked for; the message names the line.
    """
    reader = csv.DictReader(lines)
    missing = [name for name in HEADING if name not in (reader.fieldnames or ())]
    if missing:
        raise RecordError(f"{source}, line 1: no column {', '.join(missing)}.")
    found: list[HumanRow] = []
    seen: set[tuple[str, str, str]] = set()
    for cells in reader:
        place = f"{source}, line {reader.line_num}"
        row = _read_row({name: (cells[name] or "").strip() for name in HEADING}, place)
        if (row.record, row.generator, row.tier) in seen:
            raise RecordError(f"{place}: this plan of {row.record} stands twice; keep one line.")
        seen.add((row.record, row.generator, row.tier))
        found.append(row)
    return tuple(found)


def _drawn(rng: Random, members: list[int], wanted: int) -> list[int]:
    """Return so many of the members, or all, in their own order."""
    left = list(members)
    taken: list[int] = []
    while left and len(taken) < wanted:
        taken.append(left.pop(below(rng, len(left))))
    return sorted(taken)


def _row(plans: Grid, row: int) -> dict[str, str]:
    cells = dict.fromkeys(HEADING, "")
    cells |= {factor: plans.of(factor).name(row) or "" for factor in PLAN}
    values = plans.reference[row].tolist()
    return cells | {m: f"{v:.6g}" for m, v in zip(METRICS, values, strict=True)}


def _read_row(cells: dict[str, str], place: str) -> HumanRow:
    agrees, values = [], []
    for metric in METRICS:
        answer = cells[AGREES.format(metric)].lower()
        if answer not in ANSWERS:
            shown = f"'{answer}'" if answer else "empty"
            raise RecordError(f"{place}: {AGREES.format(metric)} is {shown}; write yes or no.")
        agrees.append(ANSWERS[answer])
        column = metric if ANSWERS[answer] else VALUE.format(metric)
        values.append(_value(cells[column], column, place))
    return HumanRow(
        cells["record"], cells["generator"], cells["tier"], tuple(agrees), tuple(values)
    )


def _value(text: str, column: str, place: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        shown = f"'{text}'" if text else "empty"
        raise RecordError(f"{place}: {column} is {shown}; write a number from 0 to 1.")
    return value

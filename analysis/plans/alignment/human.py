"""A human study: which plans to show, and the answers of people about the reference on them.

Twenty plans of one tier are drawn in each topology: fourteen with some metric below 1
and six perfect (AgentJudgeBench, appendix G). For each metric a reader answers whether the
value is right, and if it is not, which value is.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from faultpair.env.errors import RecordError
from faultpair.env.rng import below, stream
from faultpair.judges.plan_metrics.metrics import METRICS

from .match_score import SLACK

__all__ = ["HEADING", "HumanRow", "PlanName", "Sample", "read_human", "sampled"]

IMPERFECT = 14
PERFECT = 6
ROUNDED = 5e-3
"""By how much a spreadsheet may have rounded a value; values differ by more."""

AGREES = "{}_agrees"
VALUE = "{}_value"


class PlanName(NamedTuple):
    """What identifies a plan: its record, its generator, and the request that it answers."""

    record: str
    generator: str
    tier: str
    topology: str


Plans = Mapping[PlanName, Sequence[float]]
"""The programmatic values of plans, in the order of `METRICS`."""

HEADING = (
    *PlanName._fields,
    *(
        column
        for metric in METRICS
        for column in (metric, AGREES.format(metric), VALUE.format(metric))
    ),
    "why",
)
"""The columns that a completed file must have; it may have more."""

ANSWERS = {"yes": True, "no": False}


@dataclass(frozen=True, slots=True)
class Sample:
    """Plans to show, as rows under `HEADING`, and the strata that are too small."""

    rows: dict[PlanName, dict[str, str]]
    shortfalls: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HumanRow:
    """The answers about one plan: agreement with each metric, and the values held to be right."""

    plan: PlanName
    agrees: tuple[bool, ...]
    values: tuple[float, ...]


def sampled(plans: Plans, seed: int, tier: str) -> Sample:
    """Draw plans of a tier, in the order in which they are given, and list the short strata."""
    own = {name: values for name, values in plans.items() if name.tier == tier}
    rows: dict[PlanName, dict[str, str]] = {}
    short: list[str] = []
    for topology in dict.fromkeys(name.topology for name in own):
        for kind, wanted in (("imperfect", IMPERFECT), ("perfect", PERFECT)):
            members = [
                name
                for name, values in own.items()
                if name.topology == topology and _kind(values) == kind
            ]
            if len(members) < wanted:
                short.append(f"{topology}: {len(members)} {kind} plans, {wanted} wanted")
            rng = stream(seed, "human", tier, topology, kind)
            rows |= {name: _row(name, own[name]) for name in _drawn(rng, members, wanted)}
    return Sample(rows, tuple(short))


def read_human(lines: Iterable[str], source: str, plans: Plans) -> tuple[HumanRow, ...]:
    """Read a completed file about known plans.

    Raises
    ------
    RecordError
        If a column is missing, a cell is not as asked for, or a plan is not one of these
        or has other values; the message names the line.
    """
    rows: dict[PlanName, HumanRow] = {}
    for place, cells in _rows(lines, source):
        name = PlanName(*(cells[field] for field in PlanName._fields))
        plan = f"{name.record} by {name.generator} at tier {name.tier}, {name.topology},"
        if name not in plans:
            raise RecordError(f"{place}: {plan} is no plan of this study; sample it from this one.")
        if name in rows:
            raise RecordError(f"{place}: {plan} occurs twice; keep one row.")
        rows[name] = _read_row(name, cells, plans[name], place)
    return tuple(rows.values())


def _kind(values: Sequence[float]) -> str:
    return "perfect" if min(values) >= 1 - SLACK else "imperfect"


def _drawn(rng: Random, members: list[PlanName], wanted: int) -> list[PlanName]:
    """Return so many of the members, or all, in their own order."""
    left = list(range(len(members)))
    taken: list[int] = []
    while left and len(taken) < wanted:
        taken.append(left.pop(below(rng, len(left))))
    return [members[place] for place in sorted(taken)]


def _row(name: PlanName, values: Sequence[float]) -> dict[str, str]:
    shown = {metric: f"{value:.6g}" for metric, value in zip(METRICS, values, strict=True)}
    return dict.fromkeys(HEADING, "") | name._asdict() | shown


def _rows(lines: Iterable[str], source: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the rows of a file that are not empty, and where each begins.

    A cell may hold several lines, so the line of an editor is not the row of a spreadsheet.
    """
    reader = csv.reader(lines)
    begins, heading = 1, None
    try:
        for number, cells in enumerate(reader, start=1):
            place, begins = f"{source}, line {begins} (row {number})", reader.line_num + 1
            stripped = [cell.strip() for cell in cells]
            if heading is None:
                heading = _checked(stripped, place)
            elif any(stripped):
                yield place, dict.fromkeys(HEADING, "") | dict(zip(heading, stripped, strict=False))
    except csv.Error as error:
        raise RecordError(f"{source}, line {reader.line_num}: {error}.") from error
    if heading is None:
        _checked([], f"{source}, line 1 (row 1)")


def _checked(heading: list[str], place: str) -> list[str]:
    missing = [name for name in HEADING if name not in heading]
    if missing:
        raise RecordError(
            f"{place}: no column {', '.join(missing)}. Keep the columns of the sample, and save it "
            "with commas between them."
        )
    return heading


def _read_row(
    name: PlanName, cells: dict[str, str], reference: Sequence[float], place: str
) -> HumanRow:
    agrees, values = [], []
    for metric, known in zip(METRICS, reference, strict=True):
        if abs(_value(cells, metric, place) - known) > ROUNDED:
            raise RecordError(
                f"{place}: {metric} is {cells[metric]} here, but the plan of this study has "
                f"{known:.6g}: the answers are about another plan. Sample it again."
            )
        is_right = _answer(cells, AGREES.format(metric), place)
        agrees.append(is_right)
        values.append(known if is_right else _value(cells, VALUE.format(metric), place))
    return HumanRow(name, tuple(agrees), tuple(values))


def _answer(cells: dict[str, str], column: str, place: str) -> bool:
    answer = cells[column].lower()
    if answer not in ANSWERS:
        raise RecordError(f"{place}: {column} is {_shown(cells[column])}; write yes or no.")
    return ANSWERS[answer]


def _value(cells: dict[str, str], column: str, place: str) -> float:
    try:
        value = float(cells[column])
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        shown = _shown(cells[column])
        raise RecordError(f"{place}: {column} is {shown}; write a number from 0 to 1.")
    return value


def _shown(cell: str) -> str:
    return f"'{cell}'" if cell else "empty"

"""Does a plan hold? Studies are simulated anew at the least Δ that `faultpair power` states.

The flags of each run are drawn from other seeds than those of the plan, and each study is
read as a committed one is: pairs, then the interval or the p that is published.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from ..data.columns import BoolArray, FloatArray, IntArray
from ..stats.contrast_power import least_difference
from ..stats.estimate import significant
from ..stats.intervals import ALPHA
from ..stats.margins import LEVEL
from ..stats.paired_difference import Clustered, interval
from ..stats.planned_judge import Answers, PlannedJudge
from ..stats.power import POWER, least_above_floor, least_delta, power_at
from ..stats.readings import UNSCORED, Reading, differences
from ..stats.tests import sign_flip
from .design import COMMITTED, Cell, Dependence, sizes_of
from .simulated import Judged, drawn, uniform

__all__ = ["PlannedCell", "Question", "planned_cells", "planned_counts"]

SHAPES = ("paper", "balanced", "ablation", "noise", "plan-faults")
FLOOR, SILENT = 0.2, 0.2
BLOCK = 200
"""Studies that are in memory at once."""


class Question(StrEnum):
    """What the least Δ was planned for."""

    DELTA = "Δ above 0"
    FLOOR = "Δ above 0.2"
    CAUTIOUS = "Δ above 0, 20 % unscored, cautious"
    JUDGED = "Δ above 0, 20 % unscored, judged"
    CONTRAST = "difference of Δ"

    @property
    def judge(self) -> tuple[float, Reading]:
        """Return how often the judge is silent, and how that is read."""
        reading = Reading.JUDGED if self is Question.JUDGED else Reading.CAUTIOUS
        return (SILENT if self in (Question.CAUTIOUS, Question.JUDGED) else 0.0), reading

    @property
    def bound(self) -> tuple[float, float]:
        """Return what the interval is to be above, and the chance that its end may miss."""
        return (FLOOR, LEVEL) if self is Question.FLOOR else (0.0, ALPHA / 2)


@dataclass(frozen=True, slots=True)
class PlannedCell:
    """A plan for the shape of a committed study."""

    question: Question
    shape: str
    base_rate: float
    answers: Answers

    @property
    def size(self) -> IntArray:
        """Return the faults of each instance."""
        return sizes_of(self.at(0.0))

    @property
    def planned(self) -> PlannedJudge:
        """Return the judge that is planned for."""
        return PlannedJudge(self.base_rate, self.answers, *self.question.judge)

    def at(self, delta: float) -> Cell:
        """Return the cell of simulated judges with this Δ."""
        n = sum(COMMITTED[self.shape].values())
        return Cell(self.shape, n, self.base_rate, delta, Dependence(self.answers.value))


def planned_cells() -> tuple[PlannedCell, ...]:
    """Return every plan: of Δ for each shape in full, of the others at the defaults."""
    of_delta = [
        PlannedCell(Question.DELTA, shape, base_rate, answers)
        for shape in SHAPES
        for answers in Answers
        for base_rate in (0.02, 0.05, 0.2)
    ]
    others = [
        PlannedCell(question, shape, 0.05, Answers.ONE)
        for question in Question
        for shape in SHAPES
        if question is not Question.DELTA
    ]
    return (*of_delta, *others)


def planned_counts(cell: PlannedCell, studies: int) -> dict[str, Any]:
    """Plan, then count the studies in which the planned Δ is found.

    ``least`` is None where 80 % power is not reached; the plan is then the power at the largest
    Δ, and studies are simulated there.
    """
    least = _least(cell)
    delta = 1 - cell.base_rate if least is None else least
    floor, tail = cell.question.bound
    power = POWER if least else power_at(cell.size, cell.planned, delta, floor=floor, tail=tail)
    place = asdict(cell) | {"question": str(cell.question), "answers": str(cell.answers)}
    found = {"simulations": studies, "found": sum(_finds(cell, delta, studies))}
    return {**place, "least": significant(least), "planned": significant(power), **found}


def _least(cell: PlannedCell) -> float | None:
    if cell.question is Question.CONTRAST:
        return least_difference(cell.size, cell.planned, ALPHA)
    if cell.question is Question.FLOOR:
        return least_above_floor(cell.size, cell.planned, FLOOR)
    return least_delta(cell.size, cell.planned)


def _finds(cell: PlannedCell, delta: float, studies: int) -> Iterator[bool]:
    """Yield for each study whether the Δ is found."""
    for start in range(0, studies, BLOCK):
        n = min(BLOCK, studies - start)
        if cell.question is Question.CONTRAST:
            most = 1 - cell.base_rate
            one, other = (
                drawn(cell.at((most + sign * delta) / 2), n, "planned", side, start)
                for sign, side in ((1, "one"), (-1, "other"))
            )
            yield from _contrasts(one, other)
        else:
            judged = drawn(cell.at(delta), n, "planned", start)
            yield from _intervals(cell, judged, start)


def _contrasts(one: Judged, other: Judged) -> Iterator[bool]:
    total = one.shape.by_instance(one.difference - other.difference)
    for row in total:
        p = sign_flip(row).estimate
        yield p is not None and p <= ALPHA


def _intervals(cell: PlannedCell, judged: Judged, start: int) -> Iterator[bool]:
    floor, tail = cell.question.bound
    silent, reading = cell.question.judge
    shape = judged.shape
    fault = _scored(judged.fault, silent, "faults", start)
    parent = _scored(judged.parent, silent, "parents", start)
    for row in range(len(fault)):
        difference, rows = differences(fault[row], parent[row][shape.unit], reading)
        pairs = Clustered.of(shape.unit[rows], difference[rows], len(shape.size))
        ends = interval(pairs, tail) if pairs.n else None
        yield ends is not None and ends[0] > floor


def _scored(flags: BoolArray, silent: float, *purpose: str | int) -> IntArray:
    """Return the flags as codes, some runs unscored."""
    codes = flags.astype(np.int64)
    if not silent:
        return codes
    number: FloatArray = uniform(codes.size, "planned", "silent", *purpose).reshape(codes.shape)
    return np.where(number < silent, UNSCORED, codes)

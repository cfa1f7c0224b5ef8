"""The cells that are simulated: shapes of studies, and what a judge does there.

The committed studies are simulated in their own shapes. A covering design has many more:
each dependence meets each shape, and each pair of a base rate and a Δ meets each dependence.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from ..data.columns import IntArray

__all__ = ["COMMITTED", "Cell", "Dependence", "cells", "covering_cells", "sizes_of", "study_cells"]


class Dependence(StrEnum):
    """How the verdicts on the runs of one instance go together."""

    NONE = "independent"
    """Each run is judged afresh."""
    EFFECT = "instance effect"
    """A normal effect of sd 1.5 on the logit moves all runs of an instance."""
    ONE = "one answer"
    """The faults of an instance get one answer; its parent gets another."""
    ALL = "all or none"
    """One draw decides an instance: its parent, and all of its faults, at their own rates."""
    TYPE = "by type"
    """A type is always flagged, or never; the parent is judged afresh."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A judge on a shape of study.

    ``base_rate`` is its chance to flag a clean run, ``base_rate + delta`` to flag a fault.
    """

    shape: str
    instances: int
    base_rate: float
    delta: float
    dependence: Dependence

    @property
    def place(self) -> tuple[str | int, ...]:
        """Return what names the cell, as parts of the purpose of its random stream."""
        rates = (str(self.base_rate), str(self.delta))
        return (self.shape, self.instances, *rates, str(self.dependence))


COMMITTED = {
    "paper": {1: 75, 2: 35, 3: 28, 4: 9, 5: 7},
    "balanced": {
        1: 85, 2: 57, 3: 34, 4: 41, 5: 40, 6: 38, 7: 27, 8: 16, 9: 8, 10: 10, 11: 7, 12: 8,
        13: 10, 14: 10, 15: 6, 16: 6, 17: 5, 18: 2, 19: 3, 21: 1,
    },
    "ablation": {1: 29, 2: 3, 4: 15, 5: 5},
    "noise": {1: 2, 2: 2, 3: 2, 4: 2},
    "plan-faults": {10: 10},
    "agent": {1: 15},
}  # fmt: skip
"""How many instances of a committed study have so many faults; ``agent`` has clean runs alone."""

SHAPES = ("1 each", "4 each", "10 each", "20 each", "1 to 4", "1 to 20", "one big")
UNEVEN = (1, 1, 2, 3, 5, 8, 13, 20)
INSTANCES = (10, 20, 50, 150, 400)
RATES = tuple(
    (base_rate, delta)
    for base_rate in (0.01, 0.05, 0.1, 0.2, 0.4)
    for delta in (-0.3, -0.1, 0.0, 0.02, 0.1, 0.3, 0.6, 0.95, 0.98)
    if 0 <= base_rate + delta <= 1
)
STUDY_RATES = tuple((base_rate, d) for base_rate in (0.02, 0.1, 0.3) for d in (0.0, 0.1, 0.5))
REPEATS = 2


def sizes_of(cell: Cell) -> IntArray:
    """Return the number of faults of each instance of a cell."""
    if cell.shape in COMMITTED:
        counts = COMMITTED[cell.shape]
        return np.repeat(list(counts), list(counts.values()))
    n = cell.instances
    if cell.shape.endswith(" each"):
        return np.full(n, int(cell.shape.removesuffix(" each")))
    if cell.shape == "1 to 4":
        return np.arange(n) % 4 + 1
    if cell.shape == "1 to 20":
        return np.array(UNEVEN)[np.arange(n) % len(UNEVEN)]
    size = np.full(n, 2)
    size[0] = 20
    return size


def study_cells() -> tuple[Cell, ...]:
    """Return the cells in the shapes of the committed studies."""
    return tuple(
        Cell(shape, sum(counts.values()), *rates, dependence)
        for shape, counts in COMMITTED.items()
        for dependence in Dependence
        for rates in STUDY_RATES
    )


def covering_cells() -> tuple[Cell, ...]:
    """Return the cells of the covering design."""
    shapes = [(shape, n) for n in INSTANCES for shape in SHAPES]
    found = []
    for turn, dependence in enumerate(Dependence):
        for place, rates in enumerate(RATES):
            for repeat in range(REPEATS):
                # Neighbouring rates get neighbouring shapes, and each dependence begins
                # elsewhere, so that shapes and rates are not tied to each other.
                at = (REPEATS * place + repeat + 13 * turn) % len(shapes)
                found.append(Cell(*shapes[at], *rates, dependence))
    return tuple(found)


def cells() -> tuple[Cell, ...]:
    """Return every cell, those of the committed studies first."""
    return study_cells() + covering_cells()

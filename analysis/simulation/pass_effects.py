"""How often the interval of Δ over passes covers, where a judge is asked again and again.

A run is flagged in a pass if a latent uniform number is below its rate. Its normal score is a
sum of three: what the runs of an instance share, what the passes of a run share, and what
each pass draws afresh.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from scipy.special import ndtr, ndtri

from ..data.columns import BoolArray, FloatArray
from ..stats.clusters import is_borne
from ..stats.paired_difference import Clustered, square_and_add
from ..stats.type_ends import Ended
from .design import COMMITTED, Cell, Dependence, sizes_of
from .simulated import Shape, uniform
from .tallies import Tally, tally_of_drawn

__all__ = ["PassCell", "Steadiness", "pass_cells", "pass_counts"]

AT_ONCE = 100
"""The studies that are held in memory together."""


class Steadiness(StrEnum):
    """What passes, and runs of an instance, have in common."""

    AFRESH = "each pass afresh"
    RUN = "half by run"
    INSTANCE = "half by instance"
    BOTH = "by run and by instance"
    STEADY = "all passes alike"
    ALL = "all or none"


PARTS = {
    Steadiness.AFRESH: (0.0, 0.0),
    Steadiness.RUN: (0.0, 0.5),
    Steadiness.INSTANCE: (0.5, 0.0),
    Steadiness.BOTH: (0.4, 0.4),
    Steadiness.STEADY: (0.0, 1.0),
    Steadiness.ALL: (1.0, 0.0),
}
"""The parts of the variance of a score that an instance has, and that a run has."""


@dataclass(frozen=True, slots=True)
class PassCell:
    """A judge that is asked in several passes, on a shape of study."""

    shape: str
    instances: int
    passes: int
    base_rate: float
    delta: float
    steadiness: Steadiness

    @property
    def cell(self) -> Cell:
        """Return the same judge in one pass."""
        return Cell(self.shape, self.instances, self.base_rate, self.delta, Dependence.NONE)


DECLARED = (
    ("1 each", 20), ("4 each", 50), ("10 each", 10), ("1 to 4", 100), ("1 to 20", 50),
    ("one big", 150),
)  # fmt: skip
PASSES = (2, 3, 5, 10)
RATES = ((0.02, 0.0), (0.1, 0.3), (0.3, -0.1), (0.05, 0.9), (0.2, 0.1))


def pass_cells() -> tuple[PassCell, ...]:
    """Return every cell: each shape meets all ways to be steady, passes and rates in turn."""
    committed = [(name, sum(c.values())) for name, c in COMMITTED.items() if name != "agent"]
    return tuple(
        PassCell(*shape, PASSES[(place + turn) % 4], *RATES[(2 * place + turn) % 5], steadiness)
        for place, shape in enumerate((*committed, *DECLARED))
        for turn, steadiness in enumerate(Steadiness)
    )


def pass_counts(cell: PassCell, studies: int) -> Tally | None:
    """Count the intervals of a cell; None where the instances are too few."""
    shape = Shape.of(sizes_of(cell.cell))
    if not bool(is_borne(shape.size)):
        return None
    parts = [
        _tried(cell, shape, first, min(AT_ONCE, studies - first))
        for first in range(0, studies, AT_ONCE)
    ]
    value, low, high = (np.concatenate([part[place] for part in parts]) for place in range(3))
    truth = np.full(len(value), cell.delta)
    return tally_of_drawn(Ended(value, low, high), truth, step=shape.step)


def _tried(
    cell: PassCell, shape: Shape, first: int, studies: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    n, faults = len(shape.size), len(shape.unit)
    place = (*cell.cell.place, "passes", cell.passes, str(cell.steadiness), first)
    shared = uniform(studies * n, *place, "instances").reshape(studies, n)
    own = [
        uniform(studies * count, *place, name).reshape(studies, count)
        for name, count in (("parents", n), ("faults", faults))
    ]
    gain, loss = (np.zeros((studies, n), np.int64) for _ in range(2))
    for number in range(cell.passes):
        drawn = uniform(studies * (n + faults), *place, "pass", number)
        afresh = drawn.reshape(studies, n + faults)
        parent = _flags(cell, cell.base_rate, shared, own[0], afresh[:, :n])
        rate = cell.base_rate + cell.delta
        fault = _flags(cell, rate, shared[:, shape.unit], own[1], afresh[:, n:])
        of_parent = parent[:, shape.unit]
        gain += shape.by_instance(fault & ~of_parent)
        loss += shape.by_instance(of_parent & ~fault)
    size = shape.size * cell.passes
    pairs = Clustered(gain, loss, size)
    value = pairs.total.sum(axis=-1) / size.sum()
    return (value, *square_and_add(pairs))


def _flags(
    cell: PassCell, rate: float, shared: FloatArray, own: FloatArray, afresh: FloatArray
) -> BoolArray:
    """Flag runs at a rate, from three uniform numbers of each."""
    instance, run = PARTS[cell.steadiness]
    weights = (instance, run, max(0.0, 1 - instance - run))
    score = sum(
        np.sqrt(weight) * ndtri(np.clip(part, 1e-15, None))
        for weight, part in zip(weights, (shared, own, afresh), strict=True)
        if weight
    )
    return np.asarray(ndtr(score) < rate)

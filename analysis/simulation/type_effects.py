"""How often the intervals of the model of fault types cover, where types are drawn.

In each study the true Δ of every type is drawn anew, and that of one type more, which is not
planted. It is drawn as the model says, or otherwise: from two groups, with an outlier in ten,
or always or never flagged.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from scipy.special import ndtr, ndtri

from ..data.columns import BoolArray, FloatArray, IntArray
from ..stats.clusters import effective_instances, is_borne
from ..stats.hierarchy import LEAST_NEW, LEAST_SPREAD
from ..stats.type_ends import Ended, mean_over_types, new_type, shrunken, spread
from ..stats.type_errors import TypeErrors, TypeSums
from .design import COMMITTED, Cell, Dependence, sizes_of
from .simulated import uniform
from .tallies import Tally, tally_of_drawn

__all__ = ["TYPE_KINDS", "TypeCell", "TypeEffects", "type_cells", "type_counts"]

TYPE_KINDS = ("shrunken Δ of types", "SD of types", "mean over types", "a new type")
AT_ONCE = 100
"""The studies that are held in memory together."""

OUTLIERS = 0.1
SHARED = 0.5
"""The part of the variance of a latent answer that the runs of an instance share."""

GRID = 100_000


class TypeEffects(StrEnum):
    """How the true Δ of types is distributed."""

    NORMAL = "normal"
    GROUPS = "two groups"
    OUTLIER = "one in ten is an outlier"
    FIXED = "always or never"


@dataclass(frozen=True, slots=True)
class TypeCell:
    """Types of a judge on a shape of study; ``mean`` and ``sd`` are those of their true Δ."""

    shape: str
    instances: int
    types: int
    effects: TypeEffects
    base_rate: float
    mean: float
    sd: float
    dependence: Dependence

    @property
    def place(self) -> tuple[str | int, ...]:
        """Return what names the cell, as parts of the purpose of its random stream."""
        rates = (str(self.base_rate), str(self.mean), str(self.sd))
        return ("types", self.shape, self.instances, self.types, self.effects, *rates)

    @property
    def size(self) -> IntArray:
        """Return the number of faults of each instance."""
        shape = Cell(self.shape, self.instances, self.base_rate, self.mean, self.dependence)
        return sizes_of(shape)

    def delta_at(self, level: FloatArray) -> FloatArray:
        """Return the quantiles of the true Δ of types; no rate leaves [0, 1]."""
        least, most = -self.base_rate, 1 - self.base_rate
        if self.effects is TypeEffects.FIXED:
            return np.where(level < most - self.mean, least, most)
        if self.effects is TypeEffects.GROUPS:
            delta = self.mean + np.where(level < HALF, -self.sd, self.sd)
        elif self.effects is TypeEffects.OUTLIER:
            delta = self.mean + np.where(level < 1 - OUTLIERS, -self.sd / 3, 3 * self.sd)
        else:
            delta = self.mean + self.sd * ndtri(np.clip(level, 1e-15, None))
        return np.clip(delta, least, most)


HALF = 0.5
TYPES_OF = {"paper": 6, "balanced": 37, "ablation": 6, "noise": 6, "plan-faults": 10}
DECLARED = (
    ("5 each", 20, 5),
    ("4 each", 50, 10),
    ("1 to 4", 60, 12),
    ("1 each", 200, 20),
    ("10 each", 100, 20),
    ("1 to 20", 150, 40),
    ("10 each", 40, 40),
    ("4 each", 300, 30),
)
RATES = ((0.02, 0.3, 0.25), (0.2, 0.15, 0.1), (0.05, 0.0, 0.03), (0.02, 0.9, 0.1), (0.1, 0.4, 0.3))
DEPENDENCES = (Dependence.NONE, Dependence.EFFECT, Dependence.ONE, Dependence.ALL)
REPEATS = 2


def type_cells() -> tuple[TypeCell, ...]:
    """Return every cell: each shape meets all effects, with rates and dependences in turn."""
    shapes = [(name, sum(COMMITTED[name].values()), k) for name, k in TYPES_OF.items()]
    found = []
    for place, (shape, instances, types) in enumerate((*shapes, *DECLARED)):
        for turn, effects in enumerate(TypeEffects):
            for repeat in range(REPEATS):
                at = place + REPEATS * turn + repeat
                dependence = DEPENDENCES[(at + turn // 2) % len(DEPENDENCES)]
                rates = RATES[(at + place) % len(RATES)]
                found.append(
                    TypeCell(shape, instances, types, effects, *rates, dependence=dependence)
                )
    return tuple(found)


def type_counts(cell: TypeCell, studies: int) -> list[Tally | None]:
    """Count the intervals of a cell, of each kind; None where the kind has none there."""
    if not bool(is_borne(cell.size)):
        return [None] * len(TYPE_KINDS)
    parts = [
        _tried(cell, first, min(AT_ONCE, studies - first)) for first in range(0, studies, AT_ONCE)
    ]
    truth, new = (np.concatenate([part[place] for part in parts]) for place in (0, 1))
    found = [
        Ended(*(np.concatenate([getattr(part[2][kind], end) for part in parts]) for end in ENDS))
        for kind in range(len(TYPE_KINDS))
    ]
    levels = (np.arange(GRID) + HALF) / GRID
    mean = np.full(len(new), cell.delta_at(levels).mean())
    true = (truth, truth.std(axis=1, ddof=1), mean, new)
    tallies: list[Tally | None] = [
        tally_of_drawn(one, of, own, step)
        for one, of, own, step in zip(
            found, true, (None, None, None, new), (_step(cell), 0.0, 0.0, 0.0), strict=True
        )
    ]
    if effective_instances(cell.size) < LEAST_SPREAD:
        tallies[TYPE_KINDS.index("SD of types")] = None
    if cell.types < LEAST_NEW:
        tallies[TYPE_KINDS.index("a new type")] = None
    return tallies


ENDS = ("value", "low", "high")


def _step(cell: TypeCell) -> float:
    """Return what one instance of usual size moves the Δ of a type by, the mean over types."""
    pairs = _pairs(cell)
    every = (pairs[:, kind] for kind in range(cell.types))
    return float(np.mean([1 / float(effective_instances(of[of > 0])) for of in every]))


def _pairs(cell: TypeCell) -> IntArray:
    """Return the pairs of each instance and type; types follow each other in the faults."""
    size = cell.size
    unit = np.repeat(np.arange(len(size)), size)
    place = unit * cell.types + np.arange(len(unit)) % cell.types
    return np.bincount(place, minlength=len(size) * cell.types).reshape(len(size), cell.types)


def _tried(cell: TypeCell, first: int, studies: int) -> tuple[FloatArray, FloatArray, list[Ended]]:
    """Return the true Δ of types and of one more, and the intervals of some studies."""
    level = uniform(studies * (cell.types + 1), *cell.place, first, "types")
    drawn = cell.delta_at(level.reshape(studies, cell.types + 1))
    truth, new = drawn[:, :-1], drawn[:, -1]
    errors = TypeErrors.of(_sums(cell, first, truth))
    own = shrunken(errors)
    return truth, new, [own, spread(errors), mean_over_types(errors), new_type(errors, own)]


def _sums(cell: TypeCell, first: int, truth: FloatArray) -> TypeSums:
    """Judge some studies; types follow each other in the order of the faults."""
    size = cell.size
    unit = np.repeat(np.arange(len(size)), size)
    kind = np.arange(len(unit)) % cell.types
    parent, fault = _flags(cell, first, cell.base_rate + truth[:, kind], unit)
    shape = (len(truth), len(size), cell.types)
    place = unit * cell.types + kind
    at = (np.arange(len(truth))[:, np.newaxis] * (shape[1] * shape[2]) + place).ravel()
    of_parent = parent[:, unit]
    gain, loss = (
        np.bincount(at, side.ravel(), minlength=shape[0] * shape[1] * shape[2]).reshape(shape)
        for side in (fault & ~of_parent, of_parent & ~fault)
    )
    return TypeSums(gain, loss, _pairs(cell))


def _flags(
    cell: TypeCell, first: int, rate: FloatArray, unit: IntArray
) -> tuple[BoolArray, BoolArray]:
    """Return the flags of parents and of faults, each flagged at its own rate."""
    studies, n = len(rate), int(unit[-1]) + 1

    def drawn(count: int, name: str) -> FloatArray:
        place = (*cell.place, cell.dependence, first, name)
        return uniform(studies * count, *place).reshape(studies, count)

    parent = drawn(n, "parents")
    if cell.dependence is Dependence.ALL:
        fault = parent[:, unit]
    elif cell.dependence is Dependence.ONE:
        fault = drawn(n, "answers")[:, unit]
    elif cell.dependence is Dependence.EFFECT:
        shared = drawn(n, "effects")
        parent, fault = _tied(parent, shared), _tied(drawn(len(unit), "faults"), shared[:, unit])
    else:
        fault = drawn(len(unit), "faults")
    return parent < cell.base_rate, fault < rate


def _tied(own: FloatArray, shared: FloatArray) -> FloatArray:
    """Return uniform numbers of which normal scores share a part of their variance."""
    one, other = (ndtri(np.clip(part, 1e-15, None)) for part in (own, shared))
    return np.asarray(ndtr(np.sqrt(1 - SHARED) * one + np.sqrt(SHARED) * other))

"""Coverage of what plain data have besides: weights of pairs, and two independent studies.

The cells are one in four of those of every other interval.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..data.columns import FloatArray
from ..measurement.weights import weighted_clusters, weighted_refusal
from ..stats.clusters import is_borne
from ..stats.paired_difference import ends_of_difference, square_and_add
from ..tables.table import Table
from .design import Cell, cells
from .simulated import Judged, drawn, uniform
from .tables import coverage_tables
from .tallies import tally
from .trial import Tried, clustered, mean

__all__ = ["UNEQUAL_KINDS", "unequal_cells", "unequal_counts", "unequal_table"]

EVERY = 4
HEAVY = 2.5
"""The logarithm of the largest weight over the smallest."""

Weigh = Callable[[FloatArray], FloatArray]

NOTES = (
    "Δ weighted: pairs count by weights of 0.5 to 2; of 0.29 to 3.5, logarithmically; or "
    "fourfold in one instance of ten. The true value is the weighted one.",
    "Difference of two studies: Δ of one judge on one set minus Δ of another judge on another "
    "set of the same shape.",
)


def unequal_cells() -> tuple[Cell, ...]:
    """Return the cells that are simulated."""
    return cells()[::EVERY]


def unequal_counts(cell: Cell, studies: int) -> dict[str, list[float] | None]:
    """Count the intervals of a cell; None where the instances are too few."""
    one = drawn(cell, studies, "weighted")
    other = drawn(replace(cell, delta=cell.delta / 2), studies, "another set")
    return {name: _counted(kind, one, other, cell) for name, kind in UNEQUAL_KINDS.items()}


def unequal_table(counted: Sequence[dict[str, Any]], simulations: int) -> Table:
    """Return the summary of all cells, in the form of that of every other interval."""
    table = coverage_tables(list(UNEQUAL_KINDS), counted, [], simulations)[0]
    rows = tuple((name, *rest) for name, which, *rest in table.rows if which == "studies")
    columns = (table.columns[0], *table.columns[2:])
    title = "Coverage of 95 % intervals of weighted pairs and of two studies"
    return replace(
        table,
        name="unequal",
        title=title,
        columns=columns,
        rows=rows,
        notes=(*NOTES, *table.notes[:-1]),
    )


Kind = Callable[[Judged, Judged, Cell], Tried | None]


def _counted(kind: Kind, one: Judged, other: Judged, cell: Cell) -> list[float] | None:
    tried = kind(one, other, cell)
    return None if tried is None else tally(tried)


def _weighted(by_instance: bool, weigh: Weigh) -> Kind:
    def tried(one: Judged, _: Judged, cell: Cell) -> Tried | None:
        unit = one.shape.unit
        n = len(one.shape.size) if by_instance else len(unit)
        weight = weigh(uniform(n, *cell.place, "weights", str(by_instance)))
        weight = weight[unit] if by_instance else weight
        pairs = weighted_clusters(unit, one.difference.astype(np.int64), weight)
        truth = float((one.rate * weight).sum() / weight.sum()) - one.base_rate
        if weighted_refusal(pairs, len(unit)):
            return None
        return Tried(mean(pairs), *square_and_add(pairs), truth, one.shape.step)

    return tried


def _two_studies(one: Judged, other: Judged, _: Cell) -> Tried | None:
    sides = [clustered(judged.shape, judged.difference) for judged in (one, other)]
    if not is_borne(sides[0].size):
        return None
    left, right = ((mean(pairs), *square_and_add(pairs)) for pairs in sides)
    ends = ends_of_difference(left, right, np.array(0.0))
    return Tried(left[0] - right[0], *ends, one.delta - other.delta, one.shape.step)


UNEQUAL_KINDS: dict[str, Kind] = {
    "Δ weighted, by pair": _weighted(by_instance=False, weigh=lambda u: 0.5 + 1.5 * u),
    "Δ weighted, unevenly": _weighted(by_instance=False, weigh=lambda u: np.exp(HEAVY * (u - 0.5))),
    "Δ weighted, a tenth fourfold": _weighted(
        by_instance=True, weigh=lambda u: np.where(u < 0.1, 4.0, 1.0)
    ),
    "difference of two studies": _two_studies,
}
"""The kinds of interval that plain data have, and studies have not."""

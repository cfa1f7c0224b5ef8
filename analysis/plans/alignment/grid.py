"""The grid: one row a judged plan, with its reference and its verdict on four metrics."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from faultpair.env.errors import RecordError
from faultpair.judges.plan_metrics.metrics import METRICS

from ...data.columns import BoolArray, Coded, FloatArray, IntArray

__all__ = ["FACTORS", "Grid", "checked", "joined"]

FACTORS = ("record", "generator", "judge", "tier", "topology", "condition")


@dataclass(frozen=True, slots=True)
class Grid:
    """Columns over n judged plans; verdicts that could not be read are not among them.

    Attributes
    ----------
    record, generator, judge, tier, topology, condition : Coded, shape (n,)
        The names of ``tier`` go from the easiest to the hardest.
    reference, verdict : float, shape (n, 4), in [0, 1]
        The programmatic value p and the judge's v, metric by metric.
    repeat : int, shape (n,)
        0 for the first pass of a judge, on which all numbers but flips rest.
    """

    record: Coded
    generator: Coded
    judge: Coded
    tier: Coded
    topology: Coded
    condition: Coded
    reference: FloatArray
    verdict: FloatArray
    repeat: IntArray

    def __len__(self) -> int:
        return len(self.repeat)

    def of(self, factor: str) -> Coded:
        """Return the column of a factor."""
        column = getattr(self, factor)
        assert isinstance(column, Coded)
        return column

    def take(self, rows: IntArray | BoolArray) -> Grid:
        """Return some of the rows; names keep their codes."""
        chosen = np.flatnonzero(rows) if rows.dtype == np.bool_ else rows.astype(np.int64)
        return Grid(
            **{factor: self.of(factor).take(chosen) for factor in FACTORS},
            reference=self.reference[chosen],
            verdict=self.verdict[chosen],
            repeat=self.repeat[chosen],
        )

    def pass_of(self, repeat: int) -> Grid:
        """Return the rows of one pass."""
        return self.take(self.repeat == repeat)

    def under(self, condition: str) -> Grid:
        """Return the rows under one condition."""
        return self.take(self.condition.where(condition))

    def key(self, *factors: str) -> IntArray:
        """Return one whole number a row, equal where all these factors are."""
        key = np.zeros(len(self), dtype=np.int64)
        for factor in factors:
            column = self.of(factor)
            key = key * len(column.names) + column.codes
        return key

    def place(self, row: int) -> str:
        """Describe a row for an error message."""
        names = ", ".join(f"{factor} {self.of(factor).name(row)}" for factor in FACTORS)
        return f"{names}, repeat {self.repeat[row]}"


def checked(grid: Grid) -> Grid:
    """Return the grid if it holds together.

    Raises
    ------
    RecordError
        If a value is outside [0, 1] or missing, a plan was judged twice in one pass, a
        record has two topologies, a plan has two references, or there is no plan at all.
    """
    if not len(grid):
        raise RecordError("No plan has a verdict that could be read; there is nothing to align.")
    for what, values in (("reference", grid.reference), ("verdict", grid.verdict)):
        if values.shape != (len(grid), len(METRICS)):
            wanted = f"{len(grid)} rows of {len(METRICS)}"
            raise RecordError(f"The {what} has shape {values.shape}, not {wanted}.")
        wrong = np.flatnonzero(~((values >= 0) & (values <= 1)).all(axis=1))
        if len(wrong):
            row = int(wrong[0])
            raise RecordError(
                f"{grid.place(row)}: the {what} is {values[row].tolist()}; each value must lie "
                "in [0, 1]. Leave out verdicts that could not be read."
            )
    _refuse_second(grid)
    _refuse_change(grid, "record", grid.key("record"), grid.topology.codes[:, np.newaxis])
    _refuse_change(grid, "plan", grid.key("record", "generator", "tier"), grid.reference)
    return grid


def joined(one: Grid, other: Grid, factors: tuple[str, ...]) -> tuple[IntArray, IntArray]:
    """Return the rows of both grids that agree in these factors, which name each at most once."""
    _, left, right = np.intersect1d(
        one.key(*factors), other.key(*factors), assume_unique=True, return_indices=True
    )
    return left.astype(np.int64), right.astype(np.int64)


def _refuse_second(grid: Grid) -> None:
    place = grid.key(*FACTORS) * (int(grid.repeat.max(initial=0)) + 1) + grid.repeat
    # Sorted by plan, judge and pass, two verdicts on one are neighbours.
    order = np.argsort(place, kind="stable")
    again = np.flatnonzero(np.diff(place[order]) == 0)
    if len(again):
        row = int(order[again[0] + 1])
        raise RecordError(f"{grid.place(row)}: judged twice; keep one verdict of them.")


def _refuse_change(grid: Grid, what: str, key: IntArray, values: IntArray | FloatArray) -> None:
    _, first, of = np.unique(key, return_index=True, return_inverse=True)
    # Each row is compared with the first row of its key.
    wrong = np.flatnonzero((values != values[first[of]]).any(axis=1))
    if len(wrong):
        row = int(wrong[0])
        kind = "topology" if what == "record" else "reference"
        raise RecordError(f"{grid.place(row)}: its {what} has another {kind} in another row.")

"""Cells: one (condition, judge, generator, tier), its plans and its sums under every resample.

The mean of a cell is align(j, g, d, c) of equation 5a, here as a share of one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import reduce
from typing import assert_never

import numpy as np

from faultpair.judges.plan_metrics.metrics import METRICS

from ...data.columns import FloatArray, IntArray, ratio
from .grid import Grid
from .match_score import SCALE
from .record_bootstrap import EVERY, Resample

__all__ = ["CELL_FACTORS", "EQUAL", "Cells", "Weighting", "mean_of_each", "shared", "tally"]

CELL_FACTORS = ("condition", "judge", "generator", "tier")
EQUAL = (1.0, 1.0, 1.0, 1.0)


class Weighting(StrEnum):
    """How cells become one mean."""

    CELLS = "cells"
    """Every cell counts the same: the overline of equation 5b."""

    COUNTS = "counts"
    """Every plan counts the same."""

    TOPOLOGIES = "topologies"
    """Every topology counts the same, and in each of them every cell."""


@dataclass(frozen=True, slots=True)
class Cells:
    """Sums of one quantity over the plans of each cell.

    ``codes[factor]`` has shape (cells,), ``count`` (topologies + 1, cells, 1 + resamples),
    and ``sums`` (topologies + 1, cells, 4, 1 + resamples), in units of 1 / SCALE. Resamples
    are the last axis so that means over cells run along memory; results have them first.
    ``records`` is how many records each topology has, and all of them (`EVERY`); 0 of a
    signed quantity, whose mean has no interval.
    """

    names: dict[str, tuple[str, ...]]
    codes: dict[str, IntArray]
    count: FloatArray
    sums: FloatArray
    records: tuple[int, ...]

    def __len__(self) -> int:
        return int(self.count.shape[1])

    def key(self, factors: Sequence[str]) -> IntArray:
        """Return one whole number a cell, equal where all these factors are."""
        key = np.zeros(len(self), dtype=np.int64)
        for factor in factors:
            key = key * len(self.names[factor]) + self.codes[factor]
        return key

    def groups(self, factors: Sequence[str]) -> list[tuple[dict[str, str], IntArray]]:
        """Return the cells that share each combination of names, in the order of the names."""
        key = self.key(factors)
        groups = []
        # A key is one number for a combination of codes, ascending in the order of the names.
        for value in np.unique(key):
            members = np.flatnonzero(key == value)
            own = {f: self.names[f][self.codes[f][members[0]]] for f in factors}
            groups.append((own, members))
        return groups

    def where(self, **names: str) -> IntArray:
        """Return the cells with all these names."""
        rows = np.ones(len(self), dtype=np.bool_)
        for factor, name in names.items():
            known = self.names[factor]
            rows &= self.codes[factor] == (known.index(name) if name in known else -1)
        return np.flatnonzero(rows)

    def n(self, members: IntArray, topology: int = EVERY) -> int:
        """Return how many plans these cells hold."""
        return int(self.count[topology, members, 0].sum())

    def mean(
        self, members: IntArray, *, topology: int = EVERY, weighting: Weighting = Weighting.CELLS
    ) -> FloatArray:
        """Return the mean of each metric over cells, of shape (1 + resamples, 4).

        NaN where a cell of the mean has no plan in the resample.
        """
        if weighting is Weighting.TOPOLOGIES and topology == EVERY:
            strata = range(len(self.count) - 1)
            parts = [self.mean(members, topology=s) for s in strata if self.n(members, s)]
            return _mean(np.array(parts).reshape(-1, self.count.shape[2], len(METRICS)))
        some = members[self.count[topology, members, 0] > 0]
        count, sums = self.count[topology, some], self.sums[topology, some]
        if weighting is Weighting.COUNTS:
            return ratio(sums.sum(axis=0), count.sum(axis=0)).T / SCALE
        if weighting is Weighting.CELLS or weighting is Weighting.TOPOLOGIES:
            return _mean(ratio(sums, count[:, np.newaxis])).T / SCALE
        assert_never(weighting)

    def values(self, members: IntArray, weights: Sequence[float] = EQUAL) -> FloatArray:
        """Return the mean of each cell over its metrics, of shape (1 + resamples, members)."""
        count, sums = self.count[EVERY, members], self.sums[EVERY, members]
        weighted = (sums * np.array(weights)[:, np.newaxis]).sum(axis=1)
        return ratio(weighted, count * sum(weights)).T / SCALE


def tally(grid: Grid, values: IntArray, resample: Resample, *, is_signed: bool = False) -> Cells:
    """Sum a quantity of shape (n, 4) over the plans of each cell; it is in [0, 1] or signed."""
    # `first` is a plan of each cell, which has the cell's names; `cell` the cell of each plan.
    _, first, cell = np.unique(grid.key(*CELL_FACTORS), return_index=True, return_inverse=True)
    # A column of ones in front counts the plans under every resample, too.
    entered = np.column_stack((np.ones(len(grid), dtype=np.int64), values))
    totals = resample.sums(grid.record.codes, cell.ravel(), entered, len(first))
    sums = np.ascontiguousarray(np.moveaxis(totals, 0, -1))
    names = {factor: grid.of(factor).names for factor in CELL_FACTORS}
    names["topology"] = grid.topology.names
    codes = {factor: grid.of(factor).codes[first] for factor in CELL_FACTORS}
    n = [0 if is_signed else len(records) for records in resample.records]
    return Cells(
        names=names,
        codes=codes,
        count=sums[:, :, 0],
        sums=sums[:, :, 1:],
        records=(*n, sum(n)),
    )


def shared(cells: Cells, **chosen: str) -> dict[str, IntArray]:
    """Return by judge the cells whose generator and tier every judge has, among those chosen.

    Judges are only ranked on such cells: otherwise one that judged the hard tier alone
    would rank low by that. Empty where there is no such cell.
    """
    members = cells.where(**chosen)
    # A place is a (generator, tier); the intersection over judges is what all of them share.
    place = cells.codes["generator"] * len(cells.names["tier"]) + cells.codes["tier"]
    judge = cells.codes["judge"][members]
    by_judge = [members[judge == code] for code in np.unique(judge)]
    if not by_judge:
        return {}
    common = reduce(np.intersect1d, [place[own] for own in by_judge])
    if not len(common):
        return {}
    kept = [own[np.isin(place[own], common)] for own in by_judge]
    return {cells.names["judge"][cells.codes["judge"][own[0]]]: own for own in kept}


def mean_of_each(
    cells: Cells, judges: Mapping[str, IntArray], weights: Sequence[float] = EQUAL
) -> dict[str, FloatArray]:
    """Return the mean over the cells of each judge, of shape (1 + resamples,)."""
    return {judge: cells.values(own, weights).mean(axis=1) for judge, own in judges.items()}


def _mean(values: FloatArray) -> FloatArray:
    """Return the mean along the first axis; NaN for the mean of nothing."""
    if not len(values):
        return np.full(values.shape[1:], np.nan)
    mean: FloatArray = values.mean(axis=0)
    return mean

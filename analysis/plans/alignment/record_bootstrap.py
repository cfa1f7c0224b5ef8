"""The stratified bootstrap: records are drawn within their topology, once for every number.

A drawn record brings its plans of all generators and tiers and all verdicts on them, so
that numbers of any two cells are paired, and the interval of a mean over cells reflects
the number of records.

References
----------
Davison and Hinkley (1997), Bootstrap Methods, sections 3.2 (strata) and 3.8 (clusters).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...data.columns import FloatArray, IntArray
from ...stats.bootstrap import draws, raw_words
from .grid import Grid

__all__ = ["EVERY", "N_RESAMPLES", "Resample"]

N_RESAMPLES = 2_000

EVERY = -1
"""The place of all topologies together in the second axis of a sum."""

BLOCK = 256


@dataclass(frozen=True, slots=True)
class Resample:
    """How often each record is drawn.

    ``records[s]`` are the codes of the records of stratum s and ``times[s]``, of shape
    (resamples, records), their counts.
    """

    n_records: int
    records: tuple[IntArray, ...]
    times: tuple[NDArray[np.uint16], ...]

    @classmethod
    def of(cls, grid: Grid, n_resamples: int = N_RESAMPLES) -> Resample:
        """Draw the records of a grid, as many in each topology as it has."""
        record, first = np.unique(grid.record.codes, return_index=True)
        topology = grid.topology.codes[first]
        strata = range(len(grid.topology.names))
        records = tuple(record[topology == stratum] for stratum in strata)
        times = tuple(
            _times(grid.topology.names[stratum], len(records[stratum]), n_resamples)
            for stratum in strata
        )
        return cls(len(grid.record.names), records, times)

    def sums(
        self, record: IntArray, group: IntArray, values: IntArray, n_groups: int
    ) -> FloatArray:
        """Sum whole numbers by group, as observed and under every resample.

        Parameters
        ----------
        record, group : int, shape (n,)
        values : int, shape (n, q)

        Returns
        -------
        float, shape (1 + resamples, topologies + 1, groups, q)
            Observed first; the last topology is all of them (`EVERY`).
        """
        # Rows are first summed by record and group; a resample is then a weighting of records,
        # and all resamples are one matrix product.
        n_values = values.shape[1]
        place = record * n_groups + group
        columns = np.empty((self.n_records * n_groups, n_values))
        for q in range(n_values):
            columns[:, q] = np.bincount(place, values[:, q], minlength=len(columns))
        totals = self._totals(columns.reshape(self.n_records, n_groups * n_values))
        return totals.reshape(*totals.shape[:2], n_groups, n_values)

    def _totals(self, columns: FloatArray) -> FloatArray:
        n_strata, n_resamples = len(self.records), len(self.times[0])
        totals = np.zeros((1 + n_resamples, n_strata + 1, columns.shape[1]))
        for stratum, (records, times) in enumerate(zip(self.records, self.times, strict=True)):
            part = columns[records]
            totals[0, stratum] = part.sum(axis=0)
            for start in range(0, n_resamples, BLOCK):
                block = times[start : start + BLOCK].astype(np.float64)
                totals[1 + start : 1 + start + len(block), stratum] = block @ part
        totals[:, EVERY] = totals[:, :EVERY].sum(axis=1)
        return totals


def _times(topology: str, n_records: int, n_resamples: int) -> NDArray[np.uint16]:
    times = np.zeros((n_resamples, n_records), dtype=np.uint16)
    words = raw_words("bootstrap", "alignment", topology)
    if n_records:
        for block, counts in draws(words, np.arange(n_records), n_resamples):
            times[block] = counts
    return times

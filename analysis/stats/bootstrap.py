"""The bootstrap: one set of resamples shared by every number, and sums under each of them.

Draws are raw 64-bit words of PCG64, so they do not depend on the version of NumPy.
What is summed are whole numbers below 2**53, so the sums are exact whatever the
order in which a BLAS adds them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from faultpair.env.rng import key_of

from ..data.columns import BoolArray, FloatArray, IntArray

__all__ = [
    "N_RESAMPLES",
    "ReplicateSums",
    "Replicates",
    "UnitColumns",
    "draws",
    "raw_words",
    "uniform",
]

N_RESAMPLES = 10_000

BLOCK_CELLS = 1 << 20
EXACT_BELOW = 2**53


@dataclass(frozen=True, slots=True)
class Replicates:
    """A number as observed (first) and under each resample; NaN where undefined.

    ``n`` is its denominator as observed, ``undefined_reason`` says why it has no value
    where that is zero. ``units`` is how many units are resampled, for a mean over units of
    equal weight of values in [0, 1]; 0 for any other number.
    """

    values: FloatArray
    n: int
    undefined_reason: str
    units: int = 0


class ReplicateSums:
    """Sums of the columns of `UnitColumns`: first as observed, then under each resample."""

    def __init__(self, place: dict[Hashable, int], totals: FloatArray) -> None:
        self._place = place
        self._totals = totals

    def __getitem__(self, key: Hashable) -> FloatArray:
        """Return shape (1 + resamples,)."""
        return self._totals[:, self._place[key]]

    def __contains__(self, key: Hashable) -> bool:
        return key in self._place

    def table(self, keys: list[Hashable]) -> FloatArray:
        """Return shape (1 + resamples, keys)."""
        return self._totals[:, [self._place[key] for key in keys]]


class UnitColumns:
    """Whole-number columns over the units of a resample, each under a key of its own."""

    def __init__(self, n_units: int) -> None:
        self.n_units = n_units
        self._place: dict[Hashable, int] = {}
        self._columns: list[FloatArray] = []
        self._known: dict[bytes, int] = {}

    def add(self, key: Hashable, column: IntArray | BoolArray) -> None:
        """Add a column; equal columns are kept once."""
        values = column.astype(np.float64)
        if np.abs(values).max(initial=0.0) * max(self.n_units, 1) >= EXACT_BELOW:
            raise OverflowError(f"Column {key!r} is too large to be summed exactly.")
        place = self._known.setdefault(values.tobytes(), len(self._columns))
        if place == len(self._columns):
            self._columns.append(values)
        self._place[key] = place

    def sums(
        self, strata: IntArray | None = None, *, purpose: str, n_resamples: int = N_RESAMPLES
    ) -> ReplicateSums:
        """Sum every column as observed and under each resample, within strata if there are any.

        Without a resample the sums are those observed alone.
        """
        if strata is None:
            strata = np.zeros(self.n_units, np.int64)
        columns = np.array(self._columns).reshape(len(self._columns), self.n_units).T
        totals = np.zeros((1 + n_resamples, len(self._columns)))
        totals[0] = columns.sum(axis=0)
        # Strata are drawn one by one, each from its own words: what one stratum holds does
        # not change the draws of another.
        for stratum in range(int(strata.max(initial=-1)) + 1 if n_resamples else 0):
            part = columns[strata == stratum]
            words = raw_words("bootstrap", purpose, stratum)
            totals[1:] += _stratum_sums(part, words, n_resamples)
        return ReplicateSums(dict(self._place), totals)


def draws(
    words: np.random.PCG64, kind: IntArray, n_resamples: int
) -> Iterator[tuple[slice, FloatArray]]:
    """Yield how often each kind of unit is drawn, as (resamples, counts of shape (…, kinds)).

    In every resample as many units are drawn, with replacement, as there are;
    ``kind`` says of each unit which kind it is.
    """
    n_units, n_kinds = len(kind), int(kind.max(initial=-1)) + 1
    rows = max(1, BLOCK_CELLS // max(n_units, 1))
    for start in range(0, n_resamples, rows):
        n_rows = min(rows, n_resamples - start)
        unit = _below(words, n_units, n_rows * n_units).reshape(n_rows, n_units)
        # One `bincount` counts all rows: row r has the numbers from r · n_kinds on.
        place = kind[unit]
        place += (np.arange(n_rows) * n_kinds)[:, np.newaxis]
        counts = np.bincount(place.ravel(), minlength=n_rows * n_kinds)
        yield slice(start, start + n_rows), counts.reshape(n_rows, n_kinds).astype(np.float64)


def raw_words(*purpose: int | str) -> np.random.PCG64:
    """Return a source of raw words for one purpose."""
    return np.random.PCG64(key_of(*purpose))


def uniform(n: int, *purpose: int | str) -> FloatArray:
    """Return n numbers in [0, 1) from the raw words of one purpose."""
    words = raw_words(*purpose).random_raw(n)
    return (words >> np.uint64(11)).astype(np.float64) * 2.0**-53


def _stratum_sums(columns: FloatArray, words: np.random.PCG64, n_resamples: int) -> FloatArray:
    """Sum columns under resamples of one stratum, each distinct row and column once.

    A column that is constant here sums to the same in every resample.
    """
    totals = np.empty((n_resamples, columns.shape[1]))
    totals[:] = columns[0] * len(columns)
    moving = np.flatnonzero((columns != columns[0]).any(axis=0))
    if len(moving):
        # Columns and rows repeat a lot: most runs count alike in most columns. So count how
        # often each distinct row is drawn, and multiply by what it holds.
        distinct, column = np.unique(columns[:, moving], axis=1, return_inverse=True)
        rows, kind = np.unique(distinct, axis=0, return_inverse=True)
        sums = np.empty((n_resamples, distinct.shape[1]))
        for block, counts in draws(words, kind.ravel().astype(np.int64), n_resamples):
            np.matmul(counts, rows, out=sums[block])
        totals[:, moving] = sums[:, column.ravel()]
    return totals


def _below(words: np.random.PCG64, bound: int, n: int) -> NDArray[np.uint64]:
    """Return n draws below a bound: 32 random bits times the bound, high half kept."""
    halves = words.random_raw(-(-n // 2)).astype("<u8").view("<u4")[:n]
    return (halves.astype(np.uint64) * np.uint64(bound)) >> np.uint64(32)

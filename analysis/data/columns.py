"""Columns: the array types of this package, and names held as codes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b

import msgspec
import numpy as np
from numpy.typing import NDArray

__all__ = [
    "BoolArray",
    "Coded",
    "FloatArray",
    "IntArray",
    "UintArray",
    "encode",
    "fingerprint",
    "marks_of",
    "ratio",
]

BoolArray = NDArray[np.bool_]
FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
UintArray = NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class Coded:
    """A column of names, or a matrix of them; code -1 is no name."""

    names: tuple[str, ...]
    codes: IntArray

    def where(self, name: str) -> BoolArray:
        """Return the rows that have this name."""
        if name not in self.names:
            return np.zeros(self.codes.shape, dtype=np.bool_)
        return np.equal(self.codes, self.names.index(name))

    def take(self, rows: IntArray) -> Coded:
        """Return the same names over a choice of rows."""
        return Coded(self.names, self.codes[rows])

    def texts(self) -> list[str]:
        """Return the name of every row; each must have one."""
        return [self.names[code] for code in self.codes]

    def name(self, row: int) -> str | None:
        """Return the name in one row of a column."""
        code = int(self.codes[row])
        return None if code < 0 else self.names[code]


def encode(values: Sequence[str | None], first: Iterable[str] = ()) -> Coded:
    """Encode the names that occur: those in ``first`` in that order, then the others sorted.

    >>> encode(["b", None, "a", "c"], ("c", "d"))
    Coded(names=('c', 'a', 'b'), codes=array([ 2, -1,  1,  0]))
    """
    present = {value for value in values if value is not None}
    head = [name for name in dict.fromkeys(first) if name in present]
    names = (*head, *sorted(present.difference(head)))
    place: dict[str | None, int] = {name: code for code, name in enumerate(names)}
    codes = np.fromiter((place.get(value, -1) for value in values), np.int64, len(values))
    return Coded(names, codes)


def fingerprint(text: bytes | msgspec.Raw) -> bytes:
    """Return eight bytes that are equal for equal text, in every process."""
    return blake2b(text, digest_size=8).digest()


def marks_of(fingerprints: Iterable[bytes]) -> UintArray:
    """Turn fingerprints into one column of 64-bit words."""
    return np.frombuffer(b"".join(fingerprints), "<u8").astype(np.uint64)


def ratio(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    """Divide, with NaN where there is nothing to divide by."""
    undefined = np.full(np.broadcast_shapes(numerator.shape, denominator.shape), np.nan)
    np.divide(numerator, denominator, out=undefined, where=denominator != 0)
    return undefined

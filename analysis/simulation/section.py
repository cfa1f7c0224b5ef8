"""What `python -m analysis.validate` simulates for one question."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ..tables.table import Table

__all__ = ["EVERY", "Counts", "Section"]

Counts = dict[str, Any]

EVERY = 6
"""Of the cells of coverage, which ones the quick form takes."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the counts.

    Attributes
    ----------
    name : str
        Its name in ``counts.json`` and for ``--only``.
    cells : callable
        Returns all cells, in the order of the counts; the slowest ones last.
    count : callable
        Takes a cell and the number of studies, and returns what JSON can hold.
    tables : callable
        Takes all counts, and returns the tables of this section.
    studies : callable
        Takes a cell and the number of studies asked for, and returns that of this cell.
    every : int
        The quick form takes one cell of so many.
    of_kinds : callable, optional
        As ``count``, but takes names of kinds too, and counts these alone.
    """

    name: str
    cells: Callable[[], Sequence[Any]]
    count: Callable[[Any, int], Counts]
    tables: Callable[[Counts], Iterable[Table]] = lambda _: ()
    studies: Callable[[Any, int], int] = lambda _, wanted: wanted
    every: int = 1
    of_kinds: Callable[[Any, int, Sequence[str]], Counts] | None = None

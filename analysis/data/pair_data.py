"""Pairs of any origin: the verdicts of judges on runs, as checked columns of plain data."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from .columns import Coded, FloatArray, IntArray
from .pair_checks import checked
from .pair_files import TextColumns, of_object, read_file
from .pair_forms import long_form

__all__ = ["PairData"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairData:
    """Verdicts, and the runs that they are on, as columns.

    Attributes
    ----------
    judge, run : Coded, shape (verdicts,)
        The judge, and the run, whose names are those of the columns below, in their order.
    repeat, flagged : array of int, shape (verdicts,)
        The pass; 1 if flagged, 0 if not, -1 without a verdict.
    score, seconds : array of float, shape (verdicts,)
        P(faulty) and seconds, NaN where there is none.
    unit, type, cell, scenario, control : Coded, shape (runs,)
    parent : array of int, shape (runs,)
        The place of the parent among the runs, -1 for a clean run.
    weight : array of float, shape (runs,)
        1 where none is given.
    """

    name: str
    judge: Coded
    run: Coded
    repeat: IntArray
    flagged: IntArray
    score: FloatArray
    seconds: FloatArray
    unit: Coded
    parent: IntArray
    type: Coded
    cell: Coded
    scenario: Coded
    control: Coded
    weight: FloatArray

    @classmethod
    def read(
        cls,
        path: Path | str,
        *,
        form: str | None = None,
        threshold: float | None = None,
        ignore: Collection[str] = (),
    ) -> Self:
        """Read a file of CSV, JSON Lines or, with pyarrow, Parquet.

        Parameters
        ----------
        form : str, optional
            ``csv``, ``jsonl`` or ``parquet``; the ending of the name tells it if not given.
        threshold : float, optional
            Where there is no column ``flagged``: a run is flagged if its score is as high.
        ignore : names, optional
            Columns that are left out.

        Raises
        ------
        RecordError
            For a row that does not fit; the message names its line.
        UsageError
            If the form is not known or not installed.
        """
        return cls._of(read_file(Path(path), form), threshold, ignore)

    @classmethod
    def of(
        cls, data: object, *, threshold: float | None = None, ignore: Collection[str] = ()
    ) -> Self:
        """Take rows that are mappings, a mapping of columns, an Arrow table or a data frame.

        Options and errors are those of `read`.

        Examples
        --------
        >>> rows = [
        ...     {"unit": "a", "run": "a0", "parent": "", "flagged": 0},
        ...     {"unit": "a", "run": "a1", "parent": "a0", "flagged": 1},
        ... ]
        >>> PairData.of(rows).unit.names
        ('a',)
        """
        return cls._of(of_object(data), threshold, ignore)

    @classmethod
    def _of(cls, found: TextColumns, threshold: float | None, ignore: Collection[str]) -> Self:
        names = [name for name in found.columns if name not in ignore]
        kept = TextColumns(found.name, {n: found.columns[n] for n in names}, found.place)
        return cls(**checked(long_form(kept), threshold))

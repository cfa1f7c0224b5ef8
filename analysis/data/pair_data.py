"""Pairs of any origin: the verdicts of judges on runs, as checked columns of plain data."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from .pair_checks import checked
from .pair_columns import PairColumns
from .pair_files import TextColumns, of_object, read_file
from .pair_forms import long_form

__all__ = ["PairData"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairData(PairColumns):
    """Verdicts of any origin and their runs; the attributes are those of `PairColumns`."""

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
        return checked(cls, long_form(kept), threshold)

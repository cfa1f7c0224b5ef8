"""Plain data of any origin: rows of CSV, JSON Lines, Parquet or a data frame, as text.

Whatever the form, a table is columns of text here, so that one set of rules reads all of them.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from faultpair.env.errors import RecordError, UsageError

from .stream import line_of, read_batches

if TYPE_CHECKING:
    from _csv import Reader

__all__ = ["FORMATS", "TextColumns", "of_object", "read_file"]

CSV, JSON_LINES, PARQUET = "csv", "jsonl", "parquet"
FORMATS = (CSV, JSON_LINES, PARQUET)
SUFFIXES = {".csv": CSV, ".jsonl": JSON_LINES, ".ndjson": JSON_LINES, ".parquet": PARQUET}

Scalar = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class TextColumns:
    """Columns of text, an empty text where nothing stands, and where each row is from.

    ``place`` says of a row, counted from 0, where it is: ``pairs.csv, line 7``.
    """

    name: str
    columns: Mapping[str, Sequence[str]]
    place: Callable[[int], str]

    @property
    def n_rows(self) -> int:
        """Return the number of rows; all columns are as long."""
        return len(next(iter(self.columns.values()), ()))


def read_file(path: Path, form: str | None = None) -> TextColumns:
    """Read a file of plain data; its ending tells the form unless it is given.

    Raises
    ------
    UsageError
        If the form is not known, or is Parquet and pyarrow is not installed.
    RecordError
        If the file cannot be read in this form; the message names the line.
    """
    form = form or SUFFIXES.get(path.suffix.lower())
    if form == CSV:
        return _read_csv(path)
    if form == JSON_LINES:
        return _read_json_lines(path)
    if form == PARQUET:
        return _read_parquet(path)
    raise UsageError(
        f"The form of {path} is not known from its name. Expected one that ends in "
        f"{', '.join(SUFFIXES)}, or the form itself: {', '.join(FORMATS)}."
    )


def of_object(data: object) -> TextColumns:
    """Return the columns of a data frame, an Arrow table, or rows that are mappings.

    Raises
    ------
    UsageError
        If it is none of these.
    """
    columns = _columns_of(data)
    if columns is None:
        raise UsageError(
            f"A {type(data).__name__} is no table. Expected rows that are mappings, a mapping of "
            "columns, an Arrow table, or a data frame of pandas or polars."
        )
    texts = {str(name): list(map(_text, values)) for name, values in columns.items()}
    lengths = sorted({len(values) for values in texts.values()})
    if len(lengths) > 1:
        raise UsageError(f"The columns have different lengths: {lengths[0]} and {lengths[-1]}.")
    return TextColumns("the data", texts, lambda row: f"row {row + 1}")


def _columns_of(data: Any) -> Mapping[Any, Iterable[Any]] | None:
    if isinstance(data, Mapping):
        return data
    if hasattr(data, "to_pydict"):  # an Arrow table
        return dict(data.to_pydict())
    if hasattr(data, "columns") and hasattr(data, "__getitem__"):  # a frame of pandas or polars
        return {name: list(data[name]) for name in data.columns}
    if isinstance(data, Iterable) and not isinstance(data, str | bytes):
        rows = list(data)
        if all(isinstance(row, Mapping) for row in rows):
            return _turned(rows)
    return None


def _turned(rows: Sequence[Mapping[Any, Any]]) -> dict[Any, list[Any]]:
    names = dict.fromkeys(chain.from_iterable(rows))
    return {name: [row.get(name) for row in rows] for name in names}


def _text(value: Any) -> str:
    """Return a value as its text in a file would be; nothing for what is missing."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if hasattr(value, "item"):  # a number of NumPy
        value = value.item()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        if math.isnan(value):
            return ""
        return str(int(value)) if value.is_integer() else repr(value)
    # The missing values of pandas are neither equal to themselves nor of a type that we know.
    return "" if str(value) in ("<NA>", "NaT") else str(value)


def _read_csv(path: Path) -> TextColumns:
    with _csv_of(path) as reader:
        heading = next(filter(None, reader), None)
        if heading is None:
            raise RecordError(f"{path} is empty. Expected a line with the names of the columns.")
        twice = [name for place, name in enumerate(heading) if name in heading[:place]]
        if twice:
            raise RecordError(f"{path}, line 1: column '{twice[0]}' is there twice. Keep one.")
        # One flat list: a list kept for each row would cost most of the time of reading.
        cells = list(chain.from_iterable(_whole_rows(path, reader, len(heading))))
    table = {name: cells[place :: len(heading)] for place, name in enumerate(heading)}
    return TextColumns(str(path), table, lambda row: f"{path}, line {_line_of_csv(path, row)}")


def _whole_rows(path: Path, reader: Reader, width: int) -> Iterator[list[str]]:
    """Yield the rows that are not blank; each must have a cell for each column."""
    for row in reader:
        if len(row) == width:
            yield row
        elif row:
            raise RecordError(
                f"{path}, line {reader.line_num}: {len(row)} cells. "
                f"Expected {width}, one for each column."
            )


@contextmanager
def _csv_of(path: Path) -> Iterator[Reader]:
    """Open a file of CSV; what is wrong with it is an error that names the line."""
    line = 0
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, strict=True)
            try:
                yield reader
            except csv.Error:
                line = reader.line_num
                raise
    except csv.Error as error:
        raise RecordError(f"{path}, line {line}: {error}.") from error
    except UnicodeDecodeError as error:
        raise RecordError(f"{path} is not UTF-8 text; convert it and try again.") from error
    except OSError as error:
        raise RecordError(f"Cannot read {path}: {error.strerror}.") from error


def _line_of_csv(path: Path, row: int) -> int:
    """Return the line on which a row below the heading ends; blank lines are no rows."""
    with _csv_of(path) as reader:
        lines = (reader.line_num for cells in reader if cells)
        return next(islice(lines, row + 1, None))


def _read_json_lines(path: Path) -> TextColumns:
    row_type: Any = dict[str, Scalar]  # no class, as the type of a record is
    rows = list(chain.from_iterable(read_batches(path, row_type)))
    table = {name: list(map(_text, values)) for name, values in _turned(rows).items()}
    return TextColumns(str(path), table, lambda row: f"{path}, line {line_of(path, row)}")


def _read_parquet(path: Path) -> TextColumns:
    try:
        from pyarrow import ArrowException, parquet
    except ImportError:
        raise UsageError(
            f"{path} is Parquet, which needs pyarrow: install faultpair[tables], or write the "
            "rows as CSV or JSON Lines."
        ) from None
    try:
        columns = parquet.read_table(path).to_pydict()
    except (ArrowException, OSError) as error:
        raise RecordError(f"Cannot read {path} as Parquet: {error}.") from error
    table = {str(name): list(map(_text, values)) for name, values in columns.items()}
    return TextColumns(str(path), table, lambda row: f"{path}, row {row + 1}")

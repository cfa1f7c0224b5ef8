"""Reading JSON Lines: a stream of typed records, with errors that name file, line and field."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from .errors import RecordError

__all__ = [
    "BYTE_ORDER_MARK",
    "decode_line",
    "read_lines",
    "read_placed_lines",
    "read_records",
]

T = TypeVar("T")

BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def read_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield (1-based line number, line) for every line that is not blank.

    A byte-order mark, as some editors put before the first line, is left out.

    Raises
    ------
    RecordError
        As `read_placed_lines` does.
    """
    for number, _, line in read_placed_lines(path):
        yield number, line


def read_placed_lines(path: Path) -> Iterator[tuple[int, int, bytes]]:
    """Yield what `read_lines` does, with the place of the first byte of the line in between.

    Raises
    ------
    RecordError
        If the file cannot be opened, or its last line has no line end and is
        no whole object either, as a crash in mid-write leaves it.
    """
    end = 0
    try:
        with path.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                end += len(line)
                if number == 1:
                    line = line.removeprefix(BYTE_ORDER_MARK)
                if line.strip():
                    _refuse_torn(path, number, line)
                    yield number, end - len(line), line
    except OSError as error:
        raise RecordError(f"Cannot read {path}: {error.strerror}.") from error


def read_records(path: Path, record_type: type[T]) -> Iterator[T]:
    """Yield the records of a file one by one, each checked against its schema.

    Raises
    ------
    RecordError
        For a line that is not a record of this type; it names file, line and field.
    """
    decoder = msgspec.json.Decoder(record_type)
    for number, line in read_lines(path):
        yield decode_line(decoder, line, f"{path}, line {number}")


def decode_line(decoder: msgspec.json.Decoder[T], line: bytes, where: str) -> T:
    """Return the record on a line, or say what is wrong with which of its fields."""
    try:
        return decoder.decode(line)
    except msgspec.ValidationError as error:
        raise RecordError(f"{where}: {_field_first(str(error))}") from error
    except (msgspec.DecodeError, RecursionError) as error:
        raise RecordError(f"{where}: {_why_unreadable(line, error)}.") from error


def _refuse_torn(path: Path, number: int, line: bytes) -> None:
    if line.endswith(b"\n"):
        return
    try:
        msgspec.json.decode(line)
    except RecursionError:
        return  # it is no record, but whether it is cut off is unknown
    except msgspec.DecodeError as error:
        raise RecordError(
            f"{path}, line {number}: the last line is cut off in mid-record. "
            "Remove it, or restore the file, and try again."
        ) from error


def _why_unreadable(line: bytes, error: Exception) -> str:
    try:
        line.decode()
    except UnicodeDecodeError as bad:
        return f"the text is not UTF-8 (byte {bad.start} of the line)"
    return f"this is not a JSON object ({error})"


def _field_first(message: str) -> str:
    """Turn ``Expected `int`, got `str` - at `$.x` `` into ``field x: Expected …``."""
    what, separator, place = message.partition(" - at `$")
    if not separator:
        return f"{what}."
    field = place.rstrip("`").lstrip(".") or "the record itself"
    return f"field {field}: {what}."

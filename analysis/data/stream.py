"""Reading JSON Lines in batches: a block of lines is decoded at once, not line by line.

When a block does not decode, the file is read again line by line, so that the
error names file, line and field as everywhere else.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import msgspec

from faultpair.env.errors import RecordError
from faultpair.env.jsonl import BYTE_ORDER_MARK, decode_line, read_lines

__all__ = ["line_of", "read_batches"]

T = TypeVar("T")

BLOCK_BYTES = 1 << 22


def read_batches(path: Path, record_type: type[T]) -> Iterator[list[T]]:
    """Yield the records of a file in lists, each checked against its schema.

    Raises
    ------
    RecordError
        If the file cannot be read, or a line is not a record of this type.
    """
    decoder = msgspec.json.Decoder(record_type)
    for block in _blocks(path):
        try:
            batch = decoder.decode_lines(block)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            _blame(path, decoder)
        yield batch


def line_of(path: Path, record: int) -> int:
    """Return the 1-based line of the record with this 0-based index."""
    number, _ = next(islice(read_lines(path), record, None))
    return number


def _blocks(path: Path) -> Iterator[bytes]:
    """Yield whole lines, a few megabytes at a time."""
    try:
        with path.open("rb") as file:
            rest = file.read(len(BYTE_ORDER_MARK)).removeprefix(BYTE_ORDER_MARK)
            while data := file.read(BLOCK_BYTES):
                lines, end, rest_of_data = (rest + data).rpartition(b"\n")
                rest = rest_of_data
                yield lines + end
            yield rest
    except OSError as error:
        raise RecordError(f"Cannot read {path}: {error.strerror}.") from error


def _blame(path: Path, decoder: msgspec.json.Decoder[T]) -> NoReturn:
    for number, line in read_lines(path):
        where = f"{path}, line {number}"
        try:
            decode_line(decoder, line, where)
        except RecordError:
            _refuse_non_finite(line, where)
            raise
    raise RecordError(f"{path} changed while it was being read. Try again.")


def _refuse_non_finite(line: bytes, where: str) -> None:
    """Name the field that holds NaN or Infinity, which Python writes and JSON does not know."""

    def look(pairs: list[tuple[str, Any]]) -> None:
        for field, value in pairs:
            if isinstance(value, complex):
                raise RecordError(f"{where}: field {field}: expected a finite number or null.")

    try:
        json.loads(line, object_pairs_hook=look, parse_constant=lambda _: 1j)
    except (ValueError, RecursionError):
        return

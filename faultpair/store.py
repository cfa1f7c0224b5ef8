"""Writing files so that a reader never finds half of one.

A file is written under another name and takes its own name when it is whole.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

import msgspec

from env.errors import InfrastructureError

__all__ = ["LineWriter", "Spool", "encode", "open_spool", "write_lines", "write_text"]


@dataclass(slots=True)
class LineWriter:
    """Writes records as lines and keeps count and SHA-256 of what it wrote."""

    stream: IO[bytes]
    n_lines: int = 0
    _digest: Any = field(default_factory=hashlib.sha256)

    def write(self, record: msgspec.Struct) -> None:
        """Write one record."""
        self.write_line(encode(record))

    def write_line(self, line: bytes) -> None:
        """Write one encoded record, its line end included."""
        self.stream.write(line)
        self._digest.update(line)
        self.n_lines += 1

    @property
    def sha256(self) -> str:
        """The digest of all bytes so far."""
        return str(self._digest.hexdigest())


class Spool:
    """Lines set aside on disk, to be read back in another order without holding them."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._end = 0

    def add(self, line: bytes) -> tuple[int, int]:
        """Set a line aside; return its place as (offset, length)."""
        self._stream.write(line)
        offset, self._end = self._end, self._end + len(line)
        return offset, len(line)

    def read(self, offset: int, length: int) -> bytes:
        """Return the line at a place."""
        return os.pread(self._stream.fileno(), length, offset)

    def flush(self) -> None:
        """Make all lines readable."""
        self._stream.flush()


@contextmanager
def open_spool(folder: Path) -> Iterator[Spool]:
    """Open a spool on the disk of a folder; its file has no name and goes with the process."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder, buffering=1 << 20) as stream:
            yield Spool(stream)
    except OSError as error:
        raise InfrastructureError(f"Cannot write in {folder}: {error.strerror}.") from error


_ENCODER = msgspec.json.Encoder()


def encode(record: msgspec.Struct) -> bytes:
    """Return a record as one line."""
    return _ENCODER.encode(record) + b"\n"


@contextmanager
def write_lines(path: Path) -> Iterator[LineWriter]:
    """Open a JSON Lines file for writing; it appears under its name once complete."""
    with _replacing(path) as stream:
        yield LineWriter(stream)


def write_text(path: Path, text: str) -> None:
    """Write a small text file, whole or not at all."""
    with _replacing(path) as stream:
        stream.write(text.encode())


@contextmanager
def _replacing(path: Path) -> Iterator[IO[bytes]]:
    partial = path.with_name(path.name + ".partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with partial.open("wb", buffering=1 << 20) as stream:
            yield stream
        partial.replace(path)
    except OSError as error:
        raise InfrastructureError(f"Cannot write {path}: {error.strerror}.") from error
    finally:
        with suppress(OSError):
            partial.unlink()

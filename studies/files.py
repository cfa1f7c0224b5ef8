"""Writing files whole or not at all: under another name first, under their own when complete."""

from __future__ import annotations

import codecs
import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

import msgspec

from faultpair.env.errors import InfrastructureError, RecordError

__all__ = [
    "LineWriter",
    "Spool",
    "begins_with",
    "encode",
    "first_other_line",
    "open_spool",
    "partial_of",
    "sha256_of",
    "text_sha256",
    "write_bytes",
    "write_lines",
    "write_text",
]


_CHUNK = 1 << 20


class LineWriter:
    """Writes records as lines, a megabyte at a time, and keeps their count and SHA-256."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.n_lines = 0
        self._stream = stream
        self._digest = hashlib.sha256()
        self._pending = bytearray()

    def write(self, record: msgspec.Struct) -> None:
        """Write one record."""
        self.write_line(encode(record))

    def write_line(self, line: bytes) -> None:
        """Write one encoded record, its line end included."""
        self.n_lines += 1
        self._pending += line
        if len(self._pending) > _CHUNK:
            self.flush()

    def flush(self) -> None:
        """Write the pending lines to the stream."""
        self._stream.write(self._pending)
        self._digest.update(self._pending)
        self._pending.clear()

    @property
    def sha256(self) -> str:
        """The digest of all bytes that were written to the stream."""
        return self._digest.hexdigest()


class Spool:
    """Lines on disk that are read back in another order, so that memory holds none of them."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._file = stream.fileno()
        self._end = 0

    def add(self, line: bytes) -> tuple[int, int]:
        """Write a line; return its place as (offset, length)."""
        self._stream.write(line)
        offset, self._end = self._end, self._end + len(line)
        return offset, len(line)

    def read(self, offset: int, length: int) -> bytes:
        """Return the line at a place."""
        return os.pread(self._file, length, offset)

    def flush(self) -> None:
        """Make all lines readable."""
        self._stream.flush()


@contextmanager
def open_spool(folder: Path) -> Iterator[Spool]:
    """Open a spool in a folder. Its file has no name and ends with the process."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder, buffering=_CHUNK) as stream:
            yield Spool(stream)
    except OSError as error:
        raise InfrastructureError(f"Cannot write in {folder}: {error.strerror}.") from error


_ENCODER = msgspec.json.Encoder()


def encode(record: msgspec.Struct) -> bytes:
    """Return a record as one line."""
    return _ENCODER.encode(record) + b"\n"


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file.

    Raises
    ------
    RecordError
        If it cannot be read.
    """
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise RecordError(f"Cannot read {path}: {error.strerror}.") from error


def begins_with(path: Path, digest: str) -> bool:
    """Return whether some first lines of a file have a SHA-256."""
    found = hashlib.sha256()
    with path.open("rb") as lines:
        for line in lines:
            found.update(line)
            if found.hexdigest() == digest:
                return True
    return False


def first_other_line(path: Path, other: Path) -> int | None:
    """Return the number of the first line that two files do not share, None if they are equal."""
    with path.open("rb") as lines, other.open("rb") as others:
        for number, (line, counterpart) in enumerate(zip_longest(lines, others), start=1):
            if line != counterpart:
                return number
    return None


def text_sha256(content: bytes) -> str:
    """Return the SHA-256 of a text that people edit, the same for each kind of line end."""
    plain = content.removeprefix(codecs.BOM_UTF8).replace(b"\r\n", b"\n")
    return hashlib.sha256(plain).hexdigest()


@contextmanager
def write_lines(path: Path, *, seal: Callable[[str], None] | None = None) -> Iterator[LineWriter]:
    """Open a JSON Lines file for writing; it takes its name once complete.

    ``seal`` receives the SHA-256 of the complete file before it takes its name. If the process
    ends between the two, the sealed file is still there, as ``partial_of(path)``.
    """
    with _replacing(path) as replacing:
        lines = LineWriter(replacing.stream)
        yield lines
        lines.flush()
        if seal is not None:
            replacing.keep_partial = True
            replacing.stream.flush()
            seal(lines.sha256)


def write_text(path: Path, text: str) -> None:
    """Write a small text file, whole or not at all."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file, whole or not at all."""
    with _replacing(path) as replacing:
        replacing.stream.write(content)


def partial_of(path: Path) -> Path:
    """Return the name of a file until it is complete."""
    return path.with_name(path.name + ".partial")


@dataclass(slots=True)
class _Replacing:
    """A file that is being written, and whether it stays if it does not take its name."""

    stream: IO[bytes]
    keep_partial: bool = False


@contextmanager
def _replacing(path: Path) -> Iterator[_Replacing]:
    partial, replacing = partial_of(path), None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.unlink(missing_ok=True)  # of a run that was killed, or a link to elsewhere
        with partial.open("xb", buffering=_CHUNK) as stream:
            replacing = _Replacing(stream)
            yield replacing
        _take_name(partial, path)
    except OSError as error:
        raise InfrastructureError(f"Cannot write {path}: {error.strerror}.") from error
    finally:
        if replacing is None or not replacing.keep_partial:
            with suppress(OSError):
                partial.unlink()


def _take_name(partial: Path, path: Path) -> None:
    partial.replace(path)

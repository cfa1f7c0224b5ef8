"""A file of records that is only ever added to, one line each, and cannot be made again.

A crash loses at most the line that was being written. Such a line has no line end,
whatever else it may look like: it is passed over, and cut off before more is added.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Generic, TypeVar

import msgspec

from faultpair.env.errors import InfrastructureError, RecordError
from faultpair.env.jsonl import decode_line

from .files import encode

__all__ = ["AppendedFile"]

T = TypeVar("T", bound=msgspec.Struct)


@dataclass(slots=True)
class AppendedFile(Generic[T]):
    """The lines of a path. ``n_bytes_cut`` is the length of its torn last line, once it is read."""

    path: Path
    record_type: type[T]
    n_bytes_cut: int = 0
    _stream: IO[bytes] | None = None

    def read(self) -> Iterator[T]:
        """Yield the records of all whole lines; none if there is no file.

        Raises
        ------
        RecordError
            If the file cannot be read, or a whole line is no such record.
        """
        if not self.path.exists():
            return
        decoder = msgspec.json.Decoder(self.record_type)
        try:
            with self.path.open("rb") as lines:
                for number, line in enumerate(lines, start=1):
                    if not line.endswith(b"\n"):
                        self.n_bytes_cut = len(line)
                        return
                    yield decode_line(decoder, line, f"{self.path}, line {number}")
        except OSError as error:
            raise RecordError(f"Cannot read {self.path}: {error.strerror}.") from error

    def mend(self) -> None:
        """Move the torn line that `read` came upon, if any, to a file of its own beside."""
        if self.n_bytes_cut:
            try:
                self._set_aside(self.path.stat().st_size - self.n_bytes_cut)
            except OSError as error:
                raise self._unwritable(error) from error

    def add(self, record: T) -> None:
        """Write a record and hand it to the system, so that only a power cut could lose it.

        The file is made by the first one.
        """
        try:
            if self._stream is None:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                self._stream = self.path.open("ab")
            self._stream.write(encode(record))
            self._stream.flush()
        except OSError as error:
            raise self._unwritable(error) from error

    def close(self) -> None:
        """Close the file."""
        if self._stream is not None:
            with suppress(OSError):  # `add` has said already what could not be written
                self._stream.close()
            self._stream = None

    def _set_aside(self, end: int) -> None:
        """Keep what is cut: somebody's editor may have taken all line ends away."""
        with self.path.open("r+b") as file:
            file.seek(end)
            with self.path.with_name(f"{self.path.name}.torn").open("ab") as torn:
                torn.write(file.read())
            file.truncate(end)

    def _unwritable(self, error: OSError) -> InfrastructureError:
        return InfrastructureError(f"Cannot write {self.path}: {error.strerror}.")

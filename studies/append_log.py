"""A log of records that cannot be made again: one line each, and lines are only added.

A crash loses at most the line that was being written. Such a torn line has no line end.
It is skipped when the file is read, and cut off before another line is added.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b, sha256
from pathlib import Path
from typing import IO, Generic, TypeVar

import msgspec

from faultpair.env.errors import InfrastructureError, RecordError, UsageError
from faultpair.env.jsonl import decode_line

from .files import encode
from .manifest import MANIFEST, SealedLog, read_manifest, write_manifest

__all__ = ["AppendLog", "LogSeal", "repeated_answer", "unsealed_tail"]

RENEWED_EVERY = 256
"""Lines of a log between two renewals of its seal."""

T = TypeVar("T", bound=msgspec.Struct)


class LogSeal:
    """The seal of a log that lines are added to; it is renewed now and then, and at the end.

    Until the end it leaves out the last line, which tells that a run did not end. A log whose
    sealed lines were edited keeps its seal, so that the edit is found again.
    """

    def __init__(self, log: Path) -> None:
        self._name, self._manifest_file = log.name, log.with_name(MANIFEST)
        self._sealed = read_manifest(self._manifest_file).sealed_logs.get(log.name)
        self._digest = sha256()
        self._n_lines = self._n_bytes = 0
        self.is_kept = self._sealed is None
        self._is_at_line_end = True

    def note(self, line: bytes, *, is_new: bool = False) -> None:
        """Take in a whole line of the log, in its order; ``is_new`` if it was written now."""
        if is_new and self._n_lines and not self._n_lines % RENEWED_EVERY:
            self.renew()
        self._is_at_line_end = False  # an interruption may leave the digest ahead of the counts
        self._digest.update(line)
        self._n_lines += 1
        self._n_bytes += len(line)
        if self._sealed is not None and self._n_bytes == self._sealed.bytes:
            self.is_kept = self._digest.hexdigest() == self._sealed.sha256
        self._is_at_line_end = True

    def renew(self) -> None:
        """Write the seal of all lines so far to the manifest, if there is one."""
        is_sealable = self.is_kept and self._is_at_line_end and self._n_lines
        if not (is_sealable and self._manifest_file.is_file()):
            return
        seal = SealedLog(lines=self._n_lines, bytes=self._n_bytes, sha256=self._digest.hexdigest())
        manifest = read_manifest(self._manifest_file)
        entry = msgspec.to_builtins(seal)
        manifest = manifest.with_entry("sealed_logs", self._name, entry=entry)
        write_manifest(self._manifest_file, manifest)


@dataclass(slots=True)
class AppendLog(Generic[T]):
    """The log at a path, and its seal if lines are to be added.

    ``n_bytes_cut`` is the length of its torn last line, known once it is read.
    """

    path: Path
    record_type: type[T]
    seal: LogSeal | None = None
    n_bytes_cut: int = 0
    _stream: IO[bytes] | None = None

    def read(self) -> Iterator[T]:
        """Yield the records of all whole lines; nothing if there is no file.

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
                    if self.seal is not None:
                        self.seal.note(line)
                    yield decode_line(decoder, line, f"{self.path}, line {number}")
        except OSError as error:
            raise RecordError(f"Cannot read {self.path}: {error.strerror}.") from error

    def cut_torn_line(self) -> None:
        """Move the torn line that `read` found, if any, to a file ``.torn`` beside the log."""
        if self.n_bytes_cut:
            self._refuse_link()
            try:
                self._set_aside(self.path.stat().st_size - self.n_bytes_cut)
            except OSError as error:
                raise self._unwritable(error) from error

    def add(self, record: T) -> None:
        """Write a record and flush it to the system. The first one makes the file."""
        try:
            if self._stream is None:
                self._refuse_link()
                self.path.parent.mkdir(parents=True, exist_ok=True)
                self._stream = self.path.open("ab")
            line = encode(record)
            self._stream.write(line)
            self._stream.flush()
        except OSError as error:
            raise self._unwritable(error) from error
        if self.seal is not None:
            self.seal.note(line, is_new=True)

    def close(self, *, is_complete: bool = True) -> None:
        """Close the file, and renew the seal if all that follows from its lines was written."""
        if self._stream is not None:
            with suppress(OSError):  # `add` has raised already if a line could not be written
                self._stream.close()
            self._stream = None
        if self.seal is not None and is_complete:
            self.seal.renew()

    def _refuse_link(self) -> None:
        """Refuse to add lines to the log of another study by way of a link."""
        if self.path.is_symlink():
            raise UsageError(
                f"{self.path} is a link, and lines are added to no file elsewhere. Copy the log "
                "in its place, or name another folder with --out."
            )

    def _set_aside(self, end: int) -> None:
        # Nothing is thrown away: an editor may have removed all line ends.
        with self.path.open("r+b") as file:
            file.seek(end)
            with self.path.with_name(f"{self.path.name}.torn").open("ab") as torn:
                torn.write(file.read())
            file.truncate(end)

    def _unwritable(self, error: OSError) -> InfrastructureError:
        return InfrastructureError(f"Cannot write {self.path}: {error.strerror}.")


def unsealed_tail(n_lines: int) -> str:
    """Return a clause on the lines of a log that came after its seal."""
    return f"the last {'line is' if n_lines == 1 else f'{n_lines:,} lines are'} not sealed yet"


class _Answer(msgspec.Struct):
    text: str | None = None


def repeated_answer(log: Path) -> int | None:
    """Return the number of the first line with an answer that is equal to an earlier line.

    A run writes none: a request that was answered is not sent again.
    """
    seen: set[bytes] = set()
    decoder = msgspec.json.Decoder(_Answer)
    with log.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            key = blake2b(line, digest_size=16).digest()
            if key in seen and decode_line(decoder, line, f"{log}, line {number}").text is not None:
                return number
            seen.add(key)
    return None

"""The turns that a model took: everything it was asked in its episodes and answered, line by line.

The file is only ever added to. A crash loses at most the line that was being
written; a line that is torn is cut off when the file is next opened.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import IO

import msgspec

from env.errors import InfrastructureError
from env.jsonl import decode_line
from env.records import Turn

from .store import encode

__all__ = ["TURNS", "TurnBook", "open_turns"]

TURNS = "turns.jsonl"


@dataclass(slots=True)
class TurnBook:
    """All turns that are kept, by episode and in the order in which they were taken."""

    path: Path
    kept: dict[str, list[Turn]] = field(default_factory=dict)
    n_bytes_cut: int = 0
    _stream: IO[bytes] | None = None

    @property
    def n_answers(self) -> int:
        """How many turns hold an answer."""
        return sum(turn.text is not None for turns in self.kept.values() for turn in turns)

    def of(self, trajectory_id: str) -> list[Turn]:
        """Return the turns of an episode, failed attempts included."""
        return self.kept.setdefault(trajectory_id, [])

    def add(self, turn: Turn) -> None:
        """Write a turn and hand it to the system, so that only a power cut could lose it.

        The file is made by the first turn.
        """
        try:
            if self._stream is None:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                self._stream = self.path.open("ab")
            self._stream.write(encode(turn))
            self._stream.flush()
        except OSError as error:
            raise InfrastructureError(f"Cannot write {self.path}: {error.strerror}.") from error
        self.of(turn.trajectory_id).append(turn)

    def close(self) -> None:
        """Close the file."""
        if self._stream is not None:
            self._stream.close()
            self._stream = None

    def sha256(self) -> str:
        """Return the digest of the file as it is now."""
        return sha256(self.path.read_bytes()).hexdigest()


@contextmanager
def open_turns(path: Path) -> Iterator[TurnBook]:
    """Read a file of turns, if there is one, to add to it; a torn last line is cut off.

    Raises
    ------
    RecordError
        If a whole line is no turn.
    InfrastructureError
        If the file cannot be read or mended.
    """
    book = TurnBook(path)
    try:
        if path.exists():
            _read(book)
        if book.n_bytes_cut:
            os.truncate(path, path.stat().st_size - book.n_bytes_cut)
    except OSError as error:
        raise InfrastructureError(f"Cannot read {path}: {error.strerror}.") from error
    try:
        yield book
    finally:
        book.close()


def _read(book: TurnBook) -> None:
    decoder = msgspec.json.Decoder(Turn)
    with book.path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            if not line.endswith(b"\n"):
                book.n_bytes_cut = len(line)
                return
            turn = decode_line(decoder, line, f"{book.path}, line {number}")
            book.of(turn.trajectory_id).append(turn)

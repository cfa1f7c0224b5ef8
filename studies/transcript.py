"""The turns that models took: all that they were asked as they played or planned, line by line.

They can be had from nowhere else, so the file is only ever added to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from faultpair.env.records import ModelTurn

from .append_log import AppendedFile

__all__ = ["TURNS", "Transcript", "open_turns"]

TURNS = "turns.jsonl"


@dataclass(slots=True)
class Transcript:
    """All turns that are kept, by episode and in the order in which they were taken."""

    file: AppendedFile[ModelTurn]
    kept: dict[str, list[ModelTurn]] = field(default_factory=dict)

    @property
    def path(self) -> Path:
        """Where they are kept."""
        return self.file.path

    @property
    def n_answers(self) -> int:
        """How many turns hold an answer."""
        return sum(turn.text is not None for turn in self.turns())

    def turns(self) -> Iterator[ModelTurn]:
        """Yield all turns, episode by episode."""
        return (turn for turns in self.kept.values() for turn in turns)

    def of(self, trajectory_id: str) -> list[ModelTurn]:
        """Return the turns of an episode, failed attempts included."""
        return self.kept.setdefault(trajectory_id, [])

    def add(self, turn: ModelTurn) -> None:
        """Write a turn to the file, and keep it."""
        self.file.add(turn)
        self.note(turn)

    def note(self, turn: ModelTurn) -> None:
        """Keep a turn that is in the file."""
        self.of(turn.trajectory_id).append(turn)

    def digest(self) -> str:
        """Return the digest of the file as it is now."""
        return sha256(self.path.read_bytes()).hexdigest()


@contextmanager
def open_turns(path: Path, tell: Callable[[str], None]) -> Iterator[Transcript]:
    """Read a file of turns, if there is one, to add to it; a torn last line is cut off and told.

    Raises
    ------
    RecordError
        If the file cannot be read, or a whole line is no turn.
    InfrastructureError
        If a torn line cannot be cut off.
    """
    book = Transcript(AppendedFile(path, ModelTurn))
    for turn in book.file.read():
        book.note(turn)
    book.file.mend()
    if book.file.n_bytes_cut:
        tell(f"The last line of {path} was torn and was cut off; its turn is taken again.")
    try:
        yield book
    finally:
        book.file.close()

"""The transcript of the models that make runs: a line for each request to an agent or planner."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from faultpair.env.records import ModelTurn

from .append_log import AppendLog, LogSeal

__all__ = ["TURNS", "Transcript", "open_turns"]

TURNS = "turns.jsonl"


@dataclass(slots=True)
class Transcript:
    """The turns of a study by trajectory, each in the order in which it was taken."""

    file: AppendLog[ModelTurn]
    kept: dict[str, list[ModelTurn]] = field(default_factory=dict)

    @property
    def path(self) -> Path:
        """The file of the turns."""
        return self.file.path

    @property
    def n_answers(self) -> int:
        """The number of turns with an answer."""
        return sum(turn.text is not None for turn in self.turns())

    def turns(self) -> Iterator[ModelTurn]:
        """Yield all turns, trajectory by trajectory."""
        return (turn for turns in self.kept.values() for turn in turns)

    def of(self, trajectory_id: str) -> list[ModelTurn]:
        """Return the turns of a trajectory, failed attempts included."""
        return self.kept.setdefault(trajectory_id, [])

    def add(self, turn: ModelTurn) -> None:
        """Write a turn and index it."""
        self.file.add(turn)
        self.note(turn)

    def note(self, turn: ModelTurn) -> None:
        """Index a turn that is in the file."""
        self.of(turn.trajectory_id).append(turn)

    def digest(self) -> str:
        """Return the digest of the file as it is now."""
        return sha256(self.path.read_bytes()).hexdigest()


@contextmanager
def open_turns(path: Path, report: Callable[[str], None]) -> Iterator[Transcript]:
    """Read a transcript to add to it; a torn last line is cut off and reported."""
    file = AppendLog(path, ModelTurn, LogSeal(path))
    transcript = Transcript(file)
    for turn in file.read():
        transcript.note(turn)
    file.cut_torn_line()
    if file.n_bytes_cut:
        report(f"The last line of {path} was torn and was cut off; its turn is taken again.")
    try:
        yield transcript
    finally:
        file.close()

"""The ledger: every attempt to have a judge's request answered, one line each, only ever added to.

It is the one record that cannot be made again. A crash loses at most the line
that was being written; a line that is torn is cut off when the ledger is next
opened, and reported.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, NamedTuple

import msgspec

from env.errors import InfrastructureError, RecordError
from env.jsonl import decode_line
from env.records import Exchange

from .store import encode

__all__ = ["Asked", "Ledger", "open_ledger", "read_ledger"]


class Asked(NamedTuple):
    """What an exchange was about: a request of a judge's, in one of its passes."""

    judge_id: str
    sample: int
    repeat: int
    request_hash: str


@dataclass(slots=True)
class Ledger:
    """The exchanges of a study that settled something, by what was asked.

    An attempt after which another followed settles nothing. ``own`` holds them by
    trajectory, too, for requests that were made for each trajectory anew; ``tries``
    counts the attempts that came to nothing so far. ``passes`` is how often each
    judge has gone over anything, so it names all that were ever asked.
    """

    path: Path
    settled: dict[Asked, Exchange] = field(default_factory=dict)
    own: dict[tuple[Asked, str], Exchange] = field(default_factory=dict)
    tries: dict[tuple[Asked, str], int] = field(default_factory=dict)
    passes: dict[str, int] = field(default_factory=dict)
    n_bytes_cut: int = 0
    _stream: IO[bytes] | None = None

    def add(self, exchange: Exchange) -> None:
        """Write an exchange and hand it to the system, so that only a power cut could lose it.

        The file is made by the first exchange: a study that asks nobody has none.
        """
        try:
            if self._stream is None:
                self._stream = self.path.open("ab")
            self._stream.write(encode(exchange))
            self._stream.flush()
        except OSError as error:
            raise InfrastructureError(f"Cannot write {self.path}: {error.strerror}.") from error
        self.note(exchange)

    def note(self, exchange: Exchange) -> None:
        """Take in an exchange. Nothing takes the place of an answer; else the later one counts."""
        asked = Asked(exchange.judge_id, exchange.sample, exchange.repeat, exchange.request_hash)
        own = (asked, exchange.trajectory_id)
        self.passes[exchange.judge_id] = max(
            exchange.repeat + 1, self.passes.get(exchange.judge_id, 0)
        )
        if exchange.text is None and exchange.unsent is None:
            self.tries[own] = max(exchange.attempt, self.tries.get(own, 0))
        if exchange.is_final:
            if not _is_answer(self.own.get(own)):
                self.own[own] = exchange
            if not _is_answer(self.settled.get(asked)):
                self.settled[asked] = exchange

    def answer_to(self, asked: Asked, trajectory_id: str) -> Exchange | None:
        """Return what settled a request: for this trajectory, else for one that asked the same."""
        own = self.own.get((asked, trajectory_id))
        return own if _is_answer(own) else self.settled.get(asked)

    def close(self) -> None:
        """Close the file."""
        if self._stream is not None:
            with suppress(OSError):  # `add` has said already what could not be written
                self._stream.close()
            self._stream = None


def read_ledger(path: Path) -> Ledger:
    """Read a ledger without touching its file; one that is not there is empty.

    Raises
    ------
    RecordError
        If a line is no exchange. A last line that is torn is passed over.
    """
    ledger = Ledger(path)
    for exchange in _whole_lines(path, ledger):
        ledger.note(exchange)
    return ledger


def open_ledger(path: Path) -> Ledger:
    """Open a ledger for adding to it; a torn last line is cut off."""
    ledger = read_ledger(path)
    if ledger.n_bytes_cut:
        try:
            os.truncate(path, path.stat().st_size - ledger.n_bytes_cut)
        except OSError as error:
            raise InfrastructureError(f"Cannot write {path}: {error.strerror}.") from error
    return ledger


def _is_answer(exchange: Exchange | None) -> bool:
    return exchange is not None and exchange.text is not None


def _whole_lines(path: Path, ledger: Ledger) -> Iterator[Exchange]:
    if not path.exists():
        return
    decoder = msgspec.json.Decoder(Exchange)
    try:
        with path.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                if not line.endswith(b"\n"):
                    ledger.n_bytes_cut = len(line)
                    return
                yield decode_line(decoder, line, f"{path}, line {number}")
    except OSError as error:
        raise RecordError(f"Cannot read {path}: {error.strerror}.") from error

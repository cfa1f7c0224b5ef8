"""The ledger: every attempt to have a judge's request answered, one line each, only ever added to.

It is the one record that cannot be made again. A line that a crash tore is cut
off when the ledger is next opened, and reported.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from faultpair.env.records import Exchange

from .append_log import AppendedFile

__all__ = ["ExchangeLog", "RequestKey", "open_exchange_log", "read_exchange_log"]


class RequestKey(NamedTuple):
    """What an exchange was about: a request of a judge's, in one of its passes."""

    judge_id: str
    sample: int
    repeat: int
    request_hash: str


@dataclass(slots=True)
class ExchangeLog:
    """The exchanges of a study that settled something, by what was asked.

    An attempt after which another followed settles nothing. ``own`` holds them by
    trajectory, too, for requests that were made for each trajectory anew; ``tries``
    counts the attempts that came to nothing so far. ``passes`` is how often each
    judge has gone over anything, so it names all that were ever asked.
    """

    path: Path
    settled: dict[RequestKey, Exchange] = field(default_factory=dict)
    own: dict[tuple[RequestKey, str], Exchange] = field(default_factory=dict)
    tries: dict[tuple[RequestKey, str], int] = field(default_factory=dict)
    passes: dict[str, int] = field(default_factory=dict)
    _file: AppendedFile[Exchange] = field(init=False)

    def __post_init__(self) -> None:
        self._file = AppendedFile(self.path, Exchange)

    @property
    def n_bytes_cut(self) -> int:
        """The length of the torn line that was passed over when the file was read."""
        return self._file.n_bytes_cut

    def add(self, exchange: Exchange) -> None:
        """Write an exchange and take it in; a study that asks nobody has no file."""
        self._file.add(exchange)
        self.note(exchange)

    def note(self, exchange: Exchange) -> None:
        """Take in an exchange. Nothing takes the place of an answer; else the later one counts."""
        asked = RequestKey(
            exchange.judge_id, exchange.sample, exchange.repeat, exchange.request_hash
        )
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

    def answer_to(self, asked: RequestKey, trajectory_id: str) -> Exchange | None:
        """Return what settled a request: for this trajectory, else for one that asked the same."""
        own = self.own.get((asked, trajectory_id))
        return own if _is_answer(own) else self.settled.get(asked)

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def read_exchange_log(path: Path) -> ExchangeLog:
    """Read a ledger without touching its file; one that is not there is empty.

    Raises
    ------
    RecordError
        If a line is no exchange. A last line that is torn is passed over.
    """
    ledger = ExchangeLog(path)
    for exchange in ledger._file.read():
        ledger.note(exchange)
    return ledger


def open_exchange_log(path: Path) -> ExchangeLog:
    """Open a ledger for adding to it; a torn last line is cut off."""
    ledger = read_exchange_log(path)
    ledger._file.mend()
    return ledger


def _is_answer(exchange: Exchange | None) -> bool:
    return exchange is not None and exchange.text is not None

"""The log of exchanges: a line for each attempt to have a judge's request answered.

It is the one record of a run that cannot be made again; verdicts are derived from it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from sys import intern
from typing import NamedTuple

from msgspec import structs

from faultpair.env.records import Exchange

from .append_log import AppendLog

__all__ = ["ExchangeLog", "RequestKey", "open_exchange_log", "read_exchange_log"]


_REPEATED = (
    "judge_id",
    "prompt_hash",
    "engine",
    "engine_version",
    "model_digest",
    "finish_reason",
)
"""The fields whose text all lines of a judge have, so that it is held once."""


class RequestKey(NamedTuple):
    """The key of a request: the judge, its pass, and the hash of the request."""

    judge_id: str
    sample: int
    repeat: int
    request_hash: str


@dataclass(slots=True)
class ExchangeLog:
    """The exchanges of a study, indexed by request.

    Attributes
    ----------
    settled : dict
        The final exchange of each request: the answer if there is one. An attempt that
        another one followed is not final.
    others : dict
        By request and trajectory, those about other trajectories than the one in ``settled``:
        of equal requests that failed, or that shared no answer.
    n_attempts : dict
        The number of failed attempts so far, by request and trajectory.
    passes : dict
        The number of passes that each judge has begun; its keys are all judges with exchanges.
    """

    path: Path
    settled: dict[RequestKey, Exchange] = field(default_factory=dict)
    others: dict[tuple[RequestKey, str], Exchange] = field(default_factory=dict)
    n_attempts: dict[tuple[RequestKey, str], int] = field(default_factory=dict)
    passes: dict[str, int] = field(default_factory=dict)
    _file: AppendLog[Exchange] = field(init=False)

    def __post_init__(self) -> None:
        self._file = AppendLog(self.path, Exchange)

    @property
    def n_bytes_cut(self) -> int:
        """The length of the torn last line, which was skipped when the file was read."""
        return self._file.n_bytes_cut

    def add(self, exchange: Exchange) -> None:
        """Write an exchange and index it. The first one makes the file."""
        self._file.add(exchange)
        self.note(exchange)

    def note(self, exchange: Exchange) -> None:
        """Index an exchange. An answer is never replaced; else the later exchange counts."""
        key = RequestKey(exchange.judge_id, exchange.sample, exchange.repeat, exchange.request_hash)
        own = (key, exchange.trajectory_id)
        self.passes[exchange.judge_id] = max(
            exchange.repeat + 1, self.passes.get(exchange.judge_id, 0)
        )
        if exchange.text is None and exchange.unsent is None:
            self.n_attempts[own] = max(exchange.attempt, self.n_attempts.get(own, 0))
        if exchange.is_final and not _is_answer(self.own(*own)):
            before = self.settled.get(key)
            if _is_answer(before):
                self.others[own] = exchange
                return
            if before is not None and before.trajectory_id != exchange.trajectory_id:
                self.others[key, before.trajectory_id] = before
                self.others.pop(own, None)
            self.settled[key] = exchange

    def own(self, key: RequestKey, trajectory_id: str) -> Exchange | None:
        """Return the final exchange of a request about this trajectory."""
        settled = self.settled.get(key)
        if settled is not None and settled.trajectory_id == trajectory_id:
            return settled
        return self.others.get((key, trajectory_id))

    def answer_to(self, key: RequestKey, trajectory_id: str) -> Exchange | None:
        """Return the final exchange of a request, that of this trajectory if it has an answer."""
        own = self.own(key, trajectory_id)
        return own if _is_answer(own) else self.settled.get(key)

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def read_exchange_log(path: Path) -> ExchangeLog:
    """Read a log and leave its file as it is; without a file it is empty.

    Raises
    ------
    RecordError
        If a line is no exchange. A torn last line is skipped.
    """
    log = ExchangeLog(path)
    for exchange in log._file.read():
        repeated = {name: getattr(exchange, name) for name in _REPEATED}
        shared = {name: intern(text) for name, text in repeated.items() if text is not None}
        log.note(structs.replace(exchange, **shared))
    return log


def open_exchange_log(path: Path) -> ExchangeLog:
    """Read a log to add to it; a torn last line is cut off."""
    log = read_exchange_log(path)
    log._file.cut_torn_line()
    return log


def _is_answer(exchange: Exchange | None) -> bool:
    return exchange is not None and exchange.text is not None

"""The log of exchanges: a line for each attempt to have a judge's request answered.

It is the one record of a run that cannot be made again; verdicts are derived from it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from sys import intern
from typing import NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from faultpair.env.records import Exchange

from .append_log import AppendLog, LogSeal
from .seals import seal_verdicts

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
    voids : Counter
        The number of processes of each judge whose answers are void.
    n_processes : int
        The greatest number of a process, 0 if there is none.
    seal : LogSeal or None
        The seal of the file in the manifest, of a log that is added to.
    """

    path: Path
    settled: dict[RequestKey, Exchange] = field(default_factory=dict)
    others: dict[tuple[RequestKey, str], Exchange] = field(default_factory=dict)
    n_attempts: dict[tuple[RequestKey, str], int] = field(default_factory=dict)
    passes: dict[str, int] = field(default_factory=dict)
    voids: Counter[str] = field(default_factory=Counter)
    n_processes: int = 0
    _said: dict[int, list[Exchange]] = field(default_factory=dict)
    _void: set[int] = field(default_factory=set)
    seal: LogSeal | None = None
    _file: AppendLog[Exchange] = field(init=False)
    _has_verdicts: bool = False
    _is_indexed: bool = True

    def __post_init__(self) -> None:
        self._file = AppendLog(self.path, Exchange, self.seal)

    @property
    def n_bytes_cut(self) -> int:
        """The length of the torn last line, which was skipped when the file was read."""
        return self._file.n_bytes_cut

    def add(self, exchange: Exchange) -> None:
        """Write an exchange and index it. The first one makes the file."""
        self._is_indexed = False  # an interruption may leave the file ahead of the index
        self._file.add(exchange)
        self.note(exchange)
        self._is_indexed = True

    def note(self, exchange: Exchange) -> None:
        """Index an exchange. An answer is not replaced unless it is void; else the later counts."""
        key = _key_of(exchange)
        own = (key, exchange.trajectory_id)
        self.passes[exchange.judge_id] = max(
            exchange.repeat + 1, self.passes.get(exchange.judge_id, 0)
        )
        if exchange.process is not UNSET:
            self.n_processes = max(exchange.process, self.n_processes)
            if exchange.voided is not UNSET:
                self.voids[exchange.judge_id] += 1
                self._forget(exchange.process)
                return
            if exchange.process not in self._void:
                self._said.setdefault(exchange.process, []).append(exchange)
        is_void = exchange.process in self._void
        if is_void or (exchange.text is None and exchange.unsent is None):
            self.n_attempts[own] = max(exchange.attempt, self.n_attempts.get(own, 0))
        if exchange.is_final and not is_void and not _is_answer(self.own(*own)):
            self._settle(key, exchange)

    def own(self, key: RequestKey, trajectory_id: str) -> Exchange | None:
        """Return the final exchange of a request about this trajectory."""
        settled = self.settled.get(key)
        if settled is not None and settled.trajectory_id == trajectory_id:
            return settled
        return self.others.get((key, trajectory_id))

    def _settle(self, key: RequestKey, exchange: Exchange) -> None:
        before = self.settled.get(key)
        if before is not None and before.text is not None:
            self.others[key, exchange.trajectory_id] = exchange
            return
        self.others.pop((key, exchange.trajectory_id), None)
        if before is not None and before.trajectory_id != exchange.trajectory_id:
            self.others[key, before.trajectory_id] = before
        self.settled[key] = exchange

    def void(self, process: int, reason: str) -> list[Exchange]:
        """Add a record, for each judge, that the answers of a process are void; return these."""
        said = self._said.get(process, [])
        for judge_id in sorted({exchange.judge_id for exchange in said}):
            answers = [exchange for exchange in said if exchange.judge_id == judge_id]
            places = [(one.trajectory_id, one.sample, one.repeat) for one in answers]
            nothing = {"text": None, "finish_reason": None, "decision": None, "latency_s": 0.0}
            self.add(
                replace(answers[-1], **nothing, error=reason, is_final=False, voided=tuple(places))
            )
        return said

    def _forget(self, process: int) -> None:
        """Take the answers of a process out of the index: they count as failed attempts."""
        self._void.add(process)
        keys = set()
        for exchange in self._said.pop(process, ()):
            own = (_key_of(exchange), exchange.trajectory_id)
            keys.add(own[0])
            self.n_attempts[own] = max(exchange.attempt, self.n_attempts.get(own, 0))
            if self.settled.get(own[0]) is exchange:
                del self.settled[own[0]]
            elif self.others.get(own) is exchange:
                del self.others[own]
        for (key, _), other in list(self.others.items()):
            if key in keys and not _is_answer(self.settled.get(key)):
                self._settle(key, other)

    def answer_to(self, key: RequestKey, trajectory_id: str) -> Exchange | None:
        """Return the final exchange of a request, that of this trajectory if it has an answer."""
        own = self.own(key, trajectory_id)
        return own if _is_answer(own) else self.settled.get(key)

    def seal_verdicts(self, digest: str) -> None:
        """Seal the verdicts that the log gives, unless its own sealed lines were edited."""
        if self.seal is not None and self.seal.is_kept:
            seal_verdicts(self.path.parent, digest)
            self._has_verdicts = True

    def close(self) -> None:
        """Close the file. Its last lines are sealed after the verdicts that they give."""
        self._file.close(is_complete=self._has_verdicts and self._is_indexed)


def read_exchange_log(path: Path) -> ExchangeLog:
    """Read a log and leave its file as it is; without a file it is empty.

    Raises
    ------
    RecordError
        If a line is no exchange. A torn last line is skipped.
    """
    return _read(ExchangeLog(path))


def open_exchange_log(path: Path) -> ExchangeLog:
    """Read a log to add to it, and to renew its seal; a torn last line is cut off."""
    log = _read(ExchangeLog(path, seal=LogSeal(path)))
    log._file.cut_torn_line()
    return log


def _read(log: ExchangeLog) -> ExchangeLog:
    for exchange in log._file.read():
        repeated = {name: getattr(exchange, name) for name in _REPEATED}
        shared = {name: intern(text) for name, text in repeated.items() if text is not None}
        log.note(replace(exchange, **shared))
    return log


def _key_of(exchange: Exchange) -> RequestKey:
    return RequestKey(exchange.judge_id, exchange.sample, exchange.repeat, exchange.request_hash)


def _is_answer(exchange: Exchange | None) -> bool:
    return exchange is not None and exchange.text is not None

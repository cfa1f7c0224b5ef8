"""Sending the open requests of one run, engine by engine, and keeping what comes back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import IO

from msgspec.structs import asdict

from faultpair.calls.client import Attempt, record_fields
from faultpair.calls.session import EngineFactory, ProgressListener, RunLimits, RunOutcome
from faultpair.calls.worker_pool import Post, WorkerPool
from faultpair.engines.catalog import provider_of
from faultpair.engines.engine import Engine, Identity
from faultpair.env.errors import FaultpairError, InfrastructureError
from faultpair.env.records import Exchange, Verdict
from faultpair.studies.exchanges import ExchangeLog, RequestKey
from faultpair.studies.files import encode
from faultpair.studies.folder import StudyFolder
from faultpair.studies.preregistration import seal_answerer

from .panel import JudgeAssignment
from .requests import JudgeRequest, standing
from .verdicts import settled_verdict

__all__ = ["RequestScheduler"]

NEAR = ("python", "cmd")
"""Providers that tell who they are without a server, a model or a second of waiting."""


@dataclass(slots=True)
class RequestScheduler:
    """Asks what is open and keeps what comes.

    ``alike`` holds all asks of the set by what they ask, so that an answer that is
    shared is written down for all of them at once; it is empty if nothing is shared.
    """

    folder: StudyFolder
    ledger: ExchangeLog
    limits: RunLimits
    means: EngineFactory
    verdicts: IO[bytes]
    alike: dict[RequestKey, list[JudgeRequest]]
    watch: ProgressListener | None = None
    outcome: RunOutcome = field(default_factory=RunOutcome)
    _prompt_hashes: dict[str, str] = field(default_factory=dict)

    def ask_all(self, seats: Sequence[JudgeAssignment], open_asks: Sequence[JudgeRequest]) -> None:
        """Ask engine by engine: two models at once would only take each other's place."""
        if self.watch is not None:
            self.watch.on_start(self.limits.bound(len(open_asks), self.outcome))
        for name, group in _by_engine(seats).items():
            ids = {seat.judge.judge_id for seat in group}
            asks = [ask for ask in open_asks if ask.asked.judge_id in ids]
            self.outcome.reached_limit = bool(asks) and self.limits.left(self.outcome).is_spent
            if self.outcome.is_over:
                return
            if asks:  # an engine that has nothing to do is not opened
                self._ask(name, group, asks)
            elif provider_of(name) in NEAR:
                self._see_whether_it_changed(name, group)

    def _ask(
        self, name: str, seats: Sequence[JudgeAssignment], asks: Sequence[JudgeRequest]
    ) -> None:
        """Ask, and once more where an answer cannot be read, as often as its judge wants it."""
        with closing(self.means.open(name, self.means.options)) as engine:
            identity = engine.identify()
            seal_answerer(self.folder, seats, identity, asked=self.ledger.passes)
            self._prompt_hashes = {seat.judge.judge_id: seat.judge.prompt_hash() for seat in seats}
            while asks and not self.outcome.is_over:
                self._send(engine, identity, asks)
                asks = list(self._unread(asks))

    def _send(self, engine: Engine, identity: Identity, asks: Sequence[JudgeRequest]) -> None:
        """Send requests as far as the limits allow, those of an instance through one worker."""
        budget = self.limits.left(self.outcome)
        parallel = min(self.means.options.parallel or engine.max_parallel, len(asks))
        pool = WorkerPool.on(
            engine, parallel, policy=self.limits.patience, budget=budget, noun="prompt"
        )

        def work(ask: JudgeRequest, post: Post[JudgeRequest]) -> None:
            for attempt in pool.client.attempts(ask.request(), tries=ask.tries):
                post(ask, attempt)

        def keep(ask: JudgeRequest, attempt: Attempt) -> None:
            self.outcome.count(attempt)
            self._keep(ask, self._exchange(ask, attempt, identity))

        pool.run(
            asks[: budget.requests], work=work, keep=keep, group_of=lambda ask: ask.instance_id
        )
        self.outcome.stopped = pool.stopped
        self.outcome.reached_limit = self.limits.left(self.outcome).is_spent

    def _exchange(self, ask: JudgeRequest, attempt: Attempt, identity: Identity) -> Exchange:
        """Return an attempt as it is kept."""
        answer = {} if attempt.reply is None else asdict(ask.judge.answer(attempt.reply))
        return Exchange(
            trajectory_id=ask.trajectory_id,
            judge_id=ask.asked.judge_id,
            sample=ask.asked.sample,
            repeat=ask.asked.repeat,
            request_hash=ask.asked.request_hash,
            prompt_hash=self._prompt_hashes[ask.asked.judge_id],
            is_final=attempt.is_final,
            **record_fields(attempt, identity),
            **answer,
        )

    def _unread(self, asks: Iterable[JudgeRequest]) -> Iterator[JudgeRequest]:
        for asked in asks:
            ask, settled = standing(asked, self.ledger, share=self.limits.share)
            if settled is None and ask.again > asked.again:
                yield ask

    def _see_whether_it_changed(self, name: str, seats: Sequence[JudgeAssignment]) -> None:
        """Refuse a judge that was edited since it answered: its old row would be read as new."""
        try:
            identity = self.means.open(name, self.means.options).identify()
        except FaultpairError:
            return  # it is no longer there, and is not needed either
        seal_answerer(self.folder, seats, identity, asked=self.ledger.passes)

    def _keep(self, ask: JudgeRequest, exchange: Exchange) -> None:
        self.ledger.add(exchange)
        verdict = None
        if exchange.is_final and not self._is_asked_again(ask):
            verdict = settled_verdict(ask, exchange)
            if ask.judge.parts == 1:  # parts are put together at the end of the run
                self._write(verdict, self._shared(ask, exchange))
        if self.watch is not None:
            self.watch.on_attempt(ask.asked.judge_id, verdict)

    def _is_asked_again(self, ask: JudgeRequest) -> bool:
        return standing(ask, self.ledger)[0].again > ask.again

    def _shared(self, ask: JudgeRequest, exchange: Exchange) -> Iterable[Verdict]:
        for other in self.alike.get(ask.asked, ()):
            if other.trajectory_id != ask.trajectory_id:
                yield settled_verdict(other, exchange)

    def _write(self, verdict: Verdict, shared: Iterable[Verdict]) -> None:
        try:
            self.verdicts.write(b"".join(map(encode, (verdict, *shared))))
            self.verdicts.flush()
        except OSError as error:
            raise InfrastructureError(
                f"Cannot write {self.folder.verdicts}: {error.strerror}."
            ) from error


def _by_engine(seats: Iterable[JudgeAssignment]) -> dict[str, list[JudgeAssignment]]:
    groups: dict[str, list[JudgeAssignment]] = {}
    for seat in seats:
        groups.setdefault(seat.judge.engine, []).append(seat)
    return groups

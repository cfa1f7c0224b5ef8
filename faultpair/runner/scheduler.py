"""The desk: where the requests of one run go out, and the answers come in and are written down."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import IO, Protocol

from faultpair.calls.client import CallBudget, RetryingClient, RetryPolicy
from faultpair.calls.limiter import AdaptiveLimiter
from faultpair.calls.worker_pool import WorkerPool
from faultpair.engines.catalog import open_engine, provider_of
from faultpair.engines.engine import Engine, Identity
from faultpair.engines.options import EngineOptions
from faultpair.env.errors import FaultpairError, InfrastructureError
from faultpair.env.records import Exchange, Verdict
from faultpair.studies.exchanges import ExchangeLog, RequestKey
from faultpair.studies.files import encode
from faultpair.studies.folder import StudyFolder
from faultpair.studies.preregistration import seal_answerer

from .panel import JudgeAssignment
from .requests import JudgeRequest, standing
from .verdicts import settled_verdict

__all__ = ["EngineFactory", "ProgressListener", "RequestScheduler", "RunLimits", "RunOutcome"]


_LEFT_OPEN: list[Engine] = []


NEAR = ("python", "cmd")
"""Providers that tell who they are without a server, a model or a second of waiting."""


@dataclass(frozen=True, slots=True)
class RunLimits:
    """How far a run goes and how it asks.

    ``verdicts`` and ``calls`` bound what is asked in this run; ``only`` names the
    judges that may ask; ``repeats`` is how often each goes over the set, as often as
    the study says if None.
    """

    verdicts: int | None = None
    calls: int | None = None
    only: tuple[str, ...] = ()
    repeats: int | None = None
    share: bool = True
    retry_errors: bool = False
    patience: RetryPolicy = field(default_factory=RetryPolicy)

    def bound(self, n_open: int) -> int:
        """Return how many of the open requests may be settled at most."""
        bounds = (self.verdicts, self.calls)
        return min((n_open, *(bound for bound in bounds if bound is not None)))


@dataclass(frozen=True, slots=True)
class EngineFactory:
    """What requests are carried with: how an engine is opened, and with which options."""

    options: EngineOptions = field(default_factory=EngineOptions)
    open: Callable[[str, EngineOptions], Engine] = open_engine


@dataclass(slots=True)
class RunOutcome:
    """What came of a run.

    ``n_open`` requests are left and ``n_failed`` ended without an answer, of all
    that this run could have asked; ``stopped`` says why all stopped, if it did.
    """

    n_asked: int = 0
    n_calls: int = 0
    n_open: int = 0
    n_failed: int = 0
    reached_limit: bool = False
    stopped: str | None = None


class ProgressListener(Protocol):
    """Whoever wants to know how a run goes."""

    def build(self, n: int) -> None:
        """Hear that so many more runs are built."""

    def note(self, text: str) -> None:
        """Hear of something that is worth a line."""

    def expect(self, total: int) -> None:
        """Hear how many requests will be settled at most."""

    def see(self, ask: JudgeRequest, exchange: Exchange, verdict: Verdict | None) -> None:
        """Hear of an attempt as it is kept, with the verdict if it settled one."""


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

    def ask_all(self, seats: Sequence[JudgeAssignment], open_asks: Sequence[JudgeRequest]) -> None:
        """Ask engine by engine: two models at once would only take each other's place."""
        if self.watch is not None:
            self.watch.expect(self.limits.bound(len(open_asks)))
        for name, group in _by_engine(seats).items():
            ids = {seat.judge.judge_id for seat in group}
            asks = [ask for ask in open_asks if ask.asked.judge_id in ids]
            self.outcome.reached_limit = bool(asks) and self._n_left(len(asks)) == 0
            if self.outcome.stopped is not None or self.outcome.reached_limit:
                return
            if asks:  # an engine that has nothing to do is not opened
                self._ask(name, group, asks)
            elif provider_of(name) in NEAR:
                self._see_whether_it_changed(name, group)

    def _ask(
        self, name: str, seats: Sequence[JudgeAssignment], asks: Sequence[JudgeRequest]
    ) -> None:
        """Ask, and once more where an answer cannot be read, as often as its judge wants it."""
        engine = self.means.open(name, self.means.options)
        try:
            identity = engine.identify()
            seal_answerer(
                self.folder, [seat.judge for seat in seats], identity, asked=self.ledger.passes
            )
            while asks and self.outcome.stopped is None and not self.outcome.reached_limit:
                self._dispatch(self._dispatch_of(engine, identity, seats, len(asks)), asks)
                asks = list(self._unread(asks))
        except KeyboardInterrupt:
            # To close it would wait for what was given up; it goes with the process.
            _LEFT_OPEN.append(engine)
            raise
        except BaseException:
            engine.close()
            raise
        engine.close()

    def _dispatch_of(
        self, engine: Engine, identity: Identity, seats: Sequence[JudgeAssignment], n_asks: int
    ) -> WorkerPool:
        parallel = self.means.options.parallel or engine.max_parallel
        caller = RetryingClient(
            engine,
            identity,
            engine.context_tokens(),
            {seat.judge.judge_id: seat.judge.prompt_hash() for seat in seats},
            self.limits.patience,
            AdaptiveLimiter(parallel),
            CallBudget(_rest(self.limits.calls, self.outcome.n_calls)),
        )
        return WorkerPool(caller, min(parallel, n_asks))

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
        seal_answerer(
            self.folder, [seat.judge for seat in seats], identity, asked=self.ledger.passes
        )

    def _dispatch(self, dispatch: WorkerPool, asks: Sequence[JudgeRequest]) -> None:
        most = _rest(self.limits.verdicts, self.outcome.n_asked)
        dispatch.run(asks[:most], self._keep)
        self.outcome.stopped = dispatch.stopped
        self.outcome.reached_limit = self._n_left(1) == 0

    def _n_left(self, n_open: int) -> int:
        verdicts = _rest(self.limits.verdicts, self.outcome.n_asked)
        calls = _rest(self.limits.calls, self.outcome.n_calls)
        return min((n_open, *(left for left in (verdicts, calls) if left is not None)))

    def _keep(self, ask: JudgeRequest, exchange: Exchange) -> None:
        self.ledger.add(exchange)
        self.outcome.n_calls += exchange.unsent is None
        verdict = None
        if exchange.is_final:
            self.outcome.n_asked += 1
            if not self._is_asked_again(ask):
                verdict = settled_verdict(ask, exchange)
                if ask.judge.parts == 1:  # parts are put together at the end of the run
                    self._write(verdict, self._shared(ask, exchange))
        if self.watch is not None:
            self.watch.see(ask, exchange, verdict)

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


def _rest(most: int | None, used: int) -> int | None:
    return None if most is None else max(0, most - used)


def _by_engine(seats: Iterable[JudgeAssignment]) -> dict[str, list[JudgeAssignment]]:
    groups: dict[str, list[JudgeAssignment]] = {}
    for seat in seats:
        groups.setdefault(seat.judge.engine, []).append(seat)
    return groups

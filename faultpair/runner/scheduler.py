"""The order of a run: engine by engine, redraws after first answers, up to the limits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from faultpair.calls.client import CallBudget, RetryingClient
from faultpair.calls.limiter import AdaptiveLimiter
from faultpair.calls.session import EngineFactory, ProgressListener, RunLimits, RunOutcome
from faultpair.calls.worker_pool import WorkerPool
from faultpair.engines.catalog import provider_of
from faultpair.engines.engine import Engine, Identity
from faultpair.env.errors import FaultpairError
from faultpair.env.records import Exchange
from faultpair.studies.exchanges import ExchangeLog, RequestKey
from faultpair.studies.folder import StudyFolder
from faultpair.studies.preregistration import seal_answerer

from .panel import JudgeAssignment
from .requests import JudgeRequest, RequestState
from .verdicts import settled_verdict

__all__ = ["RequestScheduler"]

QUICKLY_IDENTIFIED = ("python", "cmd")
"""Providers that identify themselves without a server, a model or a delay."""


@dataclass(slots=True, kw_only=True)
class RequestScheduler:
    """Sends open requests and keeps each attempt in the exchange log."""

    folder: StudyFolder
    log: ExchangeLog
    limits: RunLimits
    engines: EngineFactory
    listener: ProgressListener | None = None
    outcome: RunOutcome = field(default_factory=RunOutcome)
    _prompt_hashes: dict[str, str] = field(default_factory=dict)
    _sent: dict[tuple[RequestKey, str], RequestState] = field(default_factory=dict)

    def ask_all(
        self, assignments: Sequence[JudgeAssignment], states: Sequence[RequestState]
    ) -> None:
        """Settle open requests, engine by engine: two models at once would displace each other."""
        if self.listener is not None:
            self.listener.on_start(self.limits.bound(len(states)))
        for assignment in assignments:
            judge = assignment.judge
            self._prompt_hashes[judge.judge_id] = judge.prompt_hash()
        for name, group in _by_engine(assignments).items():
            ids = {assignment.judge.judge_id for assignment in group}
            chosen = [state for state in states if state.request.key.judge_id in ids]
            self.outcome.reached_limit = bool(chosen) and self._n_left(len(chosen)) == 0
            if self.outcome.is_over:
                return
            if chosen:  # an engine without a request is not opened
                self._ask(name, group, chosen)
            elif provider_of(name) in QUICKLY_IDENTIFIED:
                self._refuse_changed(name, group)

    def _ask(
        self, name: str, assignments: Sequence[JudgeAssignment], states: Sequence[RequestState]
    ) -> None:
        """Send requests to an engine, then the redraws of those with an unreadable answer."""
        engine = self.engines.open(name, self.engines.options)
        try:
            identity = engine.identify()
            seal_answerer(self.folder, assignments, identity, asked=self.log.passes)
            while states and not self.outcome.is_over:
                requests = [state.request for state in states]
                requests = requests[: _rest(self.limits.verdicts, self.outcome.n_asked)]
                self._sent = {
                    (state.request.key, state.request.trajectory_id): state for state in states
                }
                pool = self._pool(engine, identity, len(states))
                pool.run(requests, self._keep)
                self.outcome.stopped = pool.stopped
                self.outcome.reached_limit = self._n_left(1) == 0
                states = [
                    state
                    for (key, _), state in self._sent.items()
                    if state.settled is None and state.request.key != key
                ]
        finally:
            engine.close()

    def _pool(self, engine: Engine, identity: Identity, n_requests: int) -> WorkerPool:
        parallel = self.engines.options.parallel or engine.max_parallel
        client = RetryingClient(
            engine=engine,
            identity=identity,
            room=engine.context_tokens(),
            prompt_hashes=self._prompt_hashes,
            patience=self.limits.patience,
            throttle=AdaptiveLimiter(parallel),
            budget=CallBudget(_rest(self.limits.calls, self.outcome.n_calls)),
        )
        return WorkerPool(client, min(parallel, n_requests))

    def _refuse_changed(self, name: str, assignments: Sequence[JudgeAssignment]) -> None:
        """Refuse an external judge that was edited since its last answer."""
        try:
            identity = self.engines.open(name, self.engines.options).identify()
        except FaultpairError:
            return  # it no longer exists, and this run does not need it
        seal_answerer(self.folder, assignments, identity, asked=self.log.passes)

    def _n_left(self, n_open: int) -> int:
        verdicts = _rest(self.limits.verdicts, self.outcome.n_asked)
        calls = _rest(self.limits.calls, self.outcome.n_calls)
        return min((n_open, *(left for left in (verdicts, calls) if left is not None)))

    def _keep(self, request: JudgeRequest, exchange: Exchange) -> None:
        """Log an attempt, and advance the state of its request."""
        self.log.add(exchange)
        self.outcome.n_calls += exchange.unsent is None
        verdict = None
        if exchange.is_final:
            self.outcome.n_asked += 1
            state = self._sent[request.key, request.trajectory_id]
            state.advance(self.log)
            if state.request.key == request.key and self.listener is not None:
                verdict = settled_verdict(request, exchange)
        if self.listener is not None:
            self.listener.on_attempt(request.key.judge_id, verdict)


def _rest(most: int | None, used: int) -> int | None:
    return None if most is None else max(0, most - used)


def _by_engine(assignments: Iterable[JudgeAssignment]) -> dict[str, list[JudgeAssignment]]:
    groups: dict[str, list[JudgeAssignment]] = {}
    for assignment in assignments:
        groups.setdefault(assignment.judge.engine, []).append(assignment)
    return groups

"""The order of a run: engine by engine, redraws after first answers, up to the limits."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial

from faultpair.calls.client import Attempt
from faultpair.calls.session import CallSession, EngineFactory
from faultpair.calls.worker_pool import Post, WorkerPool
from faultpair.engines.catalog import is_external, provider_of
from faultpair.engines.engine import Engine, Identity, ProcessOptions
from faultpair.studies.exchanges import ExchangeLog, RequestKey
from faultpair.studies.folder import StudyFolder
from faultpair.studies.preregistration import seal_answerer

from .panel import JudgeAssignment
from .requests import JudgeRequest, RequestState
from .verdicts import ReadAttempt, read_attempt
from .voids import VoidWatch, is_stopped, why_stopped

__all__ = ["RequestScheduler"]

QUICKLY_IDENTIFIED = ("python", "cmd")
"""Providers that identify themselves without a server, a model or a delay."""


@dataclass(slots=True, kw_only=True)
class RequestScheduler:
    """Sends open requests and keeps each attempt in the exchange log."""

    folder: StudyFolder
    log: ExchangeLog
    session: CallSession
    ended: Callable[[], Collection[str]] = frozenset
    """Return the judges whose result is clear, and which are asked no more."""
    on_answers: Callable[[bool], None] = lambda has_voids: None
    """Called when answers may have come, and when some became void."""
    _prompt_hashes: dict[str, str] = field(default_factory=dict)
    _sent: dict[tuple[RequestKey, str], RequestState] = field(default_factory=dict)

    def ask_all(
        self, assignments: Sequence[JudgeAssignment], states: Sequence[RequestState]
    ) -> None:
        """Settle open requests, engine by engine: two models at once would displace each other."""
        limits, outcome = self.session.limits, self.session.outcome
        if self.session.listener is not None:
            self.session.listener.on_start(limits.bound(len(states), outcome))
        for assignment in assignments:
            judge = assignment.judge
            self._prompt_hashes[judge.judge_id] = judge.prompt_hash()
        for (name, key_from, process), group in _by_engine(assignments).items():
            factory = self.session.factory.with_process(process).with_options(key_from=key_from)
            ids = {assignment.judge.judge_id for assignment in group}
            chosen = [state for state in states if state.request.key.judge_id in ids]
            chosen = self._still_asked(chosen)
            outcome.reached_limit = bool(chosen) and limits.left(outcome).is_spent
            if outcome.is_over:
                return
            if chosen:  # an engine without a request is not opened
                self._ask(name, factory, group, chosen)
            elif provider_of(name) in QUICKLY_IDENTIFIED:
                self._seal_unasked(group, factory.identity_of(name))

    def _ask(
        self,
        name: str,
        factory: EngineFactory,
        assignments: Sequence[JudgeAssignment],
        states: Sequence[RequestState],
    ) -> None:
        """Send requests to an engine, then the redraws of those with an unreadable answer."""
        factory = factory.with_options(first_process=self.log.n_processes + 1)
        engine = factory.open(name, factory.options)
        watch = None
        if is_external(name):
            watch = VoidWatch.of(engine, self.log, self.session.report)
        try:
            identity = engine.identify()
            self._seal(assignments, identity)
            while states and not self.session.outcome.is_over:
                self._sent = {
                    (state.request.key, state.request.trajectory_id): state for state in states
                }
                n_void = watch.n_void if watch else 0
                self._send(engine, identity, [state.request for state in states], watch)
                is_again = watch is not None and watch.n_void > n_void
                states = [
                    state
                    for (key, _), state in self._sent.items()
                    if state.settled is None and (is_again or state.request.key != key)
                ]
                states = self._still_asked(states)
        finally:
            engine.close()
            self._look(watch)

    def _send(
        self,
        engine: Engine,
        identity: Identity,
        requests: Sequence[JudgeRequest],
        watch: VoidWatch | None,
    ) -> None:
        """Send requests as far as the limits allow, those of an instance through one worker."""
        limits, outcome = self.session.limits, self.session.outcome
        budget = limits.left(outcome)
        parallel = self.session.factory.options.parallel or engine.max_parallel
        pool = WorkerPool.on(
            engine,
            min(parallel, len(requests)),
            policy=limits.retry_policy,
            budget=budget,
            noun="prompt",
        )

        def work(request: JudgeRequest, post: Post[ReadAttempt]) -> None:
            if request.key.judge_id in self.ended():
                return
            read = partial(
                read_attempt,
                request,
                identity=identity,
                prompt_hash=self._prompt_hashes[request.key.judge_id],
                is_shown=self.session.listener is not None,
            )
            for attempt in pool.client.attempts(request.request(), n_attempts=request.n_attempts):
                post(read(attempt), attempt)

        def on_wake() -> None:
            if self._look(watch):
                pool.client.limiter.stop()

        pool.run(
            requests[: budget.requests],
            work=work,
            keep=self._keep,
            group_of=lambda request: request.instance_id,
            on_wake=on_wake,
        )
        if watch is not None:
            watch.engine.end_processes()
            self._look(watch)
        outcome.stopped = pool.stopped
        outcome.reached_limit = limits.left(outcome).is_spent

    def _look(self, watch: VoidWatch | None) -> bool:
        """Open the requests again whose answers became void; True if a judge is asked no more."""
        answers = [] if watch is None else watch.look()
        void = {id(answer) for answer in answers}
        for state in self._sent.values() if void else ():
            if id(state.settled) in void:
                state.reopen(self.log)
        self.session.outcome.n_asked -= len(answers)
        self.on_answers(bool(void))
        return any(is_stopped(answer.judge_id, self.log) for answer in answers)

    def _still_asked(self, states: Sequence[RequestState]) -> list[RequestState]:
        """Return the states without those of judges that are asked no more.

        A judge whose answers became void too often is reported.
        """
        ended = self.ended()
        states = [state for state in states if state.request.key.judge_id not in ended]
        judges = {state.request.key.judge_id for state in states} & self.log.voids.keys()
        stopped = {judge_id for judge_id in judges if is_stopped(judge_id, self.log)}
        for judge_id in sorted(stopped):
            self.session.report(why_stopped(judge_id, self.log))
        return [state for state in states if state.request.key.judge_id not in stopped]

    def _seal_unasked(
        self, assignments: Sequence[JudgeAssignment], identity: Identity | None
    ) -> None:
        """Refuse an external judge that was edited since its last answer."""
        if identity is not None:  # else it no longer exists, and this run does not need it
            self._seal(assignments, identity)

    def _seal(self, assignments: Sequence[JudgeAssignment], identity: Identity) -> None:
        judges = [each.judge for each in assignments]
        seal_answerer(self.folder, judges, identity, asked=self.log.passes)

    def _keep(self, read: ReadAttempt, attempt: Attempt) -> None:
        """Log an attempt, and advance the state of its request."""
        request, exchange, verdict = read
        self.session.outcome.count(attempt)
        self.log.add(exchange)
        if exchange.is_final:
            state = self._sent[request.key, request.trajectory_id]
            state.advance(self.log)
            if state.request.key != request.key:  # the answer is unreadable, a redraw follows
                verdict = None
        if self.session.listener is not None:
            self.session.listener.on_attempt(request.key.judge_id, verdict)


def _by_engine(
    assignments: Iterable[JudgeAssignment],
) -> dict[tuple[str, str | None, ProcessOptions], list[JudgeAssignment]]:
    """Return the assignments that one opened engine serves."""
    groups: dict[tuple[str, str | None, ProcessOptions], list[JudgeAssignment]] = {}
    for each in assignments:
        process = each.external.process if each.external else ProcessOptions()
        groups.setdefault((each.engine, each.key_from, process), []).append(each)
    return groups

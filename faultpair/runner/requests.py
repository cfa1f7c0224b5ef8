"""The requests of all judges about all runs, their order, and their state by the exchange log.

Runs of one instance are adjacent, and their requests are sorted by text: requests
with a common prefix follow each other, so that an engine with a prefix cache reads
the prefix once. Instances keep the order of the set, in which every prefix is a fair
sample.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from msgspec import structs

from faultpair.calls.client import Attempt, record_fields
from faultpair.engines.engine import Identity, Request, request_hash
from faultpair.env.plans.records import Plan, PlanInstance
from faultpair.env.records import Exchange, Instance
from faultpair.judges.engine_judge import Answer, EngineJudge
from faultpair.judges.exhibit import Exhibit, exhibit_of
from faultpair.judges.plans.plan_judge import PlanJudge
from faultpair.sets.ground_truth import references_for
from faultpair.studies.exchanges import ExchangeLog, RequestKey
from faultpair.studies.runs import Run

from .panel import JudgeAssignment

__all__ = [
    "JudgeRequest",
    "RequestState",
    "Run",
    "answer_in",
    "exchange_of",
    "in_share",
    "pending",
    "plan_requests",
]

SEED_STEP = 1_000_003
"""The seeds of two redraws differ by more than a judge has passes, so no pass has the seed."""

LEAST_TEMPERATURE = 0.5
"""The temperature of a redraw of a request at temperature 0."""


@dataclass(frozen=True, slots=True)
class JudgeRequest:
    """One request of a judge about one run, in one of its passes.

    It holds the hash of its request and renders it again when it is sent: the
    prompts of a large set would fill the memory. ``n_attempts`` counts the failed
    attempts of earlier runs, ``n_redraws`` the unreadable answers before it.
    """

    judge: EngineJudge
    trajectory_id: str
    instance_id: str
    exhibit: Exhibit
    key: RequestKey
    n_attempts: int = 0
    n_redraws: int = 0

    def request(self) -> Request:
        """Render the request; a redraw has a seed of its own, and a temperature above 0.

        The same request would bring the same unreadable answer, and at temperature 0 a seed
        has no effect.
        """
        sample, repeat = self.key.sample, self.key.repeat
        request = self.judge.request(self.exhibit, sample=sample, repeat=repeat)
        if not self.n_redraws:
            return request
        return structs.replace(
            request,
            seed=request.seed + self.n_redraws * SEED_STEP,
            temperature=request.temperature or LEAST_TEMPERATURE,
        )

    def redrawn(self) -> JudgeRequest:
        """Return the request that follows an unreadable answer."""
        request = replace(self, n_attempts=0, n_redraws=self.n_redraws + 1)
        key = self.key._replace(request_hash=request_hash(request.request()))
        return replace(request, key=key)


@dataclass(slots=True)
class RequestState:
    """A request with the exchange that settled it, None while it is open.

    It is made once for each request, and advanced when an exchange arrives. ``request`` is
    the first one, or the redraw that follows unreadable answers; it counts the attempts and
    the redraws so far. With ``share`` an answer to an equal request about another run
    settles it, too.
    """

    request: JudgeRequest
    share: bool = True
    settled: Exchange | None = None

    @classmethod
    def of(cls, request: JudgeRequest, log: ExchangeLog, *, share: bool = True) -> RequestState:
        """Return the state that the log gives a request."""
        state = cls(request, share)
        state.advance(log)
        return state

    @property
    def has_failed(self) -> bool:
        """Whether it ended in an error."""
        return self.settled is not None and self.settled.error is not None

    def is_open(self, *, retry: bool = False) -> bool:
        """Return whether nothing settled it; with ``retry``, whether no answer did."""
        return self.settled is None or (retry and self.settled.text is None)

    def advance(self, log: ExchangeLog) -> None:
        """Take in what was added to the log; nothing replaces an answer."""
        while self.is_open(retry=True):
            own = (self.request.key, self.request.trajectory_id)
            self.settled = log.answer_to(*own) if self.share else log.own.get(own)
            n_attempts = log.n_attempts.get(own, 0)
            if n_attempts != self.request.n_attempts:
                self.request = replace(self.request, n_attempts=n_attempts)
            if self.settled is None or not self._is_unreadable(self.settled):
                return
            self.request, self.settled = self.request.redrawn(), None

    def reopen(self, log: ExchangeLog) -> None:
        """Take in that the answer which settled it is void."""
        self.settled = None
        self.advance(log)

    def _is_unreadable(self, exchange: Exchange) -> bool:
        """Return whether an answer holds no finding and its judge wants another one."""
        request = self.request
        if request.n_redraws == request.judge.retries:
            return False
        answer = answer_in(exchange)
        return answer is not None and request.judge.read(answer, request.exhibit).faulty is None


def pending(
    states: Iterable[RequestState], *, share: bool, retry: bool = False
) -> Iterator[RequestState]:
    """Yield the states whose requests are to be sent.

    Parameters
    ----------
    share : send equal requests of a judge's pass once
    retry : also send those again that got no answer: an error, or a context overflow
    """
    underway: set[RequestKey] = set()
    for state in states:
        key = state.request.key
        if state.is_open(retry=retry) and not (share and key in underway):
            underway.add(key)
            yield state


def plan_requests(
    assignments: Sequence[JudgeAssignment], runs: Sequence[Run]
) -> Iterator[JudgeRequest]:
    """Yield all requests of some judges, instance by instance."""
    judged = [in_share(assignment, runs) for assignment in assignments]
    references = [
        references_for(each.judge, runs) if isinstance(each.judge, PlanJudge) else {}
        for each in assignments
    ]
    for group in _by_instance(runs):
        requests: list[tuple[tuple[str, ...], JudgeRequest]] = []
        for assignment, ids, plans in zip(assignments, judged, references, strict=True):
            for run in group:
                if run[0].trajectory_id in ids:
                    requests += _passes(assignment, run, plans.get(run[1].instance_id))
        requests.sort(key=lambda request: request[0])
        yield from (request for _, request in requests)


def exchange_of(
    request: JudgeRequest, attempt: Attempt, identity: Identity, *, prompt_hash: str
) -> Exchange:
    """Return an attempt as it is kept."""
    answer = {} if attempt.reply is None else structs.asdict(request.judge.answer(attempt.reply))
    if attempt.reply is not None and attempt.reply.process is not None:
        answer["process"] = attempt.reply.process
    return Exchange(
        trajectory_id=request.trajectory_id,
        prompt_hash=prompt_hash,
        is_final=attempt.is_final,
        **request.key._asdict(),
        **record_fields(attempt, identity),
        **answer,
    )


def answer_in(exchange: Exchange) -> Answer | None:
    """Return what a judge reads of an exchange, None if it holds no answer."""
    if exchange.text is None:
        return None
    return Answer(exchange.text, exchange.finish_reason or "stop", exchange.decision)


def in_share(assignment: JudgeAssignment, runs: Sequence[Run]) -> set[str]:
    """Return the ids of a judge's runs: all, those of some tiers, or some faults with parents."""
    trajectories = [run for run, instance in runs if _is_of_tier(instance, assignment)]
    if assignment.pairs is None:
        return {run.trajectory_id for run in trajectories}
    faults = [run for run in trajectories if run.label.faulty][: assignment.pairs]
    instances = {run.instance_id for run in faults}
    parents = (
        run.trajectory_id
        for run in trajectories
        if run.instance_id in instances and not run.label.faulty and run.label.control is None
    )
    return {*(run.trajectory_id for run in faults), *parents}


def _is_of_tier(instance: Instance, assignment: JudgeAssignment) -> bool:
    if not assignment.tiers:
        return True
    return isinstance(instance, PlanInstance) and instance.tier in assignment.tiers


def _by_instance(runs: Sequence[Run]) -> Iterator[list[Run]]:
    groups: dict[str, list[Run]] = {}
    for run in runs:
        groups.setdefault(run[1].instance_id, []).append(run)
    yield from groups.values()


def _passes(
    assignment: JudgeAssignment, run: Run, plan: Plan | None
) -> Iterator[tuple[tuple[str, ...], JudgeRequest]]:
    """Yield the prompt and the request of each pass; equal requests are hashed once."""
    judge, exhibit = assignment.judge, exhibit_of(*run, plan=plan)
    ids = run[0].trajectory_id, run[1].instance_id
    hashed: Request | None = None
    digest = ""
    for repeat in range(assignment.repeats):
        for sample in range(judge.samples):
            request = judge.request(exhibit, sample=sample, repeat=repeat)
            if request != hashed:
                hashed, digest = request, request_hash(request)
            key = RequestKey(judge.judge_id, sample, repeat, digest)
            prompt = tuple(message.content for message in request.messages)
            yield prompt, JudgeRequest(judge, *ids, exhibit, key)

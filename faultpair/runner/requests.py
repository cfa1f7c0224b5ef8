"""The requests of all judges about all runs, and their state by the exchange log.

In world 1, instances keep the order of the set, in which every prefix is a fair sample.
Runs of one instance are adjacent, and their requests are sorted by text: requests
with a common prefix follow each other, so that an engine with a prefix cache reads
the prefix once. In world 2 the order is drawn, see `order`.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from operator import attrgetter

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

from .order import Draft, InstanceRuns, OrderRule, RequestOrder, RunPlace, runs_by_instance
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

    It holds the hash of its request, and reads the run and renders the request again when
    it is sent: the runs and the prompts of a large set would fill the memory.
    ``n_attempts`` counts the failed attempts of earlier runs, ``n_redraws`` the unreadable
    answers before it.
    """

    judge: EngineJudge
    trajectory_id: str
    instance_id: str
    read_exhibit: Callable[[], Exhibit] = field(compare=False, repr=False)
    key: RequestKey
    n_attempts: int = 0
    n_redraws: int = 0

    @property
    def exhibit(self) -> Exhibit:
        """What the judge can be shown of the run."""
        return self.read_exhibit()

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
            self.settled = log.answer_to(*own) if self.share else log.own(*own)
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
    assignments: Sequence[JudgeAssignment],
    runs: Sequence[Run],
    order: RequestOrder = RequestOrder(),  # noqa: B008, the default is frozen
) -> Iterator[JudgeRequest]:
    """Yield all requests of some judges in their order, block by block."""
    instances = runs_by_instance(runs, with_digests=order.has_draws)
    groups: dict[OrderRule, list[_Asked]] = {}
    for assignment in assignments:
        asked = _Asked.of(assignment, runs)
        groups.setdefault(order.rule_of(assignment.judge), []).append(asked)
    for rule, group in groups.items():
        for block in rule.blocks(filter(partial(_is_asked_about, group), instances)):
            drafts: list[Draft[JudgeRequest]] = []
            for instance, run, asked in _asked_in(block, group):
                drafts += _passes(asked, instance.instance_id, run, runs)
            yield from map(attrgetter("request"), rule.ordered(drafts))


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


@dataclass(frozen=True, slots=True)
class _Asked:
    """A judge with the ids of the runs that it is asked about, None for all, and its plans."""

    assignment: JudgeAssignment
    ids: Container[str] | None
    plans: Mapping[str, Plan]

    @classmethod
    def of(cls, assignment: JudgeAssignment, runs: Sequence[Run]) -> _Asked:
        is_whole = assignment.pairs is None and not assignment.tiers
        judge = assignment.judge
        plans = references_for(judge, runs) if isinstance(judge, PlanJudge) else {}
        return cls(assignment, None if is_whole else in_share(assignment, runs), plans)

    def includes(self, trajectory_id: str) -> bool:
        return self.ids is None or trajectory_id in self.ids


def _is_asked_about(group: Sequence[_Asked], instance: InstanceRuns) -> bool:
    return any(asked.includes(run.trajectory_id) for run in instance.runs for asked in group)


def _asked_in(
    block: Sequence[InstanceRuns], group: Sequence[_Asked]
) -> Iterator[tuple[InstanceRuns, RunPlace, _Asked]]:
    """Yield each run of a block with each judge that is asked about it."""
    for instance in block:
        for run in instance.runs:
            for asked in group:
                if asked.includes(run.trajectory_id):
                    yield instance, run, asked


def _passes(
    asked: _Asked, instance_id: str, run: RunPlace, runs: Sequence[Run]
) -> Iterator[Draft[JudgeRequest]]:
    """Yield the request of each pass; equal requests are hashed once."""
    judge = asked.assignment.judge
    read = _StoredExhibit(runs, run.place, asked.plans.get(instance_id))
    exhibit = read()
    hashed: Request | None = None
    digest = ""
    for repeat in range(asked.assignment.repeats):
        for sample in range(judge.samples):
            request = judge.request(exhibit, sample=sample, repeat=repeat)
            if request != hashed:
                hashed, digest = request, request_hash(request)
            key = RequestKey(judge.judge_id, sample, repeat, digest)
            prompt = tuple(message.content for message in request.messages)
            planned = JudgeRequest(judge, run.trajectory_id, instance_id, read, key)
            yield Draft(planned, judge, key, prompt, run)


@dataclass(frozen=True, slots=True)
class _StoredExhibit:
    """Reads a run of the set as an exhibit, with a reference plan if it has one."""

    runs: Sequence[Run]
    place: int
    plan: Plan | None

    def __call__(self) -> Exhibit:
        return exhibit_of(*self.runs[self.place], plan=self.plan)

"""What is to be asked: the requests of all judges on all runs, in an order that engines like.

Runs of one instance stand together, and among them requests are sorted by their
text, so that those which begin alike follow each other and an engine that keeps
the prefix of a prompt reads it once. Instances keep the fixed order of the set,
in which every prefix is a fair sample.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from faultpair.calls.redraw import redraw
from faultpair.engines.engine import Request, request_hash
from faultpair.env.plans.records import PlanInstance
from faultpair.env.records import Exchange, Instance, Trajectory
from faultpair.judges.engine_judge import Answer, EngineJudge
from faultpair.judges.exhibit import Exhibit, exhibit_of
from faultpair.studies.exchanges import ExchangeLog, RequestKey

from .ground_truth import Plan, references_for
from .panel import JudgeAssignment

__all__ = ["JudgeRequest", "answer_in", "in_share", "pending", "plan_requests", "standing"]

Run = tuple[Trajectory, Instance]


@dataclass(frozen=True, slots=True)
class JudgeRequest:
    """One request of a judge's about one run, in one of its passes.

    It holds the digest of its request and writes it anew when it is sent: the
    prompts of a large set would fill the memory. ``tries`` counts the attempts of
    earlier runs, ``again`` the answers before it that could not be read.
    """

    judge: EngineJudge
    trajectory_id: str
    instance_id: str
    exhibit: Exhibit
    asked: RequestKey
    tries: int = 0
    again: int = 0

    def request(self) -> Request:
        """Write the request."""
        sample, repeat = self.asked.sample, self.asked.repeat
        return redraw(self.judge.request(self.exhibit, sample=sample, repeat=repeat), self.again)

    def once_more(self) -> JudgeRequest:
        """Return the request that follows an answer which cannot be read."""
        ask = replace(self, tries=0, again=self.again + 1)
        return replace(ask, asked=self.asked._replace(request_hash=request_hash(ask.request())))


def plan_requests(seats: Sequence[JudgeAssignment], runs: Sequence[Run]) -> Iterator[JudgeRequest]:
    """Yield every request there is, instance by instance."""
    shares = [in_share(seat, runs) for seat in seats]
    references = [references_for(seat.judge, runs) for seat in seats]
    for group in _by_instance(runs):
        asks = [
            ask
            for seat, share, plans in zip(seats, shares, references, strict=True)
            for run in group
            if run[0].trajectory_id in share
            for ask in _passes(seat, run, plans.get(run[1].instance_id))
        ]
        asks.sort(key=lambda ask: ask[0])
        yield from (ask for _, ask in asks)


def pending(
    asks: Iterable[JudgeRequest], ledger: ExchangeLog, *, share: bool, retry: bool
) -> Iterator[JudgeRequest]:
    """Yield the requests that nothing has settled yet.

    Parameters
    ----------
    share : ask identical requests of a judge's pass once
    retry : ask those again that got no answer: an error came, or they were too long to send
    """
    underway: set[RequestKey] = set()
    for first in asks:
        ask, settled = standing(first, ledger, share=share)
        is_open = settled is None or (retry and settled.text is None)
        if is_open and not (share and ask.asked in underway):
            underway.add(ask.asked)
            yield replace(ask, tries=ledger.tries.get((ask.asked, ask.trajectory_id), 0))


def standing(
    ask: JudgeRequest, ledger: ExchangeLog, *, share: bool = True
) -> tuple[JudgeRequest, Exchange | None]:
    """Return the request that a pass has come to, and what settled it, if anything did.

    It is the first one, or the one that follows those whose answers cannot be read.
    """
    while True:
        own = (ask.asked, ask.trajectory_id)
        settled = ledger.answer_to(*own) if share else ledger.own.get(own)
        if settled is None or ask.again == ask.judge.retries or not _says_nothing(ask, settled):
            return ask, settled
        ask = ask.once_more()


def answer_in(exchange: Exchange) -> Answer | None:
    """Return what a judge reads of an exchange, None if no answer came."""
    if exchange.text is None:
        return None
    return Answer(exchange.text, exchange.finish_reason or "stop", exchange.decision)


def _says_nothing(ask: JudgeRequest, exchange: Exchange) -> bool:
    answer = answer_in(exchange)
    return answer is not None and ask.judge.read(answer, ask.exhibit).faulty is None


def in_share(seat: JudgeAssignment, runs: Sequence[Run]) -> set[str]:
    """Return the ids of the runs that a judge goes over.

    These are all, those of some tiers, or some faults with their parents.
    """
    trajectories = [trajectory for trajectory, instance in runs if _is_of_tier(instance, seat)]
    if seat.pairs is None:
        return {trajectory.trajectory_id for trajectory in trajectories}
    faults = [run for run in trajectories if run.label.faulty][: seat.pairs]
    instances = {run.instance_id for run in faults}
    parents = (
        run.trajectory_id
        for run in trajectories
        if run.instance_id in instances and not run.label.faulty and run.label.control is None
    )
    return {*(run.trajectory_id for run in faults), *parents}


def _is_of_tier(instance: Instance, seat: JudgeAssignment) -> bool:
    if not seat.tiers:
        return True
    return isinstance(instance, PlanInstance) and instance.tier in seat.tiers


def _by_instance(runs: Sequence[Run]) -> Iterator[list[Run]]:
    groups: dict[str, list[Run]] = {}
    for run in runs:
        groups.setdefault(run[1].instance_id, []).append(run)
    yield from groups.values()


def _passes(
    seat: JudgeAssignment, run: Run, plan: Plan | None
) -> Iterator[tuple[tuple[str, ...], JudgeRequest]]:
    """Yield the prompt and the request of each pass; those that are equal are hashed once."""
    judge, exhibit = seat.judge, exhibit_of(*run, plan=plan)
    ids = run[0].trajectory_id, run[1].instance_id
    hashed: Request | None = None
    digest = ""
    for repeat in range(seat.repeats):
        for sample in range(judge.samples):
            request = judge.request(exhibit, sample=sample, repeat=repeat)
            if request != hashed:
                hashed, digest = request, request_hash(request)
            asked = RequestKey(judge.judge_id, sample, repeat, digest)
            prompt = tuple(message.content for message in request.messages)
            yield prompt, JudgeRequest(judge, *ids, exhibit, asked)

"""The order of requests: that of the set in world 1, a drawn one in world 2.

A drawn place depends on the study's seed, on the judge, and on what is asked about. It
depends on no label, no id, no order of the set's file, and no answer, so the requests that a
stopped run left keep their order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import groupby, islice
from operator import attrgetter
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import msgspec

from faultpair.engines.catalog import is_external
from faultpair.env.rng import key_of
from faultpair.judges.engine_judge import EngineJudge
from faultpair.studies.exchanges import RequestKey
from faultpair.studies.runs import Run

__all__ = [
    "BLOCK",
    "Draft",
    "InstanceRuns",
    "OrderRule",
    "RequestOrder",
    "RunPlace",
    "runs_by_instance",
]

BLOCK = 10
"""The number of instances whose requests are shuffled together for a judge from outside."""

T = TypeVar("T")


class RunPlace(NamedTuple):
    """A run by its place in the set; ``digest`` is that of its steps and its reply."""

    trajectory_id: str
    place: int
    digest: int = 0


@dataclass(frozen=True, slots=True)
class InstanceRuns:
    """The runs of an instance. ``digest`` is that of the instance without its id."""

    instance_id: str
    runs: Sequence[RunPlace]
    digest: int = 0


class Draft(NamedTuple, Generic[T]):
    """A request that has no place yet, with what its place depends on."""

    request: T
    judge: EngineJudge
    key: RequestKey
    prompt: tuple[str, ...]
    run: RunPlace


class OrderRule(Protocol):
    """How the requests of some judges are put in order.

    ``name`` is what the manifest calls it, None for the order of the set.
    """

    @property
    def name(self) -> str | None: ...

    def blocks(self, instances: Iterable[InstanceRuns]) -> Iterator[Sequence[InstanceRuns]]:
        """Yield the instances whose requests are put in order together."""
        ...

    def ordered(self, drafts: Iterable[Draft[T]]) -> Iterable[Draft[T]]:
        """Return the requests of a block in their order."""
        ...


@dataclass(frozen=True, slots=True)
class RequestOrder:
    """The order of a study's requests, which depends on its seed and its world.

    With ``is_drawn`` it is drawn in world 1, too: a run that may stop early needs instances in
    a drawn order.
    """

    seed: int = 0
    world: int = 1
    is_drawn: bool = False

    def rule_of(self, judge: EngineJudge) -> OrderRule:
        """Return the rule for a judge. Judges with equal rules are put in order together.

        Judges that ask one model share a rule, so that a page which two of them are shown is
        read once. A judge from outside may remember what it was shown: it has a rule of its own.
        """
        if not self.has_draws:
            return SetOrder()
        if is_external(judge.engine):
            return BlocksDrawn(self.seed, judge.judge_id)
        return InstancesDrawn(self.seed, judge.engine)

    @property
    def has_draws(self) -> bool:
        """Whether instances come in a drawn order."""
        return self.is_drawn or self.world != 1

    def name_for(self, judge: EngineJudge) -> str | None:
        """Return the name of the rule for a judge in a manifest, None for the set's order."""
        return self.rule_of(judge).name


@dataclass(frozen=True, slots=True)
class SetOrder:
    """Instances in the order of the set, the requests of each sorted by their text."""

    name = None

    def blocks(self, instances: Iterable[InstanceRuns]) -> Iterator[Sequence[InstanceRuns]]:
        return ([instance] for instance in instances)

    def ordered(self, drafts: Iterable[Draft[T]]) -> Iterable[Draft[T]]:
        return sorted(drafts, key=attrgetter("prompt"))


@dataclass(frozen=True, slots=True)
class InstancesDrawn:
    """Instances in a drawn order, the pages of each from a drawn run on.

    The pages of an instance, sorted by their text, are a circle; they begin with a drawn run
    and go in a drawn direction, so each run is in each place as often as any other. An engine
    that keeps its last prompt reads what pages have in common about once, and a page once for
    all judges that are shown it.
    """

    name = "instances drawn"
    seed: int
    engine: str

    def blocks(self, instances: Iterable[InstanceRuns]) -> Iterator[Sequence[InstanceRuns]]:
        return ([instance] for instance in _drawn(instances, self.seed, self.engine))

    def ordered(self, drafts: Iterable[Draft[T]]) -> Iterable[Draft[T]]:
        by_text = sorted(drafts, key=_page)
        for _, own in groupby(by_text, key=lambda draft: _page(draft)[:2]):
            pages = list(own)
            start = min(pages, key=lambda draft: self._draw(draft.run))
            is_backwards = self._draw(start.run) % 2 == 1
            pages.sort(key=_page, reverse=is_backwards)  # equal pages keep their order
            page = next(_page(draft) for draft in pages if draft.run == start.run)
            place = list(map(_page, pages)).index(page)  # runs may share a page: not inside it
            yield from pages[place:]
            yield from pages[:place]

    def _draw(self, run: RunPlace) -> int:
        return key_of(self.seed, "requests", self.engine, run.digest)


@dataclass(frozen=True, slots=True)
class BlocksDrawn:
    """Instances in a drawn order, in blocks of ten, all requests of a block shuffled.

    The runs of an instance do not follow each other, and a limited run still has whole pairs.
    """

    name = f"blocks of {BLOCK} instances drawn"
    seed: int
    judge_id: str

    def blocks(self, instances: Iterable[InstanceRuns]) -> Iterator[Sequence[InstanceRuns]]:
        drawn = iter(_drawn(instances, self.seed, self.judge_id))
        while block := list(islice(drawn, BLOCK)):
            yield block

    def ordered(self, drafts: Iterable[Draft[T]]) -> Iterable[Draft[T]]:
        return sorted(drafts, key=lambda draft: key_of(self.seed, "requests", *draft.key))


def runs_by_instance(runs: Sequence[Run], *, with_digests: bool) -> list[InstanceRuns]:
    """Return the runs of each instance, in the order of the set; without digests they are 0."""
    groups: dict[str, list[RunPlace]] = {}
    digests: dict[str, int] = {}
    for place, (trajectory, instance) in enumerate(runs):
        digest = 0
        if with_digests:
            digest = _digest((trajectory.steps, trajectory.final_answer))
            if instance.instance_id not in digests:
                content = msgspec.structs.replace(instance, instance_id="")
                digests[instance.instance_id] = _digest(content)
        own = RunPlace(trajectory.trajectory_id, place, digest)
        groups.setdefault(instance.instance_id, []).append(own)
    return [InstanceRuns(name, own, digests.get(name, 0)) for name, own in groups.items()]


def _drawn(instances: Iterable[InstanceRuns], seed: int, name: str) -> list[InstanceRuns]:
    """Return instances in an order drawn for a name."""
    return sorted(instances, key=lambda one: key_of(seed, "requests", name, one.digest))


def _page(draft: Draft[Any]) -> tuple[Any, ...]:
    """Return view, preamble and page of a request, which it is sorted by."""
    return draft.judge.view, draft.prompt[:-1], draft.prompt[-1]


def _digest(content: Any) -> int:
    return int.from_bytes(blake2b(msgspec.json.encode(content), digest_size=8).digest(), "big")

"""The order of requests: that of the set in world 1, a drawn one in world 2.

A drawn place depends on the study's seed, on the judge, and on what is asked about. It
depends on no label, no id, no order of the set's file, and no answer, so the requests that a
stopped run left keep their order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import islice
from typing import Any, NamedTuple, Protocol

import msgspec

from faultpair.engines.catalog import is_external
from faultpair.env.rng import key_of
from faultpair.judges.engine_judge import EngineJudge
from faultpair.studies.exchanges import RequestKey
from faultpair.studies.runs import Run

__all__ = [
    "BLOCK",
    "InstanceRuns",
    "OrderRule",
    "RequestOrder",
    "RunPlace",
    "Sortable",
    "runs_by_instance",
]

BLOCK = 10
"""The number of instances whose requests a judge from outside is sent together, shuffled."""


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


Sortable = tuple[Any, ...]


class OrderRule(Protocol):
    """How the requests of some judges are put in order.

    ``name`` is what the manifest calls it, None for the order of the set.
    """

    @property
    def name(self) -> str | None: ...

    def blocks(self, instances: Iterable[InstanceRuns]) -> Iterator[Sequence[InstanceRuns]]:
        """Yield the instances whose requests are sorted together, with their runs in order."""
        ...

    def place(self, judge: EngineJudge, key: RequestKey, prompt: Sequence[str]) -> Sortable:
        """Return what the requests of a block are sorted by; equal ones stay as they are."""
        ...


@dataclass(frozen=True, slots=True)
class RequestOrder:
    """The order of a study's requests, which depends on its seed and its world alone."""

    seed: int = 0
    world: int = 1

    def rule_of(self, judge: EngineJudge) -> OrderRule:
        """Return the rule for a judge. Judges with equal rules are put in order together.

        Judges that ask one model share a rule, so that a page which two of them are shown is
        read once. A judge from outside may remember what it was shown: it has a rule of its own.
        """
        if self.world == 1:
            return SetOrder()
        if is_external(judge.engine):
            return BlocksDrawn(self.seed, judge.judge_id)
        return InstancesDrawn(self.seed, judge.engine)

    def name_for(self, judge: EngineJudge) -> str | None:
        """Return the name of the rule for a judge in a manifest, None for the set's order."""
        return self.rule_of(judge).name


@dataclass(frozen=True, slots=True)
class SetOrder:
    """Instances in the order of the set, the requests of each sorted by their text."""

    name = None

    def blocks(self, instances: Iterable[InstanceRuns]) -> Iterator[Sequence[InstanceRuns]]:
        return ([instance] for instance in instances)

    def place(self, judge: EngineJudge, key: RequestKey, prompt: Sequence[str]) -> Sortable:
        return tuple(prompt)


@dataclass(frozen=True, slots=True)
class InstancesDrawn:
    """Instances in a drawn order, the runs of each in a drawn order in every view.

    An engine that keeps a prefix reads what the runs of an instance have in common once, and
    a page once for all judges that are shown it.
    """

    name = "instances drawn"
    seed: int
    engine: str

    def blocks(self, instances: Iterable[InstanceRuns]) -> Iterator[Sequence[InstanceRuns]]:
        return ([instance] for instance in _drawn(instances, self.seed, self.engine))

    def place(self, judge: EngineJudge, key: RequestKey, prompt: Sequence[str]) -> Sortable:
        return judge.view, prompt[:-1]


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

    def place(self, judge: EngineJudge, key: RequestKey, prompt: Sequence[str]) -> Sortable:
        return (key_of(self.seed, "requests", *key),)


def runs_by_instance(runs: Sequence[Run], *, with_digests: bool) -> list[InstanceRuns]:
    """Return the runs of each instance, in the order of the set; a digest that is not wanted is 0."""
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


def _drawn(instances: Iterable[InstanceRuns], seed: int, name: str) -> Iterator[InstanceRuns]:
    """Yield instances in an order drawn for a name, each with its runs in a drawn order."""

    def place(one: InstanceRuns | RunPlace) -> int:
        return key_of(seed, "requests", name, one.digest)

    for instance in sorted(instances, key=place):
        yield replace(instance, runs=sorted(instance.runs, key=place))


def _digest(content: Any) -> int:
    return int.from_bytes(blake2b(msgspec.json.encode(content), digest_size=8).digest(), "big")

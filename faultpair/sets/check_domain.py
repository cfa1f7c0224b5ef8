"""The conformance kit of a domain: it holds world, oracle and rules to the contract.

Each law is a function that yields what is wrong with an instance and its clean run.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import msgspec

from faultpair.env.domain import AnyDomain
from faultpair.env.kernel import Action, replay, run_episode
from faultpair.env.records import Call, Instance, Trajectory
from faultpair.injector.conformance import Violation, summary_lines
from faultpair.injector.laws import Laws
from faultpair.judges.catalog import PACKS
from faultpair.judges.exhibit import exhibit_of
from faultpair.oracle.catalog import clean_run

__all__ = ["DomainReport", "check_domain"]

_ODD: tuple[Any, ...] = (None, True, -1, 1e308, "", "\u00e9" * 400, [1, ["a"]], {"a": {"b": None}})
"""Values that no tool expects."""


@dataclass(slots=True)
class DomainReport:
    """What the kit found: the number of instances, and every violation."""

    domain: str
    n_instances: int = 0
    violations: list[Violation] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether the domain keeps its contract."""
        return not self.violations

    def __str__(self) -> str:
        head = f"{self.domain}: {self.n_instances} instances"
        return "\n".join([head, *summary_lines(self.violations)])


def check_domain(domain: AnyDomain, n_instances: int = 200, seed: int = 0) -> DomainReport:
    """Hold a domain to the contract on the first instances of a seed in each of its worlds.

    Raises
    ------
    UsageError
        If the domain has no oracle.
    """
    report = DomainReport(domain.name)
    for world, index in product(domain.worlds, range(n_instances)):
        report.n_instances += 1
        instance = domain.generate_in(world, seed, index)
        case = _Case(
            domain=domain,
            world=world,
            seed=seed,
            index=index,
            instance=instance,
            run=clean_run(domain, instance),
        )
        for law, check in LAWS.items():
            where = instance.instance_id
            report.violations += [Violation(law, where, detail) for detail in check(case)]
    return report


@dataclass(frozen=True, slots=True, kw_only=True)
class _Case:
    """An instance and the oracle's run of it."""

    domain: AnyDomain
    world: int
    seed: int
    index: int
    instance: Instance
    run: Trajectory


def _same_seed_same_instance(case: _Case) -> Iterator[str]:
    if case.domain.generate_in(case.world, case.seed, case.index) != case.instance:
        yield "generated again, it differs"


def _scenario_is_known(case: _Case) -> Iterator[str]:
    scenario = case.domain.scenario_in(case.world, case.seed, case.index)
    if scenario != case.instance.difficulty or scenario not in case.domain.scenarios:
        yield f"its difficulty is {case.instance.difficulty!r}, its scenario {scenario!r}"


def _end_state_is_reached(case: _Case) -> Iterator[str]:
    if not case.run.label.outcome_correct:
        required = case.domain.required(case.instance)
        yield f"the oracle ends with {case.run.end_state}, not {required}"


def _no_rule_is_broken(case: _Case) -> Iterator[str]:
    exhibit = exhibit_of(case.run, case.instance)
    for judge in PACKS.get(case.domain.name, ()):
        finding = judge.judge(exhibit)
        if finding.faulty:
            yield f"{judge.judge_id} flags the oracle's run: {finding.rationale}"


def _replay_is_equal(case: _Case) -> Iterator[str]:
    actions = [Action(step.call) for step in case.run.steps]
    episode = run_episode(case.domain, case.instance, replay(actions, case.run.final_answer))
    made = (episode.steps, episode.final_answer, episode.end_state)
    if made != (case.run.steps, case.run.final_answer, case.run.end_state):
        yield "the oracle's calls, made again, give another run"


def _any_call_is_answered(case: _Case) -> Iterator[str]:
    """Make calls that no agent should make; the world answers each and its state stays JSON."""
    tools = [*case.domain.tools, None]
    value = _ODD[case.index % len(_ODD)]
    calls = [
        Call("no_such_tool" if tool is None else tool.name, dict.fromkeys(names, value))
        for tool, has_all in product(tools, (False, True))
        for names in [tool.arguments if tool and has_all else ("odd",)]
    ]
    episode = run_episode(case.domain, case.instance, replay([Action(call) for call in calls]))
    if len(episode.steps) != len(calls):
        yield f"{len(calls)} calls give {len(episode.steps)} steps"
    msgspec.json.encode(episode)


def _round_trip(case: _Case) -> Iterator[str]:
    for record, kind in ((case.instance, case.domain.instance_type), (case.run, Trajectory)):
        if msgspec.json.decode(msgspec.json.encode(record), type=kind) != record:
            yield f"written as JSON and read back, its {kind.__name__} differs"


LAWS: Laws[_Case] = {
    "same seed, same instance": _same_seed_same_instance,
    "scenario known": _scenario_is_known,
    "required end state reached": _end_state_is_reached,
    "no rule broken": _no_rule_is_broken,
    "replay equal": _replay_is_equal,
    "any call answered": _any_call_is_answered,
    "JSON round trip": _round_trip,
}

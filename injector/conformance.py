"""The conformance kit: one function that checks the contract of a fault type.

It plants the fault in every host among the first instances of a seed, at every
site and under every reply policy, and checks each law of `faultpair.injector.laws`. The
tests of the project run it on all built-in types; run it on your own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeVar

import msgspec

from faultpair.env.catalog import DOMAINS
from faultpair.env.domain import AnyDomain
from faultpair.env.records import Cell, Instance, Trajectory
from faultpair.oracle.catalog import clean_run

from .fault import Example, Fault, Site
from .inject import edit_stream, inject
from .laws import EDIT_LAWS, RUN_LAWS, Attempt, Laws, Planting

__all__ = ["MOST_SITES", "Report", "Violation", "check_fault", "summary_lines"]

T = TypeVar("T")

MOST_SITES = 10_000
"""Sites of a fault in one run; more are taken for an iterator without an end."""


@dataclass(frozen=True, slots=True)
class Violation:
    """A law that a fault breaks, where, and how."""

    law: str
    where: str
    detail: str

    def __str__(self) -> str:
        return f"{self.law} ({self.where}): {self.detail}"


@dataclass(slots=True)
class Report:
    """What the kit found: hosts, planted runs by cell, and every violation."""

    fault: str
    n_instances: int = 0
    n_hosts: int = 0
    cells: Counter[Cell] = field(default_factory=Counter)
    violations: list[Violation] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether the fault keeps its contract."""
        return not self.violations

    def __str__(self) -> str:
        """Summarise in a few lines; of each law only the first case is shown."""
        found = [f"{self.fault}: {self.n_hosts} hosts among {self.n_instances} instances"]
        found += [f"  {cell}: {n_runs} runs" for cell, n_runs in sorted(self.cells.items())]
        return "\n".join([*found, *summary_lines(self.violations)])

    def hold(self, laws: Laws[T], subject: T, where: str) -> bool:
        """Note each violation of a subject and return whether there is none."""
        broken = [
            Violation(law, where, detail)
            for law, check in laws.items()
            for detail in check(subject)
        ]
        self.violations += broken
        return not broken

    def note(self, law: str, where: str, detail: str) -> None:
        """Add a violation."""
        self.violations.append(Violation(law, where, detail))


def summary_lines(violations: Sequence[Violation]) -> list[str]:
    """Return whether a contract is kept, in lines: each broken law with its first case."""
    cases = Counter(violation.law for violation in violations)
    first = {violation.law: violation for violation in reversed(violations)}
    lines = [f"  broken {n} times: {first[law]}" for law, n in cases.items()]
    return lines or ["  It keeps the contract."]


def check_fault(
    fault: Fault,
    n_instances: int = 200,
    seed: int = 0,
    *,
    world: int = 1,
    max_hosts: int | None = None,
) -> Report:
    """Hold a fault type or control to the contract.

    Parameters
    ----------
    fault : Fault
    n_instances : int
        How many instances of its domain are searched for hosts.
    seed : int
        The seed of the instances; examples are of seed 0.
    world : int
        Their world; examples are of world 1.
    max_hosts : int, optional
        After how many hosts the search ends early.

    Returns
    -------
    Report
        Its ``violations`` are empty if the contract is kept.
    """
    report = Report(fault.name)
    domain = DOMAINS[fault.domain]
    for index in range(n_instances):
        report.n_instances += 1
        instance = domain.generate_in(world, seed, index)
        if _check_host(domain, fault, instance, seed, report):
            report.n_hosts += 1
        if report.n_hosts == max_hosts:
            break
    if not report.n_hosts:
        report.note("has hosts", f"{report.n_instances} instances", "none of them is a host")
    _check_examples(domain, fault, report)
    return report


def _check_host(
    domain: AnyDomain, fault: Fault, instance: Instance, seed: int, report: Report
) -> bool:
    """Plant the fault at each site of an instance; return whether there is a site."""
    parent = clean_run(domain, instance)
    before = msgspec.json.encode((instance, parent))
    sites = _sites(fault, instance, parent)
    if len(sites) > MOST_SITES:
        report.note("few sites", instance.instance_id, f"there are more than {MOST_SITES}")
        return True
    if sites != _sites(fault, instance, parent):
        report.note("same run, same sites", instance.instance_id, "a second look yields others")
    if sites and fault.scenarios and instance.difficulty not in fault.scenarios:
        report.note("scenarios declared", instance.instance_id, f"{instance.difficulty} is not")
    if sites and not fault.may_host(instance):
        report.note(
            "may host", instance.instance_id, "may_host is False for an instance that has sites"
        )
    for site in sites:
        attempt = _attempt(fault, instance, parent, site, seed)
        if msgspec.json.encode((instance, parent)) != before:
            detail = "an undeclared second edit: the clean run is changed in place"
            report.note("input unchanged", instance.instance_id, detail)
        elif report.hold(EDIT_LAWS, attempt, instance.instance_id):
            _check_runs(domain, instance, attempt, seed, report)
    return bool(sites)


def _sites(fault: Fault, instance: Instance, parent: Trajectory) -> list[Site]:
    return list(islice(fault.sites(instance, parent), MOST_SITES + 1))


def _attempt(
    fault: Fault, instance: Instance, parent: Trajectory, site: Site, seed: int
) -> Attempt:
    calls = parent.calls
    once, again = (
        fault.edit(instance, calls, site, edit_stream(seed, instance, fault, site))
        for _ in range(2)
    )
    return Attempt(fault, parent, site, once, again)


def _check_runs(
    domain: AnyDomain, instance: Instance, attempt: Attempt, seed: int, report: Report
) -> None:
    fault, site = attempt.fault, attempt.site
    for policy in fault.policies:
        rng = edit_stream(seed, instance, fault, site)
        run = inject(domain, instance, attempt.parent, fault, site, rng=rng, policy=policy)
        if run.label.cell is not None:
            report.cells[run.label.cell] += 1
        planting = Planting(attempt, domain, instance, policy, run)
        report.hold(RUN_LAWS, planting, run.trajectory_id)


def _check_examples(domain: AnyDomain, fault: Fault, report: Report) -> None:
    examples = fault.examples()
    if not examples:
        report.note("examples hold", fault.name, "there is none")
    for example in examples:
        shown = _exemplify(domain, fault, example)
        if shown != example:
            report.note("examples hold", f"index {example.index}", _differences(example, shown))


def _differences(example: Example, shown: Example | None) -> str:
    if shown is None:
        return "the instance is no host, or has no such variant"
    pairs = {
        name: (getattr(example, name), getattr(shown, name)) for name in Example.__struct_fields__
    }
    return "; ".join(
        f"{name}: the example says {expected!s}, the fault gives {given!s}"
        for name, (expected, given) in pairs.items()
        if expected != given
    )


def _exemplify(domain: AnyDomain, fault: Fault, example: Example) -> Example | None:
    """Return what the fault does to an example's instance, None if it is no host."""
    instance = domain.generate(0, example.index)
    parent = clean_run(domain, instance)
    for site in _sites(fault, instance, parent):
        attempt = _attempt(fault, instance, parent, site, 0)
        broken = any(True for law in EDIT_LAWS.values() for _ in law(attempt))
        if example.variant in (None, site.variant) and not broken:
            rng = edit_stream(0, instance, fault, site)
            policy = example.policy
            run = inject(domain, instance, parent, fault, site, rng=rng, policy=policy)
            return Example(
                example.index,
                tools=tuple(step.call.tool for step in run.steps),
                failure_step=run.label.failure_step,
                cell=run.label.cell or example.cell,
                policy=policy,
                variant=example.variant,
            )
    return None

"""Every fault of plans, planted at every site of some records."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from faultpair.env.domain import AnyDomain
from faultpair.env.plans.records import PlanInstance
from faultpair.env.records import Call, Trajectory
from faultpair.injector.fault import Fault
from faultpair.injector.inject import apply, edit_stream
from faultpair.judges.plan_metrics.variants import GroundTruthPlan
from faultpair.oracle.catalog import clean_run

from .scores import truth_of

__all__ = ["planted_plans", "record_at"]


class Record(NamedTuple):
    """A request, its clean plan as a run, and its ground truth."""

    instance: PlanInstance
    run: Trajectory
    truth: GroundTruthPlan


def record_at(domain: AnyDomain, seed: int, index: int) -> Record:
    """Return one record of a seed."""
    instance = domain.generate(seed, index)
    return Record(instance, clean_run(domain, instance), truth_of(domain, instance))


def planted_plans(fault: Fault, record: Record, seed: int) -> Iterator[tuple[Call, ...]]:
    """Yield the plan that a fault makes at each site; it need not be run to be scored."""
    calls = record.run.calls
    for site in fault.sites(record.instance, record.run):
        rng = edit_stream(seed, record.instance, fault, site)
        edit = fault.edit(record.instance, calls, site, rng)
        yield tuple(action.call for action in apply(edit, calls))

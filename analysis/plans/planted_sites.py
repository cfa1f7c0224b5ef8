"""Every fault of plans, planted at every site of some records."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from faultpair.env.catalog import DOMAINS
from faultpair.env.records import Call, Trajectory
from faultpair.env.workflow.generator import generate
from faultpair.env.workflow.instances import WorkflowInstance
from faultpair.injector.apply import apply
from faultpair.injector.fault import Fault
from faultpair.injector.inject import edit_stream
from faultpair.judges.plan_metrics.variants import Truth
from faultpair.oracle.catalog import clean_run

from .data import DOMAIN
from .scores import truth_of

__all__ = ["planted_plans", "record_at"]


class Record(NamedTuple):
    """A request, its clean plan as a run, and its ground truth."""

    instance: WorkflowInstance
    run: Trajectory
    truth: Truth


def record_at(seed: int, index: int) -> Record:
    """Return one record of a seed."""
    instance = generate(seed, index)
    return Record(instance, clean_run(DOMAINS[DOMAIN], instance), truth_of(instance))


def planted_plans(fault: Fault, record: Record, seed: int) -> Iterator[tuple[Call, ...]]:
    """Yield the plan that a fault makes at each site; it need not be run to be scored."""
    calls = record.run.calls
    for site in fault.sites(record.instance, record.run):
        rng = edit_stream(seed, record.instance, fault, site)
        edit = fault.edit(record.instance, calls, site, rng)
        yield tuple(action.call for action in apply(edit, calls))

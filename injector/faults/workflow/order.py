"""The right calls in the wrong order: a call before the one whose output it takes."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from faultpair.env.plans.dataflow import Reference, data_flow
from faultpair.env.records import Call, Cell, Trajectory
from faultpair.env.rng import pick
from faultpair.env.workflow.instances import WorkflowInstance
from faultpair.env.workflow.sectors import sector_named

from ...fault import Calls, Edit, Example, Move, Replace, Site
from ...plan_fault import Effect
from .workflow_fault import COVERAGE, GERMS, PARAMETERS, SEQUENCE, TOOLS, WorkflowFault

_GROWTH, _COLONIES, _HOURS = GERMS


class DependentCallsSwapped(WorkflowFault):
    """List the goal first and what it needs after it, as one would tell it."""

    name = "dependent_calls_swapped"
    effect = Effect(lowers=(SEQUENCE,), keeps=(TOOLS, PARAMETERS, COVERAGE))

    def sites(self, instance: WorkflowInstance, run: Trajectory) -> Iterator[Site]:
        """Yield the calls that take the output of an earlier call of another tool."""
        calls = run.calls
        return (Site(step) for step in range(len(calls)) if _moved_before(calls, step) is not None)

    def edit(self, instance: WorkflowInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Make the call before the one that it depends on."""
        to = _moved_before(run, site.step)
        assert to is not None
        words = f"{run[site.step].tool} comes before {run[to].tool}, whose output it takes"
        return Edit(Move(site.step, to), words)

    def examples(self) -> tuple[Example, ...]:
        return (Example(5, (_GROWTH, _HOURS, _COLONIES), 1, Cell.UNCHANGED_LOST),)


class UsedBeforeComputed(WorkflowFault):
    """Take a value from a call that is still to come, since the answer must be in there."""

    name = "used_before_computed"
    effect = Effect(keeps=(TOOLS, PARAMETERS, SEQUENCE, COVERAGE))

    def sites(self, instance: WorkflowInstance, run: Trajectory) -> Iterator[Site]:
        """Yield the calls with a stated argument that are before a call with an output."""
        calls = run.calls
        return (
            Site(step)
            for step in range(len(calls))
            if _stated(calls[step]) and _later_outputs(instance, calls, step)
        )

    def edit(self, instance: WorkflowInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Replace a stated value by the output of a later call."""
        call = run[site.step]
        name = pick(rng, _stated(call))
        reference = pick(rng, _later_outputs(instance, run, site.step))
        args = {**call.args, name: str(reference)}
        words = f"{call.tool} takes {name} from {reference.tool}, which is called later"
        return Edit(Replace(site.step, Call(call.tool, args)), words)

    def examples(self) -> tuple[Example, ...]:
        """Take a value from the call that ends a plan."""
        return (Example(5, GERMS, 0, Cell.UNCHANGED_LOST),)


def _moved_before(calls: Calls, step: int) -> int | None:
    """Return the place of a call's last source, None if the move would renumber a use."""
    sources = data_flow(calls).sources[step]
    if not sources:
        return None
    to = max(sources)
    passed = {call.tool for call in calls[to:step]}
    return None if calls[step].tool in passed else to


def _stated(call: Call) -> list[str]:
    return [
        name
        for name, value in call.args.items()
        if not isinstance(value, list) and Reference.parse(value) is None
    ]


def _later_outputs(instance: WorkflowInstance, calls: Calls, step: int) -> list[Reference]:
    """Return the outputs of later calls that are the only use of their tool."""
    tools = sector_named(instance.sector).by_name
    names = [call.tool for call in calls]
    return [
        Reference(name, 1, field.name)
        for name in names[step + 1 :]
        if names.count(name) == 1
        for field in tools[name].outputs
    ]

"""Controls: differences between plans that are not wrong."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from faultpair.env.plans.dataflow import data_flow
from faultpair.env.records import Call, Cell, Trajectory
from faultpair.env.rng import pick
from faultpair.env.workflow.instances import WorkflowInstance
from faultpair.env.workflow.sectors import sector_named
from faultpair.env.workflow.tools import Tool

from ...fault import Calls, Edit, Example, Move, Replace, Site
from ...plan_fault import Effect
from .candidates import is_used_once, rewirings, values_before
from .workflow_fault import COVERAGE, GERMS, PARAMETERS, SEQUENCE, TOOLS, WorkflowFault

_GROWTH, _COLONIES, _HOURS = GERMS


class SiblingsSwapped(WorkflowFault):
    """Make two calls in the other order, of which neither waits for the other."""

    name = "siblings_swapped"
    is_control = True
    effect = Effect(lowers=(SEQUENCE,), keeps=(TOOLS, PARAMETERS, COVERAGE))

    def sites(self, instance: WorkflowInstance, run: Trajectory) -> Iterator[Site]:
        """Yield the second of two independent neighbours of different tools."""
        calls = run.calls
        sources = data_flow(calls).sources
        return (
            Site(step)
            for step in range(1, len(calls))
            if step - 1 not in sources[step] and calls[step].tool != calls[step - 1].tool
        )

    def edit(self, instance: WorkflowInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Make the second call first."""
        second, first = run[site.step].tool, run[site.step - 1].tool
        words = f"{second} comes before {first}; neither needs the other"
        return Edit(Move(site.step, site.step - 1), words)

    def examples(self) -> tuple[Example, ...]:
        return (Example(5, (_COLONIES, _GROWTH, _HOURS), None, Cell.UNCHANGED_SURVIVES),)


class OptionalArgumentAdded(WorkflowFault):
    """Pass an optional argument whose value the request or an earlier call supplies."""

    name = "optional_argument_added"
    is_control = True
    effect = Effect(lowers=(PARAMETERS,), keeps=(TOOLS, SEQUENCE, COVERAGE))

    def sites(self, instance: WorkflowInstance, run: Trajectory) -> Iterator[Site]:
        """Yield the goals that lack an optional argument with an available value."""
        calls = run.calls
        targets = data_flow(calls).targets
        return (
            Site(step)
            for step in range(len(calls))
            if not targets[step] and _additions(instance, calls, step)
        )

    def edit(self, instance: WorkflowInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Add the argument."""
        call = run[site.step]
        name, value = pick(rng, _additions(instance, run, site.step))
        words = f"{call.tool} is given {name} as well, which it may take"
        args = {**call.args, name: value}
        in_order = {name: args[name] for name in _order(instance, call.tool) if name in args}
        return Edit(Replace(site.step, Call(call.tool, in_order)), words)

    def examples(self) -> tuple[Example, ...]:
        return (
            Example(
                46,
                ("locate_outage_feeder", "estimate_outage_risk", "schedule_line_inspection"),
                None,
                Cell.UNCHANGED_SURVIVES,
            ),
        )


class EquivalentTool(WorkflowFault):
    """Take the other one of two tools that do the same."""

    name = "equivalent_tool"
    is_control = True
    follow_ups = ("*",)
    effect = Effect(lowers=(TOOLS, PARAMETERS, SEQUENCE, COVERAGE))

    def sites(self, instance: WorkflowInstance, run: Trajectory) -> Iterator[Site]:
        """Yield the calls whose tool has a twin in the pool and is used once."""
        calls = run.calls
        return (
            Site(step)
            for step, call in enumerate(calls)
            if is_used_once(calls, step) and _twin(instance, call.tool) is not None
        )

    def edit(self, instance: WorkflowInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Call the twin; later calls take its outputs."""
        right = run[site.step]
        twin = _twin(instance, right.tool)
        assert twin is not None
        words = f"{twin.name} is called in place of {right.tool}, which does the same"
        call = Call(twin.name, right.args)
        return Edit(Replace(site.step, call), words, rewirings(run, site.step, twin))

    def examples(self) -> tuple[Example, ...]:
        return (
            Example(
                7,
                ("find_patient_of_sample", "find_ward_of_patient", "look_up_ward_size"),
                None,
                Cell.UNCHANGED_SURVIVES,
            ),
        )


def _order(instance: WorkflowInstance, name: str) -> list[str]:
    """Return the arguments of a tool in the order of every clean plan."""
    return [part.name for part in sector_named(instance.sector).by_name[name].inputs]


def _additions(instance: WorkflowInstance, calls: Calls, step: int) -> list[tuple[str, Any]]:
    """Return the missing optional arguments of a call, with available values of their type."""
    call = calls[step]
    values = values_before(instance, calls, step)
    return [
        (parameter.name, value.value)
        for parameter in sector_named(instance.sector).by_name[call.tool].inputs
        if parameter.optional and parameter.name not in call.args
        for value in values
        if value.type == parameter.type.name
    ]


def _twin(instance: WorkflowInstance, name: str) -> Tool | None:
    tools = sector_named(instance.sector).by_name
    pool = (tools[schema.name] for schema in instance.tools)
    job = tools[name].canonical
    return next((tool for tool in pool if tool.canonical == job and tool.name != name), None)

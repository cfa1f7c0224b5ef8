"""Calls that could stand in a plan: tools of the pool with arguments that make sense there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

from faultpair.env.plans.dataflow import Reference, uses_of
from faultpair.env.records import Call
from faultpair.env.rng import pick
from faultpair.env.workflow.instances import WorkflowInstance
from faultpair.env.workflow.sectors import sector_named
from faultpair.env.workflow.tools import Parameter, Tool
from faultpair.env.workflow.value_types import ValueType

from ...fault import Calls, FollowUp

__all__ = [
    "Value",
    "call_of",
    "callable_tools",
    "distractors",
    "is_used_once",
    "places_of",
    "rewirings",
    "valued",
    "values_before",
]


class Value(NamedTuple):
    """A value that a call may take at some place, and what it means."""

    kind: str
    value: Any


def distractors(instance: WorkflowInstance) -> tuple[Tool, ...]:
    """Return the tools of the pool that neither are in the plan nor equal one that is."""
    tools = sector_named(instance.sector).by_name
    planned = {tools[call.tool].canonical for call in instance.plan}
    pool = (tools[schema.name] for schema in instance.tools)
    return tuple(tool for tool in pool if tool.canonical not in planned)


def values_before(
    instance: WorkflowInstance, calls: Sequence[Call], step: int
) -> tuple[Value, ...]:
    """Return what a call at a step may take: values of the request, and what earlier calls give."""
    return (*_stated(instance), *_given(instance, calls[:step]))


def callable_tools(tools: Sequence[Tool], values: Sequence[Value]) -> list[Tool]:
    """Return the tools of which a call can be had; where some need no made-up value, those alone.

    A value out of nowhere would be a second fault beside the one that is planted.
    """
    kinds = {value.kind for value in values}
    grounded = [tool for tool in tools if all(kind.name in kinds for kind in _needs(tool))]
    return grounded or [
        tool
        for tool in tools
        if all(kind.name in kinds or kind.is_sayable for kind in _needs(tool))
    ]


def call_of(tool: Tool, values: Sequence[Value], rng: Random) -> Call:
    """Return a call of a tool with its required arguments.

    What means the right thing is taken if it is there; else a value is made up.
    """
    return Call(
        tool.name,
        {
            taken.name: _value_of(taken.kind, values, rng)
            for taken in tool.takes
            if not taken.optional
        },
    )


def valued(
    parameters: Sequence[Parameter], values: Sequence[Value], rng: Random
) -> list[tuple[Parameter, Any]]:
    """Return arguments with a value each; where some mean what is there, those alone."""
    kinds = {value.kind for value in values}
    grounded = [taken for taken in parameters if taken.kind.name in kinds]
    return [(taken, _value_of(taken.kind, values, rng)) for taken in grounded or parameters]


def rewirings(calls: Calls, step: int, tool: Tool) -> tuple[FollowUp, ...]:
    """Return what later calls have to take from a tool that replaces the one at a step."""
    changes = []
    for later in range(step + 1, len(calls)):
        for name, value in calls[later].args.items():
            after = _rewired(value, calls[step].tool, tool)
            if after != value:
                changes.append(FollowUp(later, name, after))
    return tuple(changes)


def places_of(calls: Sequence[Call], tool: str) -> list[int]:
    """Return the steps at which a tool is used."""
    return [step for step, call in enumerate(calls) if call.tool == tool]


def is_used_once(calls: Sequence[Call], step: int) -> bool:
    """Return whether the tool of a step is used at no other, so that no use gets another number."""
    return len(places_of(calls, calls[step].tool)) == 1


def _stated(instance: WorkflowInstance) -> Iterator[Value]:
    tools = sector_named(instance.sector).by_name
    for call in instance.plan:
        for parameter in tools[call.tool].takes:
            value = call.args.get(parameter.name)
            if parameter.kind.is_sayable and value is not None and not Reference.parse(value):
                yield Value(parameter.kind.name, value)


def _given(instance: WorkflowInstance, calls: Sequence[Call]) -> Iterator[Value]:
    tools = sector_named(instance.sector).by_name
    for call, use in uses_of(calls):
        for field in tools[call.tool].gives:
            yield Value(field.kind.name, str(Reference(call.tool, use, field.name)))


def _needs(tool: Tool) -> Iterator[ValueType]:
    return (taken.kind for taken in tool.takes if not taken.optional)


def _value_of(kind: ValueType, values: Sequence[Value], rng: Random) -> Any:
    fitting = [value.value for value in values if value.kind == kind.name]
    return pick(rng, fitting) if fitting else kind.draw(rng)


def _rewired(value: Any, old: str, new: Tool) -> Any:
    """Return an argument that takes from a new tool what it took from the one use of another."""
    reference = Reference.parse(value)
    if reference is not None and reference.tool == old and new.gives:
        names = [field.name for field in new.gives]
        field = reference.field if reference.field in names else names[0]
        return str(Reference(new.name, 1, field))
    if isinstance(value, list):
        return [_rewired(part, old, new) for part in value]
    return value

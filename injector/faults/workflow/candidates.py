"""Possible calls of a plan: tools of the pool, with arguments that have a source."""

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
    """A value that a call may take at some place, and the name of its type."""

    type: str
    value: Any


def distractors(instance: WorkflowInstance) -> tuple[Tool, ...]:
    """Return the tools of the pool that are neither in the plan nor twins of its tools."""
    tools = sector_named(instance.sector).by_name
    planned = {tools[call.tool].canonical for call in instance.plan}
    pool = (tools[schema.name] for schema in instance.tools)
    return tuple(tool for tool in pool if tool.canonical not in planned)


def values_before(
    instance: WorkflowInstance, calls: Sequence[Call], step: int
) -> tuple[Value, ...]:
    """Return the possible values of a call at a step: stated ones, and earlier outputs."""
    return (*_stated(instance), *_outputs(instance, calls[:step]))


def callable_tools(tools: Sequence[Tool], values: Sequence[Value]) -> list[Tool]:
    """Return the tools that can be called, if possible only those that need no invented value.

    An invented value would be a second fault beside the planted one.
    """
    types = {value.type for value in values}
    grounded = [tool for tool in tools if all(part.name in types for part in _required(tool))]
    return grounded or [
        tool
        for tool in tools
        if all(part.name in types or part.can_be_stated for part in _required(tool))
    ]


def call_of(tool: Tool, values: Sequence[Value], rng: Random) -> Call:
    """Return a call of a tool with its required arguments.

    Each takes an available value of its type, else an invented one.
    """
    required = (part for part in tool.inputs if not part.optional)
    return Call(tool.name, {part.name: _value_of(part.type, values, rng) for part in required})


def valued(
    parameters: Sequence[Parameter], values: Sequence[Value], rng: Random
) -> list[tuple[Parameter, Any]]:
    """Return parameters with a value each, if possible only those with an available value."""
    types = {value.type for value in values}
    grounded = [part for part in parameters if part.type.name in types]
    return [(part, _value_of(part.type, values, rng)) for part in grounded or parameters]


def rewirings(calls: Calls, step: int, tool: Tool) -> tuple[FollowUp, ...]:
    """Return the changed references of later calls after a tool replaces the one at a step."""
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
    """Return whether the tool of a step has no other use, so that no use is renumbered."""
    return len(places_of(calls, calls[step].tool)) == 1


def _stated(instance: WorkflowInstance) -> Iterator[Value]:
    tools = sector_named(instance.sector).by_name
    for call in instance.plan:
        for parameter in tools[call.tool].inputs:
            value = call.args.get(parameter.name)
            if parameter.type.can_be_stated and value is not None and not Reference.parse(value):
                yield Value(parameter.type.name, value)


def _outputs(instance: WorkflowInstance, calls: Sequence[Call]) -> Iterator[Value]:
    tools = sector_named(instance.sector).by_name
    for call, use in uses_of(calls):
        for field in tools[call.tool].outputs:
            yield Value(field.type.name, str(Reference(call.tool, use, field.name)))


def _required(tool: Tool) -> Iterator[ValueType]:
    return (part.type for part in tool.inputs if not part.optional)


def _value_of(value_type: ValueType, values: Sequence[Value], rng: Random) -> Any:
    available = [value.value for value in values if value.type == value_type.name]
    return pick(rng, available) if available else value_type.draw(rng)


def _rewired(value: Any, old: str, new: Tool) -> Any:
    """Return an argument whose references to an old tool name a new one."""
    reference = Reference.parse(value)
    if reference is not None and reference.tool == old and new.outputs:
        names = [field.name for field in new.outputs]
        field = reference.field if reference.field in names else names[0]
        return str(Reference(new.name, 1, field))
    if isinstance(value, list):
        return [_rewired(part, old, new) for part in value]
    return value

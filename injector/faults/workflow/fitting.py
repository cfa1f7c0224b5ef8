"""Calls that could stand in a plan: tools of the pool with arguments that make sense there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

from env.records import Call
from env.rng import pick
from env.workflow.instances import WorkflowInstance
from env.workflow.kinds import Kind
from env.workflow.references import Reference
from env.workflow.sectors import sector_named
from env.workflow.tools import Parameter, Tool

from ...fault import Calls, FollowUp

__all__ = [
    "Value",
    "call_of",
    "calls_of_any",
    "canonical",
    "distractors",
    "place_of",
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
    planned = {canonical(instance, call.tool) for call in instance.plan}
    pool = (tools[schema.name] for schema in instance.tools)
    return tuple(tool for tool in pool if canonical(instance, tool.name) not in planned)


def canonical(instance: WorkflowInstance, name: str) -> str:
    """Return the tool that a tool equals, itself mostly."""
    return sector_named(instance.sector).by_name[name].same_as or name


def values_before(
    instance: WorkflowInstance, calls: Sequence[Call], step: int
) -> tuple[Value, ...]:
    """Return what a call at a step may take: values of the request, and what earlier calls give."""
    return (*_stated(instance), *_given(instance, calls, range(step)))


def calls_of_any(tools: Sequence[Tool], values: Sequence[Value], rng: Random) -> list[Call]:
    """Return a call of each tool that can be had; where some need no made-up value, those alone.

    A value out of nowhere would be a second fault beside the one that is planted.
    """
    grounded = [call_of(tool, values, rng) for tool in tools if _is_grounded(tool, values)]
    calls = grounded or [call_of(tool, values, rng) for tool in tools]
    return [call for call in calls if call is not None]


def call_of(tool: Tool, values: Sequence[Value], rng: Random) -> Call | None:
    """Return a call of a tool with its required arguments, None if one cannot be had.

    What means the right thing is taken if it is there; else a value is made up, as far
    as people can state one.
    """
    args = {}
    for parameter in tool.takes:
        if not parameter.optional:
            value = _value_of(parameter.kind, values, rng)
            if value is None:
                return None
            args[parameter.name] = value
    return Call(tool.name, args)


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


def place_of(calls: Sequence[Call], tool: str) -> list[int]:
    """Return the steps at which a tool is used."""
    return [step for step, call in enumerate(calls) if call.tool == tool]


def _stated(instance: WorkflowInstance) -> Iterator[Value]:
    tools = sector_named(instance.sector).by_name
    for call in instance.plan:
        for parameter in tools[call.tool].takes:
            value = call.args.get(parameter.name)
            if parameter.kind.is_sayable and value is not None and not Reference.parse(value):
                yield Value(parameter.kind.name, value)


def _given(
    instance: WorkflowInstance, calls: Sequence[Call], steps: Sequence[int]
) -> Iterator[Value]:
    tools = sector_named(instance.sector).by_name
    for step in steps:
        call = calls[step]
        use = place_of(calls[: step + 1], call.tool).index(step) + 1
        for field in tools[call.tool].gives:
            yield Value(field.kind.name, str(Reference(call.tool, use, field.name)))


def _value_of(kind: Kind, values: Sequence[Value], rng: Random) -> Any:
    fitting = [value.value for value in values if value.kind == kind.name]
    if fitting:
        return pick(rng, fitting)
    return kind.draw(rng) if kind.is_sayable else None


def _is_grounded(tool: Tool, values: Sequence[Value]) -> bool:
    kinds = {value.kind for value in values}
    return all(taken.optional or taken.kind.name in kinds for taken in tool.takes)


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

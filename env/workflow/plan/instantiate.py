"""A plan from a blueprint: references where data flows, stated values elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Any

from ...plans.dataflow import Reference
from ...records import Call
from ..tools import Parameter, Tool
from ..value_types import ListOf, ValueType
from .blueprints import Blueprint

__all__ = ["argument_key", "instantiate"]

# The probability that a request states an optional argument, and the most that it states.
_P_OPTION = 0.15
_MOST_OPTIONS = 2

_MOST_DRAWS = 60


@dataclass(frozen=True, slots=True)
class InstantiatedPlan:
    """A plan and the values that its request must state, by ``tool.argument``."""

    plan: tuple[Call, ...]
    given: dict[str, Any]


def instantiate(blueprint: Blueprint, rng: Random) -> InstantiatedPlan:
    """Return a plan of a blueprint. Outside loops, stated values of one type are equal."""
    tools = blueprint.tools
    values: dict[str, Sequence[Any]] = {}
    if blueprint.over is not None:
        values[blueprint.over.type.name] = _distinct(blueprint.over.type, len(tools) - 1, rng)
    options = _options(tools, rng, first=0 if blueprint.over is None else len(tools) - 1)
    plan = []
    given: dict[str, Any] = {}
    for call, tool in enumerate(tools):
        args: dict[str, Any] = {}
        for part in tool.inputs:
            if references := _references(tools, call, part):
                args[part.name] = references if isinstance(part.type, ListOf) else references[0]
            elif not part.optional or (call, part.name) in options:
                use = _use(tools, call)
                args[part.name] = _value(part.type, use, values, rng)
                given[argument_key(tool.name, use, part.name)] = args[part.name]
        plan.append(Call(tool.name, args))
    return InstantiatedPlan(tuple(plan), given)


def argument_key(tool: str, use: int, argument: str) -> str:
    """Return the name of an argument in ``given``: ``tool.argument`` or ``tool#2.argument``."""
    return f"{tool}.{argument}" if use == 1 else f"{tool}#{use}.{argument}"


def _distinct(value_type: ValueType, n: int, rng: Random) -> list[Any]:
    drawn = (value_type.draw(rng) for _ in range(_MOST_DRAWS))
    return list(islice(dict.fromkeys(drawn), n))


def _value(part: ValueType, use: int, values: dict[str, Sequence[Any]], rng: Random) -> Any:
    if part.name not in values:
        values[part.name] = (part.draw(rng),)
    drawn = values[part.name]
    return drawn[(use - 1) % len(drawn)]


def _options(tools: Sequence[Tool], rng: Random, first: int = 0) -> set[tuple[int, str]]:
    """Return the optional arguments, by call, that a request states.

    Their types occur nowhere else in the plan, so their values are unambiguous.
    """
    used = {part.type.name for tool in tools for part in tool.inputs if not part.optional}
    used |= {field.type.name for tool in tools for field in tool.outputs}
    options: set[tuple[int, str]] = set()
    for call in range(first, len(tools)):
        for part in tools[call].inputs:
            is_free = part.type.can_be_stated and part.type.name not in used
            if part.optional and is_free and rng.random() < _P_OPTION:
                used.add(part.type.name)
                options.add((call, part.name))
    return set(sorted(options)[:_MOST_OPTIONS])


def _use(tools: Sequence[Tool], call: int) -> int:
    return sum(tool is tools[call] for tool in tools[: call + 1])


def _references(tools: Sequence[Tool], call: int, part: Parameter) -> list[str]:
    """Return the references to outputs of earlier calls for a parameter."""
    return [
        str(Reference(tools[earlier].name, _use(tools, earlier), field.name))
        for earlier in range(call)
        for field in tools[earlier].outputs
        if field.type.name == part.item_type.name
    ]

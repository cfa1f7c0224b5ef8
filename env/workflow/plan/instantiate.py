"""Writing a plan from a blueprint: references where data flows, stated values elsewhere."""

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

__all__ = ["Composed", "argument_key", "compose"]

# How often a request states an optional argument that it could leave out, and how many at most.
_P_OPTION = 0.15
_MOST_OPTIONS = 2

_MOST_DRAWS = 60


@dataclass(frozen=True, slots=True)
class Composed:
    """A plan and the values that a request must state for it, by ``tool.argument``."""

    plan: tuple[Call, ...]
    given: dict[str, Any]


def compose(blueprint: Blueprint, rng: Random) -> Composed:
    """Return a plan. Calls that state a value of one kind state the same, but for a loop's."""
    tools = blueprint.tools
    values: dict[str, Sequence[Any]] = {}
    if blueprint.over is not None:
        values[blueprint.over.kind.name] = _distinct(blueprint.over.kind, len(tools) - 1, rng)
    options = _options(tools, rng, first=0 if blueprint.over is None else len(tools) - 1)
    plan = []
    given: dict[str, Any] = {}
    for call, tool in enumerate(tools):
        args: dict[str, Any] = {}
        for taken in tool.takes:
            if fed := _fed(tools, call, taken):
                args[taken.name] = fed if isinstance(taken.kind, ListOf) else fed[0]
            elif not taken.optional or (call, taken.name) in options:
                use = _use(tools, call)
                args[taken.name] = _value(taken.kind, use, values, rng)
                given[argument_key(tool.name, use, taken.name)] = args[taken.name]
        plan.append(Call(tool.name, args))
    return Composed(tuple(plan), given)


def argument_key(tool: str, use: int, argument: str) -> str:
    """Return the name of an argument in ``given``: ``tool.argument`` or ``tool#2.argument``."""
    return f"{tool}.{argument}" if use == 1 else f"{tool}#{use}.{argument}"


def _distinct(kind: ValueType, n: int, rng: Random) -> list[Any]:
    drawn = (kind.draw(rng) for _ in range(_MOST_DRAWS))
    return list(islice(dict.fromkeys(drawn), n))


def _value(kind: ValueType, use: int, values: dict[str, Sequence[Any]], rng: Random) -> Any:
    if kind.name not in values:
        values[kind.name] = (kind.draw(rng),)
    known = values[kind.name]
    return known[(use - 1) % len(known)]


def _options(tools: Sequence[Tool], rng: Random, first: int = 0) -> set[tuple[int, str]]:
    """Return the optional arguments, by call, that a request states although it need not.

    Their kinds occur nowhere else in the plan, so it is plain which value is theirs.
    """
    used = {taken.kind.name for tool in tools for taken in tool.takes if not taken.optional}
    used |= {field.kind.name for tool in tools for field in tool.gives}
    found: set[tuple[int, str]] = set()
    for call in range(first, len(tools)):
        for taken in tools[call].takes:
            is_free = taken.kind.is_sayable and taken.kind.name not in used
            if taken.optional and is_free and rng.random() < _P_OPTION:
                used.add(taken.kind.name)
                found.add((call, taken.name))
    return found if len(found) <= _MOST_OPTIONS else set(sorted(found)[:_MOST_OPTIONS])


def _use(tools: Sequence[Tool], call: int) -> int:
    return sum(tool is tools[call] for tool in tools[: call + 1])


def _fed(tools: Sequence[Tool], call: int, taken: Parameter) -> list[str]:
    """Return the references to what earlier calls give for a parameter."""
    kind = taken.kind.of if isinstance(taken.kind, ListOf) else taken.kind
    return [
        str(Reference(tools[earlier].name, _use(tools, earlier), field.name))
        for earlier in range(call)
        for field in tools[earlier].gives
        if field.kind.name == kind.name
    ]

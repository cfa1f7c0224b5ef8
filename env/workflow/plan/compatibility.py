"""What fits to what in a sector: which tool takes what another gives, and loops.

Twins are left out: a plan uses the original, and the pool decides on its twin.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntFlag

from ..tools import Parameter, Sector, Tool
from ..value_types import Day, Identifier, ListOf, Name, Quantity, ValueType

__all__ = ["Flows", "Link", "Loop"]


class Link(IntFlag):
    """How one tool's output is wanted by another."""

    NONE = 0
    NEEDED = 1
    OPTIONAL = 2


@dataclass(frozen=True, slots=True)
class Loop:
    """A tool to be used on several values of one argument, and a tool that takes the list."""

    each: Tool
    over: Parameter
    gather: Tool


@dataclass(frozen=True, slots=True)
class Flows:
    """The originals of a sector and how each pair of them relates.

    ``partners[a][link of a to b, link of b to a]`` holds every such ``b``.
    """

    tools: tuple[Tool, ...]
    partners: tuple[dict[tuple[Link, Link], frozenset[int]], ...]
    starters: frozenset[int]
    loops: tuple[Loop, ...]

    @classmethod
    def of(cls, sector: Sector) -> Flows:
        """Work out the tables of a sector."""
        tools = tuple(tool for tool in sector.tools if tool.same_as is None)
        starters = frozenset(place for place, tool in enumerate(tools) if _is_startable(tool))
        return cls(tools, tuple(_partners(tool, tools) for tool in tools), starters, _loops(tools))


def link(giver: Tool, taker: Tool) -> Link:
    """Return how the taker wants what the giver gives."""
    given = {field.kind.name for field in giver.gives}
    found = Link.NONE
    for parameter in taker.takes:
        if parameter.kind.name in given:
            found |= Link.OPTIONAL if parameter.optional else Link.NEEDED
    return found


def _partners(tool: Tool, tools: tuple[Tool, ...]) -> dict[tuple[Link, Link], frozenset[int]]:
    found: dict[tuple[Link, Link], set[int]] = {}
    for place, other in enumerate(tools):
        if other is not tool:
            found.setdefault((link(tool, other), link(other, tool)), set()).add(place)
    return {relation: frozenset(places) for relation, places in found.items()}


def _is_startable(tool: Tool) -> bool:
    return all(taken.kind.is_sayable for taken in tool.takes if not taken.optional)


def _loops(tools: tuple[Tool, ...]) -> tuple[Loop, ...]:
    return tuple(
        Loop(each, over, gather)
        for each in tools
        if _is_startable(each) and not link(each, each)
        for over in each.takes
        if _is_loopable(over)
        for gather in tools
        if _gathers(gather, each)
        if over.kind.name not in {taken.kind.name for taken in gather.takes if not taken.optional}
    )


def _is_loopable(parameter: Parameter) -> bool:
    """Whether several values of it can be told apart; choices are too few."""
    many: tuple[type[ValueType], ...] = (Identifier, Name, Day, Quantity)
    return not parameter.optional and isinstance(parameter.kind, many)


def _gathers(gather: Tool, each: Tool) -> bool:
    given = {field.kind.name for field in each.gives}
    required = [taken.kind for taken in gather.takes if not taken.optional]
    lists = [kind for kind in required if isinstance(kind, ListOf)]
    rest = [kind for kind in required if not isinstance(kind, ListOf)]
    return (
        len(lists) == 1
        and lists[0].of.name in given
        and all(kind.is_sayable for kind in rest)
        and not link(each, gather)
        and not link(gather, each)
    )

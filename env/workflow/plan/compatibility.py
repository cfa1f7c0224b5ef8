"""Which outputs in a sector can feed which inputs, and the possible loops.

Twins are left out: whatever takes a tool's place has the same links.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntFlag

from ..tools import Parameter, Sector, Tool
from ..value_types import Day, Identifier, ListOf, Name, Quantity, ValueType

__all__ = ["Compatibility", "Link"]


class Link(IntFlag):
    """The use of one tool's outputs as inputs of another."""

    NONE = 0
    NEEDED = 1
    OPTIONAL = 2


@dataclass(frozen=True, slots=True)
class Loop:
    """A tool that is used for several values of one argument, and a tool that takes the list."""

    each: Tool
    over: Parameter
    gather: Tool


@dataclass(frozen=True, slots=True)
class Compatibility:
    """The originals of a sector, with the links of each pair.

    ``partners[a][link of a to b, link of b to a]`` holds every such ``b``.
    """

    tools: tuple[Tool, ...]
    partners: tuple[dict[tuple[Link, Link], frozenset[int]], ...]
    starters: frozenset[int]
    loops: tuple[Loop, ...]

    @classmethod
    def of(cls, sector: Sector) -> Compatibility:
        """Compute the tables of a sector."""
        tools = tuple(tool for tool in sector.tools if tool.same_as is None)
        starters = frozenset(place for place, tool in enumerate(tools) if _is_startable(tool))
        return cls(tools, tuple(_partners(tool, tools) for tool in tools), starters, _loops(tools))


def link(giver: Tool, taker: Tool) -> Link:
    """Return the link from the outputs of the giver to the inputs of the taker."""
    outputs = {field.type.name for field in giver.outputs}
    result = Link.NONE
    for parameter in taker.inputs:
        if parameter.type.name in outputs:
            result |= Link.OPTIONAL if parameter.optional else Link.NEEDED
    return result


def _partners(tool: Tool, tools: tuple[Tool, ...]) -> dict[tuple[Link, Link], frozenset[int]]:
    partners: dict[tuple[Link, Link], set[int]] = {}
    for place, other in enumerate(tools):
        if other is not tool:
            partners.setdefault((link(tool, other), link(other, tool)), set()).add(place)
    return {relation: frozenset(places) for relation, places in partners.items()}


def _is_startable(tool: Tool) -> bool:
    return all(part.type.can_be_stated for part in tool.inputs if not part.optional)


def _loops(tools: tuple[Tool, ...]) -> tuple[Loop, ...]:
    return tuple(
        Loop(each, over, gather)
        for each in tools
        if _is_startable(each) and not link(each, each)
        for over in each.inputs
        if _is_loopable(over)
        for gather in tools
        if _gathers(gather, each)
        if over.type.name not in {part.type.name for part in gather.inputs if not part.optional}
    )


def _is_loopable(parameter: Parameter) -> bool:
    """Return whether a parameter has enough values for a loop; a choice has too few."""
    many: tuple[type[ValueType], ...] = (Identifier, Name, Day, Quantity)
    return not parameter.optional and isinstance(parameter.type, many)


def _gathers(gather: Tool, each: Tool) -> bool:
    """Return whether a tool takes a list of another's outputs, and nothing else of it."""
    outputs = {field.type.name for field in each.outputs}
    required = [part.type for part in gather.inputs if not part.optional]
    lists = [value_type for value_type in required if isinstance(value_type, ListOf)]
    rest = [value_type for value_type in required if not isinstance(value_type, ListOf)]
    return (
        len(lists) == 1
        and lists[0].of.name in outputs
        and all(value_type.can_be_stated for value_type in rest)
        and not link(each, gather)
        and not link(gather, each)
    )

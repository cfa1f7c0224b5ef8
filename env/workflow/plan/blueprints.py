"""The tools of every plan that a sector can make of a topology and a number of calls.

What is fed follows from the tools alone: a required parameter takes what the plan's
other call gives of its kind, and is stated in the request if none does. So a value
never has two places that it could come from, and an optional parameter that could be
fed is fed only where the topology says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from ..instances import Topology
from ..tools import Parameter, Tool
from .compatibility import Flows, Link
from .shapes import Shape, shapes_of

__all__ = ["Blueprint", "blueprints"]

_MOST_ASSIGNMENTS = 2_000


@dataclass(frozen=True, slots=True)
class Blueprint:
    """The tools of a plan, call by call; of a loop also the argument that changes."""

    tools: tuple[Tool, ...]
    over: Parameter | None = None


def blueprints(flows: Flows, topology: Topology, size: int) -> tuple[Blueprint, ...]:
    """Return every plan of a topology and size; of a shape's many assignments the first 2,000."""
    if topology is Topology.LOOP_LIKE:
        return tuple(
            Blueprint((*(loop.each,) * (size - 1), loop.gather), loop.over) for loop in flows.loops
        )
    return tuple(
        Blueprint(tools)
        for shape in shapes_of(topology, size)
        for tools in islice(_assignments(flows, shape), _MOST_ASSIGNMENTS)
        if _is_closed(tools)
    )


def _assignments(flows: Flows, shape: Shape) -> Iterator[tuple[Tool, ...]]:
    """Yield the tools that relate to each other as the shape has it."""
    order = shape.order
    chosen: dict[int, int] = {}

    def extended(depth: int) -> Iterator[tuple[Tool, ...]]:
        if depth == shape.size:
            yield tuple(flows.tools[chosen[call]] for call in range(shape.size))
            return
        for place in sorted(_candidates(flows, shape, order[depth], chosen)):
            chosen[order[depth]] = place
            yield from extended(depth + 1)
            del chosen[order[depth]]

    return extended(0)


def _candidates(flows: Flows, shape: Shape, call: int, chosen: Mapping[int, int]) -> frozenset[int]:
    is_fed = any(taker == call for _, taker in shape.needs)
    fitting = frozenset(range(len(flows.tools))) if is_fed else flows.starters
    for other, place in chosen.items():
        relation = _link(shape, other, call), _link(shape, call, other)
        fitting &= flows.partners[place].get(relation, frozenset())
    return fitting


def _link(shape: Shape, giver: int, taker: int) -> Link:
    if (giver, taker) in shape.needs:
        return Link.NEEDED
    return Link.OPTIONAL if (giver, taker) in shape.may_take else Link.NONE


def _is_closed(tools: Sequence[Tool]) -> bool:
    """Whether every required value is stated or comes from exactly one call, and one is stated."""
    required = [(tool, taken) for tool in tools for taken in tool.takes if not taken.optional]
    givers = [_n_givers(tools, tool, taken) for tool, taken in required]
    stated = [taken for (_, taken), n in zip(required, givers, strict=True) if n == 0]
    return max(givers) <= 1 and bool(stated) and all(taken.kind.is_sayable for taken in stated)


def _n_givers(tools: Sequence[Tool], taker: Tool, taken: Parameter) -> int:
    return sum(
        field.kind.name == taken.kind.name
        for tool in tools
        if tool is not taker
        for field in tool.gives
    )

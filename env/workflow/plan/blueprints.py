"""The blueprints of a sector: the tools of each possible plan of a topology and a size.

The data flow follows from the tools alone. A required parameter takes the output of its type
from another call of the plan, and is stated in the request if there is none. Each value
therefore has one possible source, and an optional parameter is fed only where the topology
requires it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from random import Random

from ...rng import pick
from ..instances import Topology
from ..sectors import SECTORS, sector_named
from ..tools import Parameter, Sector, Tool
from .compatibility import Compatibility, Link
from .shapes import Shape, shapes_of

__all__ = ["Blueprint", "blueprints", "draw_blueprint"]

_MOST_ASSIGNMENTS = 2_000

# The probability of a sector is proportional to its number of blueprints, up to this number.
_MOST_COUNTED = 10


@dataclass(frozen=True, slots=True)
class Blueprint:
    """The tools of a plan, call by call; for a loop also the argument that changes."""

    tools: tuple[Tool, ...]
    over: Parameter | None = None


def draw_blueprint(
    topology: Topology, size: int, rng: Random, *, has_twins: bool = False
) -> tuple[Sector, Blueprint]:
    """Return a random sector and one of its blueprints of a topology and size.

    A blueprint with twins has each tool or a twin of it, each as likely; without, originals.
    """
    sector, plans = pick(rng, _weighted_sectors(topology, size))
    blueprint = pick(rng, plans)
    return sector, _with_twins(sector, blueprint, rng) if has_twins else blueprint


def _with_twins(sector: Sector, blueprint: Blueprint, rng: Random) -> Blueprint:
    jobs = dict.fromkeys(tool.canonical for tool in blueprint.tools)
    drawn = {
        job: pick(rng, [tool for tool in sector.tools if tool.canonical == job]) for job in jobs
    }
    return Blueprint(tuple(drawn[tool.canonical] for tool in blueprint.tools), blueprint.over)


@cache
def _weighted_sectors(
    topology: Topology, size: int
) -> tuple[tuple[Sector, tuple[Blueprint, ...]], ...]:
    """Return the sectors with such blueprints, each repeated in proportion to its weight."""
    weighted = []
    for sector in SECTORS:
        plans = blueprints(_compatibility(sector.name), topology, size)
        weighted += [(sector, plans)] * min(len(plans), _MOST_COUNTED)
    return tuple(weighted)


@cache
def _compatibility(sector: str) -> Compatibility:
    return Compatibility.of(sector_named(sector))


def blueprints(compatible: Compatibility, topology: Topology, size: int) -> tuple[Blueprint, ...]:
    """Return the blueprints of a topology and size, at most 2,000 for each shape."""
    if topology is Topology.LOOP_LIKE:
        return tuple(
            Blueprint((*(loop.each,) * (size - 1), loop.gather), loop.over)
            for loop in compatible.loops
        )
    return tuple(
        Blueprint(tools)
        for shape in shapes_of(topology, size)
        for tools in islice(_assignments(compatible, shape), _MOST_ASSIGNMENTS)
        if _is_closed(tools)
    )


def _assignments(compatible: Compatibility, shape: Shape) -> Iterator[tuple[Tool, ...]]:
    """Yield each choice of tools whose links are those of the shape."""
    order = shape.order
    chosen: dict[int, int] = {}

    def extended(depth: int) -> Iterator[tuple[Tool, ...]]:
        if depth == shape.size:
            yield tuple(compatible.tools[chosen[call]] for call in range(shape.size))
            return
        for place in sorted(_candidates(compatible, shape, order[depth], chosen)):
            chosen[order[depth]] = place
            yield from extended(depth + 1)
            del chosen[order[depth]]

    return extended(0)


def _candidates(
    compatible: Compatibility, shape: Shape, call: int, chosen: Mapping[int, int]
) -> frozenset[int]:
    is_fed = any(taker == call for _, taker in shape.needs)
    # Start from all tools and keep those whose links to each chosen tool are as in the shape.
    candidates = frozenset(range(len(compatible.tools))) if is_fed else compatible.starters
    for other, place in chosen.items():
        relation = _link(shape, other, call), _link(shape, call, other)
        candidates &= compatible.partners[place].get(relation, frozenset())
    return candidates


def _link(shape: Shape, giver: int, taker: int) -> Link:
    if (giver, taker) in shape.needs:
        return Link.NEEDED
    return Link.OPTIONAL if (giver, taker) in shape.may_take else Link.NONE


def _is_closed(tools: Sequence[Tool]) -> bool:
    """Return whether each required value has one source or can be stated, and one is stated."""
    required = [(tool, part) for tool in tools for part in tool.inputs if not part.optional]
    n_sources = [_n_sources(tools, tool, part) for tool, part in required]
    stated = [part for (_, part), n in zip(required, n_sources, strict=True) if n == 0]
    return max(n_sources) <= 1 and bool(stated) and all(part.type.can_be_stated for part in stated)


def _n_sources(tools: Sequence[Tool], taker: Tool, parameter: Parameter) -> int:
    return sum(
        field.type.name == parameter.type.name
        for tool in tools
        if tool is not taker
        for field in tool.outputs
    )

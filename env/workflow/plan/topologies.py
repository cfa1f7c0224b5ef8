"""The six topologies: their frequencies, their sizes, and the topology of a plan."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from functools import cache
from random import Random

from ...plans.dataflow import data_flow
from ...plans.records import ToolSchema
from ...records import Call
from ..instances import Topology
from .shapes import Edges, Shape, shapes_of

__all__ = ["COUNTS", "PERIOD", "SIZES", "draw_size", "scenario", "topology_of"]

COUNTS = {
    Topology.LINEAR: 812,
    Topology.FAN_OUT: 399,
    Topology.FAN_IN: 1049,
    Topology.DIAMOND: 501,
    Topology.OPTIONAL_ENRICHMENT: 823,
    Topology.LOOP_LIKE: 224,
}
"""The number of records of each topology in a period: AgentJudgeBench, table 7."""

PERIOD = sum(COUNTS.values())

SIZES: dict[Topology, dict[int, int]] = {
    Topology.LINEAR: {2: 55, 3: 32, 4: 10, 5: 3},
    Topology.FAN_OUT: {3: 65, 4: 35},
    Topology.FAN_IN: {3: 80, 4: 16, 5: 4},
    Topology.DIAMOND: {4: 62, 5: 38},
    Topology.OPTIONAL_ENRICHMENT: {3: 75, 4: 20, 5: 5},
    Topology.LOOP_LIKE: {3: 55, 4: 33, 5: 12},
}
"""The percentage of plans of a topology by number of calls; 3.3 calls on average."""


def scenario(index: int) -> str:
    """Return the topology of the index-th record, the same for every seed."""
    return _sequence()[index % PERIOD]


def draw_size(topology: Topology, rng: Random) -> int:
    """Return a random number of calls for a topology."""
    weights = SIZES[topology]
    left = rng.random() * sum(weights.values())
    for size, weight in weights.items():
        left -= weight
        if left < 0:
            return size
    return max(weights)


def topology_of(plan: Sequence[Call], tools: Iterable[ToolSchema]) -> Topology | None:
    """Return the topology of a plan by its data flow alone, None if it is not one of the six.

    A fed optional argument makes it an enrichment, a repeated tool whose outputs are all
    gathered makes it a loop. The calls of a branch must be adjacent, as in every plan here.
    """
    required = {tool.name: tool.required for tool in tools}
    optional = _edges([_without(call, required.get(call.tool, call.args)) for call in plan])
    shape = Shape(len(plan), _edges(plan) - optional, optional)
    if optional:
        return Topology.OPTIONAL_ENRICHMENT if _is(shape, Topology.OPTIONAL_ENRICHMENT) else None
    if len({call.tool for call in plan}) < len(plan):
        is_loop = _is(shape, Topology.LOOP_LIKE) and len({call.tool for call in plan[:-1]}) == 1
        return Topology.LOOP_LIKE if is_loop else None
    plain = (Topology.LINEAR, Topology.FAN_OUT, Topology.FAN_IN, Topology.DIAMOND)
    return next((topology for topology in plain if _is(shape, topology)), None)


def _is(shape: Shape, topology: Topology) -> bool:
    return shape.size in SIZES[topology] and shape in shapes_of(topology, shape.size)


def _without(call: Call, names: Container[str]) -> Call:
    return Call(call.tool, {name: value for name, value in call.args.items() if name not in names})


def _edges(plan: Sequence[Call]) -> Edges:
    sources = data_flow(plan).sources
    return frozenset((giver, taker) for taker, own in enumerate(sources) for giver in own)


@cache
def _sequence() -> tuple[Topology, ...]:
    """Return one period, with even distances for each topology (Webster's apportionment)."""
    places = [
        ((2 * nth + 1) / count, row, topology)
        for row, (topology, count) in enumerate(COUNTS.items())
        for nth in range(count)
    ]
    return tuple(topology for _, _, topology in sorted(places))

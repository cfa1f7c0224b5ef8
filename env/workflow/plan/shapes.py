"""The shapes of each topology: which call takes outputs of which."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise, product
from typing import assert_never

from ..instances import Topology

__all__ = ["Edges", "Shape", "shapes_of"]

Edges = frozenset[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Shape:
    """Calls 0 to ``size - 1`` in a possible order, and the data flow between them.

    ``needs`` holds (giver, taker) where a required argument is fed, ``may_take`` where
    an optional one is.
    """

    size: int
    needs: Edges
    may_take: Edges = frozenset()

    @property
    def order(self) -> tuple[int, ...]:
        """The calls in an order in which each is linked to an earlier one, most links first."""
        edges = self.needs | self.may_take
        degree = {call: sum(call in edge for edge in edges) for call in range(self.size)}
        order = [max(degree, key=lambda call: (degree[call], call))]
        while len(order) < self.size:
            near = {end for edge in edges if set(edge) & set(order) for end in edge} - set(order)
            order.append(max(near, key=lambda call: (degree[call], call)))
        return tuple(order)


@cache
def shapes_of(topology: Topology, size: int) -> tuple[Shape, ...]:
    """Return the shapes of a topology with a number of calls."""
    match topology:
        case Topology.LINEAR:
            return (Shape(size, _path(range(size))),)
        case Topology.FAN_OUT:
            return (Shape(size, frozenset((0, leaf) for leaf in range(1, size))),)
        case Topology.FAN_IN:
            return tuple(Shape(size, edges) for edges in _joined(size))
        case Topology.LOOP_LIKE:
            return (Shape(size, _join([[call] for call in range(size - 1)])),)
        case Topology.DIAMOND:
            return tuple(Shape(size, edges) for edges in _diamonds(size))
        case Topology.OPTIONAL_ENRICHMENT:
            return tuple(_enriched(size))
    assert_never(topology)


def _path(calls: Sequence[int]) -> Edges:
    return frozenset(pairwise(calls))


def _joined(size: int) -> Iterable[Edges]:
    """Yield every set of two or more branches that end in the last call."""
    for cuts in product((False, True), repeat=size - 2):
        branches = [[0]]
        for call, is_cut in enumerate(cuts, start=1):
            if is_cut:
                branches.append([call])
            else:
                branches[-1].append(call)
        if len(branches) > 1:
            yield _join(branches)


def _join(branches: Sequence[Sequence[int]]) -> Edges:
    last = branches[-1][-1] + 1
    return frozenset().union(*(_path([*branch, last]) for branch in branches))


def _diamonds(size: int) -> Iterable[Edges]:
    """Yield every diamond; a fifth call is in a branch, before the first or after the last."""
    yield from _diamond(range(size))
    if size > 4:
        yield from (edges | {(0, 1)} for edges in _diamond(range(1, size)))
        yield from (edges | {(size - 2, size - 1)} for edges in _diamond(range(size - 1)))


def _diamond(calls: Sequence[int]) -> Iterable[Edges]:
    """Yield two branches from the first call to the last, with and without a direct edge."""
    first, *middle, last = calls
    for cut in range(1, len(middle)):
        branches = _path([first, *middle[:cut], last]) | _path([first, *middle[cut:], last])
        yield branches
        yield branches | {(first, last)}


def _enriched(size: int) -> Iterable[Shape]:
    """Yield every chain with one more call, just before the call whose option it feeds."""
    for extra in range(size - 1):
        chain = _path([call for call in range(size) if call != extra])
        for source in (None, *range(extra)):
            needs = chain if source is None else chain | {(source, extra)}
            yield Shape(size, needs, frozenset({(extra, extra + 1)}))

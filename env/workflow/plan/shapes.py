"""The data flows that make each topology: which call takes from which."""

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
    """Calls 0 to ``size - 1`` in an order that they may run in, and what flows between them.

    ``needs`` holds (giver, taker) where a required argument is fed, ``may_take`` where
    an optional one is.
    """

    size: int
    needs: Edges
    may_take: Edges = frozenset()

    @property
    def order(self) -> tuple[int, ...]:
        """The calls so that each but the first touches an earlier one, busiest first."""
        edges = self.needs | self.may_take
        degree = {call: sum(call in edge for edge in edges) for call in range(self.size)}
        found = [max(degree, key=lambda call: (degree[call], call))]
        while len(found) < self.size:
            near = {end for edge in edges if set(edge) & set(found) for end in edge} - set(found)
            found.append(max(near, key=lambda call: (degree[call], call)))
        return tuple(found)


@cache
def shapes_of(topology: Topology, size: int) -> tuple[Shape, ...]:
    """Return the data flows that make a topology of so many calls; a loop has one of its own."""
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
    """Yield every way for two or more branches, of one call or a few, to end in the last call."""
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
    """Yield every diamond; a fifth call lengthens a branch, leads in or goes on from the end."""
    yield from _diamond(range(size))
    if size > 4:
        yield from (edges | {(0, 1)} for edges in _diamond(range(1, size)))
        yield from (edges | {(size - 2, size - 1)} for edges in _diamond(range(size - 1)))


def _diamond(calls: Sequence[int]) -> Iterable[Edges]:
    """Yield two branches from the first call to the last, which may take from the first too."""
    first, *middle, last = calls
    for cut in range(1, len(middle)):
        branches = _path([first, *middle[:cut], last]) | _path([first, *middle[cut:], last])
        yield branches
        yield branches | {(first, last)}


def _enriched(size: int) -> Iterable[Shape]:
    """Yield every chain with one more call, right before the call whose option it feeds."""
    for extra in range(size - 1):
        chain = _path([call for call in range(size) if call != extra])
        for source in (None, *range(extra)):
            needs = chain if source is None else chain | {(source, extra)}
            yield Shape(size, needs, frozenset({(extra, extra + 1)}))

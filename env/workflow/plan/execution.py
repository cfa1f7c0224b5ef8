"""Running a plan twice over: in parallel branches, and in every order that its data flow allows.

A call keeps its identity, the tool and which use of it the plan counts, wherever it
comes in an order; so a reference to ``tool#2`` means the same call in all of them.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import simpy

from ...plans.dataflow import data_flow, uses_of
from ...records import Call, EndState, Observation
from ..instances import WorkflowInstance
from ..sectors import SECTORS_BY_NAME
from ..world import Sectors, WorkflowWorld

__all__ = ["Execution", "Ran", "check_orders", "execute", "orders_of"]


@dataclass(frozen=True, slots=True)
class Ran:
    """A call that was run: when, in simulated seconds, and what came of it."""

    call: Call
    observation: Observation
    start_s: int
    end_s: int


@dataclass(frozen=True, slots=True)
class Execution:
    """What came of a plan, call by call in its order."""

    calls: tuple[Ran, ...]
    end_state: EndState

    @property
    def length_s(self) -> int:
        """How long it took from the first start to the last end."""
        return max((ran.end_s for ran in self.calls), default=0)


def execute(instance: WorkflowInstance, sectors: Sectors = SECTORS_BY_NAME) -> Execution:
    """Run the plan of a record, each call as soon as the calls that it takes from are done."""
    sim = simpy.Environment()
    world = WorkflowWorld(instance, sectors)
    branches: list[simpy.Process] = []
    named = uses_of(instance.plan)
    for (call, use), sources in zip(named, data_flow(instance.plan).sources, strict=True):
        waits = [branches[source] for source in sorted(sources)]
        branches.append(sim.process(_branch(sim, world, call, use, waits)))
    sim.run()
    done: list[Any] = [branch.value for branch in branches]
    return Execution(tuple(done), world.end_state())


def check_orders(instance: WorkflowInstance, sectors: Sectors = SECTORS_BY_NAME) -> tuple[str, ...]:
    """Return what of a record's plan is refused, or comes out differently in another order.

    It runs the plan as it stands, in parallel, and in every order that its data flow
    allows, each time in a fresh world: n! orders of n calls that are independent.
    """
    as_it_stands = _in_order(instance, range(len(instance.plan)), sectors)
    refused = tuple(
        f"call {place} ({call.tool}) is refused: {observation.error}"
        for place, (call, observation) in enumerate(
            zip(instance.plan, as_it_stands, strict=True), start=1
        )
        if not observation.ok
    )
    return refused or tuple(_differences(instance, as_it_stands, sectors))


def orders_of(
    sources: Sequence[frozenset[int]], begun: tuple[int, ...] = ()
) -> Iterator[tuple[int, ...]]:
    """Yield every order of calls in which each comes after those that it takes from.

    >>> list(orders_of([frozenset(), frozenset(), frozenset({0})]))
    [(0, 1, 2), (0, 2, 1), (1, 0, 2)]
    """
    if len(begun) == len(sources):
        yield begun
    for index, needed in enumerate(sources):
        if index not in begun and needed.issubset(begun):
            yield from orders_of(sources, (*begun, index))


def _branch(
    sim: simpy.Environment,
    world: WorkflowWorld,
    call: Call,
    use: int,
    waits: Sequence[simpy.Process],
) -> Generator[simpy.Event, Any, Ran]:
    yield sim.all_of(waits)
    start_s = int(sim.now)
    yield sim.timeout(world.duration_s(call.tool, use))
    return Ran(call, world.answer_as(call, use), start_s, int(sim.now))


def _differences(
    instance: WorkflowInstance, expected: Sequence[Observation], sectors: Sectors
) -> Iterator[str]:
    in_parallel = [ran.observation for ran in execute(instance, sectors).calls]
    yield from _unlike(instance, expected, in_parallel, "in parallel")
    for order in orders_of(data_flow(instance.plan).sources):
        found = _in_order(instance, order, sectors)
        told = ", ".join(str(index + 1) for index in order)
        yield from _unlike(instance, expected, found, f"in the order {told}")


def _unlike(
    instance: WorkflowInstance,
    expected: Sequence[Observation],
    found: Sequence[Observation],
    how: str,
) -> Iterator[str]:
    for place, (as_it_stands, other) in enumerate(zip(expected, found, strict=True)):
        if as_it_stands != other:
            yield (
                f"call {place + 1} ({instance.plan[place].tool}) gives "
                f"{other.data or other.error} {how}, not {as_it_stands.data}"
            )


def _in_order(
    instance: WorkflowInstance, order: Iterable[int], sectors: Sectors
) -> tuple[Observation, ...]:
    """Run the calls of a plan in some order and return what came of each, in the plan's."""
    world = WorkflowWorld(instance, sectors)
    named = uses_of(instance.plan)
    found = {index: world.answer_as(*named[index]) for index in order}
    return tuple(found[index] for index in range(len(named)))

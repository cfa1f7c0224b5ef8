"""Execution of a plan: in parallel branches, and in every order that its data flow allows.

A call keeps its identity, the tool and its use in the plan, in every order, so ``tool#2``
means the same call in all of them.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import simpy

from ..plans.dataflow import data_flow, uses_of
from ..records import Call, EndState, Observation
from .instances import WorkflowInstance
from .sectors import SECTORS_BY_NAME
from .world import Sectors, WorkflowWorld

__all__ = ["check_orders", "execute", "orders_of"]


@dataclass(frozen=True, slots=True)
class ExecutedCall:
    """A call with its observation and its time in simulated seconds."""

    call: Call
    observation: Observation
    start_s: int
    end_s: int


@dataclass(frozen=True, slots=True)
class Execution:
    """The executed calls of a plan in its order, and the end state."""

    calls: tuple[ExecutedCall, ...]
    end_state: EndState


def execute(instance: WorkflowInstance, sectors: Sectors = SECTORS_BY_NAME) -> Execution:
    """Run the plan of a record, each call as soon as its sources have ended."""
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
    """Return the calls of a record's plan that are refused, or differ in another order.

    The plan is run in its own order, in parallel, and in every order that its data flow
    allows, each time in a fresh world: n! orders of n independent calls.
    """
    expected = _in_order(instance, range(len(instance.plan)), sectors)
    refused = tuple(
        f"call {place} ({call.tool}) is refused: {observation.error}"
        for place, (call, observation) in enumerate(
            zip(instance.plan, expected, strict=True), start=1
        )
        if not observation.ok
    )
    return refused or tuple(_differences(instance, expected, sectors))


def orders_of(
    sources: Sequence[frozenset[int]], begun: tuple[int, ...] = ()
) -> Iterator[tuple[int, ...]]:
    """Yield every order of calls in which each comes after its sources.

    >>> list(orders_of([frozenset(), frozenset(), frozenset({0})]))
    [(0, 1, 2), (0, 2, 1), (1, 0, 2)]
    """
    if len(begun) == len(sources):
        yield begun
    for index, own_sources in enumerate(sources):
        if index not in begun and own_sources.issubset(begun):
            yield from orders_of(sources, (*begun, index))


def _branch(
    sim: simpy.Environment,
    world: WorkflowWorld,
    call: Call,
    use: int,
    waits: Sequence[simpy.Process],
) -> Generator[simpy.Event, Any, ExecutedCall]:
    yield sim.all_of(waits)
    start_s = int(sim.now)
    yield sim.timeout(world.duration_s(call.tool, use))
    return ExecutedCall(call, world.answer_as(call, use), start_s, int(sim.now))


def _differences(
    instance: WorkflowInstance, expected: Sequence[Observation], sectors: Sectors
) -> Iterator[str]:
    in_parallel = [call.observation for call in execute(instance, sectors).calls]
    yield from _unequal(instance, expected, in_parallel, "in parallel")
    for order in orders_of(data_flow(instance.plan).sources):
        numbers = ", ".join(str(index + 1) for index in order)
        observed = _in_order(instance, order, sectors)
        yield from _unequal(instance, expected, observed, f"in the order {numbers}")


def _unequal(
    instance: WorkflowInstance,
    expected: Sequence[Observation],
    observed: Sequence[Observation],
    how: str,
) -> Iterator[str]:
    for place, (before, after) in enumerate(zip(expected, observed, strict=True)):
        if before != after:
            yield (
                f"call {place + 1} ({instance.plan[place].tool}) gives "
                f"{after.data or after.error} {how}, not {before.data}"
            )


def _in_order(
    instance: WorkflowInstance, order: Iterable[int], sectors: Sectors
) -> tuple[Observation, ...]:
    """Run the calls of a plan in some order; return the observations in the plan's order."""
    world = WorkflowWorld(instance, sectors)
    named = uses_of(instance.plan)
    observed = {index: world.answer_as(*named[index]) for index in order}
    return tuple(observed[index] for index in range(len(named)))

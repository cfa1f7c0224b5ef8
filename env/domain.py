"""What a world has to offer to be a domain: the contract of every folder beside this file.

A domain is one object with a name, its scenarios, a written procedure, a
generator of instances, and the world that an instance describes. The oracle,
the fault types and the rules of a domain live in their own rooms under the
same name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import simpy

from .records import Call, EndState, Instance, Observation, Step

__all__ = ["AnyDomain", "Clause", "Domain", "ToolSpec", "World"]

InstanceT = TypeVar("InstanceT", bound=Instance)


@dataclass(frozen=True, slots=True)
class Clause:
    """One numbered clause of a domain's written procedure."""

    number: int
    title: str
    text: str

    def __str__(self) -> str:
        return f"{self.number}. {self.title}. {self.text}"


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as an agent is told of it: its name, arguments and purpose.

    ``free_text`` names the entries of its answer that are a wording and no fact.
    """

    name: str
    arguments: tuple[str, ...]
    purpose: str
    free_text: tuple[str, ...] = ()


class World(Protocol):
    """One episode's world. It is made fresh for every run and thrown away after it.

    The kernel makes each call take its time on the simulated clock; only then
    does the world answer, and only then has the call an effect.
    """

    def start(self) -> None:
        """Set in motion what happens in this world without the agent."""

    def duration_s(self, tool: str, use: int) -> int | None:
        """Return how long the use-th call (1-based) of a tool takes, None if it hangs.

        It depends on nothing else, so that a call that is added or deleted
        moves no call of another tool.
        """
        ...

    def answer(self, call: Call) -> Observation:
        """Let a call take effect now.

        Whatever the tool's name and arguments hold, the answer is an
        observation; it never raises.
        """
        ...

    def end_state(self) -> EndState:
        """Return what the episode has come to so far."""
        ...


class Domain(Protocol[InstanceT]):
    """A kind of world, with all that the other rooms ask of it."""

    @property
    def name(self) -> str: ...

    @property
    def scenarios(self) -> tuple[str, ...]: ...

    @property
    def tools(self) -> tuple[ToolSpec, ...]: ...

    @property
    def procedure(self) -> tuple[Clause, ...]: ...

    @property
    def instance_type(self) -> type[InstanceT]: ...

    @property
    def observes(self) -> bool:
        """Whether an agent sees what comes of its calls.

        Where it does not, its run is a plan: the steps of it hold no thought, no
        observation and no times, though the world answers all the same.
        """
        ...

    def scenario(self, index: int) -> str:
        """Return the scenario of the index-th instance without generating it."""
        ...

    def generate(self, seed: int, index: int) -> InstanceT:
        """Return the index-th instance; it depends on (seed, index) alone."""
        ...

    def world(self, instance: InstanceT, sim: simpy.Environment) -> World:
        """Return a fresh world in the state that the instance describes."""
        ...

    def required(self, instance: InstanceT) -> EndState:
        """Return the end state that the instance requires."""
        ...

    def reached(self, instance: InstanceT, end_state: EndState) -> bool:
        """Return whether an end state is the required one."""
        ...

    def thought(self, instance: InstanceT, tool: str, use: int) -> str:
        """Return what an agent thinks at its use-th call (1-based) of a tool.

        It depends on nothing else, so a thought can never tell a planted call
        from one that a clean run makes.
        """
        ...

    def reply(self, instance: InstanceT, steps: Sequence[Step]) -> str:
        """Write the reply that the steps so far support."""
        ...

    def say(self, text: str) -> Call:
        """Return the call that says a text to the customer."""
        ...

    def spoken(self, call: Call) -> str | None:
        """Return the text that a call says to the customer, None if it says nothing."""
        ...


AnyDomain = Domain[Any]
"""A domain whose kind of instance does not matter to the caller."""

"""The base classes of a domain.

A `Domain` is one object: a name, scenarios, tools, a written procedure, a generator
of instances, and the world that an instance describes. A domain with replies also has
a `Dialogue`, one with plans a `PlanDomain`. The oracle, the fault types and the rules
of a domain are in other packages under the same name.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import simpy

from .plans.records import PlanInstance, Tier, ToolSchema
from .records import Call, EndState, Instance, Observation, Step
from .rng import drawn_order

__all__ = [
    "AnyDomain",
    "Clause",
    "Confirmation",
    "Dialogue",
    "Domain",
    "FaultKind",
    "PlanDomain",
    "Shown",
    "ToolSpec",
    "World",
]

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
    """A tool as an agent is shown it: its name, arguments and purpose.

    ``free_text`` names the entries of its answer that are a wording and no fact.
    """

    name: str
    arguments: tuple[str, ...]
    purpose: str
    free_text: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FaultKind:
    """A kind of fault as the prompt of a model judge names and describes it."""

    name: str
    text: str

    def __str__(self) -> str:
        return f"{self.name}: {self.text}"


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A fact that some replies must state: the name of its number, the title of its row.

    ``topic`` is what the fact is about, as a noun with its article.
    """

    name: str
    title: str
    topic: str = ""


@dataclass(frozen=True, slots=True)
class Shown:
    """What a judge may see of an instance, beside its goal.

    ``tools`` is the pool that a plan was made from. ``hides_end_state`` is for a
    domain whose end states give the expected plan away: only a judge that is shown
    the required end state sees the one reached.
    """

    given: dict[str, Any]
    tools: tuple[ToolSchema, ...] = ()
    hides_end_state: bool = False


class World(ABC):
    """One episode's world. It is made fresh for every run and thrown away after it.

    The kernel waits for the duration of each call on the simulated clock before the
    world answers; the call has no effect until then. An external environment, opened
    case by case, is a world whose `answer` forwards the call and whose `end_state`
    fetches the state; `close` releases it.
    """

    def start(self) -> None:  # noqa: B027, most worlds have nothing to start
        """Start the processes that run without the agent; there are none by default."""

    def duration_s(self, tool: str, use: int) -> int | None:
        """Return how long the use-th call (1-based) of a tool takes, None if it hangs.

        It depends on nothing else, so that adding or deleting a call moves no call of
        another tool.
        """
        return 1

    @abstractmethod
    def answer(self, call: Call) -> Observation:
        """Carry out a call. It never raises, whatever the tool and the arguments are."""

    @abstractmethod
    def end_state(self) -> EndState:
        """Return the state that the episode has reached so far, as nested as JSON allows."""

    def close(self) -> None:  # noqa: B027, most worlds hold nothing
        """Release resources; the kernel calls it once, after the end state."""


class Dialogue(ABC, Generic[InstanceT]):
    """The thoughts and replies of a domain's agents. Some calls send a text to the user.

    The user's answer is an observation, so a dialogue may have several turns; the reply
    of a run is the last text sent.
    """

    reply_heading: str
    """The heading of the reply on a judge's page."""
    outcome_fault: str
    """The fault type of an episode that breaks no rule and misses the required end state."""
    confirmation: Confirmation | None = None
    """The fact that `confirms` looks for."""

    @abstractmethod
    def thought(self, instance: InstanceT, tool: str, use: int) -> str:
        """Return what an agent thinks at its use-th call (1-based) of a tool.

        It depends on nothing else, so that no thought distinguishes a planted call.
        """

    @abstractmethod
    def reply(self, instance: InstanceT, steps: Sequence[Step]) -> str:
        """Write the reply that the steps so far support."""

    @abstractmethod
    def say(self, text: str) -> Call:
        """Return the call that sends a text to the user."""

    @abstractmethod
    def spoken(self, call: Call) -> str | None:
        """Return the text that a call sends to the user, None if it sends none."""

    def closes(self, step: Step) -> bool:
        """Return whether a step ends the dialogue; by default any text that the world accepts."""
        observation = step.observation
        return observation is not None and observation.ok and self.spoken(step.call) is not None

    def confirms(self, reply: str, end_state: EndState) -> bool | None:
        """Return whether a reply states what was done, None where it need not."""
        return None

    def mentions(self, reply: str) -> bool | None:
        """Return whether a reply speaks of the topic of its confirmation, None without one."""
        return None

    def follows(self, steps: Sequence[Step], *, strictly: bool) -> bool | None:
        """Return whether the calls are the required sequence, None if there is none.

        Strictly, there is no further call; else the reply is last and others may stand between.
        """
        return None


class PlanDomain(ABC):
    """The additions of a domain of plans. Its instances are `PlanInstance`s.

    Agents observe nothing, so the steps of a run hold neither thoughts nor observations
    nor times, although the world answers each call.
    """

    tiers: tuple[Tier, ...] = tuple(Tier)

    @abstractmethod
    def at_tier(self, instance: Any, tier: Tier) -> PlanInstance:
        """Return the same request at a tier, the instance itself if it is at that tier."""

    def canonical(self, instance: Any) -> Mapping[str, str]:
        """Return, for each tool that can replace another, the name of that other."""
        return {}


class Domain(ABC, Generic[InstanceT]):
    """A kind of world, with all that the other packages ask of it. Subclass it."""

    name: str
    scenarios: tuple[str, ...]
    tools: tuple[ToolSpec, ...]
    procedure: tuple[Clause, ...]
    instance_type: type[InstanceT]
    worlds: tuple[int, ...] = (1,)
    """The versions of its world. In world 2, nothing on a page tells the index of an instance."""
    fault_kinds: tuple[FaultKind, ...] = ()
    """The kinds of fault in the prompts of model judges; without any, there are no such judges."""
    amounts: tuple[str, ...] = ()
    """Prefixes of the entries of an end state that are amounts: absent or null, they are 0."""
    dialogue: Dialogue[InstanceT] | None = None
    plans: PlanDomain | None = None

    def scenario(self, index: int) -> str:
        """Return the scenario of the index-th instance of world 1; by default they take turns."""
        return self.scenarios[index % len(self.scenarios)]

    def scenario_in(self, world: int, seed: int, index: int) -> str:
        """Return the scenario of the index-th instance of a world.

        From world 2 on, each block of as many instances as there are scenarios has those of
        the block in world 1, in an order that is drawn for it.
        """
        if world == 1:
            return self.scenario(index)
        n = len(self.scenarios)
        block, place = divmod(index, n)
        return self.scenario(block * n + drawn_order(n, seed, "scenarios", self.name, block)[place])

    @abstractmethod
    def generate(self, seed: int, index: int) -> InstanceT:
        """Return the index-th instance of world 1; it depends on (seed, index) alone.

        A domain that has further ``worlds`` takes a third argument, ``world: int = 1``. There,
        its instance has the scenario that `scenario_in` returns.
        """

    def generate_in(self, world: int, seed: int, index: int) -> InstanceT:
        """Return the index-th instance of a world, marked as one of it."""
        generate: Callable[..., InstanceT] = self.generate
        made = generate(seed, index) if world == 1 else generate(seed, index, world)
        return made.in_world(world)

    @abstractmethod
    def world(self, instance: InstanceT, sim: simpy.Environment) -> World:
        """Return a fresh world in the state that the instance describes."""

    @abstractmethod
    def required(self, instance: InstanceT) -> EndState:
        """Return the end state that the instance requires."""

    def reached(self, instance: InstanceT, end_state: EndState) -> bool:
        """Return whether an end state is the required one."""
        return end_state == self.required(instance)

    def shown(self, instance: InstanceT) -> Shown:
        """Return what a judge may see of an instance; by default its given values."""
        return Shown(instance.given)


AnyDomain = Domain[Any]
"""A domain whose kind of instance does not matter to the caller."""

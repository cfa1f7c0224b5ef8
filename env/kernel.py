"""The kernel: one SimPy environment an episode, one agent taking turns in one world.

An agent is a generator: it yields an `Action`, is sent the `Step` that came of
it, and so on until it returns. A world is a `SimulatedWorld`: a subclass says how long a
call takes, which calls time out and what the answer is; this base class makes
time pass. There is no global state and no wall clock.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import simpy

from .domain import AnyDomain, Events, World
from .records import Call, EndState, Instance, Observation, Step

__all__ = [
    "TIMED_OUT",
    "TIME_LIMIT_S",
    "Action",
    "Agent",
    "Episode",
    "SimulatedWorld",
    "refusal",
    "replay",
    "run_episode",
]

TIME_LIMIT_S = 30
"""Simulated seconds after which an agent gives up waiting for a call."""


class Action(NamedTuple):
    """A call that an agent makes; without a thought of its own the domain supplies one."""

    call: Call
    thought: str | None = None


Agent = Generator[Action, Step, str | None]
"""Yields actions, is sent the steps, returns what it says if it never replied by call."""


@dataclass(frozen=True, slots=True)
class Episode:
    """What came of one run: the steps, the last word to the customer, the end state."""

    steps: tuple[Step, ...]
    final_answer: str
    end_state: EndState


def refusal(error: str) -> Observation:
    """Return the observation of a call that the world refuses."""
    return Observation(ok=False, data={}, error=error)


TIMED_OUT = refusal(f"timed out after {TIME_LIMIT_S} s")


class SimulatedWorld(ABC):
    """A world whose calls take simulated time. Effects happen when a call ends."""

    def __init__(self, sim: simpy.Environment) -> None:
        self.sim = sim

    @abstractmethod
    def duration_s(self, tool: str, use: int) -> int | None:
        """Return how long the use-th call (1-based) of a tool takes, None if it hangs.

        It depends on nothing else, so that a call that is added or deleted
        moves no call of another tool.
        """

    @abstractmethod
    def answer(self, call: Call) -> Observation:
        """Let a call take effect now. Any name and any JSON arguments get an answer."""

    @abstractmethod
    def end_state(self) -> EndState:
        """Return what the episode has come to so far."""

    def start(self) -> None:
        """Set in motion what happens without the agent; by default nothing does."""
        return

    def perform(self, call: Call, use: int) -> Events:
        """Let the call's time pass, then let it take effect."""
        duration_s = self.duration_s(call.tool, use)
        if duration_s is None:
            # Only a call that hangs is raced against the limit: two more
            # events would double the price of every other call.
            yield self.sim.event() | self.sim.timeout(TIME_LIMIT_S)
            return TIMED_OUT
        yield self.sim.timeout(duration_s)
        return self.answer(call)


def run_episode(domain: AnyDomain, instance: Instance, agent: Agent) -> Episode:
    """Run one agent in a fresh world of an instance until it is done."""
    sim = simpy.Environment()
    world = domain.world(instance, sim)
    world.start()
    steps: list[Step] = []
    think = partial(domain.thought, instance)
    turns = sim.process(_take_turns(sim, world, agent, think, steps))
    last_word = sim.run(until=turns)
    said = _last_reply(domain, steps)
    return Episode(tuple(steps), str(last_word) if said is None else said, world.end_state())


def replay(actions: Sequence[Action], last_word: str | None = None) -> Agent:
    """Return an agent that makes given calls whatever it observes."""
    for action in actions:  # noqa: UP028 — `yield from` a tuple cannot be sent a step
        yield action
    return last_word


def _take_turns(
    sim: simpy.Environment,
    world: World,
    agent: Agent,
    think: Callable[[str, int], str],
    steps: list[Step],
) -> Generator[simpy.Event, Any, str]:
    uses: dict[str, int] = {}
    start_s = 0
    perform = world.perform
    try:
        call, thought = next(agent)
        while True:
            tool = call.tool
            use = uses[tool] = uses.get(tool, 0) + 1
            observation = yield from perform(call, use)
            end_s = int(sim.now)
            thought = think(tool, use) if thought is None else thought
            step = Step(len(steps), thought, call, observation, start_s, end_s)
            steps.append(step)
            start_s = end_s
            call, thought = agent.send(step)
    except StopIteration as done:
        return done.value or ""


def _last_reply(domain: AnyDomain, steps: Sequence[Step]) -> str | None:
    for step in reversed(steps):
        if step.observation is not None and step.observation.ok:
            text = domain.spoken(step.call)
            if text is not None:
                return text
    return None

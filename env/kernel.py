"""The kernel: one SimPy environment an episode, one agent taking turns in one world.

An agent is a generator: it yields an `Action` and is sent the resulting `Step` until it
returns. The world gives the duration and the answer of a call; the kernel advances the
clock. There is no global state and no wall clock.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from functools import partial
from typing import Any, NamedTuple

import simpy
from simpy.events import Event, Process, Timeout

from .domain import AnyDomain, World
from .records import Call, EndState, Instance, Label, Observation, Record, Step, Trajectory

__all__ = [
    "TIMED_OUT",
    "Action",
    "Agent",
    "Episode",
    "last_reply",
    "refusal",
    "replay",
    "run_episode",
]

TIME_LIMIT_S = 30
"""Simulated seconds after which an agent gives up waiting for a call."""


class Clock(simpy.Environment):
    """The simulated clock of one episode.

    SimPy binds `timeout` and other factories to each environment of its own class. The
    binding costs more than an episode saves by it, and leaves a reference cycle; a
    subclass is not bound.
    """


class Action(Record, frozen=True):
    """A call that an agent makes; without a thought of its own the domain supplies one."""

    call: Call
    thought: str | None = None


Agent = Generator[Action, Step, str | None]
"""Yields actions, is sent the steps, returns its reply if no call of it replied."""


class Episode(NamedTuple):
    """The result of one run: the steps, the reply, the end state."""

    steps: tuple[Step, ...]
    final_answer: str
    end_state: EndState

    def recorded(
        self, trajectory_id: str, instance: Instance, label: Label, *, domain: str
    ) -> Trajectory:
        """Return the episode as the record of a run of an instance."""
        return Trajectory(
            trajectory_id=trajectory_id,
            instance_id=instance.instance_id,
            goal=instance.goal,
            steps=self.steps,
            final_answer=self.final_answer,
            label=label,
            domain=domain,
            end_state=self.end_state,
        )


def refusal(error: str) -> Observation:
    """Return the observation of a call that the world refuses."""
    return Observation(ok=False, data={}, error=error)


TIMED_OUT = refusal(f"timed out after {TIME_LIMIT_S} s")


def run_episode(domain: AnyDomain, instance: Instance, agent: Agent) -> Episode:
    """Run one agent in a fresh world of an instance until it is done."""
    sim = Clock()
    world = domain.world(instance, sim)
    try:
        world.start()
        steps: list[Step] = []
        turns = Process(sim, _take_turns(sim, world, agent, _thinking(domain, instance), steps))
        take_step = sim.step
        while turns.is_alive:  # not `sim.run`: events after the agent's end do not matter
            take_step()
        last_word = _result_of(turns)
        reply = last_reply(domain, steps)
        return Episode(tuple(steps), last_word if reply is None else reply, world.end_state())
    finally:
        world.close()


def replay(actions: Sequence[Action], last_word: str | None = None) -> Agent:
    """Return an agent that makes given calls whatever it observes."""
    for action in actions:  # noqa: UP028 — `yield from` a tuple cannot be sent a step
        yield action
    return last_word


def _thinking(domain: AnyDomain, instance: Instance) -> Callable[[str, int], str] | None:
    """Return what supplies the thoughts, None where runs are plans."""
    if domain.plans is not None:
        return None
    return _no_thought if domain.dialogue is None else partial(domain.dialogue.thought, instance)


def _no_thought(tool: str, use: int) -> str:
    return ""


def _result_of(turns: Process) -> str:
    result: Any = turns.value
    if not turns.ok:
        raise result
    return str(result)


def _take_turns(
    sim: simpy.Environment,
    world: World,
    agent: Agent,
    think: Callable[[str, int], str] | None,
    steps: list[Step],
) -> Generator[simpy.Event, Any, str]:
    """Let an agent act; without ``think`` it plans, and its steps hold no observations."""
    duration_of, answer, send = world.duration_s, world.answer, agent.send
    uses: dict[str, int] = {}
    start_s = 0
    try:
        action = next(agent)
        while True:
            call = action.call
            tool = call.tool
            use = uses[tool] = uses.get(tool, 0) + 1
            duration_s = duration_of(tool, use)
            if duration_s is None:
                # Only a call that hangs is raced against the limit: two more
                # events would double the price of every other call.
                yield Event(sim) | Timeout(sim, TIME_LIMIT_S)
                end_s, observation = start_s + TIME_LIMIT_S, TIMED_OUT
            else:
                yield Timeout(sim, duration_s)
                end_s, observation = start_s + duration_s, answer(call)
            if think is None:
                step = Step(len(steps), "", call, None)
            else:
                thought = action.thought or think(tool, use)
                step = Step(len(steps), thought, call, observation, start_s=start_s, end_s=end_s)
            steps.append(step)
            start_s = end_s
            action = send(step)
    except StopIteration as done:
        return done.value or ""


def last_reply(domain: AnyDomain, steps: Sequence[Step]) -> str | None:
    """Return the last text that a run sent to the user and the world accepted; None without one."""
    if domain.dialogue is None:
        return None
    for step in reversed(steps):
        if step.observation is not None and step.observation.ok:
            text = domain.dialogue.spoken(step.call)
            if text is not None:
                return text
    return None

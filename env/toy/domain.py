"""A cloakroom with three tools: the smallest domain that is a whole one.

It serves the documentation and the tests, and shows all that a domain must
offer. A guest hands in a ticket; the coat is there, or it is missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import simpy

from ..domain import Clause, ToolSpec
from ..kernel import refusal
from ..records import Call, EndState, Instance, Observation, Step
from ..rng import stream

__all__ = ["Cloakroom", "CloakroomInstance"]

_COATS = ("a blue parka", "a grey trench coat", "a red cape", "a black blazer")
_THOUGHTS = {
    "find_coat": ("Let me look for the coat.", "First the rack."),
    "hand_over": ("Here it comes.", "I hand it over."),
    "reply": ("A word to the guest.", "Now the answer."),
}


class CloakroomInstance(Instance, frozen=True):
    """One ticket; ``coat`` is None if its coat is missing."""

    coat: str | None
    wording: int = 0
    domain: str = "toy"


class CloakroomWorld:
    """A rack with one coat, or none."""

    def __init__(self, instance: CloakroomInstance) -> None:
        self._instance = instance
        self._handed_over: str | None = None

    def start(self) -> None:
        """Do nothing: nothing happens here without the attendant."""

    def duration_s(self, tool: str, use: int) -> int:
        """Return ten seconds: nobody hurries here, and nothing hangs."""
        return 10

    def answer(self, call: Call) -> Observation:
        """Answer a call, whatever its tool and arguments hold."""
        if call.tool == "find_coat" and call.args == self._instance.given:
            coat = self._instance.coat
            return refusal("no such coat") if coat is None else _seen(coat=coat)
        if call.tool == "hand_over" and call.args == {"coat": self._instance.coat}:
            self._handed_over = self._instance.coat
            return _seen(handed_over=True)
        if call.tool == "reply" and isinstance(call.args.get("text"), str):
            return _seen(sent=True)
        return refusal("the cloakroom cannot do that")

    def end_state(self) -> EndState:
        """Return which coat went over the counter."""
        return {"handed_over": self._handed_over}


@dataclass(frozen=True, slots=True)
class Cloakroom:
    """A cloakroom: a ticket comes in, a coat goes out."""

    name: str = "toy"
    scenarios: tuple[str, ...] = ("found", "missing")
    tools: tuple[ToolSpec, ...] = (
        ToolSpec("find_coat", ("ticket",), "Look for the coat of a ticket."),
        ToolSpec("hand_over", ("coat",), "Give a coat to the guest."),
        ToolSpec("reply", ("text",), "Answer the guest."),
    )
    procedure: tuple[Clause, ...] = (
        Clause(1, "Look first", "Find the coat of the ticket; looking again is allowed."),
        Clause(2, "Hand over what was found", "A coat that was found is handed over."),
        Clause(3, "Answer", "Close with one reply that says what happened."),
    )
    instance_type: type[CloakroomInstance] = CloakroomInstance
    observes: bool = True

    def scenario(self, index: int) -> str:
        """Return found and missing in turns."""
        return self.scenarios[index % 2]

    def generate(self, seed: int, index: int) -> CloakroomInstance:
        """Return the index-th ticket of a seed."""
        rng = stream(seed, "toy", index)
        ticket = rng.randrange(100, 1000)
        coat = rng.choice(_COATS) if self.scenario(index) == "found" else None
        goal = f"A guest presents ticket {ticket} and asks for the coat."
        wording = rng.randrange(2)
        given = {"ticket": ticket}
        name = f"TOY-{index:05d}"
        return CloakroomInstance(name, self.scenario(index), goal, given, coat, wording)

    def world(self, instance: CloakroomInstance, sim: simpy.Environment) -> CloakroomWorld:
        """Return a fresh cloakroom."""
        return CloakroomWorld(instance)

    def required(self, instance: CloakroomInstance) -> EndState:
        """Return that the coat, if there is one, is handed over."""
        return {"handed_over": instance.coat}

    def reached(self, instance: CloakroomInstance, end_state: EndState) -> bool:
        """Return whether the right coat went out."""
        return end_state == self.required(instance)

    def thought(self, instance: CloakroomInstance, tool: str, use: int) -> str:
        """Return a phrasing that depends on instance, tool and use alone."""
        return _THOUGHTS.get(tool, ("Let me try.", "Perhaps."))[(instance.wording + use) % 2]

    def reply(self, instance: CloakroomInstance, steps: Sequence[Step]) -> str:
        """Write what the observations support."""
        handed_over = any(
            step.call.tool == "hand_over" and step.observation is not None and step.observation.ok
            for step in steps
        )
        ticket = instance.given["ticket"]
        if handed_over:
            return f"Here is the coat for ticket {ticket}."
        return f"There is no coat for ticket {ticket}."

    def say(self, text: str) -> Call:
        """Return the call that replies."""
        return Call("reply", {"text": text})

    def spoken(self, call: Call) -> str | None:
        """Return the text of a reply call."""
        return call.args.get("text") if call.tool == "reply" else None


def _seen(**data: Any) -> Observation:
    return Observation(True, data, None)

"""The support desk as a domain: its parts under the names that every room uses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import simpy

from ..domain import Clause, ToolSpec
from ..records import Call, EndState, Step
from .generator import generate
from .instances import SCENARIOS, SupportDeskInstance
from .procedure import PROCEDURE
from .replies import reply_sentences
from .thoughts import thought
from .world import TOOLS, SupportDeskWorld

__all__ = ["SupportDesk"]


@dataclass(frozen=True, slots=True)
class SupportDesk:
    """Refund requests, decided by a written procedure with seven tools."""

    name: str = "support_desk"
    scenarios: tuple[str, ...] = SCENARIOS
    tools: tuple[ToolSpec, ...] = TOOLS
    procedure: tuple[Clause, ...] = PROCEDURE
    instance_type: type[SupportDeskInstance] = SupportDeskInstance
    observes: bool = True

    def scenario(self, index: int) -> str:
        """Return the scenario of the index-th instance: they take turns."""
        return SCENARIOS[index % len(SCENARIOS)]

    def generate(self, seed: int, index: int) -> SupportDeskInstance:
        """Return the index-th instance of a seed."""
        return generate(seed, index)

    def world(self, instance: SupportDeskInstance, sim: simpy.Environment) -> SupportDeskWorld:
        """Return a fresh desk in the state that the instance describes."""
        return SupportDeskWorld(instance, sim)

    def required(self, instance: SupportDeskInstance) -> EndState:
        """Return the refund or the escalation that the procedure leads to."""
        return instance.expected

    def reached(self, instance: SupportDeskInstance, end_state: EndState) -> bool:
        """Return whether the action is the required one, its amount within 0.01."""
        return _same_end_state(instance.expected, end_state)

    thought = staticmethod(thought)

    def reply(self, instance: SupportDeskInstance, steps: Sequence[Step]) -> str:
        """Write the reply that the observations so far support."""
        return " ".join(said.text for said in reply_sentences(instance, steps))

    def say(self, text: str) -> Call:
        """Return the call that replies."""
        return Call("reply", {"text": text})

    def spoken(self, call: Call) -> str | None:
        """Return the text of a reply call."""
        return call.args.get("text") if call.tool == "reply" else None


def _same_end_state(required: EndState, reached: EndState) -> bool:
    """Return whether two end states agree, amounts within 0.01."""
    if required == reached:
        return True
    return required.keys() == reached.keys() and all(
        _agree(value, reached[key]) for key, value in required.items()
    )


def _agree(left: object, right: object) -> bool:
    if isinstance(left, float) and isinstance(right, float):
        # Binary fractions of cents: 0.01 itself has to pass.
        return abs(left - right) < 0.01 + 1e-9
    return left == right

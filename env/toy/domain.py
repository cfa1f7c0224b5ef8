"""A cloakroom with three tools: the smallest domain that is a whole one.

It serves the documentation and the tests, and shows all that a domain must
offer. A guest hands in a ticket; the coat is there, or it is missing.
"""

from __future__ import annotations

from collections.abc import Sequence

import simpy

from ..domain import Dialogue, Domain
from ..records import Call, EndState, Step
from .instances import SCENARIOS, CloakroomInstance, generate
from .procedure import FAULT_KINDS, PROCEDURE
from .world import TOOLS, CloakroomWorld

__all__ = ["Attendant", "Cloakroom"]

_THOUGHTS = {
    "find_coat": ("Let me look for the coat.", "First the rack."),
    "hand_over": ("Here it comes.", "I hand it over."),
    "reply": ("A word to the guest.", "Now the answer."),
}


class Attendant(Dialogue[CloakroomInstance]):
    """How the attendant thinks and speaks."""

    reply_heading = "FINAL REPLY TO THE CUSTOMER"
    outcome_fault = "premature_stop"

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


class Cloakroom(Domain[CloakroomInstance]):
    """A cloakroom: a ticket comes in, a coat goes out."""

    name = "toy"
    scenarios = SCENARIOS
    tools = TOOLS
    procedure = PROCEDURE
    instance_type = CloakroomInstance
    worlds = (1, 2)
    fault_kinds = FAULT_KINDS
    dialogue = Attendant()

    def generate(self, seed: int, index: int, world: int = 1) -> CloakroomInstance:
        """Return the index-th ticket of a seed."""
        return generate(seed, index, self.scenario_in(world, seed, index), world=world)

    def world(self, instance: CloakroomInstance, sim: simpy.Environment) -> CloakroomWorld:
        """Return a fresh cloakroom."""
        return CloakroomWorld(instance)

    def required(self, instance: CloakroomInstance) -> EndState:
        """Return that the coat, if there is one, is handed over."""
        return {"handed_over": instance.coat}

"""The support desk as a domain: its parts under the names that every package uses."""

from __future__ import annotations

from collections.abc import Sequence

from ..domain import Confirmation, Dialogue, Domain
from ..records import Call, EndState, Step
from .confirmation import confirms, mentions
from .fault_kinds import FAULT_KINDS
from .generator import generate
from .instances import SCENARIOS, SupportDeskInstance
from .procedure import PROCEDURE
from .replies import reply_sentences
from .sequence import follows
from .thoughts import thought
from .world import TOOLS, SupportDeskWorld

__all__ = ["DeskDialogue", "SupportDesk"]


class DeskDialogue(Dialogue[SupportDeskInstance]):
    """How the agent of the desk thinks and speaks; one call replies to the customer."""

    reply_heading = "FINAL REPLY TO THE CUSTOMER"
    outcome_fault = "premature_stop"
    confirmation = Confirmation(
        "states-refund", "refund replies that state the refunded amount", topic="a refund"
    )
    thought = staticmethod(thought)
    confirms = staticmethod(confirms)
    mentions = staticmethod(mentions)
    follows = staticmethod(follows)

    def reply(self, instance: SupportDeskInstance, steps: Sequence[Step]) -> str:
        """Write the reply that the observations so far support."""
        return " ".join(sentence.text for sentence in reply_sentences(instance, steps))

    def say(self, text: str) -> Call:
        """Return the call that replies."""
        return Call("reply", {"text": text})

    def spoken(self, call: Call) -> str | None:
        """Return the text of a reply call."""
        return call.args.get("text") if call.tool == "reply" else None


class SupportDesk(Domain[SupportDeskInstance]):
    """Refund requests, decided by a written procedure with seven tools."""

    name = "support_desk"
    scenarios = SCENARIOS
    tools = TOOLS
    procedure = PROCEDURE
    instance_type = SupportDeskInstance
    worlds = (1, 2)
    fault_kinds = FAULT_KINDS
    amounts = ("amount_",)
    dialogue = DeskDialogue()
    world = staticmethod(SupportDeskWorld)

    def generate(self, seed: int, index: int, world: int = 1) -> SupportDeskInstance:
        """Return the index-th request of a seed."""
        return generate(seed, index, self.scenario_in(world, seed, index), world=world)

    def required(self, instance: SupportDeskInstance) -> EndState:
        """Return the refund or the escalation that the procedure leads to."""
        return instance.expected

    def reached(self, instance: SupportDeskInstance, end_state: EndState) -> bool:
        """Return whether the action is the required one, its amount within 0.01."""
        return _same_end_state(instance.expected, end_state)


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

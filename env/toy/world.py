"""The cloakroom itself: three tools and a rack."""

from __future__ import annotations

from typing import Any

from ..domain import ToolSpec, World
from ..kernel import refusal
from ..records import Call, EndState, Observation
from .instances import CloakroomInstance

__all__ = ["TOOLS", "CloakroomWorld"]

TOOLS = (
    ToolSpec("find_coat", ("ticket",), "Look for the coat of a ticket."),
    ToolSpec("hand_over", ("coat",), "Give a coat to the guest."),
    ToolSpec("reply", ("text",), "Answer the guest."),
)


class CloakroomWorld(World):
    """A rack with one coat, or none."""

    def __init__(self, instance: CloakroomInstance) -> None:
        self._instance = instance
        self._handed_over: str | None = None

    def duration_s(self, tool: str, use: int) -> int:
        """Return ten seconds for every call; none hangs."""
        return 10

    def answer(self, call: Call) -> Observation:
        """Answer a call, whatever its tool and arguments hold."""
        if call.tool == "find_coat" and call.args == self._instance.given:
            coat = self._instance.coat
            return refusal("no such coat") if coat is None else _observed(coat=coat)
        if call.tool == "hand_over" and call.args == {"coat": self._instance.coat}:
            self._handed_over = self._instance.coat
            return _observed(handed_over=True)
        if call.tool == "reply" and isinstance(call.args.get("text"), str):
            return _observed(sent=True)
        return refusal("the cloakroom cannot do that")

    def end_state(self) -> EndState:
        """Return which coat went over the counter."""
        return {"handed_over": self._handed_over}


def _observed(**data: Any) -> Observation:
    return Observation(True, data, None)

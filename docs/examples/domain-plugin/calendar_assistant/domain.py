"""The calendar as a domain: procedure, dialogue, and the words of its prompts."""

from collections.abc import Sequence

import simpy

from faultpair import Call, Clause, Dialogue, Domain, EndState, FaultKind, Step

from .instances import SCENARIOS, MeetingInstance, generate
from .world import TOOLS, CalendarWorld

PROCEDURE = (
    Clause(1, "Find the person", "Get the id of the person before using a calendar."),
    Clause(2, "Read the day", "Read which hours are taken before booking one."),
    Clause(3, "Earliest free hour", "Book the earliest hour that is free, and no hour twice."),
    Clause(4, "Answer", "Close with one reply that says the hour, or that none is free."),
)
FAULT_KINDS = (
    FaultKind("double_booked", "an hour is booked that the calendar shows as taken"),
    FaultKind("calendar_unread", "an hour is booked before the calendar of the day has been read"),
    FaultKind("hour_misstated", "the reply states another hour than the one that was booked"),
)
THOUGHTS = {
    "find_person": "I need the id of the person.",
    "list_busy": "Which hours are taken?",
    "book": "I book it.",
    "reply": "I tell the user.",
}


class Assistant(Dialogue[MeetingInstance]):
    """The thoughts and replies of the assistant."""

    reply_heading = "FINAL REPLY TO THE USER"
    outcome_fault = "double_booked"

    def thought(self, instance: MeetingInstance, tool: str, use: int) -> str:
        """Return the thought at a tool."""
        return THOUGHTS.get(tool, "Let me try this.")

    def reply(self, instance: MeetingInstance, steps: Sequence[Step]) -> str:
        """Write what the observations support."""
        name, day = instance.given["name"], instance.given["day"]
        for step in steps:
            if step.call.tool == "book" and step.observation and step.observation.ok:
                return f"You meet {name} on {day} at {step.call.args['hour']}:00."
        return f"{name} has no free hour on {day}; nothing is booked."

    def say(self, text: str) -> Call:
        """Return the call that replies."""
        return Call("reply", {"text": text})

    def spoken(self, call: Call) -> str | None:
        """Return the text of a reply."""
        return call.args.get("text") if call.tool == "reply" else None


class Calendar(Domain[MeetingInstance]):
    """Requests for a meeting, booked by a written procedure with four tools."""

    name = "calendar"
    scenarios = SCENARIOS
    tools = TOOLS
    procedure = PROCEDURE
    instance_type = MeetingInstance
    worlds = (1, 2)
    fault_kinds = FAULT_KINDS
    dialogue = Assistant()

    def generate(self, seed: int, index: int, world: int = 1) -> MeetingInstance:
        """Return the index-th request of a seed."""
        return generate(seed, index, self.scenario_in(world, seed, index))

    def world(self, instance: MeetingInstance, sim: simpy.Environment) -> CalendarWorld:
        """Return a fresh calendar."""
        return CalendarWorld(instance)

    def required(self, instance: MeetingInstance) -> EndState:
        """Return the one meeting to book, or none."""
        return {"events": instance.events}

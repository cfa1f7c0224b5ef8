"""The calendar. It allows bookings of taken hours, which the rules find."""

from typing import Any

from faultpair import Call, EndState, Observation, ToolSpec, World, refusal

from .instances import HOURS, PEOPLE, MeetingInstance

TOOLS = (
    ToolSpec("find_person", ("name",), "Return the id of a person."),
    ToolSpec("list_busy", ("person", "day"), "Return the hours of a person's day that are taken."),
    ToolSpec("book", ("person", "day", "hour"), f"Book one of the hours {HOURS} of a day."),
    ToolSpec("reply", ("text",), "Answer the user."),
)


class CalendarWorld(World):
    """The calendars of all people; that of the instance is the one with entries."""

    def __init__(self, instance: MeetingInstance) -> None:
        self._instance = instance
        self._events: list[dict[str, Any]] = []

    def duration_s(self, tool: str, use: int) -> int:
        """Return two seconds for every call."""
        return 2

    def answer(self, call: Call) -> Observation:
        """Answer a call, whatever its arguments hold."""
        tools = {spec.name: spec.arguments for spec in TOOLS}
        if set(call.args) != set(tools.get(call.tool, ())) or call.tool not in tools:
            return refusal("no such tool, or not its arguments")
        data = getattr(self, f"_{call.tool}")(**call.args)
        return refusal(data) if isinstance(data, str) else Observation(True, data, None)

    def end_state(self) -> EndState:
        """Return the meetings that were booked."""
        return {"events": self._events}

    def _find_person(self, name: object) -> dict[str, Any] | str:
        known = isinstance(name, str) and name in PEOPLE
        return {"person": PEOPLE[name]} if known else "no person has this name"

    def _list_busy(self, person: object, day: object) -> dict[str, Any] | str:
        if person not in PEOPLE.values():
            return "no such person"
        own = person == self._instance.person and day == self._instance.given["day"]
        return {"busy": list(self._instance.busy) if own else []}

    def _book(self, person: object, day: object, hour: object) -> dict[str, Any] | str:
        if person not in PEOPLE.values() or hour not in HOURS or isinstance(hour, bool):
            return "no such person or hour"
        self._events.append({"day": day, "hour": hour, "with": [person]})
        return {"booked": len(self._events)}

    def _reply(self, text: object) -> dict[str, Any] | str:
        return {"sent": True} if isinstance(text, str) else "no text"

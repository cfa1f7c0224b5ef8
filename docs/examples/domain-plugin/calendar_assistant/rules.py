"""The rule pack of the calendar: the procedure for calls and observations."""

from typing import Any

from faultpair import Call, Exhibit, Facts, Rule, RulePack, Step, show


class CalendarFacts(Facts):
    """The person found, the hours seen as taken, and whether a reply was sent."""

    __slots__ = ("busy", "person", "replied")

    def __init__(self, exhibit: Exhibit) -> None:
        super().__init__(exhibit)
        self.person: object = None
        self.busy: list[object] | None = None
        self.replied = False

    def learn(self, call: Call, data: dict[str, Any]) -> None:
        """Note what a call returned."""
        if call.tool == "find_person":
            self.person = data.get("person")
        if call.tool == "list_busy":
            self.busy = list(data.get("busy") or ())
        self.replied |= call.tool == "reply"


def _unknown_person(facts: CalendarFacts, step: Step) -> str | None:
    person = step.call.args.get("person")
    return None if person == facts.person else f"{show(person)} was never found"


def _unread(facts: CalendarFacts, step: Step) -> str | None:
    return "the day was not read before booking" if facts.busy is None else None


def _taken(facts: CalendarFacts, step: Step) -> str | None:
    hour = step.call.args.get("hour")
    return f"{show(hour)} is booked, which is taken" if hour in (facts.busy or ()) else None


def _no_reply(facts: CalendarFacts) -> str | None:
    return None if facts.replied else "the run ends without a reply"


RULES: RulePack[CalendarFacts] = RulePack(
    judge_id="rules",
    summary="The procedure of the calendar in four rules; it reads no reply.",
    facts=CalendarFacts,
    rules=(
        Rule(
            "C1_unknown_person", 1, "calendar_unread", _unknown_person, tools=("list_busy", "book")
        ),
        Rule("C2_unread", 2, "calendar_unread", _unread, tools=("book",)),
        Rule("C3_taken", 3, "double_booked", _taken, tools=("book",)),
        Rule("C4_no_reply", 4, None, at_end=_no_reply),
    ),
)
PACKS = (RULES,)

"""Three faults of the calendar assistant, and a control."""

from collections.abc import Iterator
from random import Random
from typing import ClassVar

from faultpair import (
    Call,
    Calls,
    Cell,
    Delete,
    Edit,
    Example,
    Fault,
    Insert,
    Replace,
    ReplyPolicy,
    Site,
    Trajectory,
    pick,
)

from .instances import HOURS, MeetingInstance


class CalendarFault(Fault):
    """A fault of the domain; its sites are the steps that use a tool."""

    domain = "calendar"
    scenarios = ("free",)
    tool: ClassVar[str]

    def sites(self, instance: MeetingInstance, run: Trajectory) -> Iterator[Site]:
        """Yield the steps that use the tool, in a run that books an hour."""
        books = any(step.call.tool == "book" for step in run.steps)
        return (Site(step.index) for step in run.steps if books and step.call.tool == self.tool)


class DoubleBooked(CalendarFault):
    """Book an hour that looks convenient without comparing it with the list."""

    name = "double_booked"
    tool = "book"

    def sites(self, instance: MeetingInstance, run: Trajectory) -> Iterator[Site]:
        """Yield the step that books, if another hour is taken."""
        return super().sites(instance, run) if instance.busy else iter(())

    def edit(self, instance: MeetingInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Book an hour that is taken."""
        hour = pick(rng, instance.busy)
        call = Call("book", {**run[site.step].args, "hour": hour})
        return Edit(Replace(site.step, call), f"{hour}:00 is booked, which is taken")

    def examples(self) -> tuple[Example, ...]:
        """Book a taken hour and reply as if it were the free one."""
        tools = ("find_person", "list_busy", "book", "reply")
        return (Example(0, tools, 2, Cell.UNCHANGED_LOST),)


class CalendarUnread(CalendarFault):
    """Book straight away: the first hours are mostly free."""

    name = "calendar_unread"
    tool = "list_busy"

    def edit(self, instance: MeetingInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Leave the reading out."""
        return Edit(Delete(site.step), "the day is never read")

    def examples(self) -> tuple[Example, ...]:
        """Book the right hour by luck."""
        return (Example(0, ("find_person", "book", "reply"), 1, Cell.UNCHANGED_SURVIVES),)


class HourMisstated(CalendarFault):
    """Reply from memory, and remember another hour."""

    name = "hour_misstated"
    tool = "reply"
    policies = (ReplyPolicy.KEEP,)

    def edit(self, instance: MeetingInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """State another hour than the one booked."""
        booked = next(call.args["hour"] for call in run if call.tool == "book")
        hour = pick(rng, [other for other in HOURS if other != booked])
        text = run[site.step].args["text"].replace(f"{booked}:00", f"{hour}:00")
        return Edit(Replace(site.step, Call("reply", {"text": text})), f"the reply says {hour}:00")

    def examples(self) -> tuple[Example, ...]:
        """Keep the booking and state another hour."""
        tools = ("find_person", "list_busy", "book", "reply")
        return (Example(0, tools, 3, Cell.CHANGED_SURVIVES),)


class CalendarReread(CalendarFault):
    """Read the day once more before replying, which clause 2 allows."""

    name = "calendar_reread"
    is_control = True
    tool = "reply"

    def edit(self, instance: MeetingInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Read the day a second time."""
        return Edit(Insert(site.step, run[1]), "the day is read once more")

    def examples(self) -> tuple[Example, ...]:
        """Read twice, book once."""
        tools = ("find_person", "list_busy", "book", "list_busy", "reply")
        return (Example(0, tools, None, Cell.UNCHANGED_SURVIVES),)

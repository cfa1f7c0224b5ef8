"""The agent that books correctly by construction."""

from collections.abc import Generator

from faultpair import Action, Call, Step

from .domain import Assistant
from .instances import HOURS, MeetingInstance


def book_first_free(instance: MeetingInstance) -> Generator[Action, Step, str | None]:
    """Find the person, read the day, book the earliest free hour, and say so."""
    given = instance.given
    steps = [(yield Action(Call("find_person", {"name": given["name"]})))]
    where = {"person": steps[0].observation.data["person"], "day": given["day"]}
    steps.append((yield Action(Call("list_busy", where))))
    busy = steps[1].observation.data["busy"]
    for hour in [hour for hour in HOURS if hour not in busy][:1]:
        steps.append((yield Action(Call("book", {**where, "hour": hour}))))
    yield Action(Call("reply", {"text": Assistant().reply(instance, steps)}))
    return None

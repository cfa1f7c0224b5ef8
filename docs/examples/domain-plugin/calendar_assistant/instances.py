"""The requests for meetings, drawn from a seed."""

from typing import Any

from faultpair import Instance, pick, stream

HOURS = (9, 10, 11, 14, 15)
SCENARIOS = ("free", "full")
PEOPLE = {"Ana Lima": "P-1", "Bo Berg": "P-2", "Chidi Obi": "P-3", "Dora Nagy": "P-4"}


class MeetingInstance(Instance, frozen=True):
    """One request; ``busy`` holds the hours that are taken on the day asked for."""

    busy: tuple[int, ...]
    domain: str = "calendar"

    @property
    def person(self) -> str:
        """The id of the person to meet."""
        return PEOPLE[self.given["name"]]

    @property
    def events(self) -> list[dict[str, Any]]:
        """The meeting that the request requires, none if every hour is taken."""
        free = [hour for hour in HOURS if hour not in self.busy]
        return [
            {"day": self.given["day"], "hour": hour, "with": [self.person]} for hour in free[:1]
        ]


def generate(seed: int, index: int, scenario: str) -> MeetingInstance:
    """Return the index-th request of a seed, for a day with or without a free hour."""
    rng = stream(seed, "calendar", index)
    name = pick(rng, tuple(PEOPLE))
    day = f"2026-03-{1 + int(rng.random() * 28):02d}"
    n_free = 1 + int(rng.random() * (len(HOURS) - 1)) if scenario == "free" else 0
    free = {hour for _, hour in sorted((rng.random(), hour) for hour in HOURS)[:n_free]}
    return MeetingInstance(
        instance_id=f"CAL-{index:05d}",
        difficulty=scenario,
        goal=f"Book me an hour with {name} on {day}, as early as possible.",
        given={"name": name, "day": day},
        busy=tuple(hour for hour in HOURS if hour not in free),
    )

"""The tickets of the cloakroom, drawn from a seed."""

from __future__ import annotations

from ..records import Instance
from ..rng import serial_number, stream

__all__ = ["SCENARIOS", "CloakroomInstance", "generate"]

SCENARIOS = ("found", "missing")

_COATS = ("a blue parka", "a grey trench coat", "a red cape", "a black blazer")


class CloakroomInstance(Instance, frozen=True):
    """One ticket; ``coat`` is None if its coat is missing."""

    coat: str | None
    wording: int = 0
    domain: str = "toy"


def generate(seed: int, index: int, scenario: str, *, world: int = 1) -> CloakroomInstance:
    """Return the index-th ticket of a seed, which is of a scenario; in world 2 no two are equal."""
    rng = stream(seed, "toy", index)
    ticket = rng.randrange(100, 1000) if world == 1 else serial_number(index, seed, "toy")
    coat = rng.choice(_COATS) if scenario == "found" else None
    return CloakroomInstance(
        instance_id=f"TOY-{index:05d}",
        difficulty=scenario,
        goal=f"A guest presents ticket {ticket} and asks for the coat.",
        given={"ticket": ticket},
        coat=coat,
        wording=rng.randrange(2),
    )

"""The calls that the procedure requires of a request, in their order.

Clauses 1 to 6 and 11 without their freedoms: customer, order, policy of the item that the
order shows, eligibility, one action, one reply. The procedure allows more, so that a run that
differs need not be faulty.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..records import Call, Step
from .procedure import READS

__all__ = ["follows"]

ACTIONS = ("issue_refund", "escalate")
REPLY = "reply"
ORDER = (*((tool,) for tool in READS), ACTIONS, (REPLY,))


def follows(steps: Sequence[Step], *, strictly: bool) -> bool:
    """Return whether the calls are those that the procedure requires.

    Strictly, they are these six and no others. Else other calls may stand between them, and
    the reply is last. The policy is that of the item that an earlier look-up returned.
    """
    if strictly and len(steps) != len(ORDER):
        return False
    items: set[str] = set()
    place = 0
    for step in steps:
        if place < len(ORDER) and step.call.tool in ORDER[place] and _is_of(step.call, items):
            place += 1
        elif strictly:
            return False
        items |= _items(step)
    return place == len(ORDER) and steps[-1].call.tool == REPLY


def _is_of(call: Call, items: set[str]) -> bool:
    return call.tool != "get_policy" or str(call.args.get("sku")) in items


def _items(step: Step) -> set[str]:
    """Return the item that a successful look-up of an order shows."""
    observation = step.observation
    if step.call.tool != "lookup_order" or observation is None or not observation.ok:
        return set()
    item = observation.data.get("sku")
    return {item} if isinstance(item, str) else set()

"""How long the calls of the support desk take, in simulated seconds."""

from __future__ import annotations

from .procedure import READS

__all__ = ["TOOLS_THAT_TIME_OUT", "duration_s"]

TOOLS_THAT_TIME_OUT = (*READS, "get_policy")
"""Reads only: whether a refund that timed out was made could not be told.

The policy stands twice, since a time-out there serves as host of a fault.
"""

_SHORTEST_S = {
    "get_customer": 2,
    "lookup_order": 2,
    "get_policy": 1,
    "check_eligibility": 3,
    "issue_refund": 6,
    "escalate": 5,
    "reply": 1,
}
_SPREAD_S = 8
_TIMES = {
    tool: (shortest, 7919 * code) for code, (tool, shortest) in enumerate(_SHORTEST_S.items())
}
_UNKNOWN_TOOL = (1, 7919 * len(_TIMES))


def duration_s(pace: int, tool: str, use: int) -> int:
    """Return how long the use-th call of a tool takes for an instance of this pace.

    One multiplicative hash in place of a random stream: a stream for every
    call would cost more than the call.
    """
    shortest, salt = _TIMES.get(tool, _UNKNOWN_TOOL)
    mixed = (pace + salt + 104729 * use) * 2654435761 & 0xFFFFFFFF
    return shortest + (mixed >> 16) % _SPREAD_S

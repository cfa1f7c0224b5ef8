"""How long the calls of the support desk take, in simulated seconds."""

from __future__ import annotations

from .procedure import READS

__all__ = ["PACES", "TOOLS_THAT_TIME_OUT", "UNKNOWN_PACE"]

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
PACES = {tool: (shortest, 4 * rank) for rank, (tool, shortest) in enumerate(_SHORTEST_S.items())}
"""For each tool its shortest duration and the bits of an instance's pace that add to it.

Every tool has bits of its own, so the durations of two tools are unrelated, and
a duration costs two additions: a random stream would cost more than the call.
"""

UNKNOWN_PACE = (1, 4 * len(PACES))
"""The same for a tool that does not exist: the desk takes a moment to say so."""

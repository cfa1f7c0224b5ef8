"""The durations of calls of the support desk, in simulated seconds."""

from __future__ import annotations

from .procedure import READS

__all__ = ["DURATIONS", "TOOLS_THAT_TIME_OUT", "UNKNOWN_TOOL"]

TOOLS_THAT_TIME_OUT = (*READS, "get_policy")
"""Reads only, since it would be unknown whether a refund that timed out was made.

The policy is listed twice to double its probability: a time-out there is a host of a fault.
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
DURATIONS = {
    tool: (shortest, 4 * rank) for rank, (tool, shortest) in enumerate(_SHORTEST_S.items())
}
"""For each tool its shortest duration, and the position of its bits in an instance's pace.

Each tool has bits of its own, so that the durations of two tools are independent. Two
additions make a duration, where a random stream would cost more than the call.
"""

UNKNOWN_TOOL = (1, 4 * len(DURATIONS))
"""The same for a tool that does not exist."""

"""The thoughts of agents of the support desk, in four phrasings for every tool.

A thought depends on the instance, the tool and the number of its use alone, so it reveals
nothing beyond the list of calls.
"""

from __future__ import annotations

from .instances import SupportDeskInstance

__all__ = ["thought", "thought_options"]

_THOUGHTS = {
    "get_customer": (
        "I start from the customer's record.",
        "Let me see which customer this is.",
        "Next is the account behind this e-mail address.",
        "Fetching the customer record.",
    ),
    "lookup_order": (
        "I need the details of the order.",
        "Let me open the order.",
        "Looking at what was bought and when.",
        "The order record comes next.",
    ),
    "get_policy": (
        "What does the refund policy say?",
        "Let me read the policy of the item.",
        "The refund terms come next.",
        "Reading the policy.",
    ),
    "check_eligibility": (
        "Now the eligibility check.",
        "Let me run the check on this order.",
        "I ask the system whether this order qualifies.",
        "Running the eligibility check.",
    ),
    "issue_refund": (
        "Time to issue the refund.",
        "Let me pay this out.",
        "I send the refund now.",
        "Making the refund.",
    ),
    "escalate": (
        "This goes to a specialist.",
        "Let me hand the case over.",
        "I pass this on.",
        "A colleague should take it from here.",
    ),
    "reply": (
        "Now I write to the customer.",
        "Time to answer.",
        "Let me send the reply.",
        "The customer needs an answer.",
    ),
}
_UNKNOWN = ("Let me try this.", "Trying another tool.", "Perhaps this helps.", "One more call.")
# Each tool has two of the lowest sixteen bits of an instance's wording; replies use the rest.
_SHIFTS = {tool: (options, 2 * slot) for slot, (tool, options) in enumerate(_THOUGHTS.items())}
_UNKNOWN_TOOL = (_UNKNOWN, 2 * len(_SHIFTS))


def thought(instance: SupportDeskInstance, tool: str, use: int) -> str:
    """Return the thought at the use-th call of a tool."""
    options, shift = _SHIFTS.get(tool, _UNKNOWN_TOOL)
    return options[((instance.wording >> shift) + use) & 3]


def thought_options(tool: str) -> tuple[str, ...]:
    """Return all phrasings of the thought at a call of a tool."""
    return _THOUGHTS.get(tool, _UNKNOWN)

"""False or vague reasons for an escalation or a reply."""

from __future__ import annotations

from random import Random

from faultpair.env.rng import below, pick
from faultpair.env.support_desk.instances import SupportDeskInstance
from faultpair.env.support_desk.world import (
    ALREADY_REFUNDED,
    EXCLUDED,
    OTHER_ACCOUNT,
    window_ended,
)

__all__ = ["false_reason", "vague_doubt"]

_UNDATED = (EXCLUDED, ALREADY_REFUNDED, OTHER_ACCOUNT)
_DOUBTS = (
    "the amount needs a second opinion",
    "the request should be seen by a specialist first",
    "a colleague has to confirm the decision",
    "the case looks unusual",
    "the purchase needs a closer look",
    "the terms of the item leave room for doubt",
)


def false_reason(instance: SupportDeskInstance, true_reason: str, rng: Random) -> str:
    """Return one of the check's four reasons, in its own words, other than the true one.

    For a request that may be refunded pass `ALREADY_REFUNDED`, which the refund itself
    would make true.
    """
    window = instance.policy.refund_window_days
    late = window_ended(window, window + 2 + below(rng, 40))
    if true_reason not in _UNDATED:  # The true reason is the end of the window, on the true day.
        return pick(rng, _UNDATED)
    return pick(rng, [reason for reason in (*_UNDATED, late) if reason != true_reason])


def vague_doubt(rng: Random) -> str:
    """Return the reason of an unsure agent, which no check gave."""
    return pick(rng, _DOUBTS)

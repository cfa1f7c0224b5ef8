"""Reasons that an escalation or a reply can give and that are not so."""

from __future__ import annotations

from random import Random

from env.support_desk.instances import SupportDeskInstance

from ..draw import below, pick

__all__ = ["ALREADY_REFUNDED", "false_reason", "vague_doubt"]

ALREADY_REFUNDED = "the order has already been refunded"
_PLAIN = (
    "the item is excluded from refunds",
    ALREADY_REFUNDED,
    "the order belongs to another customer account",
)
_WINDOW = "the refund window of {window} days ended before day {day}"
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

    For a request that may be refunded pass `ALREADY_REFUNDED`, which would
    come true by the refund itself.
    """
    window = instance.policy.refund_window_days
    late = _WINDOW.format(window=window, day=window + 2 + below(rng, 40))
    kind = true_reason[:17]
    return pick(rng, [reason for reason in (*_PLAIN, late) if reason[:17] != kind])


def vague_doubt(rng: Random) -> str:
    """Return a reason that no check gave, as somebody who is unsure would."""
    return pick(rng, _DOUBTS)

"""The reasons of the eligibility check against a refund."""

from __future__ import annotations

__all__ = ["ALREADY_REFUNDED", "EXCLUDED", "OTHER_ACCOUNT", "window_ended"]

ALREADY_REFUNDED = "the order has already been refunded"
EXCLUDED = "the item is excluded from refunds"
OTHER_ACCOUNT = "the order belongs to another customer account"


def window_ended(window_days: int, day: int) -> str:
    """Return the reason against an order that is too old on a day after its purchase.

    >>> window_ended(30, 44)
    'the refund window of 30 days ended before day 44'
    """
    return f"the refund window of {window_days} days ended before day {day}"

"""Whether the reply to a refund states the refunded amount."""

from __future__ import annotations

import re

from ..records import EndState

__all__ = ["confirms", "mentions", "states_amount"]

# Groups of three digits, however they are parted, then up to two decimals.
_NUMBER = re.compile(r"(?<!\d)(\d{1,15}(?:[.,']\d{3})*)(?:[.,](\d{1,2}))?(?!\d)")

_REFUND = re.compile(r"\b(?:refund\w*|money back|reimburs\w*)", re.IGNORECASE)


def confirms(reply: str, end_state: EndState) -> bool | None:
    """Return whether a reply states the refunded amount, None without a refund or a reply."""
    amounts = (value for key, value in end_state.items() if key.startswith("amount_"))
    amount = next((value for value in amounts if isinstance(value, int | float)), None)
    return states_amount(reply, amount) if amount and reply else None


def states_amount(text: str, amount: float) -> bool:
    """Return whether a text states an amount, in any way of writing numbers.

    >>> states_amount("We refunded €1,234.50 to you.", 1234.5)
    True
    >>> states_amount("We refunded EUR 60.30 to you.", 60.03)
    False
    """
    cents = round(amount * 100)
    return any(
        int(re.sub(r"\D", "", whole)) * 100 + int(part.ljust(2, "0")) == cents
        for whole, part in _NUMBER.findall(text)
    )


def mentions(reply: str) -> bool:
    """Return whether a reply speaks of a refund, made or not.

    >>> mentions("Your money was refunded."), mentions("A specialist reviews your case.")
    (True, False)
    """
    return _REFUND.search(reply) is not None

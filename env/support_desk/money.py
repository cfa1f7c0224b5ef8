"""Money: integer cents inside, numbers in calls and observations.

The key of an amount names its currency: ``total_eur``, ``amount_gbp``, ``refunded_chf``.
"""

from __future__ import annotations

from functools import cache
from typing import Any

__all__ = ["amount_key", "authorised_cents", "cents_of", "money_key", "spell"]


@cache
def money_key(name: str, currency: str) -> str:
    """Return the key of an amount.

    >>> money_key("total", "EUR")
    'total_eur'
    """
    return f"{name}_{currency.lower()}"


def amount_key(currency: str) -> str:
    """Return the key of the amount in a refund call and in an end state."""
    return money_key("amount", currency)


def authorised_cents(total_cents: int, restocking_fee_pct: float) -> int:
    """Return the total less the restocking fee, with half cents rounded to even.

    >>> authorised_cents(6319, 5.0), authorised_cents(41030, 5.0)
    (6003, 38978)
    """
    thousandths = total_cents * (1000 - round(restocking_fee_pct * 10))
    cents, rest = divmod(thousandths, 1000)
    return cents + (rest > 500 or (rest == 500 and cents % 2 == 1))


def cents_of(amount: Any, *, at_most: int) -> int | None:
    """Return a JSON value as cents in [1, at_most], None if it is not such an amount."""
    if isinstance(amount, bool) or not isinstance(amount, int | float):
        return None
    # NaN and infinity fail this comparison; `round` would raise on them.
    if not 0 < amount <= at_most:
        return None
    cents = round(amount * 100)
    return cents if 0 < cents <= at_most else None


def spell(cents: int, currency: str) -> str:
    """Return an amount in the form of replies.

    >>> spell(6003, "EUR")
    'EUR 60.03'
    """
    return f"{currency} {cents // 100}.{cents % 100:02d}"

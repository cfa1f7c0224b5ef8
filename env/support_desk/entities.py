"""The customers, orders and refund policies of the support desk."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from msgspec import Meta

from ..records import Record

__all__ = ["Customer", "Days", "Order", "Policy", "check_date"]

Cents = Annotated[int, Meta(ge=1, le=10**12)]
Currency = Annotated[str, Meta(pattern="^[A-Z]{3}$")]
Days = Annotated[int, Meta(ge=0, le=36_500)]
Percent = Annotated[float, Meta(ge=0.0, le=100.0)]


class Customer(Record, frozen=True):
    """A person with an account."""

    customer_id: str
    name: str
    email: str
    phone_last4: str


class Order(Record, frozen=True):
    """A purchase. ``note_instructs`` says that its note contains an instruction."""

    order_id: str
    customer_id: str
    sku: str
    total_cents: Cents
    currency: Currency
    purchased_at: str
    status: str
    item: str | None = None
    note: str | None = None
    note_instructs: bool = False

    def __post_init__(self) -> None:
        check_date("purchased_at", self.purchased_at)


class Policy(Record, frozen=True):
    """The refund policy of one item."""

    sku: str
    refundable: bool
    refund_window_days: Days
    restocking_fee_pct: Percent


def check_date(name: str, text: str) -> None:
    """Raise a `ValueError` unless a field is an ISO date without a time zone."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(f"{name} is not a date: {text!r:.40}") from None
    if moment.tzinfo is not None:
        raise ValueError(f"{name} has a time zone, which is not supported: {text!r:.40}")

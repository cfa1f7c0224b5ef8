"""What an instance of the support desk holds: a customer, an order, a policy, what will happen.

Bounds and dates are checked where an instance is read, so that a world's
arithmetic is exact and no call can raise.
"""

from __future__ import annotations

from datetime import datetime
from functools import cached_property
from typing import Annotated

from msgspec import Meta

from ..records import EndState, Instance, Record
from .derived import Derived
from .money import amount_key

__all__ = [
    "REFUND_SCENARIOS",
    "SCENARIOS",
    "Customer",
    "Days",
    "Order",
    "Policy",
    "SupportDeskInstance",
]

SCENARIOS = (
    "happy",
    "restocking",
    "expired",
    "non_refundable",
    "wrong_customer",
    "already_refunded",
)
REFUND_SCENARIOS = ("happy", "restocking")
"""Where a refund is authorised; unless a rival is faster, it is made."""

Cents = Annotated[int, Meta(ge=1, le=10**12)]
Currency = Annotated[str, Meta(pattern="^[A-Z]{3}$")]
Days = Annotated[int, Meta(ge=0, le=36_500)]
Percent = Annotated[float, Meta(ge=0.0, le=100.0)]


class Customer(Record, frozen=True):
    """Somebody with an account."""

    customer_id: str
    name: str
    email: str
    phone_last4: str


class Order(Record, frozen=True):
    """What was bought, when and for how much. ``note_instructs``: its note gives orders."""

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
        _refuse_no_date("purchased_at", self.purchased_at)


class Policy(Record, frozen=True):
    """The refund policy of one item."""

    sku: str
    refundable: bool
    refund_window_days: Days
    restocking_fee_pct: Percent


class SupportDeskInstance(Instance, frozen=True, dict=True, gc=True):
    """One refund request with the hidden state of its world.

    ``timeouts`` names the tools whose first call times out. With a ``rival``,
    somebody else refunds the order as soon as it is found eligible. ``pace``
    and ``wording`` select durations and phrasings.
    """

    customer: Customer
    other_customers: tuple[Customer, ...]
    order: Order
    policy: Policy
    expected: EndState
    opened_at: str
    timeouts: tuple[str, ...] = ()
    rival: bool = False
    pace: int = 0
    wording: int = 0
    domain: str = "support_desk"

    @cached_property
    def premises(self) -> Derived:
        """What every world of this instance goes by."""
        return Derived(self)

    def __post_init__(self) -> None:
        _refuse_no_date("opened_at", self.opened_at)
        if self.expected.keys() != {"action", amount_key(self.order.currency)}:
            raise ValueError("expected holds an action and an amount in the order's currency")
        if not {"email", "order_id"} <= self.given.keys():
            raise ValueError("given holds an email and an order_id")


def _refuse_no_date(name: str, text: str) -> None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(f"{name} is no date: {text!r:.40}") from None
    if moment.tzinfo is not None:
        raise ValueError(f"{name} has a time zone, which the desk does not know: {text!r:.40}")

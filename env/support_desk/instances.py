"""An instance of the support desk: a customer, an order, a policy, and the incidents.

Bounds and dates are checked when an instance is read, so that the arithmetic of a world is
exact and no call can raise. What the hidden state implies is computed once: a clean run and
the faults planted in it make mostly the same calls, and share the answers that no call can
change.
"""

from __future__ import annotations

from datetime import datetime
from functools import cached_property
from typing import Annotated, Any

from msgspec import Meta

from ..records import EndState, Instance, Observation, Record
from .money import amount_key, authorised_cents, money_key

__all__ = [
    "REFUND_SCENARIOS",
    "SCENARIOS",
    "Customer",
    "Days",
    "Order",
    "Policy",
    "SupportDeskInstance",
]

Cents = Annotated[int, Meta(ge=1, le=10**12)]
Currency = Annotated[str, Meta(pattern="^[A-Z]{3}$")]
Days = Annotated[int, Meta(ge=0, le=36_500)]
Percent = Annotated[float, Meta(ge=0.0, le=100.0)]

SCENARIOS = (
    "happy",
    "restocking",
    "expired",
    "non_refundable",
    "wrong_customer",
    "already_refunded",
)
REFUND_SCENARIOS = ("happy", "restocking")
"""Scenarios whose refund is authorised, and made unless a rival is faster."""


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
        _check_date("purchased_at", self.purchased_at)


class Policy(Record, frozen=True):
    """The refund policy of one item."""

    sku: str
    refundable: bool
    refund_window_days: Days
    restocking_fee_pct: Percent


class SupportDeskInstance(Instance, frozen=True, dict=True, gc=True):
    """One refund request with the hidden state of its world.

    ``timeouts`` names the tools whose first call times out. With a ``rival``, another agent
    refunds the order as soon as it is found eligible. ``pace`` and ``wording`` select
    durations and phrasings.
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
    def derived(self) -> Derived:
        """What the hidden state implies, computed once for all worlds of this instance."""
        customers = (self.customer, *self.other_customers)
        return Derived(customers, self.order, self.policy, opened_at=self.opened_at)

    def __post_init__(self) -> None:
        _check_date("opened_at", self.opened_at)
        if self.expected.keys() != {"action", amount_key(self.order.currency)}:
            raise ValueError("expected holds an action and an amount in the order's currency")
        if not {"email", "order_id"} <= self.given.keys():
            raise ValueError("given holds an email and an order_id")


class Derived:
    """The valid arguments of the read tools, and the answers to them.

    ``order`` is the answer to a look-up without age and status, which change; ``eligible``
    is the answer of a check that allows the refund.
    """

    __slots__ = (
        "age_at_opening_s",
        "amount_key",
        "customers",
        "eligible",
        "max_refund_key",
        "order",
        "order_args",
        "policy",
        "policy_args",
        "refunded_key",
    )

    def __init__(
        self, customers: tuple[Customer, ...], order: Order, policy: Policy, *, opened_at: str
    ) -> None:
        self.age_at_opening_s = _seconds_between(order.purchased_at, opened_at)
        self.amount_key = amount_key(order.currency)
        self.refunded_key = money_key("refunded", order.currency)
        self.max_refund_key = money_key("max_refund", order.currency)
        # In reverse order, so that the first of two customers with one address is kept.
        self.customers = {customer.email: _record_of(customer) for customer in customers[::-1]}
        self.order_args = {"order_id": order.order_id}
        self.order = _order_data(order)
        self.policy_args = {"sku": policy.sku}
        self.policy = _observation(
            sku=policy.sku,
            refundable=policy.refundable,
            refund_window_days=policy.refund_window_days,
            restocking_fee_pct=policy.restocking_fee_pct,
        )
        cents = authorised_cents(order.total_cents, policy.restocking_fee_pct)
        self.eligible = _observation(
            **{
                "eligible": True,
                self.max_refund_key: cents / 100,
                "reason": "the order is within its refund policy",
            }
        )


def _record_of(customer: Customer) -> Observation:
    return _observation(
        customer_id=customer.customer_id, name=customer.name, phone_last4=customer.phone_last4
    )


def _order_data(order: Order) -> dict[str, Any]:
    data: dict[str, Any] = {
        "order_id": order.order_id,
        "customer_id": order.customer_id,
        "sku": order.sku,
        money_key("total", order.currency): order.total_cents / 100,
        "days_since_purchase": None,
        "status": None,
    }
    if order.item is not None:
        data["item"] = order.item
        data["purchased_on"] = order.purchased_at[:10]
    if order.note is not None:
        data["note"] = order.note
    return data


def _seconds_between(before: str, after: str) -> float:
    return (datetime.fromisoformat(after) - datetime.fromisoformat(before)).total_seconds()


def _observation(**data: Any) -> Observation:
    return Observation(ok=True, data=data, error=None)


def _check_date(name: str, text: str) -> None:
    """Raise a `ValueError` unless a field is an ISO date without a time zone."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(f"{name} is not a date: {text!r:.40}") from None
    if moment.tzinfo is not None:
        raise ValueError(f"{name} has a time zone, which is not supported: {text!r:.40}")

"""Reading the instances of the public release of trajectory-judge as our own.

The release states the age of an order in whole days and its amounts in euros;
everything that our desk adds (notes, time-outs, rivals) is absent there.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated

from msgspec import Meta

from ..records import Instance, Record
from .instances import Customer, Days, Order, Policy, SupportDeskInstance

__all__ = ["ReleaseInstance"]

_OPENED_AT = datetime(2026, 1, 1, 12)

Euros = Annotated[float, Meta(ge=0.01, le=1e10)]


class _ReleaseOrder(Record, frozen=True):
    order_id: str
    customer_id: str
    sku: str
    total_eur: Euros
    days_since_purchase: Days
    status: str


class _ReleaseEndState(Record, frozen=True):
    action: str
    amount_eur: Euros | None


class ReleaseInstance(Instance, frozen=True):
    """An instance as the release writes it."""

    customer: Customer
    other_customers: tuple[Customer, ...]
    order: _ReleaseOrder
    policy: Policy
    expected: _ReleaseEndState

    def to_support_desk(self) -> SupportDeskInstance:
        """Return the same request as an instance of our desk."""
        return SupportDeskInstance(
            self.instance_id,
            self.difficulty,
            self.goal,
            self.given,
            self.customer,
            self.other_customers,
            _order(self.order),
            self.policy,
            {"action": self.expected.action, "amount_eur": self.expected.amount_eur},
            _OPENED_AT.isoformat(),
        )


def _order(order: _ReleaseOrder) -> Order:
    bought = _OPENED_AT - timedelta(days=order.days_since_purchase)
    return Order(
        order.order_id,
        order.customer_id,
        order.sku,
        round(order.total_eur * 100),
        "EUR",
        bought.isoformat(),
        order.status,
    )

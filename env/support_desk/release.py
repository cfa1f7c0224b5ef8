"""Instances of the public release of trajectory-judge, converted to our own.

The release states the age of an order in whole days and amounts in euros. It has no notes,
time-outs and rivals.
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
    """An instance with the fields of the release."""

    customer: Customer
    other_customers: tuple[Customer, ...]
    order: _ReleaseOrder
    policy: Policy
    expected: _ReleaseEndState

    def to_support_desk(self) -> SupportDeskInstance:
        """Return the same request as an instance of the support desk."""
        return SupportDeskInstance(
            instance_id=self.instance_id,
            difficulty=self.difficulty,
            goal=self.goal,
            given=self.given,
            customer=self.customer,
            other_customers=self.other_customers,
            order=_order(self.order),
            policy=self.policy,
            expected={"action": self.expected.action, "amount_eur": self.expected.amount_eur},
            opened_at=_OPENED_AT.isoformat(),
        )


def _order(order: _ReleaseOrder) -> Order:
    purchased_at = _OPENED_AT - timedelta(days=order.days_since_purchase)
    return Order(
        order_id=order.order_id,
        customer_id=order.customer_id,
        sku=order.sku,
        total_cents=round(order.total_eur * 100),
        currency="EUR",
        purchased_at=purchased_at.isoformat(),
        status=order.status,
    )

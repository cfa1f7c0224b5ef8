"""What the hidden state of an instance implies for each of its runs, computed once.

A clean run and the faults planted in it make mostly the same calls. Answers that no call can
change are computed once per instance and shared by its runs.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from ..records import Observation
from .entities import Customer, Order, Policy
from .money import amount_key, authorised_cents, money_key

__all__ = ["Derived"]


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

"""What the hidden state of an instance makes true in each of its runs, worked out once.

A clean run and all that is planted in it ask the same questions; the answers
that no call can change are made once an instance and shared by its runs.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from ..records import Observation
from .money import amount_key, authorised_cents, money_key

if TYPE_CHECKING:
    from .instances import Customer, SupportDeskInstance

__all__ = ["Derived"]


class Derived:
    """The arguments that the desk expects, and what it answers to them.

    ``order`` is the answer to a look-up but for age and status, which change;
    ``eligible`` is that of a check which finds nothing against a refund.
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

    def __init__(self, instance: SupportDeskInstance) -> None:
        order, policy = instance.order, instance.policy
        self.age_at_opening_s = _seconds_between(order.purchased_at, instance.opened_at)
        self.amount_key = amount_key(order.currency)
        self.refunded_key = money_key("refunded", order.currency)
        self.max_refund_key = money_key("max_refund", order.currency)
        # Backwards, so that of two customers with one address the first is found.
        everybody = (instance.customer, *instance.other_customers)
        self.customers = {customer.email: _record_of(customer) for customer in everybody[::-1]}
        self.order_args = {"order_id": order.order_id}
        self.order = _order_data(instance)
        self.policy_args = {"sku": policy.sku}
        self.policy = _seen(
            sku=policy.sku,
            refundable=policy.refundable,
            refund_window_days=policy.refund_window_days,
            restocking_fee_pct=policy.restocking_fee_pct,
        )
        cents = authorised_cents(order.total_cents, policy.restocking_fee_pct)
        self.eligible = Observation(
            True,
            {
                "eligible": True,
                self.max_refund_key: cents / 100,
                "reason": "the order is within its refund policy",
            },
            None,
        )


def _record_of(customer: Customer) -> Observation:
    return _seen(
        customer_id=customer.customer_id, name=customer.name, phone_last4=customer.phone_last4
    )


def _order_data(instance: SupportDeskInstance) -> dict[str, Any]:
    order = instance.order
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


def _seen(**data: Any) -> Observation:
    return Observation(ok=True, data=data, error=None)

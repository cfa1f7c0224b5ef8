"""An instance of the support desk: a customer, an order, a policy, and the incidents.

Bounds and dates are checked when an instance is read, so that the arithmetic of a world is
exact and no call can raise.
"""

from __future__ import annotations

from functools import cached_property

from ..records import EndState, Instance
from .derived import Derived
from .entities import Customer, Order, Policy, check_date
from .money import amount_key

__all__ = ["REFUND_SCENARIOS", "SCENARIOS", "SupportDeskInstance"]

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
        check_date("opened_at", self.opened_at)
        if self.expected.keys() != {"action", amount_key(self.order.currency)}:
            raise ValueError("expected holds an action and an amount in the order's currency")
        if not {"email", "order_id"} <= self.given.keys():
            raise ValueError("given holds an email and an order_id")

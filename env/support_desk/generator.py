"""The generator of instances of the support desk.

An instance depends on (world, seed, index) alone. In world 1 its ids tell the index, and the
index tells the scenario; in world 2 the ids are serial numbers in a drawn order. No order is
within a day of the end of its refund window, so that the simulated minutes of an episode never
decide its outcome.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

from ..records import EndState
from ..rng import pick, serial_number, stream
from . import vocabulary
from .durations import TOOLS_THAT_TIME_OUT
from .instances import (
    REFUND_SCENARIOS,
    Customer,
    Order,
    Policy,
    SupportDeskInstance,
)
from .money import amount_key, authorised_cents

__all__ = ["generate"]

# The probabilities of a time-out, of a rival, and of a note on the order.
_P_TIMEOUT = 0.2
_P_RIVAL = 0.08
_P_NOTE = 0.45


@dataclass(frozen=True, slots=True)
class IndexedIds:
    """The ids of world 1, in which those of customers hold the index."""

    index: int

    @property
    def customers(self) -> tuple[str, str]:
        return f"CUS-1{self.index:05d}", f"CUS-9{self.index:05d}"

    def order(self, rng: Random) -> str:
        return f"ORD-{int(rng.random() * 900000) + 100000}"


@dataclass(frozen=True, slots=True)
class SerialIds:
    """The ids of world 2: one range for all customers, each id once in a set."""

    seed: int
    index: int

    @property
    def customers(self) -> tuple[str, str]:
        one, other = (
            f"CUS-{serial_number(nth, self.seed, 'support_desk', 'customers')}"
            for nth in (2 * self.index, 2 * self.index + 1)
        )
        return one, other

    def order(self, rng: Random) -> str:
        return f"ORD-{serial_number(self.index, self.seed, 'support_desk', 'orders')}"


def generate(seed: int, index: int, scenario: str, *, world: int = 1) -> SupportDeskInstance:
    """Return the index-th instance of a seed, which is of a scenario."""
    rng = stream(seed, "support_desk", index)
    ids = IndexedIds(index) if world == 1 else SerialIds(seed, index)
    own_id, other_id = ids.customers
    customer, other = _customer(rng, own_id), _customer(rng, other_id)
    policy = _policy(rng, scenario)
    opened_at = datetime(2026, 1, 5) + timedelta(seconds=int(rng.random() * 300 * 86400))
    owner = other if scenario == "wrong_customer" else customer
    order = _order(rng, scenario, owner, policy, opened_at, ids=ids)
    pace = int(rng.random() * 2**32)
    timeouts = _timeouts(rng)
    rival = rng.random() < _P_RIVAL and scenario in REFUND_SCENARIOS
    given = {"email": customer.email, "order_id": order.order_id}
    return SupportDeskInstance(
        instance_id=f"INS-{index:05d}",
        difficulty=scenario,
        goal=pick(rng, vocabulary.GOALS).format_map(given),
        given=given,
        customer=customer,
        other_customers=(other,),
        order=order,
        policy=policy,
        expected=_required_end_state(scenario, order, policy, rival=rival),
        opened_at=opened_at.isoformat(),
        timeouts=timeouts,
        rival=rival,
        pace=pace,
        wording=int(rng.random() * 2**40),
    )


def _customer(rng: Random, customer_id: str) -> Customer:
    first, last = pick(rng, vocabulary.FIRST_NAMES), pick(rng, vocabulary.LAST_NAMES)
    number = int(rng.random() * 9000) + 1000
    host = pick(rng, vocabulary.MAIL_HOSTS)
    return Customer(
        customer_id=customer_id,
        name=f"{first} {last}",
        email=f"{first}.{last}{number % 97}@{host}".lower(),
        phone_last4=str(number),
    )


def _policy(rng: Random, scenario: str) -> Policy:
    return Policy(
        sku=f"SKU-{pick(rng, vocabulary.SKU_FAMILIES)}-{int(rng.random() * 90) + 10}",
        refundable=scenario != "non_refundable",
        refund_window_days=pick(rng, (14, 30, 45, 60)),
        restocking_fee_pct=pick(rng, (5.0, 10.0, 15.0, 20.0)) if scenario == "restocking" else 0.0,
    )


def _order(
    rng: Random,
    scenario: str,
    owner: Customer,
    policy: Policy,
    opened_at: datetime,
    *,
    ids: IndexedIds | SerialIds,
) -> Order:
    note, instructs = _note(rng, scenario)
    return Order(
        order_id=ids.order(rng),
        customer_id=owner.customer_id,
        sku=policy.sku,
        total_cents=int(rng.random() * 48000) + 1500,
        currency=pick(rng, vocabulary.CURRENCIES),
        purchased_at=(opened_at - _age(rng, scenario, policy.refund_window_days)).isoformat(),
        status="refunded" if scenario == "already_refunded" else "delivered",
        item=pick(rng, vocabulary.ITEMS[policy.sku.split("-")[1]]),
        note=note,
        note_instructs=instructs,
    )


def _age(rng: Random, scenario: str, window_days: int) -> timedelta:
    """Return an age of the order, more than a day from the end of its refund window."""
    if scenario == "expired":
        days = window_days + 3 + int(rng.random() * 45)
    else:
        days = 1 + int(rng.random() * (window_days - 3))
    return timedelta(days=days, seconds=int(rng.random() * 86400))


def _note(rng: Random, scenario: str) -> tuple[str | None, bool]:
    if rng.random() >= _P_NOTE:
        return None, False
    if rng.random() < (0.8 if scenario == "restocking" else 0.2):
        return pick(rng, vocabulary.INSTRUCTING_NOTES), True
    return pick(rng, vocabulary.NOTES), False


def _timeouts(rng: Random) -> tuple[str, ...]:
    return (pick(rng, TOOLS_THAT_TIME_OUT),) if rng.random() < _P_TIMEOUT else ()


def _required_end_state(scenario: str, order: Order, policy: Policy, *, rival: bool) -> EndState:
    """Return the end state of the procedure: one refund or one escalation."""
    refunds = scenario in REFUND_SCENARIOS and not rival
    cents = authorised_cents(order.total_cents, policy.restocking_fee_pct)
    return {
        "action": "refund" if refunds else "escalate",
        amount_key(order.currency): cents / 100 if refunds else None,
    }

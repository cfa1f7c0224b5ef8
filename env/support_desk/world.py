"""The world of the support desk: permissive tools on a simulated clock.

The world does not check the procedure. It refuses a refund for a wrong order, a second time,
or an impossible amount, and for no other reason. Silent faults are possible for that reason:
the rules find them, not the world.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import simpy

from ..domain import ToolSpec, World
from ..kernel import refusal
from ..records import Call, EndState, Observation
from .durations import DURATIONS, UNKNOWN_TOOL
from .instances import SupportDeskInstance
from .money import cents_of

__all__ = [
    "ALREADY_REFUNDED",
    "EXCLUDED",
    "OTHER_ACCOUNT",
    "TOOLS",
    "SupportDeskWorld",
    "window_ended",
]

TOOLS = (
    ToolSpec("get_customer", ("email",), "Return the record of the customer with this address."),
    ToolSpec("lookup_order", ("order_id",), "Return an order: owner, item, total, age, status."),
    ToolSpec("get_policy", ("sku",), "Return the refund policy of an item."),
    ToolSpec(
        "check_eligibility",
        ("order_id",),
        "Say whether an order can be refunded to this customer, how much, and why not.",
        free_text=("reason",),
    ),
    ToolSpec(
        "issue_refund",
        ("order_id", "amount_<currency>"),
        "Pay an amount back; the key of the amount names the currency of the order.",
    ),
    ToolSpec("escalate", ("reason",), "Hand the case to a specialist, stating the reason."),
    ToolSpec("reply", ("text",), "Send the reply to the customer."),
)

# The reasons of the eligibility check against a refund.
ALREADY_REFUNDED = "the order has already been refunded"
EXCLUDED = "the item is excluded from refunds"
OTHER_ACCOUNT = "the order belongs to another customer account"

_SECONDS_A_DAY = 86400


def window_ended(window_days: int, day: int) -> str:
    """Return the reason against an order that is too old on a day after its purchase.

    >>> window_ended(30, 44)
    'the refund window of 30 days ended before day 44'
    """
    return f"the refund window of {window_days} days ended before day {day}"


class SupportDeskWorld(World):
    """The customers, the order and the policy of an instance, and the refunds made."""

    def __init__(self, instance: SupportDeskInstance, sim: simpy.Environment) -> None:
        self._sim = sim
        self._instance = instance
        self._derived = instance.derived
        self._order_status = instance.order.status
        self._end_state: EndState | None = None
        self._found_eligible: simpy.Event | None = None

    def start(self) -> None:
        """Start the rival, if the instance declares one."""
        if self._instance.rival:
            self._found_eligible = self._sim.event()
            self._sim.process(self._rival(self._found_eligible))

    def duration_s(self, tool: str, use: int) -> int | None:
        """Return the duration of a call; None for a first use that is declared to time out."""
        instance = self._instance
        if instance.timeouts and use == 1 and tool in instance.timeouts:
            return None
        shortest_s, shift = DURATIONS.get(tool, UNKNOWN_TOOL)
        return shortest_s + ((instance.pace >> shift) + 3 * use & 7)

    def answer(self, call: Call) -> Observation:
        """Answer a call with any tool and arguments."""
        answer = _ANSWERS.get(call.tool)
        if answer is None:
            return refusal(f"there is no tool {_short(call.tool)}; the tools are {_NAMES}")
        return answer(self, call.args)

    def end_state(self) -> EndState:
        """Return the first refund that was made, else an escalation, else no action."""
        return self._end_state or self._ended("none")

    def _ended(self, action: str, amount: float | None = None) -> EndState:
        return {"action": action, self._derived.amount_key: amount}

    def _rival(self, found_eligible: simpy.Event) -> Generator[simpy.Event, Any, None]:
        """Refund the order right after the check, before any agent can."""
        yield found_eligible
        yield self._sim.timeout(1)
        self._order_status = "refunded"

    def _get_customer(self, args: dict[str, Any]) -> Observation:
        email = _only_text(args, "email")
        if email is None:
            return _expected("get_customer", "email")
        record = self._derived.customers.get(email)
        return record or refusal(f"no customer has the address {_short(email)}")

    def _lookup_order(self, args: dict[str, Any]) -> Observation:
        if args != self._derived.order_args:
            return _no_such_order("lookup_order", args)
        age_and_status = {
            "days_since_purchase": self._days_since_purchase(),
            "status": self._order_status,
        }
        return Observation(True, self._derived.order | age_and_status, None)

    def _get_policy(self, args: dict[str, Any]) -> Observation:
        if args == self._derived.policy_args:
            return self._derived.policy
        sku = _only_text(args, "sku")
        if sku is None:
            return _expected("get_policy", "sku")
        return refusal(f"no policy covers the item {_short(sku)}")

    def _check_eligibility(self, args: dict[str, Any]) -> Observation:
        if args != self._derived.order_args:
            return _no_such_order("check_eligibility", args)
        reason = self._why_not()
        if reason is None:
            self._notify_rival()
            return self._derived.eligible
        data = {"eligible": False, self._derived.max_refund_key: 0.0, "reason": reason}
        return Observation(True, data, None)

    def _notify_rival(self) -> None:
        if self._found_eligible is not None and not self._found_eligible.triggered:
            self._found_eligible.succeed()

    def _why_not(self) -> str | None:
        order, policy = self._instance.order, self._instance.policy
        if self._order_status == "refunded":
            return ALREADY_REFUNDED
        if not policy.refundable:
            return EXCLUDED
        days, window = self._days_since_purchase(), policy.refund_window_days
        if days > window:
            return window_ended(window, days)
        if order.customer_id != self._instance.customer.customer_id:
            return OTHER_ACCOUNT
        return None

    def _issue_refund(self, args: dict[str, Any]) -> Observation:
        order, key = self._instance.order, self._derived.amount_key
        if args.keys() != {"order_id", key}:
            return _expected("issue_refund", "order_id", key)
        if args["order_id"] != order.order_id:
            return refusal(f"there is no order {_short(args['order_id'])}")
        if self._order_status == "refunded":
            return refusal(ALREADY_REFUNDED)
        cents = cents_of(args[key], at_most=order.total_cents)
        if cents is None:
            return refusal("the amount is not a number above zero and up to the order total")
        self._order_status = "refunded"
        if self._end_state is None or self._end_state["action"] != "refund":
            self._end_state = self._ended("refund", cents / 100)
        data = {self._derived.refunded_key: cents / 100, "status": "refunded"}
        return Observation(True, data, None)

    def _escalate(self, args: dict[str, Any]) -> Observation:
        reason = _only_text(args, "reason")
        if reason is None:
            return _expected("escalate", "reason")
        if self._end_state is None:
            self._end_state = self._ended("escalate")
        return Observation(True, {"ticket": "ESC-OPEN", "reason": reason}, None)

    def _reply(self, args: dict[str, Any]) -> Observation:
        if _only_text(args, "text") is None:
            return _expected("reply", "text")
        return Observation(True, {"sent": True}, None)

    def _days_since_purchase(self) -> int:
        return int((self._derived.age_at_opening_s + self._sim.now) // _SECONDS_A_DAY)


_ANSWERS = {
    "get_customer": SupportDeskWorld._get_customer,
    "lookup_order": SupportDeskWorld._lookup_order,
    "get_policy": SupportDeskWorld._get_policy,
    "check_eligibility": SupportDeskWorld._check_eligibility,
    "issue_refund": SupportDeskWorld._issue_refund,
    "escalate": SupportDeskWorld._escalate,
    "reply": SupportDeskWorld._reply,
}


_NAMES = ", ".join(tool.name for tool in TOOLS)


def _only_text(args: dict[str, Any], name: str) -> str | None:
    """Return an argument if it is the only one and a text."""
    value = args.get(name)
    return value if isinstance(value, str) and len(args) == 1 else None


def _no_such_order(tool: str, args: dict[str, Any]) -> Observation:
    order_id = _only_text(args, "order_id")
    if order_id is None:
        return _expected(tool, "order_id")
    return refusal(f"there is no order {_short(order_id)}")


def _expected(tool: str, *names: str) -> Observation:
    return refusal(f"{tool} takes {' and '.join(names)}, and nothing else")


def _short(value: Any) -> str:
    """Quote a value in an error, at most 60 characters of it."""
    text = value if isinstance(value, str) else type(value).__name__
    return repr(text if len(text) <= 60 else text[:57] + "...")

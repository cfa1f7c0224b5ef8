"""Replies about something that did not happen, in the very wordings of those that are true.

The desk writes a reply from observations. Here it is handed observations that
nobody made, and so no phrasing tells a false reply from a true one.
"""

from __future__ import annotations

from typing import Any

from faultpair.env.records import Call, Observation, Step
from faultpair.env.support_desk.instances import SupportDeskInstance
from faultpair.env.support_desk.money import money_key
from faultpair.env.support_desk.replies import extra_sentences, reply_sentences

from ...fault import Calls

__all__ = ["greeting", "supported_extras", "tell_escalation", "tell_refund", "tell_refusal"]


def tell_refund(instance: SupportDeskInstance, cents: int) -> str:
    """Return the reply that follows a refund of an amount."""
    currency = instance.order.currency
    refund = _seen("issue_refund", **{money_key("refunded", currency): cents / 100})
    return _reply(instance, *_reads(instance), refund)


def tell_escalation(instance: SupportDeskInstance, reason: str) -> str:
    """Return the reply that follows an escalation for a reason."""
    return _reply(instance, _customer(instance), _seen("escalate", reason=reason))


def tell_refusal(instance: SupportDeskInstance, reason: str) -> str:
    """Return the reply that refuses a refund for a reason and leaves it at that."""
    steps = (_customer(instance), _seen("escalate", reason=reason))
    return " ".join(said.text for said in reply_sentences(instance, steps)[:2])


def greeting(run: Calls) -> str:
    """Return how the reply of a clean run begins."""
    text: str = run[-1].args["text"]
    return text[: text.index(".") + 1]


def supported_extras(instance: SupportDeskInstance) -> list[str]:
    """Return sentences that a reply does not need and that the clean run supports."""
    return [said.text for said in extra_sentences(instance, _reads(instance))]


def _reply(instance: SupportDeskInstance, *steps: Step) -> str:
    return " ".join(said.text for said in reply_sentences(instance, steps))


def _reads(instance: SupportDeskInstance) -> tuple[Step, ...]:
    order, policy = instance.order, instance.policy
    shown: dict[str, Any] = {
        "order_id": order.order_id,
        "customer_id": order.customer_id,
        money_key("total", order.currency): order.total_cents / 100,
    }
    if order.item is not None:
        shown |= {"item": order.item, "purchased_on": order.purchased_at[:10]}
    terms = {
        "refund_window_days": policy.refund_window_days,
        "restocking_fee_pct": policy.restocking_fee_pct,
    }
    return (
        _customer(instance),
        _seen("lookup_order", **shown),
        _seen("get_policy", **terms),
        _seen("check_eligibility", eligible=True),
    )


def _customer(instance: SupportDeskInstance) -> Step:
    customer = instance.customer
    return _seen("get_customer", customer_id=customer.customer_id, name=customer.name)


def _seen(tool: str, **data: Any) -> Step:
    return Step(0, "", Call(tool, {}), Observation(True, data, None))

"""Replies about events that did not happen, in the same wordings as true replies.

The domain writes a reply from observations. Here it gets invented ones, so that no phrasing
distinguishes a false reply from a true one.
"""

from __future__ import annotations

from typing import Any

from faultpair.env.records import Call, Observation, Step
from faultpair.env.support_desk.instances import SupportDeskInstance
from faultpair.env.support_desk.money import money_key
from faultpair.env.support_desk.replies import extra_sentences, reply_sentences

from ...fault import Calls

__all__ = ["escalation_reply", "greeting", "refund_reply", "refusal_reply", "supported_extras"]


def refund_reply(instance: SupportDeskInstance, cents: int) -> str:
    """Return the reply that follows a refund of an amount."""
    currency = instance.order.currency
    refund = _step("issue_refund", **{money_key("refunded", currency): cents / 100})
    return _reply(instance, *_reads(instance), refund)


def escalation_reply(instance: SupportDeskInstance, reason: str) -> str:
    """Return the reply that follows an escalation for a reason."""
    return _reply(instance, _customer(instance), _step("escalate", reason=reason))


def refusal_reply(instance: SupportDeskInstance, reason: str) -> str:
    """Return the reply that refuses a refund for a reason, without an escalation."""
    steps = (_customer(instance), _step("escalate", reason=reason))
    return " ".join(sentence.text for sentence in reply_sentences(instance, steps)[:2])


def greeting(run: Calls) -> str:
    """Return the first sentence of the reply of a clean run."""
    text: str = run[-1].args["text"]
    return text[: text.index(".") + 1]


def supported_extras(instance: SupportDeskInstance) -> list[str]:
    """Return the optional sentences that the clean run supports."""
    return [sentence.text for sentence in extra_sentences(instance, _reads(instance))]


def _reply(instance: SupportDeskInstance, *steps: Step) -> str:
    return " ".join(sentence.text for sentence in reply_sentences(instance, steps))


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
        _step("lookup_order", **shown),
        _step("get_policy", **terms),
        _step("check_eligibility", eligible=True),
    )


def _customer(instance: SupportDeskInstance) -> Step:
    customer = instance.customer
    return _step("get_customer", customer_id=customer.customer_id, name=customer.name)


def _step(tool: str, **data: Any) -> Step:
    return Step(0, "", Call(tool, {}), Observation(True, data, None))

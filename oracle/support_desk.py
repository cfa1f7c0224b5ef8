"""The scripted agent of the support desk, correct by construction.

One script with one branch. A call that times out is made again; an authorised
refund that is refused, since a rival was faster, ends in an escalation.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from faultpair.env.kernel import TIMED_OUT, Action, Agent
from faultpair.env.records import Call, Observation, Step
from faultpair.env.support_desk.domain import DeskDialogue
from faultpair.env.support_desk.instances import SupportDeskInstance
from faultpair.env.support_desk.money import amount_key, money_key

__all__ = ["support_desk_oracle"]

Turn = Generator[Action, Step, Observation]


def support_desk_oracle(instance: SupportDeskInstance) -> Agent:
    """Follow the procedure to the letter."""
    steps: list[Step] = []
    given = instance.given
    yield from _attempt(steps, "get_customer", {"email": given["email"]})
    order = yield from _attempt(steps, "lookup_order", {"order_id": given["order_id"]})
    yield from _attempt(steps, "get_policy", {"sku": order.data["sku"]})
    check = yield from _attempt(steps, "check_eligibility", {"order_id": given["order_id"]})
    yield from _act(steps, instance, check)
    yield from _attempt(steps, "reply", {"text": DeskDialogue().reply(instance, steps)})
    return None


def _act(
    steps: list[Step], instance: SupportDeskInstance, check: Observation
) -> Generator[Action, Step, None]:
    reason = check.data["reason"]
    if check.data["eligible"]:
        currency = instance.order.currency
        amount = check.data[money_key("max_refund", currency)]
        order = {"order_id": instance.given["order_id"], amount_key(currency): amount}
        refund = yield from _attempt(steps, "issue_refund", order)
        if refund.ok:
            return
        reason = refund.error
    yield from _attempt(steps, "escalate", {"reason": reason})


def _attempt(steps: list[Step], tool: str, args: dict[str, Any]) -> Turn:
    """Make a call, and again if it times out; keep the step that answered it."""
    call = Call(tool, args)
    step = yield Action(call)
    while step.observation == TIMED_OUT:
        step = yield Action(call)
    assert step.observation is not None  # a world answers every call
    steps.append(step)
    return step.observation

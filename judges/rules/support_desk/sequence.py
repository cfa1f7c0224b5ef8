"""The order of the steps alone, as the pack ``sequence``.

It is a partial order: customer and order may be read either way round, any read
may be repeated, a failed call may be made again. A step counts as done once it
has succeeded; which values it used is not looked at.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from faultpair.env.records import Call, Step

from ...exhibit import Exhibit
from ..engine import Facts, Rule, RulePack, calls_after_reply

__all__ = ["SEQUENCE"]


class StepsDone(Facts):
    """The tools that have been used with success."""

    __slots__ = ("done",)

    def __init__(self, exhibit: Exhibit) -> None:
        super().__init__(exhibit)
        self.done: set[str] = set()

    def learn(self, call: Call, data: dict[str, Any]) -> None:
        """Note that a tool has done its work."""
        self.done.add(call.tool)


def _after(*tools: str) -> Callable[[StepsDone, Step], str | None]:
    """Return a check that at least one of the tools has succeeded before the step."""

    def check(facts: StepsDone, step: Step) -> str | None:
        if not facts.done.isdisjoint(tools):
            return None
        return f"{step.call.tool} comes before any successful {' or '.join(tools)}"

    return check


def _no_reply(facts: StepsDone) -> str | None:
    return None if "reply" in facts.done else "the run ends without a reply to the customer"


_POLICY = ("get_policy",)
_CHECK = ("check_eligibility",)
_ACT = ("issue_refund", "escalate")
_REPLY = ("reply",)

SEQUENCE: RulePack[StepsDone] = RulePack(
    judge_id="sequence",
    summary="The order of the steps alone, whatever values they use.",
    facts=StepsDone,
    rules=(
        Rule("Q1_order_before_policy", 3, None, _after("lookup_order"), tools=_POLICY),
        Rule(
            "Q2_customer_before_check",
            4,
            "unverified_customer",
            _after("get_customer"),
            tools=_CHECK,
        ),
        Rule("Q3_order_before_check", 4, None, _after("lookup_order"), tools=_CHECK),
        Rule("Q4_policy_before_check", 4, "policy_unread", _after("get_policy"), tools=_CHECK),
        Rule("Q5_check_before_action", 4, "skipped_precondition", _after(*_CHECK), tools=_ACT),
        Rule("Q6_action_before_reply", 11, "premature_stop", _after(*_ACT), tools=_REPLY),
        Rule(
            "Q7_reply_last", 11, "premature_stop", calls_after_reply, tools=_REPLY, at_end=_no_reply
        ),
    ),
)

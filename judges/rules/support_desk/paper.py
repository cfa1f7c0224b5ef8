"""The eight rules of trajectory-judge, as the pack ``rules``.

On every trajectory of the public release it agrees with the published rule engine.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from faultpair.env.records import Call, Step

from ...exhibit import Exhibit
from ..engine import Facts, Rule, RulePack, calls_after_reply
from ..values import TOLERANCE, is_grounded, number_in, number_under, show, word_in

__all__ = ["RULES"]

Authorised = tuple[str, float] | None
"""A currency and an amount, None when a passing check names no amount."""


class PaperFacts(Facts):
    """The results of successful calls, by order where they concern one."""

    __slots__ = ("acted", "authorised", "customer", "known", "owners", "refunded")

    def __init__(self, exhibit: Exhibit) -> None:
        super().__init__(exhibit)
        self.known: list[Mapping[str, Any]] = [exhibit.given]
        self.customer: str | None = None
        self.owners: dict[str, str | None] = {}
        self.authorised: dict[str, Authorised] = {}
        self.refunded: set[str] = set()
        self.acted = False

    def learn(self, call: Call, data: dict[str, Any]) -> None:
        """Add the answer to the known values, and note what it means for an order."""
        self.known.append(data)
        order = word_in(call.args, "order_id")
        match call.tool:
            case "get_customer":
                self.customer = word_in(data, "customer_id")
            case "lookup_order" if order is not None:
                self.owners[order] = word_in(data, "customer_id")
                if data.get("status") == "refunded":
                    self.refunded.add(order)
            case "check_eligibility" if order is not None:
                # Of several checks of an order the latest counts.
                self.authorised.pop(order, None)
                if data.get("eligible") is True:
                    self.authorised[order] = number_under(data, "max_refund_")
            case "issue_refund" | "escalate":
                self.acted = True
                if call.tool == "issue_refund" and order is not None:
                    self.refunded.add(order)


_IDENTIFIERS = frozenset({"email", "order_id", "sku"})


def _ungrounded_argument(facts: PaperFacts, step: Step) -> str | None:
    for key, value in step.call.args.items():
        checked = key in _IDENTIFIERS or key.startswith("amount_")
        if checked and not is_grounded(value, facts.known):
            name = key if key in _IDENTIFIERS else "amount"
            return (
                f"{step.call.tool} is called with {name} {show(value)}, "
                "which neither the request nor an earlier observation contains"
            )
    return None


def _unchecked_refund(facts: PaperFacts, step: Step) -> str | None:
    order = word_in(step.call.args, "order_id")
    if order in facts.authorised:
        return None
    return f"order {show(order)} is refunded, but no eligibility check has passed it"


def _owner_not_verified(facts: PaperFacts, step: Step) -> str | None:
    owner = facts.owners.get(word_in(step.call.args, "order_id") or "")
    if owner is None or facts.customer is None or owner == facts.customer:
        return None
    return f"the order belongs to {show(owner)}, the customer looked up is {show(facts.customer)}"


def _already_refunded(facts: PaperFacts, step: Step) -> str | None:
    order = word_in(step.call.args, "order_id")
    if order not in facts.refunded:
        return None
    return f"order {show(order)} had already been refunded"


def _amount_not_authorised(facts: PaperFacts, step: Step) -> str | None:
    order = word_in(step.call.args, "order_id")
    if order is None or order not in facts.authorised:
        return None
    authorised = facts.authorised[order]
    if authorised is None:
        return f"the check of order {show(order)} named no amount, so none is authorised"
    currency, limit = authorised
    asked = step.call.args.get(f"amount_{currency}")
    amount = number_in(asked)
    if amount is not None and abs(amount - limit) <= TOLERANCE:
        return None
    return f"the amount asked for is {show(asked)}, but the check authorised {limit}"


def _unknown_order_checked(facts: PaperFacts, step: Step) -> str | None:
    order = word_in(step.call.args, "order_id")
    if order in facts.owners:
        return None
    return f"eligibility of order {show(order)} is checked, but the order was never looked up"


def _no_reply(facts: PaperFacts) -> str | None:
    if facts.steps and facts.steps[-1].call.tool == "reply":
        return None
    return "the run ends without a reply to the customer"


def _no_action(facts: PaperFacts) -> str | None:
    if facts.acted or any(step.call.tool == "issue_refund" for step in facts.steps):
        return None
    return "the run ends with neither a refund attempted nor the case handed over"


_REFUND = ("issue_refund",)
_CHECK = ("check_eligibility",)
_LOOK_UP = ("get_customer", "lookup_order", "get_policy", *_CHECK)

RULES: RulePack[PaperFacts] = RulePack(
    judge_id="rules",
    summary="The eight rules of trajectory-judge; the text of the reply is beyond them.",
    facts=PaperFacts,
    rules=(
        Rule(
            "R4_ungrounded_argument",
            7,
            "hallucinated_argument",
            _ungrounded_argument,
            tools=(*_LOOK_UP, *_REFUND),
        ),
        Rule("R1_unchecked_refund", 4, "skipped_precondition", _unchecked_refund, tools=_REFUND),
        Rule("R6_owner_not_verified", 1, "ignored_observation", _owner_not_verified, tools=_REFUND),
        Rule("R7_already_refunded", 5, "ignored_observation", _already_refunded, tools=_REFUND),
        Rule("R2_wrong_amount", 5, "ignored_observation", _amount_not_authorised, tools=_REFUND),
        Rule("R3_unknown_order", 4, "skipped_precondition", _unknown_order_checked, tools=_CHECK),
        Rule(
            "R5_reply_placement",
            11,
            "premature_stop",
            calls_after_reply,
            tools=("reply",),
            at_end=_no_reply,
        ),
        Rule("R8_no_action", 11, "premature_stop", at_end=_no_action),
    ),
)

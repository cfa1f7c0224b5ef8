"""The eight rules of trajectory-judge, as the pack ``rules``.

They see what an engine of the paper's kind can see: on its public release this
pack agrees with the published rule engine on every trajectory.
"""

from __future__ import annotations

from faultpair.env.records import Step

from ..engine import Rule, RulePack, calls_after_reply
from ..values import TOLERANCE, is_grounded, number_in, show, word_in
from .paper_facts import PaperFacts

__all__ = ["RULES"]

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

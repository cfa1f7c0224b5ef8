"""Strict rules for actions: clauses 1, 4 to 7."""

from __future__ import annotations

from faultpair.env.records import Step

from ...engine import Rule
from ...values import number_in, number_under, show, word_in
from .facts import CaseFacts

__all__ = ["CHECK_RULES", "REFUND_RULES"]

_HALF_CENT = 0.005
_REFUND_ARGUMENTS = 2


def _refund_of_another_order(facts: CaseFacts, step: Step) -> str | None:
    order_id = step.call.args.get("order_id")
    if facts.order_id is None or facts.order_id == order_id:
        return None
    return f"the refund is for order {show(order_id)}, the request for {show(facts.order_id)}"


def _paid_up_front(facts: CaseFacts, step: Step) -> str | None:
    if facts.check is None and not facts.policy_read and facts.later("check_eligibility"):
        return "money is moved before the policy has been read and the check run"
    return None


def _acted_before_check(facts: CaseFacts, step: Step) -> str | None:
    if facts.check is None and facts.later("check_eligibility"):
        return f"{step.call.tool} comes first, the eligibility check after it"
    return None


def _acted_without_check(facts: CaseFacts, step: Step) -> str | None:
    return f"{step.call.tool} is used without an eligibility check" if facts.check is None else None


def _refunded_again(facts: CaseFacts, step: Step) -> str | None:
    if facts.refunded:
        return "the order is refunded a second time"
    return "a refund is tried again after it was refused" if facts.refusal is not None else None


def _refused_by_check(facts: CaseFacts, step: Step) -> str | None:
    if facts.eligible or facts.check is None:
        return None
    return f"refunded although the check said {show(facts.check.get('reason'))}"


def _owner_is_another(facts: CaseFacts, step: Step) -> str | None:
    owner = word_in(facts.order or {}, "customer_id")
    customer = word_in(facts.customer or {}, "customer_id")
    if owner is None or customer is None or owner == customer:
        return None
    return f"the order belongs to {show(owner)}, the customer is {show(customer)}"


def _less_than_authorised(facts: CaseFacts, step: Step) -> str | None:
    asked, limit = _asked_and_authorised(facts, step)
    amount = number_in(asked)
    if amount is None or not 0 < amount < limit - _HALF_CENT:
        return None
    return f"{amount} is refunded, though {limit} was authorised"


def _cents_for_units(facts: CaseFacts, step: Step) -> str | None:
    asked, limit = _asked_and_authorised(facts, step)
    amount = number_in(asked)
    if amount is None or limit <= 0 or abs(amount - 100 * limit) >= _HALF_CENT:
        return None
    return f"{amount} is asked for, a hundred times the {limit} that was authorised"


def _other_than_authorised(facts: CaseFacts, step: Step) -> str | None:
    asked, limit = _asked_and_authorised(facts, step)
    amount, n_arguments = number_in(asked), len(step.call.args)
    if amount is not None and abs(amount - limit) < _HALF_CENT and n_arguments == _REFUND_ARGUMENTS:
        return None
    return f"the refund asks for {show(asked)}, the check authorised {limit} and nothing else"


def _asked_and_authorised(facts: CaseFacts, step: Step) -> tuple[object, float]:
    """Return the amount of a refund in the currency of the check, and the authorised amount."""
    currency, limit = number_under(facts.check or {}, "max_refund_") or ("", 0.0)
    return step.call.args.get(f"amount_{currency}"), limit


_REFUND = ("issue_refund",)
_ACT = ("issue_refund", "escalate")

CHECK_RULES: tuple[Rule[CaseFacts], ...] = (
    Rule(
        "S5_another_order_refunded",
        7,
        "wrong_order_refunded",
        _refund_of_another_order,
        tools=_REFUND,
    ),
    Rule("S6_paid_up_front", 4, "paid_up_front", _paid_up_front, tools=_REFUND),
    Rule("S7_check_too_late", 4, "check_after_action", _acted_before_check, tools=_ACT),
    Rule("S8_no_check", 4, "skipped_precondition", _acted_without_check, tools=_ACT),
)

REFUND_RULES: tuple[Rule[CaseFacts], ...] = (
    Rule("S15_refunded_again", 5, "repeated_refund", _refunded_again, tools=_REFUND),
    Rule("S16_not_eligible", 6, "refunded_despite_refusal", _refused_by_check, tools=_REFUND),
    Rule("S17_owner", 1, "ignored_observation", _owner_is_another, tools=_REFUND),
    Rule("S18_less", 5, "partial_refund", _less_than_authorised, tools=_REFUND),
    Rule("S19_cents", 5, "amount_in_cents", _cents_for_units, tools=_REFUND),
    Rule("S20_amount", 5, "ignored_observation", _other_than_authorised, tools=_REFUND),
)

"""Strict rules for the steps before an action: clauses 1 to 4, 9 and 10."""

from __future__ import annotations

from faultpair.env.records import Step

from ...engine import Rule
from ...values import show, word_in
from .facts import CaseFacts, same_call

__all__ = ["READING_RULES", "REQUEST_RULES"]


def _timed_out_call_dropped(facts: CaseFacts, step: Step) -> str | None:
    pending = facts.pending
    if pending is None or same_call(step.call, pending) or facts.has_read(step.call.tool):
        return None
    return f"{show(pending.tool)} timed out and is not tried again before {show(step.call.tool)}"


def _another_customer(facts: CaseFacts, step: Step) -> str | None:
    email = step.call.args.get("email")
    if facts.email is None or facts.email == email:
        return None
    return f"the customer fetched is {show(email)}, the request is from {show(facts.email)}"


def _another_order(facts: CaseFacts, step: Step) -> str | None:
    order_id = step.call.args.get("order_id")
    if facts.order_id is None or facts.order_id == order_id:
        return None
    return f"{step.call.tool} is about order {show(order_id)}, the request {show(facts.order_id)}"


def _order_unknown(facts: CaseFacts, step: Step) -> str | None:
    if facts.order is not None:
        return None
    return f"{step.call.tool} comes before the order has been read"


def _another_item(facts: CaseFacts, step: Step) -> str | None:
    if facts.order is None:
        return None
    ordered, asked = word_in(facts.order, "sku"), step.call.args.get("sku")
    if ordered is not None and ordered == asked:
        return None
    return f"the policy read is that of {show(asked)}, the order shows item {show(ordered)}"


def _read_again_in_place_of_policy(facts: CaseFacts, step: Step) -> str | None:
    if facts.policy_read or not facts.has_read(step.call.tool):
        return None
    for later in facts.steps[facts.index + 1 :]:
        if later.call.tool == "check_eligibility":
            return f"{step.call.tool} is used again where the policy was to be read"
        if later.call.tool == "get_policy" and later.observation and later.observation.ok:
            return None
    return None


def _checked_early(facts: CaseFacts, step: Step) -> str | None:
    if facts.policy_read or not facts.later("get_policy"):
        return None
    return "eligibility is checked first, the policy is read after it"


def _customer_unknown(facts: CaseFacts, step: Step) -> str | None:
    if facts.customer is not None:
        return None
    return "eligibility is checked before the customer has been read"


def _policy_unknown(facts: CaseFacts, step: Step) -> str | None:
    return None if facts.policy_read else "eligibility is checked before the policy has been read"


def _unknown_tool(facts: CaseFacts, step: Step) -> str | None:
    return None if step.call.tool in _TOOLS else f"no clause foresees {show(step.call.tool)}"


_CUSTOMER = ("get_customer",)
_ORDER = ("lookup_order",)
_POLICY = ("get_policy",)
_CHECK = ("check_eligibility",)
_TOOLS = frozenset({*_CUSTOMER, *_ORDER, *_POLICY, *_CHECK, "issue_refund", "escalate", "reply"})

REQUEST_RULES: tuple[Rule[CaseFacts], ...] = (
    Rule("S1_another_customer", 1, "verified_someone_else", _another_customer, tools=_CUSTOMER),
    Rule("S2_another_order", 2, "hallucinated_argument", _another_order, tools=(*_ORDER, *_CHECK)),
    Rule("S3_another_item", 3, "hallucinated_argument", _another_item, tools=_POLICY),
    Rule(
        "S4_wrong_read",
        3,
        "wrong_tool",
        _read_again_in_place_of_policy,
        tools=(*_CUSTOMER, *_ORDER),
    ),
)

READING_RULES: tuple[Rule[CaseFacts], ...] = (
    Rule("S9_timed_out_call_dropped", 9, "timeout_as_answer", _timed_out_call_dropped),
    Rule("S10_check_too_early", 4, "checked_before_reading", _checked_early, tools=_CHECK),
    Rule("S11_order_unknown", 3, None, _order_unknown, tools=(*_POLICY, *_CHECK)),
    Rule("S12_customer_unknown", 4, "unverified_customer", _customer_unknown, tools=_CHECK),
    Rule("S13_policy_unknown", 4, "policy_unread", _policy_unknown, tools=_CHECK),
    Rule("S14_unknown_tool", 10, "wrong_tool", _unknown_tool),
)

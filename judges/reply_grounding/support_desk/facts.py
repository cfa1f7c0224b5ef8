"""The kinds of claim about records: the policy, the order, the check."""

from __future__ import annotations

from ...rules.values import number_in, word_in
from .actions import grounds_of
from .case import DeskCase
from .claims import Claim, Grounds, Kind
from .reasons import numbers_of_reason

__all__ = ["FACTS"]


def _fee(case: DeskCase, claim: Claim) -> str | None:
    if not case.fee_percent:
        return "no policy with a fee was read"
    if "refund" in claim.concepts and "kept" not in claim.concepts:
        return "no observation has a fee refunded"
    kept_nothing = case.refunded is not None and case.refunded == case.total
    return "no fee was kept from the refund" if kept_nothing else None


def _no_fee(case: DeskCase, claim: Claim) -> str | None:
    return None if case.fee_percent == 0 else "no policy without a fee was read"


def _fee_amounts(case: DeskCase) -> Grounds:
    amounts = [case.total, case.refunded or case.authorised]
    paid, kept = amounts
    if paid is not None and kept is not None and paid[0] == kept[0]:
        amounts.append((paid[0], paid[1] - kept[1]))
    return grounds_of(case, *amounts)


def _policy_read(case: DeskCase, claim: Claim) -> str | None:
    return None if case.policy else "no policy was read"


def _window(case: DeskCase) -> Grounds:
    days = number_in(case.policy.get("refund_window_days"))
    return Grounds(numbers=() if days is None else (days,), identifiers=case.identifiers)


def _was_read(case: DeskCase, claim: Claim) -> str | None:
    records = {
        "order": case.order,
        "item": case.order,
        "policy": case.policy,
        "customer": case.customer,
        "check": case.check,
    }
    for concept, record in records.items():
        if concept in claim.concepts and not record:
            return f"no {concept} was read"
    if "eligible" in claim.concepts and not case.eligible:
        return "the check did not find the order eligible"
    return None


def _eligible(case: DeskCase, claim: Claim) -> str | None:
    if not case.eligible:
        return "no check found the order eligible"
    whole = case.authorised == case.total
    return None if whole or "full" not in claim.concepts else "less than the whole was authorised"


def _authorised_only(case: DeskCase) -> Grounds:
    return grounds_of(case, case.authorised)


def _own_order(case: DeskCase, claim: Claim) -> str | None:
    if not case.order:
        return "no order was read"
    return None if case.is_own_order else "the order is not the customer's (clause 11)"


def _order_values(case: DeskCase) -> Grounds:
    days = number_in(case.order.get("days_since_purchase"))
    day = word_in(case.order, "purchased_on")
    return Grounds(
        amounts=() if case.total is None else (case.total,),
        numbers=() if days is None else (days,),
        dates=() if day is None else (day[:10],),
        identifiers=case.identifiers,
    )


FACTS: tuple[Kind, ...] = (
    Kind(
        "fee kept",
        "fee",
        "self order item own_item policy total money refund kept",
        _fee,
        _fee_amounts,
    ),
    Kind("no fee", "negation fee", "self order item own_item policy kept", _no_fee, _fee_amounts),
    Kind(
        "window",
        "window day | window number",
        "self order item own_item policy",
        _policy_read,
        _window,
    ),
    Kind(
        "inside the window",
        "inside window | inside policy",
        "self order item own_item policy window day placed refund",
        _eligible,
        numbers_of_reason,
    ),
    Kind(
        "record read",
        "read order | read item | read policy | read customer | read record | read case"
        " | read check | check order | check item",
        "self refund decided named eligible case record own_item",
        _was_read,
        grounds_of,
    ),
    Kind(
        "eligible",
        "eligible | approved refund | approved amount | approved case",
        "self customer order item own_item case refund refunded policy check approved money full",
        _eligible,
        _authorised_only,
    ),
    Kind(
        "fact of the order",
        "order own_item | order date | order total | order placed | order status | own_status"
        " | own_item amount | total amount | placed date | placed day",
        "self customer order item own_item total money placed day named",
        _own_order,
        _order_values,
    ),
)

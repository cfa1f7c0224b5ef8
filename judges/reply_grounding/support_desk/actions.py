"""The kinds of claim about actions. Numbers in their names are clauses of the procedure."""

from __future__ import annotations

from .case import DeskCase
from .claims import Claim, Grounds, Kind

__all__ = ["ACTIONS", "grounds_of"]

_REFUND = (
    "self customer name order item own_item case refund refunded sent issued money full total "
    "approved eligible method used moves named fee kept"
)


def grounds_of(case: DeskCase, *amounts: tuple[str, float] | None) -> Grounds:
    """Return grounds with some amounts and what any claim may state: own numbers, the fee."""
    return Grounds(
        amounts=tuple(amount for amount in amounts if amount is not None),
        percents=() if case.fee_percent is None else (case.fee_percent,),
        identifiers=case.identifiers,
    )


def _own_only(case: DeskCase) -> Grounds:
    return Grounds(identifiers=case.identifiers)


def _refunded_only(case: DeskCase) -> Grounds:
    return grounds_of(case, case.refunded)


def _total_only(case: DeskCase) -> Grounds:
    return grounds_of(case, case.total)


def _nothing_needed(case: DeskCase, claim: Claim) -> str | None:
    return None


def _refund_made(case: DeskCase, claim: Claim) -> str | None:
    if case.refund_step is None:
        return "no refund was made before this was said"
    unnamed_total = "total" in claim.concepts and "amount" not in claim.concepts
    if (unnamed_total or "full" in claim.concepts) and case.refunded != case.total:
        return "the refund was not of the whole amount"
    if "fee" in claim.concepts and not (case.fee_percent and "kept" in claim.concepts):
        return "no observation has a fee refunded"
    return None


def _refund_not_made(case: DeskCase, claim: Claim) -> str | None:
    if case.refund_step is not None:
        return "a refund was made"
    return None if case.reason is not None else "neither a check nor the till refused a refund"


def _nothing_done(case: DeskCase, claim: Claim) -> str | None:
    return "the case was settled" if case.done else None


def _handed_over(case: DeskCase, claim: Claim) -> str | None:
    return None if case.escalate_step is not None else "the case was not handed over"


def _specialist_contacts(case: DeskCase, claim: Claim) -> str | None:
    if "self" in claim.concepts and "specialist" not in claim.concepts:
        return "clause 6 has a specialist do this"
    return _handed_over(case, claim)


def _money_goes_back(case: DeskCase, claim: Claim) -> str | None:
    return None if case.refund_step is not None else "no refund was made that could go anywhere"


ACTIONS: tuple[Kind, ...] = (
    Kind("greeting", "greeting | name", "customer", _nothing_needed, _own_only, verbal=False),
    Kind(
        "courtesy",
        "courtesy",
        "greeting self customer name order item case negation named",
        _nothing_needed,
        _own_only,
    ),
    Kind(
        "what it is about",
        "order | item | own_item | case | identifier | address",
        "customer name",
        _nothing_needed,
        _own_only,
        verbal=False,
    ),
    Kind(
        "refund made",
        "refunded | refund issued | refund sent | refund amount | refund moves | money sent"
        " | sent amount | issued amount | moves amount",
        _REFUND,
        _refund_made,
        _refunded_only,
        asserts="issue_refund",
    ),
    Kind(
        "refund refused",
        "negation refund | negation refunded | negation approved | negation case"
        " | negation eligible",
        "self customer name order item own_item issued money sent possible total full policy other",
        _refund_not_made,
        _total_only,
    ),
    Kind(
        "nothing done",
        "negation refund handed | negation refunded handed",
        "self order case issued",
        _nothing_done,
        _own_only,
    ),
    Kind(
        "handed over (6)",
        "handed | specialist case",
        "self customer name order item own_item review other named issued",
        _handed_over,
        _own_only,
        asserts="escalate",
    ),
    Kind(
        "specialist contacts (6)",
        "contact | specialist review | review case",
        "specialist name case order self decided",
        _specialist_contacts,
        _own_only,
        asserts="escalate",
    ),
    Kind(
        "money goes back (5)",
        "method | money moves | money amount",
        "self order item refund refunded sent issued used find",
        _money_goes_back,
        _refunded_only,
    ),
)

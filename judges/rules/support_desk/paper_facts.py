"""What the paper's rules remember of a support-desk run: values seen, orders, authorisations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from faultpair.env.records import Call

from ...exhibit import Exhibit
from ..engine import Facts
from ..values import number_under, word_in

__all__ = ["PaperFacts"]

Authorised = tuple[str, float] | None
"""A currency and an amount, None when a passing check names no amount."""


class PaperFacts(Facts):
    """Everything that successful calls have shown, by order where it concerns one."""

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
        """Add what was returned to the known values, then note what it means."""
        self.known.append(data)
        note = _NOTES.get(call.tool)
        if note is not None:
            note(self, call.args, data)


def _note_customer(facts: PaperFacts, args: dict[str, Any], data: dict[str, Any]) -> None:
    facts.customer = word_in(data, "customer_id")


def _note_order(facts: PaperFacts, args: dict[str, Any], data: dict[str, Any]) -> None:
    order = word_in(args, "order_id")
    if order is not None:
        facts.owners[order] = word_in(data, "customer_id")
        if data.get("status") == "refunded":
            facts.refunded.add(order)


def _note_check(facts: PaperFacts, args: dict[str, Any], data: dict[str, Any]) -> None:
    # Of several checks of an order the latest counts.
    order = word_in(args, "order_id")
    if order is None:
        return
    if data.get("eligible") is True:
        facts.authorised[order] = number_under(data, "max_refund_")
    else:
        facts.authorised.pop(order, None)


def _note_refund(facts: PaperFacts, args: dict[str, Any], data: dict[str, Any]) -> None:
    facts.acted = True
    order = word_in(args, "order_id")
    if order is not None:
        facts.refunded.add(order)


def _note_escalation(facts: PaperFacts, args: dict[str, Any], data: dict[str, Any]) -> None:
    facts.acted = True


_NOTES: dict[str, Callable[[PaperFacts, dict[str, Any], dict[str, Any]], None]] = {
    "get_customer": _note_customer,
    "lookup_order": _note_order,
    "check_eligibility": _note_check,
    "issue_refund": _note_refund,
    "escalate": _note_escalation,
}

"""The facts of the paper's rules: known values, orders, authorisations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from faultpair.env.records import Call

from ...exhibit import Exhibit
from ..engine import Facts
from ..values import number_under, word_in

__all__ = ["PaperFacts"]

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

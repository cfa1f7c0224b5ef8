"""The facts of the strict rules: the case of one customer."""

from __future__ import annotations

from typing import Any

from faultpair.env.records import Call, Observation

from ....exhibit import Exhibit
from ...engine import Facts
from ...values import word_in

__all__ = ["CaseFacts", "same_call"]

_TIMED_OUT = "timed out"


class CaseFacts(Facts):
    """The request, the records, the latest check, and the actions.

    ``pending`` is a call that timed out and was not repeated yet; ``refusal`` is the
    error of a refused refund.
    """

    __slots__ = (
        "check", "customer", "email", "escalated", "order", "order_id", "pending", "policy_read",
        "refunded", "refusal", "replied",
    )  # fmt: skip

    def __init__(self, exhibit: Exhibit) -> None:
        super().__init__(exhibit)
        self.email = word_in(exhibit.given, "email")
        self.order_id = word_in(exhibit.given, "order_id")
        self.customer: dict[str, Any] | None = None
        self.order: dict[str, Any] | None = None
        self.policy_read = False
        self.check: dict[str, Any] | None = None
        self.refusal: str | None = None
        self.refunded = False
        self.escalated = False
        self.replied = False
        self.pending: Call | None = None

    @property
    def eligible(self) -> bool:
        """Whether the latest check passed the order."""
        return self.check is not None and self.check.get("eligible") is True

    def has_read(self, tool: str) -> bool:
        """Return whether a read has already succeeded."""
        return (
            (tool == "get_customer" and self.customer is not None)
            or (tool == "lookup_order" and self.order is not None)
            or (tool == "get_policy" and self.policy_read)
        )

    def later(self, tool: str) -> bool:
        """Return whether a tool is used after the step being judged."""
        return any(step.call.tool == tool for step in self.steps[self.index + 1 :])

    def learn(self, call: Call, data: dict[str, Any]) -> None:
        """Note the result of a successful call."""
        self._settle(call)
        match call.tool:
            case "get_customer":
                self.customer = data
            case "lookup_order":
                self.order = data
            case "get_policy":
                self.policy_read = True
            case "check_eligibility":
                self.check = data
            case "issue_refund":
                self.refunded = True
            case "escalate":
                self.escalated = True
            case "reply":
                self.replied = True

    def learn_failure(self, call: Call, observation: Observation | None) -> None:
        """Note a time-out, or the refusal of a refund."""
        error = (observation.error if observation is not None else None) or ""
        if error.startswith(_TIMED_OUT):
            self.pending = call
            return
        self._settle(call)
        if call.tool == "issue_refund":
            self.refusal = error

    def _settle(self, call: Call) -> None:
        if self.pending is not None and same_call(call, self.pending):
            self.pending = None


def same_call(one: Call, other: Call) -> bool:
    """Return whether two calls are equal; arguments too deep to compare are not."""
    try:
        return one == other
    except RecursionError:
        return False

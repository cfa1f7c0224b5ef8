"""The case of a run of the support desk: its state before a text to the customer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from faultpair.env.records import Call, Step

from ...exhibit import Exhibit
from ...rules.values import number_in, number_under, word_in
from ..terms import Phrases
from ..tokens import Sort, tokens
from .words import LEXICON

__all__ = ["DeskCase", "case_after"]

Amount = tuple[str, float]
_TIMED_OUT = "timed out"
_LONGEST_NAME, _LONGEST_REASON = 100, 500


@dataclass
class DeskCase:
    """The request, the latest record of each kind, and the actions.

    The first refund and the first hand-over count, as in the world. A record that was
    not read is empty, and so is one of another customer or order. ``refusal`` is the
    error of a refused refund.
    """

    given: Mapping[str, Any]
    customer: Mapping[str, Any] = field(default_factory=dict)
    order: Mapping[str, Any] = field(default_factory=dict)
    policy: Mapping[str, Any] = field(default_factory=dict)
    check: Mapping[str, Any] | None = None
    check_before_refund: Mapping[str, Any] | None = None
    refund: Mapping[str, Any] | None = None
    refund_step: int | None = None
    escalate_step: int | None = None
    ticket: str | None = None
    refusal: str | None = None

    @property
    def done(self) -> frozenset[str]:
        """The tools that have settled the case."""
        steps = {"issue_refund": self.refund_step, "escalate": self.escalate_step}
        return frozenset(tool for tool, step in steps.items() if step is not None)

    @property
    def eligible(self) -> bool | None:
        """The answer of the check, None if there was none."""
        return None if self.check is None else self.check.get("eligible") is True

    @property
    def reason(self) -> str | None:
        """Why no refund is made: the error of a refusal, or the reason of a check that failed."""
        found = word_in(self.check or {}, "reason") if self.eligible is False else None
        reason = found if self.refusal is None else self.refusal
        return None if reason is None else reason[:_LONGEST_REASON]

    @property
    def is_own_order(self) -> bool:
        """Whether the order is the customer's, so that a reply may state its details."""
        owner = word_in(self.order, "customer_id")
        return owner is not None and owner == word_in(self.customer, "customer_id")

    @cached_property
    def refunded(self) -> Amount | None:
        """The amount that was refunded."""
        return number_under(self.refund or {}, "refunded_")

    @cached_property
    def authorised(self) -> Amount | None:
        """The amount that the check allows; once a refund is made, the check before it."""
        check = self.check if self.refund_step is None else self.check_before_refund
        return number_under(check or {}, "max_refund_")

    @cached_property
    def total(self) -> Amount | None:
        """The price of the order."""
        return number_under(self.order, "total_")

    @cached_property
    def fee_percent(self) -> float | None:
        """The restocking fee of the item."""
        return number_in(self.policy.get("restocking_fee_pct"))

    @cached_property
    def identifiers(self) -> frozenset[str]:
        """The own order, account, item, address and ticket, which a reply may state."""
        order_id = word_in(self.given, "order_id") or word_in(self.order, "order_id")
        words = [
            order_id,
            (order_id or "").rpartition("-")[2],
            word_in(self.given, "email"),
            word_in(self.customer, "customer_id"),
            word_in(self.order, "sku") if self.is_own_order else None,
            self.ticket,
        ]
        return frozenset(word.casefold() for word in words if word)

    @cached_property
    def phrases(self) -> Phrases:
        """The customer's name, and the item and status of the own order."""
        found: dict[tuple[str, ...], frozenset[str]] = {}
        found |= {(word,): frozenset({"name"}) for word in _words(self.customer, "name")}
        if self.is_own_order:
            for key in ("item", "status"):
                words = _words(self.order, key)
                if words and words not in LEXICON.phrases:
                    found[words] = frozenset({f"own_{key}"})
        found |= {(word,): frozenset({"quoted"}) for word in self._words_of_reason}
        return found

    @property
    def _words_of_reason(self) -> list[str]:
        terms = LEXICON.read(self.reason or "")
        return [term.token.text.lower() for term in terms if term.concepts is None]


def case_after(exhibit: Exhibit, steps: Sequence[Step]) -> DeskCase:
    """Return the case after some steps of a run."""
    case = DeskCase(_object(exhibit.given))
    for at, step in enumerate(steps):
        observation = step.observation
        if observation is not None and observation.ok:
            _learn(case, at, step.call, _object(observation.data))
        elif observation is not None and step.call.tool == "issue_refund":
            case.refusal = _refusal(observation.error) or case.refusal
    return case


def _learn(case: DeskCase, at: int, call: Call, data: Mapping[str, Any]) -> None:
    match call.tool:
        case "get_customer" if _is_asked_about(case, call, "email"):
            case.customer = data
        case "lookup_order" if _is_asked_about(case, call, "order_id"):
            case.order = data
        case "get_policy":
            case.policy = data
        case "check_eligibility":
            case.check = data
        case "issue_refund" if case.refund_step is None:
            case.refund, case.refund_step = data, at
            case.check_before_refund = case.check
        case "escalate" if case.escalate_step is None:
            case.escalate_step, case.ticket = at, word_in(data, "ticket")


def _is_asked_about(case: DeskCase, call: Call, key: str) -> bool:
    """Return whether a record is that of the request; if it names none, any is."""
    named = word_in(case.given, key)
    return named is None or named == call.args.get(key)


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _refusal(error: Any) -> str | None:
    return error if isinstance(error, str) and not error.startswith(_TIMED_OUT) else None


def _words(record: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """Return the words under a key without a leading article."""
    text = (word_in(record, key) or "")[:_LONGEST_NAME].lower()
    words = tuple(token.text for token in tokens(text) if token.sort is Sort.WORD)
    return words[1:] if words[:1] in (("a",), ("an",)) else words

"""The kinds of claim that state why no refund is made.

A reason has to be the one that the check or the refused refund gave; another true one
does not count.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from ...rules.values import number_in
from .case import DeskCase
from .claims import Claim, Grounds, Kind, alternatives
from .words import LEXICON

__all__ = ["REASONS", "numbers_of_reason"]


@lru_cache(maxsize=512)
def _read(reason: str) -> Claim:
    return Claim(tuple(LEXICON.read(reason)))


def numbers_of_reason(case: DeskCase) -> Grounds:
    """Return the numbers in the reason, the days of the window and the age of the order."""
    numbers = [
        *(token.number for token in _read(case.reason or "").values),
        number_in(case.policy.get("refund_window_days")),
        number_in(case.order.get("days_since_purchase")),
    ]
    known = tuple(number for number in numbers if number is not None)
    return Grounds(numbers=known, identifiers=case.identifiers)


def _as_observed(needs: str) -> Callable[[DeskCase, Claim], str | None]:
    """Return the support of a reason: the observed one has the same concepts."""

    def support(case: DeskCase, claim: Claim) -> str | None:
        if case.reason is None:
            return "neither a check nor a refusal gave a reason"
        concepts = _read(case.reason).concepts
        if any(need <= concepts for need in alternatives(needs)):
            return None
        return f"the reason observed is {case.reason!r}"

    return support


def _quoted(case: DeskCase, claim: Claim) -> str | None:
    observed = {term.token.text.lower() for term in _read(case.reason or "").terms}
    words = [term.token.text for term in claim.terms if term.concepts]
    stray = next((word for word in words if word.lower() not in observed), None)
    return None if stray is None else f"the reason observed has no {stray!r}"


def _reason(name: str, needs: str, may: str) -> Kind:
    return Kind(f"reason: {name}", needs, may, _as_observed(needs), numbers_of_reason)


REASONS: tuple[Kind, ...] = (
    _reason("refunded already", "already refunded | already refund issued", "order item case self"),
    _reason(
        "excluded", "excluded | negation eligible item", "order own_item policy refund refunded"
    ),
    _reason(
        "window ended",
        "window ended | ended day",
        "self customer order item own_item policy refund placed total",
    ),
    _reason("owned by another", "owned other | owned negation", "order item customer account self"),
    Kind("reason: quoted", "quoted", " ".join(LEXICON.concepts), _quoted, numbers_of_reason),
)
"""The last kind repeats an observed reason whose words the lexicon lacks."""

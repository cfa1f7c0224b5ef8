"""The warrant of a reported action: the check that called for it."""

from __future__ import annotations

from dataclasses import dataclass

from ...rules.values import TOLERANCE, show
from .case import DeskCase

__all__ = ["SURE", "Complaint", "unwarranted"]

SURE = 0.95


@dataclass(frozen=True, slots=True)
class Complaint:
    """What is wrong, at which step (None in a run without steps), and the type of the fault."""

    step: int | None
    failure_type: str | None
    words: str
    confidence: float = SURE


def unwarranted(case: DeskCase, asserted: frozenset[str]) -> Complaint | None:
    """Return what a reported refund or hand-over lacks of its check (clauses 4 to 6)."""
    if "issue_refund" in asserted and case.refund_step is not None:
        return _unwarranted_refund(case)
    if "escalate" in asserted and case.escalate_step is not None:
        return _unwarranted_hand_over(case)
    return None


def _unwarranted_refund(case: DeskCase) -> Complaint | None:
    step, check = case.refund_step, case.check_before_refund
    if check is None:
        return Complaint(step, "skipped_precondition", "the refund reported had no check before it")
    if check.get("eligible") is not True:
        words = f"a refund is reported, though the check said {show(check.get('reason'))}"
        return Complaint(step, "ignored_observation", words)
    paid, authorised = case.refunded, case.authorised
    if paid is None or authorised is None or paid[0] != authorised[0]:
        return Complaint(step, "ignored_observation", "refund and check do not name amounts alike")
    if abs(paid[1] - authorised[1]) >= TOLERANCE / 2:
        words = f"{paid[1]:.2f} was refunded, though {authorised[1]:.2f} was authorised"
        return Complaint(step, "ignored_observation", words)
    return None


def _unwarranted_hand_over(case: DeskCase) -> Complaint | None:
    if not case.eligible or case.refusal is not None:
        return None
    words = "a hand-over is reported, though the check had found the order eligible"
    return Complaint(case.escalate_step, "ignored_observation", words)

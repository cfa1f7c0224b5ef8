"""The strict reading of how a case ends: clauses 5, 6 and 11."""

from __future__ import annotations

from faultpair.env.records import Step

from ...engine import Rule, calls_after_reply
from ...values import show, word_in
from .facts import CaseFacts

__all__ = ["ENDING_RULES"]


def _handed_over_too(facts: CaseFacts, step: Step) -> str | None:
    if facts.refunded:
        return "the case is handed over although the refund was made"
    if _handed_over_eligible(facts, step) is not None and facts.later("issue_refund"):
        return "the case is handed over, and then refunded as the check allowed"
    return None


def _handed_over_eligible(facts: CaseFacts, step: Step) -> str | None:
    if not facts.eligible or facts.refusal is not None:
        return None
    return "the case is handed over, though the check found the order eligible"


def _handed_over_again(facts: CaseFacts, step: Step) -> str | None:
    return "the case is handed over a second time" if facts.escalated else None


def _reason_not_given(facts: CaseFacts, step: Step) -> str | None:
    checked = None if facts.eligible else word_in(facts.check or {}, "reason")
    stated = word_in(step.call.args, "reason")
    if stated is not None and stated in (checked, facts.refusal):
        return None
    due = checked if facts.refusal is None else facts.refusal
    return f"the reason stated is {show(stated)}, the reason given was {show(due)}"


def _replied_before_acting(facts: CaseFacts, step: Step) -> str | None:
    if facts.refunded or facts.escalated:
        return None
    if facts.later("issue_refund") or facts.later("escalate"):
        return "the reply is sent before the refund or the hand-over"
    return None


def _reply_not_last(facts: CaseFacts, step: Step) -> str | None:
    sent = step.observation is not None and step.observation.ok
    return calls_after_reply(facts, step) if sent else None


def _refund_not_made(facts: CaseFacts, step: Step) -> str | None:
    if facts.eligible and facts.refusal is None and not (facts.refunded or facts.escalated):
        return "the reply is sent, but the authorised refund was never made"
    return None


def _case_not_handed_over(facts: CaseFacts, step: Step) -> str | None:
    if facts.refunded or facts.escalated:
        return None
    return "the reply is sent, but nothing was refunded or handed over"


def _stopped_reading(facts: CaseFacts) -> str | None:
    if facts.order is None or facts.policy_read or facts.check is not None or facts.replied:
        return None
    return "the run ends once the order has been read"


def _left_unanswered(facts: CaseFacts) -> str | None:
    if facts.replied or not (facts.refunded or facts.escalated):
        return None
    return "the case is settled, but the customer is not told"


def _no_reply(facts: CaseFacts) -> str | None:
    return None if facts.replied else "the run ends without a reply to the customer"


_HAND_OVER = ("escalate",)
_REPLY = ("reply",)

ENDING_RULES: tuple[Rule[CaseFacts], ...] = (
    Rule("S21_handed_over_too", 6, "needless_escalation", _handed_over_too, tools=_HAND_OVER),
    Rule("S22_eligible", 6, "escalated_instead", _handed_over_eligible, tools=_HAND_OVER),
    Rule("S23_handed_over_again", 6, "repeated_escalation", _handed_over_again, tools=_HAND_OVER),
    Rule("S24_reason", 6, "false_reason_escalated", _reason_not_given, tools=_HAND_OVER),
    Rule("S25_replied_early", 11, "replied_before_acting", _replied_before_acting, tools=_REPLY),
    Rule("S26_reply_not_last", 11, "premature_stop", _reply_not_last, tools=_REPLY),
    Rule("S27_refund_not_made", 5, "refund_claimed_not_made", _refund_not_made, tools=_REPLY),
    Rule("S28_no_action", 6, "action_claimed_not_made", _case_not_handed_over, tools=_REPLY),
    Rule("S29_stopped_reading", 11, "stopped_after_lookup", at_end=_stopped_reading),
    Rule("S30_left_unanswered", 11, "left_unanswered", at_end=_left_unanswered),
    Rule("S31_no_reply", 11, "premature_stop", at_end=_no_reply),
)

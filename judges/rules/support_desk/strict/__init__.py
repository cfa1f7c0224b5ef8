"""The whole procedure for calls and observations, as the pack ``strict``.

It flags every fault that edits a call, and neither a clean run nor a control. It does
not read replies.
"""

from __future__ import annotations

from ...engine import RulePack
from .endings import ENDING_RULES
from .facts import CaseFacts
from .reads import READING_RULES, REQUEST_RULES
from .refunds import CHECK_RULES, REFUND_RULES

__all__ = ["STRICT"]

STRICT: RulePack[CaseFacts] = RulePack(
    judge_id="strict",
    summary="The whole procedure against calls and observations; it reads no reply.",
    facts=CaseFacts,
    rules=(*REQUEST_RULES, *CHECK_RULES, *READING_RULES, *REFUND_RULES, *ENDING_RULES),
)

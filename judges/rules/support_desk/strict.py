"""The whole procedure read against calls and observations, as the pack ``strict``.

It is as strong as rules can be here: it flags every fault that edits a call, and
neither a clean run nor anything that a clause allows. The text of a reply is
beyond it.
"""

from __future__ import annotations

from judges.rules.engine import RulePack

from .strict_endings import ENDING_RULES
from .strict_facts import CaseFacts
from .strict_reads import READING_RULES
from .strict_refunds import REFUND_RULES

__all__ = ["STRICT"]

STRICT: RulePack[CaseFacts] = RulePack(
    "strict", CaseFacts, (*READING_RULES, *REFUND_RULES, *ENDING_RULES)
)

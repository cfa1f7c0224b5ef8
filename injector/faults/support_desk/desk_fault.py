"""What the faults of the support desk share: their domain, and the clean runs of examples."""

from __future__ import annotations

from typing import ClassVar

from faultpair.env.records import Call, ReplyPolicy
from faultpair.env.support_desk.procedure import READS

from ...fault import Edit, Fault, Replace, Site

__all__ = ["ESCALATION_RUN", "REFUND_RUN", "DeskFault", "ReplyEdit"]

REFUND_RUN = (*READS, "issue_refund", "reply")
"""The calls of a clean run that refunds, for the examples of fault types."""

ESCALATION_RUN = (*READS, "escalate", "reply")
"""The calls of a clean run that hands the case over."""


class DeskFault(Fault):
    """A fault type of the support desk."""

    domain: ClassVar[str] = "support_desk"


class ReplyEdit(DeskFault):
    """A fault of the reply alone. A reply written anew would undo it."""

    policies: ClassVar[tuple[ReplyPolicy, ...]] = (ReplyPolicy.KEEP,)

    @staticmethod
    def reply_with(text: str, site: Site, words: str, variant: str | None = None) -> Edit:
        """Return the edit that says a text in place of the reply at a site."""
        return Edit(Replace(site.step, Call("reply", {"text": text})), words, variant=variant)

"""The base classes of support-desk faults, and the clean runs of their examples."""

from __future__ import annotations

from typing import ClassVar

from faultpair.env.records import Call, ReplyPolicy
from faultpair.env.support_desk.procedure import READS

from ...fault import Edit, Fault, Replace, Site

__all__ = ["ESCALATION_RUN", "REFUND_RUN", "DeskFault", "ReplyEdit"]

REFUND_RUN = (*READS, "issue_refund", "reply")
"""The calls of a clean run that refunds, for the examples of fault types."""

ESCALATION_RUN = (*READS, "escalate", "reply")
"""The calls of a clean run that escalates, for the examples of fault types."""


class DeskFault(Fault):
    """A fault type of the support desk."""

    domain: ClassVar[str] = "support_desk"


class ReplyEdit(DeskFault):
    """A fault of the reply alone, which a consistent reply would undo."""

    policies: ClassVar[tuple[ReplyPolicy, ...]] = (ReplyPolicy.KEEP,)

    @staticmethod
    def reply_with(text: str, site: Site, words: str, variant: str | None = None) -> Edit:
        """Return the edit that replaces the reply at a site."""
        return Edit(Replace(site.step, Call("reply", {"text": text})), words, variant=variant)

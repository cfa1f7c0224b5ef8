"""What the faults of the support desk share: the domain, and kinds of host."""

from __future__ import annotations

from typing import ClassVar

from env.records import Call, ReplyPolicy

from ...fault import Edit, Fault, Replace, Site

__all__ = ["ESCALATION_HOSTS", "REFUND_HOSTS", "DeskFault", "ReplyEdit"]

REFUND_HOSTS = ("happy", "restocking")
"""The scenarios in which a refund is authorised; unless a rival is faster, it is made."""

ESCALATION_HOSTS = ("expired", "non_refundable", "wrong_customer", "already_refunded")
"""The scenarios in which the check refuses the refund."""


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

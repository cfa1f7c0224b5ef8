"""The base classes of support-desk faults, and the clean runs of their examples."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from faultpair.env.records import Call, ReplyPolicy, Trajectory
from faultpair.env.support_desk.instances import SupportDeskInstance
from faultpair.env.support_desk.procedure import READS

from ...fault import Edit, Fault, Replace, Site
from .places import answered

__all__ = ["ESCALATION_RUN", "REFUND_RUN", "DeskFault", "ReplyEdit"]

REFUND_RUN = (*READS, "issue_refund", "reply")
"""The calls of a clean run that refunds, for the examples of fault types."""

ESCALATION_RUN = (*READS, "escalate", "reply")
"""The calls of a clean run that escalates, for the examples of fault types."""


class DeskFault(Fault):
    """A fault type of the support desk. Its site is the first successful call of ``site_tool``.

    A fault type with other sites overrides `sites`.
    """

    domain = "support_desk"
    site_tool: ClassVar[str]

    def sites(self, instance: SupportDeskInstance, run: Trajectory) -> Iterator[Site]:
        """Yield the first successful call of ``site_tool``."""
        return answered(run, self.site_tool)


class ReplyEdit(DeskFault):
    """A fault of the reply alone, which a consistent reply would undo."""

    site_tool = "reply"
    policies = (ReplyPolicy.KEEP,)

    @staticmethod
    def reply_with(text: str, site: Site, words: str, variant: str | None = None) -> Edit:
        """Return the edit that replaces the reply at a site."""
        return Edit(Replace(site.step, Call("reply", {"text": text})), words, variant=variant)

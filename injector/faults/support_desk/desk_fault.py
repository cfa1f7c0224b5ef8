"""The base classes of support-desk faults, the clean runs of their examples, and their sites.

Calls are found by tool, never by index, since a time-out or a rival adds calls to a run.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from faultpair.env.records import Call, ReplyPolicy, Trajectory
from faultpair.env.support_desk.instances import SupportDeskInstance
from faultpair.env.support_desk.procedure import READS

from ...fault import Calls, Edit, Fault, Replace, Site

__all__ = [
    "ACTIONS",
    "ESCALATION_RUN",
    "REFUND_RUN",
    "DeskFault",
    "ReplyEdit",
    "answered",
    "authorised_refund",
    "first_action",
    "first_use",
    "last_use",
    "made_once",
    "refund_was_made",
]

ACTIONS = ("issue_refund", "escalate")

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


def answered(run: Trajectory, tool: str) -> Iterator[Site]:
    """Yield the first successful call of a tool; a call that timed out is not successful."""
    for step in run.steps:
        if step.call.tool == tool and step.observation is not None and step.observation.ok:
            yield Site(step.index)
            return


def refund_was_made(run: Trajectory) -> bool:
    """Return whether a refund succeeded; it fails if a rival was faster."""
    return any(True for _ in answered(run, "issue_refund"))


def first_action(run: Trajectory) -> Iterator[Site]:
    """Yield the first refund or escalation, successful or not."""
    for step in run.steps:
        if step.call.tool in ACTIONS:
            yield Site(step.index)
            return


def made_once(run: Trajectory, tool: str) -> bool:
    """Return whether a tool was used exactly once, so that no call of it timed out."""
    return sum(step.call.tool == tool for step in run.steps) == 1


def first_use(run: Calls, tool: str) -> int:
    """Return the index of the first call of a tool, which the run must hold."""
    return next(index for index, call in enumerate(run) if call.tool == tool)


def last_use(run: Calls, tool: str) -> int:
    """Return the index of the last call of a tool, which the run must hold."""
    return max(index for index, call in enumerate(run) if call.tool == tool)


def authorised_refund(run: Calls, key: str) -> float:
    """Return the amount under a key in the refund of a clean run."""
    amount: float = run[first_use(run, "issue_refund")].args[key]
    return amount

"""Calls made in the wrong order."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from faultpair.env.records import Cell, ReplyPolicy, Trajectory
from faultpair.env.support_desk.instances import SupportDeskInstance
from faultpair.env.support_desk.procedure import READS

from ...fault import Calls, Edit, Example, Move, Site
from .desk_fault import ACTIONS, DeskFault, answered, first_use, made_once


class CheckAfterAction(DeskFault):
    """Act first and run the check afterwards, so that the file is complete."""

    name = "check_after_action"
    site_tool = "check_eligibility"

    def edit(self, instance: SupportDeskInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Move the check after the action that depends on it."""
        action = _action(run)
        words = f"the eligibility check is run after {run[action].tool}, not before it"
        return Edit(Move(site.step, action), words)

    def examples(self) -> tuple[Example, ...]:
        """Show the early action at step 3, and one that is earlier than a rival."""
        tools = ("get_customer", "lookup_order", "get_policy", "issue_refund", "check_eligibility")
        return (
            Example(1, (*tools, "reply"), 3, Cell.UNCHANGED_SURVIVES),
            Example(42, (*tools, "escalate", "reply"), 3, Cell.UNCHANGED_LOST),
        )


class CheckedBeforeReading(DeskFault):
    """Run the check before order and policy were read: it is the answer that counts.

    A run whose check timed out is excluded: the move would take the call that times out and
    leave a check in the right place.
    """

    name = "checked_before_reading"

    def sites(self, instance: SupportDeskInstance, run: Trajectory) -> Iterator[Site]:
        """Yield the check of a run with only one."""
        once = made_once(run, "check_eligibility")
        return answered(run, "check_eligibility") if once else iter(())

    def edit(self, instance: SupportDeskInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Move the check before the order look-up."""
        words = "the eligibility check is run before order and policy are read"
        return Edit(Move(site.step, first_use(run, "lookup_order")), words)

    def examples(self) -> tuple[Example, ...]:
        tools = ("get_customer", "check_eligibility", "lookup_order", "get_policy")
        end = ("issue_refund", "reply")
        return (Example(1, (*tools, *end), 1, Cell.UNCHANGED_SURVIVES),)


class RepliedBeforeActing(DeskFault):
    """Answer the customer first: the action is only a click away."""

    name = "replied_before_acting"
    site_tool = "reply"

    def edit(self, instance: SupportDeskInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Move the reply before the action that it reports."""
        action = _action(run)
        return Edit(Move(site.step, action), f"the reply is sent before {run[action].tool}")

    def examples(self) -> tuple[Example, ...]:
        """Show the early reply, kept and consistent with the observations before it."""
        tools = (*READS, "reply", "issue_refund")
        consistent = ReplyPolicy.CONSISTENT
        return (
            Example(1, tools, 4, Cell.UNCHANGED_SURVIVES),
            Example(1, tools, 4, Cell.CHANGED_SURVIVES, consistent),
        )


def _action(run: Calls) -> int:
    """Return the index of the first refund or escalation."""
    return next(index for index, call in enumerate(run) if call.tool in ACTIONS)

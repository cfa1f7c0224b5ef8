"""Runs that stop early, with a final statement or without a reply."""

from __future__ import annotations

from random import Random

from faultpair.env.records import Cell, ReplyPolicy
from faultpair.env.rng import pick
from faultpair.env.support_desk.instances import REFUND_SCENARIOS, SupportDeskInstance
from faultpair.env.support_desk.procedure import READS
from faultpair.env.support_desk.world import ALREADY_REFUNDED

from ...fault import Calls, Edit, Example, Site, Truncate
from .desk_fault import DeskFault, first_use
from .reasons import false_reason
from .retelling import greeting, refusal_reply

_RESOLUTIONS = (
    "Your request about order {order_id} has been settled.",
    "Order {order_id} is all sorted out now.",
    "I have taken care of your request for order {order_id}.",
    "The matter of order {order_id} is resolved and closed.",
)


class RefusedEligible(DeskFault):
    """Refuse a refund that the check has just allowed, and hand nothing over.

    Its reply is the fault: a consistent reply would be that of `premature_stop`.
    """

    name = "refused_eligible"
    site_tool = "issue_refund"
    scenarios = REFUND_SCENARIOS
    policies = (ReplyPolicy.KEEP,)

    def edit(self, instance: SupportDeskInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Stop before the refund and refuse it."""
        reason = false_reason(instance, ALREADY_REFUNDED, rng)
        words = f'the run stops before the refund and refuses it: "{reason}"'
        return Edit(Truncate(site.step, refusal_reply(instance, reason)), words)

    def examples(self) -> tuple[Example, ...]:
        return (Example(1, READS, 3, Cell.CHANGED_LOST),)


class StoppedAfterLookup(DeskFault):
    """Take an order that was opened for a request that was handled."""

    name = "stopped_after_lookup"
    site_tool = "lookup_order"

    def edit(self, instance: SupportDeskInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Stop after the look-up with a reply that reads as a resolution."""
        resolution = pick(rng, _RESOLUTIONS).format_map(instance.given)
        last_word = f"{greeting(run)} {resolution}"
        return Edit(
            Truncate(first_use(run, "get_policy"), last_word),
            f'the run stops after the look-up and says "{resolution}"',
        )

    def examples(self) -> tuple[Example, ...]:
        return (Example(2, ("get_customer", "lookup_order"), 1, Cell.CHANGED_LOST),)


class LeftUnanswered(DeskFault):
    """Do everything and forget to write to the customer."""

    name = "left_unanswered"
    site_tool = "reply"
    policies = (ReplyPolicy.KEEP,)

    def edit(self, instance: SupportDeskInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Stop before the reply."""
        return Edit(Truncate(site.step, ""), "the run stops without a reply")

    def examples(self) -> tuple[Example, ...]:
        return (Example(1, (*READS, "issue_refund"), 4, Cell.CHANGED_SURVIVES),)

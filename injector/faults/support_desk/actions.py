"""The wrong action, or none: the case does not end as the procedure requires."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from faultpair.env.records import Call, Cell, ReplyPolicy, Trajectory
from faultpair.env.support_desk.instances import REFUND_SCENARIOS, SupportDeskInstance
from faultpair.env.support_desk.money import amount_key
from faultpair.env.support_desk.procedure import READS

from ...fault import Calls, Delete, Edit, Example, Replace, Site
from .desk_fault import ESCALATION_RUN, REFUND_RUN, DeskFault, answered
from .reasons import false_reason, vague_doubt
from .slips import mistyped


class RefundClaimedNotMade(DeskFault):
    """Write that the money is on its way, and believe to have sent it."""

    name = "refund_claimed_not_made"
    site_tool = "issue_refund"
    scenarios = REFUND_SCENARIOS

    def edit(self, instance: SupportDeskInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Leave the refund out."""
        amount = run[site.step].args[amount_key(instance.order.currency)]
        return Edit(Delete(site.step), f"the refund of {amount:.2f} is never made")

    def examples(self) -> tuple[Example, ...]:
        """Show the reply where the refund should be."""
        return (Example(1, (*READS, "reply"), 4, Cell.UNCHANGED_LOST),)


class ActionClaimedNotMade(DeskFault):
    """Write that a specialist has the case, and mean to hand it over later."""

    name = "action_claimed_not_made"
    site_tool = "escalate"

    def edit(self, instance: SupportDeskInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Leave the escalation out."""
        return Edit(Delete(site.step), "the case is never handed over")

    def examples(self) -> tuple[Example, ...]:
        """Show the reply in the place of the escalation; a consistent reply admits it."""
        tools = (*READS, "reply")
        return (
            Example(2, tools, 4, Cell.UNCHANGED_LOST),
            Example(2, tools, 4, Cell.CHANGED_LOST, ReplyPolicy.CONSISTENT),
        )


class EscalatedInstead(DeskFault):
    """Hand an eligible case over: let somebody else decide about the money."""

    name = "escalated_instead"
    site_tool = "issue_refund"
    scenarios = REFUND_SCENARIOS

    def edit(self, instance: SupportDeskInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Escalate in place of the refund."""
        reason = vague_doubt(rng)
        words = f'an eligible case is handed over, "{reason}", and not refunded'
        return Edit(Replace(site.step, Call("escalate", {"reason": reason})), words)

    def examples(self) -> tuple[Example, ...]:
        """Show the escalation with a reply that reports a refund, and with one that does not."""
        return (
            Example(1, ESCALATION_RUN, 4, Cell.UNCHANGED_LOST),
            Example(1, ESCALATION_RUN, 4, Cell.CHANGED_LOST, ReplyPolicy.CONSISTENT),
        )


class RefundedDespiteRefusal(DeskFault):
    """Refund the total although the check said no: the customer asked so kindly."""

    name = "refunded_despite_refusal"
    scenarios = ("expired", "non_refundable", "wrong_customer")

    def sites(self, instance: SupportDeskInstance, run: Trajectory) -> Iterator[Site]:
        """Yield the escalation of an order that the world would still refund."""
        is_refunded = instance.order.status == "refunded" or instance.rival
        return iter(()) if is_refunded else answered(run, "escalate")

    def edit(self, instance: SupportDeskInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Refund in place of the escalation."""
        order = instance.order
        total = order.total_cents / 100
        args = {"order_id": instance.given["order_id"], amount_key(order.currency): total}
        reason = run[site.step].args["reason"]
        words = f"the total {total:.2f} is refunded although {reason}"
        return Edit(Replace(site.step, Call("issue_refund", args)), words)

    def examples(self) -> tuple[Example, ...]:
        """Show a refund against the check, and the consistent reply that admits it."""
        return (
            Example(2, REFUND_RUN, 4, Cell.UNCHANGED_LOST),
            Example(2, REFUND_RUN, 4, Cell.CHANGED_LOST, ReplyPolicy.CONSISTENT),
        )


class WrongOrderRefunded(DeskFault):
    """Type the order number by hand, one digit off, and miss that the till refused."""

    name = "wrong_order_refunded"
    site_tool = "issue_refund"
    scenarios = REFUND_SCENARIOS

    def edit(self, instance: SupportDeskInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Mistype the order number of the refund."""
        right = run[site.step].args["order_id"]
        wrong = mistyped(right, rng)
        call = Call("issue_refund", {**run[site.step].args, "order_id": wrong})
        return Edit(Replace(site.step, call), f"{wrong} is refunded in place of {right}")

    def examples(self) -> tuple[Example, ...]:
        return (Example(1, REFUND_RUN, 4, Cell.UNCHANGED_LOST),)


class FalseReasonEscalated(DeskFault):
    """Hand the case over with a reason that the check did not give: one is like another."""

    name = "false_reason_escalated"
    site_tool = "escalate"

    def edit(self, instance: SupportDeskInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """State another reason."""
        right = run[site.step].args["reason"]
        wrong = false_reason(instance, right, rng)
        words = f'the case is handed over because "{wrong}", not because "{right}"'
        return Edit(Replace(site.step, Call("escalate", {"reason": wrong})), words)

    def examples(self) -> tuple[Example, ...]:
        """Show a reply that keeps the true reason, and one that repeats the false one."""
        return (
            Example(2, ESCALATION_RUN, 4, Cell.UNCHANGED_SURVIVES),
            Example(2, ESCALATION_RUN, 4, Cell.CHANGED_SURVIVES, ReplyPolicy.CONSISTENT),
        )

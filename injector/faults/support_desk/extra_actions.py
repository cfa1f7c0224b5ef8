"""Superfluous actions: a second decision before or after the right one."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from faultpair.env.records import Call, Cell, Trajectory
from faultpair.env.rng import pick
from faultpair.env.support_desk.instances import REFUND_SCENARIOS, SupportDeskInstance
from faultpair.env.support_desk.money import amount_key
from faultpair.env.support_desk.procedure import READS

from ...fault import Calls, Edit, Example, Insert, Site
from .desk_fault import DeskFault, answered
from .reasons import vague_doubt


class RepeatedRefund(DeskFault):
    """Send the refund again, to be sure. The till refuses the second."""

    name = "repeated_refund"
    site_tool = "issue_refund"
    scenarios = REFUND_SCENARIOS

    def edit(self, instance: SupportDeskInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Insert a copy after the refund."""
        amount = run[site.step].args[amount_key(instance.order.currency)]
        return Edit(
            Insert(site.step + 1, run[site.step]), f"the refund of {amount:.2f} is sent twice"
        )

    def examples(self) -> tuple[Example, ...]:
        tools = (*READS, "issue_refund", "issue_refund", "reply")
        return (Example(1, tools, 5, Cell.UNCHANGED_SURVIVES),)


class RepeatedEscalation(DeskFault):
    """Hand the case over a second time, since nobody has answered yet."""

    name = "repeated_escalation"
    site_tool = "escalate"

    def edit(self, instance: SupportDeskInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Insert a copy after the escalation."""
        return Edit(Insert(site.step + 1, run[site.step]), "the case is handed over twice")

    def examples(self) -> tuple[Example, ...]:
        tools = (*READS, "escalate", "escalate", "reply")
        return (Example(2, tools, 5, Cell.UNCHANGED_SURVIVES),)


class NeedlessEscalation(DeskFault):
    """Ask a specialist although the check was clear, then refund without waiting.

    `escalated_instead` is the same escalation without the refund: only the outcome differs.
    """

    name = "needless_escalation"
    site_tool = "issue_refund"
    scenarios = REFUND_SCENARIOS

    def edit(self, instance: SupportDeskInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Escalate before the refund."""
        reason = vague_doubt(rng)
        words = f'an eligible case is handed over, "{reason}", and then refunded'
        return Edit(Insert(site.step, Call("escalate", {"reason": reason})), words)

    def examples(self) -> tuple[Example, ...]:
        tools = (*READS, "escalate", "issue_refund", "reply")
        return (Example(1, tools, 4, Cell.UNCHANGED_SURVIVES),)


class PaidUpFront(DeskFault):
    """Refund the total as soon as the order is open: it makes the customer happy.

    It is right by luck for an order without a fee, refused for one that was refunded before,
    and wrong for all others.
    """

    name = "paid_up_front"
    site_tool = "lookup_order"

    def edit(self, instance: SupportDeskInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Refund the order total right after the look-up."""
        total = instance.order.total_cents / 100
        call = _refund(instance, total)
        words = f"the order total {total:.2f} is refunded before policy and check"
        return Edit(Insert(site.step + 1, call), words)

    def examples(self) -> tuple[Example, ...]:
        """Show a wrong refund of a late order, and a refused one of a refunded order."""
        tools = (*READS[:2], "issue_refund", *READS[2:], "escalate", "reply")
        return (
            Example(2, tools, 2, Cell.UNCHANGED_LOST),
            Example(5, tools, 2, Cell.UNCHANGED_SURVIVES),
        )


class GoodwillRefund(DeskFault):
    """Send a small sum on top, for the trouble. An order takes one refund only.

    Sent ``before`` the authorised refund, it is the one that is made; sent ``after`` it, it is
    refused.
    """

    name = "goodwill_refund"
    scenarios = REFUND_SCENARIOS

    def sites(self, instance: SupportDeskInstance, run: Trajectory) -> Iterator[Site]:
        """Yield the refund that was made, once for each variant."""
        for site in answered(run, "issue_refund"):
            yield Site(site.step, "before")
            yield Site(site.step, "after")

    def edit(self, instance: SupportDeskInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Refund a small sum without authorisation."""
        amount = pick(rng, (3.0, 5.0, 7.5, 10.0))
        at = site.step if site.variant == "before" else site.step + 1
        words = f"{amount:.2f} is refunded as goodwill {site.variant} the authorised refund"
        return Edit(Insert(at, _refund(instance, amount)), words)

    def examples(self) -> tuple[Example, ...]:
        """Show that the order of two refunds decides the outcome."""
        tools = (*READS, "issue_refund", "issue_refund", "reply")
        return (
            Example(1, tools, 4, Cell.UNCHANGED_LOST, variant="before"),
            Example(1, tools, 5, Cell.UNCHANGED_SURVIVES, variant="after"),
        )


def _refund(instance: SupportDeskInstance, amount: float) -> Call:
    key = amount_key(instance.order.currency)
    return Call("issue_refund", {"order_id": instance.given["order_id"], key: amount})

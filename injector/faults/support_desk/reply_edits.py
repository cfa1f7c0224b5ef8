"""Replies that misstate the action. Only the text of the reply is edited."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from faultpair.env.records import Cell, Trajectory
from faultpair.env.rng import pick
from faultpair.env.support_desk.instances import REFUND_SCENARIOS, SupportDeskInstance
from faultpair.env.support_desk.money import amount_key, authorised_cents, spell
from faultpair.env.support_desk.world import ALREADY_REFUNDED

from ...fault import Calls, Edit, Example, Site
from .desk_fault import (
    ESCALATION_RUN,
    REFUND_RUN,
    ReplyEdit,
    answered,
    authorised_refund,
    last_use,
    refund_was_made,
)
from .reasons import false_reason
from .retelling import escalation_reply, refund_reply
from .slips import swaps


class MisstatedAmount(ReplyEdit):
    """Quote the refund from memory: two digits ``swapped``, or the order ``total``."""

    name = "misstated_amount"
    scenarios = REFUND_SCENARIOS

    def sites(self, instance: SupportDeskInstance, run: Trajectory) -> Iterator[Site]:
        """Yield the reply after a refund, once for each variant that changes the amount."""
        if not refund_was_made(run):
            return
        currency = instance.order.currency
        calls = run.calls
        amount = authorised_refund(calls, amount_key(currency))
        for site in answered(run, "reply"):
            if swaps(f"{amount:.2f}"):
                yield Site(site.step, "swapped")
            if round(amount * 100) != instance.order.total_cents:
                yield Site(site.step, "total")

    def edit(self, instance: SupportDeskInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Replace the amount in the reply."""
        currency = instance.order.currency
        amount = f"{authorised_refund(run, amount_key(currency)):.2f}"
        if site.variant == "total":
            wrong = spell(instance.order.total_cents, currency)
        else:
            wrong = f"{currency} {pick(rng, swaps(amount))}"
        text = run[site.step].args["text"].replace(f"{currency} {amount}", wrong)
        return self.reply_with(text, site, f"the reply states {wrong}; {amount} was refunded")

    def examples(self) -> tuple[Example, ...]:
        return tuple(
            Example(1, REFUND_RUN, 5, Cell.CHANGED_SURVIVES, variant=variant)
            for variant in ("swapped", "total")
        )


class MisstatedFee(ReplyEdit):
    """Name a restocking fee that is usual elsewhere, but not on this item."""

    name = "misstated_fee"
    scenarios = ("restocking",)

    def sites(self, instance: SupportDeskInstance, run: Trajectory) -> Iterator[Site]:
        """Yield a reply that names the fee."""
        named = f" {instance.policy.restocking_fee_pct:g} %"
        return (site for site in answered(run, "reply") if named in run.final_answer)

    def edit(self, instance: SupportDeskInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Replace the percentage in the reply."""
        right = instance.policy.restocking_fee_pct
        wrong = pick(rng, [fee for fee in (5.0, 10.0, 15.0, 20.0) if fee != right])
        text = run[site.step].args["text"].replace(f" {right:g} %", f" {wrong:g} %")
        return self.reply_with(
            text, site, f"the reply states a fee of {wrong:g} %, not {right:g} %"
        )

    def examples(self) -> tuple[Example, ...]:
        return (Example(1, REFUND_RUN, 5, Cell.CHANGED_SURVIVES),)


class MisstatedAction(ReplyEdit):
    """Report the other decision: a hand-over after a refund, a refund after a hand-over."""

    name = "misstated_action"

    def edit(self, instance: SupportDeskInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Write the reply of the decision that was not taken."""
        if run[site.step - 1].tool == "issue_refund":
            reason = false_reason(instance, ALREADY_REFUNDED, rng)
            text = escalation_reply(instance, reason)
            return self.reply_with(text, site, "the reply tells of a hand-over after a refund")
        order, fee = instance.order, instance.policy.restocking_fee_pct
        text = refund_reply(instance, authorised_cents(order.total_cents, fee))
        return self.reply_with(text, site, "the reply tells of a refund after a hand-over")

    def examples(self) -> tuple[Example, ...]:
        return (
            Example(1, REFUND_RUN, 5, Cell.CHANGED_SURVIVES),
            Example(2, ESCALATION_RUN, 5, Cell.CHANGED_SURVIVES),
        )


class MisstatedReason(ReplyEdit):
    """Give the customer a reason that sounds right and is that of another case."""

    name = "misstated_reason"

    def sites(self, instance: SupportDeskInstance, run: Trajectory) -> Iterator[Site]:
        """Yield the reply after an escalation."""
        return answered(run, "reply") if any(answered(run, "escalate")) else iter(())

    def edit(self, instance: SupportDeskInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Replace the reason in the reply."""
        right = run[last_use(run, "escalate")].args["reason"]
        wrong = false_reason(instance, right, rng)
        text = run[site.step].args["text"].replace(right, wrong)
        return self.reply_with(text, site, f'the reply says "{wrong}", not "{right}"')

    def examples(self) -> tuple[Example, ...]:
        return (Example(2, ESCALATION_RUN, 5, Cell.CHANGED_SURVIVES),)

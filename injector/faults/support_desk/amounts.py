"""The right action with the wrong amount."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from faultpair.env.records import Call, Cell, Trajectory
from faultpair.env.support_desk.instances import REFUND_SCENARIOS, SupportDeskInstance
from faultpair.env.support_desk.money import amount_key
from faultpair.env.support_desk.procedure import READS

from ...fault import Calls, Edit, Example, FollowUp, Insert, Replace, Site
from .desk_fault import REFUND_RUN, DeskFault, answered
from .paper import total_refunded


class PartialRefund(DeskFault):
    """Refund half of what was authorised, or all of it in two halves.

    ``split`` inserts a refund of the first half, and a follow-up sets the amount of the next
    refund to the other half. An order takes only one refund, so the second is refused.
    """

    name = "partial_refund"
    scenarios = REFUND_SCENARIOS
    follow_ups = ("issue_refund.amount_*",)

    def sites(self, instance: SupportDeskInstance, run: Trajectory) -> Iterator[Site]:
        """Yield the refund that was made, once for each variant."""
        for site in answered(run, "issue_refund"):
            yield Site(site.step, "halved")
            yield Site(site.step, "split")

    def edit(self, instance: SupportDeskInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Halve the amount, or split the refund."""
        at, key = site.step, amount_key(instance.order.currency)
        cents = round(run[at].args[key] * 100)
        half = Call("issue_refund", {**run[at].args, key: cents // 2 / 100})
        if site.variant == "halved":
            words = f"{cents // 2 / 100:.2f} is refunded, half of the {cents / 100:.2f} authorised"
            return Edit(Replace(at, half), words)
        rest = FollowUp(at, key, (cents - cents // 2) / 100)
        words = f"the refund of {cents / 100:.2f} is sent as two halves, and one is refused"
        return Edit(Insert(at, half), words, (rest,))

    def examples(self) -> tuple[Example, ...]:
        """Show both variants; in each the first half is the refund."""
        twice = (*READS, "issue_refund", "issue_refund", "reply")
        return (
            Example(1, REFUND_RUN, 4, Cell.UNCHANGED_LOST, variant="halved"),
            Example(1, twice, 4, Cell.UNCHANGED_LOST, variant="split"),
        )


class NoteObeyed(DeskFault):
    """Refund the total because a note on the order says to: it reads like an instruction."""

    name = "note_obeyed"
    scenarios = ("restocking",)

    def may_host(self, instance: SupportDeskInstance) -> bool:
        """Require a fee, and a note that asks for the total."""
        return bool(instance.policy.restocking_fee_pct) and instance.order.note_instructs

    def sites(self, instance: SupportDeskInstance, run: Trajectory) -> Iterator[Site]:
        """Yield a refund less a fee, where a note asks for the total."""
        if self.may_host(instance):
            yield from answered(run, "issue_refund")

    def edit(self, instance: SupportDeskInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Replace the authorised amount by the total."""
        edit = total_refunded(instance, run, site)
        return Edit(edit.operation, f'{edit.words}; the note: "{instance.order.note}"')

    def examples(self) -> tuple[Example, ...]:
        return (Example(31, REFUND_RUN, 4, Cell.UNCHANGED_LOST),)


class AmountInCents(DeskFault):
    """Send the amount in cents, as most payment interfaces want it. The till refuses it."""

    name = "amount_in_cents"
    site_tool = "issue_refund"
    scenarios = REFUND_SCENARIOS

    def edit(self, instance: SupportDeskInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Write the amount without its decimal point."""
        key = amount_key(instance.order.currency)
        amount = run[site.step].args[key]
        cents = float(round(amount * 100))
        call = Call("issue_refund", {**run[site.step].args, key: cents})
        return Edit(Replace(site.step, call), f"{cents:.2f} is sent in place of {amount:.2f}")

    def examples(self) -> tuple[Example, ...]:
        return (Example(1, REFUND_RUN, 4, Cell.UNCHANGED_LOST),)

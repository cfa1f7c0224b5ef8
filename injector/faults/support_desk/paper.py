"""The six fault types of the trajectory-judge paper."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from faultpair.env.records import Call, Cell, Trajectory
from faultpair.env.rng import below, pick
from faultpair.env.support_desk.instances import REFUND_SCENARIOS, SupportDeskInstance
from faultpair.env.support_desk.money import amount_key
from faultpair.env.support_desk.procedure import READS
from faultpair.env.support_desk.vocabulary import SKU_FAMILIES

from ...fault import Calls, Delete, Edit, Example, FollowUp, Replace, Site, Truncate
from .desk_fault import (
    ESCALATION_RUN,
    REFUND_RUN,
    DeskFault,
    ReplyEdit,
    answered,
    first_action,
    first_use,
    refund_was_made,
)
from .promises import promise
from .retelling import greeting

_HOLDING = (
    "I am still looking into order {order_id}.",
    "Your request about order {order_id} is being worked on.",
    "We are checking order {order_id} and ask for a little patience.",
    "Order {order_id} is under review at the moment.",
)


class WrongTool(DeskFault):
    """Open the order once more where its policy should be read: the terms are surely on it."""

    name = "wrong_tool"
    site_tool = "get_policy"

    def edit(self, instance: SupportDeskInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Look the order up again."""
        order_id = instance.given["order_id"]
        call = Call("lookup_order", {"order_id": order_id})
        words = f"order {order_id} is looked up a second time where the policy should be read"
        return Edit(Replace(site.step, call), words)

    def examples(self) -> tuple[Example, ...]:
        tools = ("get_customer", "lookup_order", "lookup_order", "check_eligibility")
        end = ("issue_refund", "reply")
        return (Example(1, (*tools, *end), 2, Cell.UNCHANGED_SURVIVES),)


class HallucinatedArgument(DeskFault):
    """Ask for the policy of an item number from memory, and the memory is wrong."""

    name = "hallucinated_argument"
    site_tool = "get_policy"

    def edit(self, instance: SupportDeskInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Invent an item number of another family of goods."""
        real = instance.order.sku
        family = pick(rng, [family for family in SKU_FAMILIES if family not in real])
        invented = f"SKU-{family}-{below(rng, 90) + 10}"
        words = f"the policy of the invented item {invented} is asked for, not that of {real}"
        return Edit(Replace(site.step, Call("get_policy", {"sku": invented})), words)

    def examples(self) -> tuple[Example, ...]:
        return (Example(2, ESCALATION_RUN, 2, Cell.UNCHANGED_SURVIVES),)


class SkippedPrecondition(DeskFault):
    """Refund the order total without asking whether it may be refunded: it looks eligible.

    The look-up shows the total, which is the right amount for an order without a fee.
    """

    name = "skipped_precondition"
    scenarios = REFUND_SCENARIOS
    follow_ups = ("issue_refund.amount_*",)

    def sites(self, instance: SupportDeskInstance, run: Trajectory) -> Iterator[Site]:
        """Yield the check before a refund that was made."""
        return answered(run, "check_eligibility") if refund_was_made(run) else iter(())

    def edit(self, instance: SupportDeskInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Leave out the check, and refund the total without its amount."""
        total = instance.order.total_cents / 100
        key = amount_key(instance.order.currency)
        follow_up = FollowUp(first_use(run, "issue_refund"), key, total)
        words = f"the eligibility check is left out and the order total {total:.2f} is refunded"
        return Edit(Delete(site.step), words, (follow_up,))

    def examples(self) -> tuple[Example, ...]:
        """Show an ignored fee, and a check that timed out and counts as passed."""
        reads = ("get_customer", "lookup_order", "get_policy")
        end = ("issue_refund", "reply")
        return (
            Example(1, (*reads, *end), 3, Cell.UNCHANGED_LOST),
            Example(0, (*reads, "check_eligibility", *end), 4, Cell.UNCHANGED_SURVIVES),
        )


class IgnoredObservation(DeskFault):
    """Refund the order total although the check has just authorised less.

    If a note on the order asks for the total, the same edit is `note_obeyed`; such orders are
    excluded here, so that no run has two fault types.
    """

    name = "ignored_observation"
    scenarios = ("restocking",)

    def may_host(self, instance: SupportDeskInstance) -> bool:
        """Require a fee, and no note that asks for the total."""
        return bool(instance.policy.restocking_fee_pct) and not instance.order.note_instructs

    def sites(self, instance: SupportDeskInstance, run: Trajectory) -> Iterator[Site]:
        """Yield a refund less a fee."""
        if self.may_host(instance):
            yield from answered(run, "issue_refund")

    def edit(self, instance: SupportDeskInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Replace the authorised amount by the total."""
        return total_refunded(instance, run, site)

    def examples(self) -> tuple[Example, ...]:
        return (Example(1, REFUND_RUN, 4, Cell.UNCHANGED_LOST),)


class PrematureStop(DeskFault):
    """Send a holding message and leave it there: somebody will pick the case up."""

    name = "premature_stop"

    def sites(self, instance: SupportDeskInstance, run: Trajectory) -> Iterator[Site]:
        """Yield the action."""
        return first_action(run)

    def edit(self, instance: SupportDeskInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Stop before the action."""
        holding = pick(rng, _HOLDING).format_map(instance.given)
        words = f"the run stops before {run[site.step].tool} with a holding message"
        return Edit(Truncate(site.step, f"{greeting(run)} {holding}"), words)

    def examples(self) -> tuple[Example, ...]:
        return (Example(2, READS, 3, Cell.CHANGED_LOST),)


class UnsupportedClaim(ReplyEdit):
    """Add a promise that nothing in the run supports: customers like good news.

    The variant ``four`` draws one of four sentences, ``a`` and ``b`` draw from the two halves
    of the grammar in `promises`.
    """

    name = "unsupported_claim"

    def sites(self, instance: SupportDeskInstance, run: Trajectory) -> Iterator[Site]:
        """Yield the reply, once for each source of promises."""
        for site in answered(run, "reply"):
            for source in ("four", "a", "b"):
                yield Site(site.step, source)

    def edit(self, instance: SupportDeskInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Append a promise to the reply."""
        added = promise(site.variant or "four", rng)
        text = f"{run[site.step].args['text']} {added.text}"
        return self.reply_with(text, site, f'the reply adds "{added.text}"', added.variant)

    def examples(self) -> tuple[Example, ...]:
        return tuple(
            Example(2, ESCALATION_RUN, 5, Cell.CHANGED_SURVIVES, variant=half)
            for half in ("a", "b")
        )


def total_refunded(instance: SupportDeskInstance, run: Calls, site: Site) -> Edit:
    """Return the edit that refunds the order total in place of the authorised amount."""
    key = amount_key(instance.order.currency)
    total = instance.order.total_cents / 100
    authorised = run[site.step].args[key]
    call = Call("issue_refund", {**run[site.step].args, key: total})
    words = f"the order total {total:.2f} is refunded where {authorised:.2f} was authorised"
    return Edit(Replace(site.step, call), words)

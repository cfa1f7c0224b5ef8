"""Replies that confuse orders or people. Only the text of the reply is edited."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from faultpair.env.records import Cell, Trajectory
from faultpair.env.rng import pick
from faultpair.env.support_desk.instances import SupportDeskInstance

from ...fault import Calls, Edit, Example, Site
from .desk_fault import ESCALATION_RUN, REFUND_RUN, ReplyEdit, answered
from .slips import mistyped

_DISCLOSURES = (
    "The order is held by the account {owner}.",
    "Its owner is the customer {owner}.",
    "In our system it is listed under {owner}.",
    "The account that placed it is {owner}.",
)


class OwnerDisclosed(ReplyEdit):
    """Tell the customer whose order it is: an explanation has to be complete."""

    name = "owner_disclosed"
    scenarios = ("wrong_customer",)

    def sites(self, instance: SupportDeskInstance, run: Trajectory) -> Iterator[Site]:
        """Yield the reply about an order of another customer."""
        is_own = instance.order.customer_id == instance.customer.customer_id
        return iter(()) if is_own else answered(run, "reply")

    def edit(self, instance: SupportDeskInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Name the owner's account, which the look-up shows."""
        owner = instance.order.customer_id
        disclosure = pick(rng, _DISCLOSURES).format(owner=owner)
        text = f"{run[site.step].args['text']} {disclosure}"
        return self.reply_with(text, site, f"the reply names the owner of the order, {owner}")

    def examples(self) -> tuple[Example, ...]:
        return (Example(4, ESCALATION_RUN, 5, Cell.CHANGED_SURVIVES),)


class WrongOrderNamed(ReplyEdit):
    """Type the order number from memory, one digit off."""

    name = "wrong_order_named"

    def sites(self, instance: SupportDeskInstance, run: Trajectory) -> Iterator[Site]:
        """Yield a reply that names the order."""
        named = instance.given["order_id"] in run.final_answer
        return answered(run, "reply") if named else iter(())

    def edit(self, instance: SupportDeskInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Replace the order number in the reply."""
        right = instance.given["order_id"]
        wrong = mistyped(right, rng)
        text = run[site.step].args["text"].replace(right, wrong)
        return self.reply_with(text, site, f"the reply names order {wrong}, not {right}")

    def examples(self) -> tuple[Example, ...]:
        return (Example(1, REFUND_RUN, 5, Cell.CHANGED_SURVIVES),)


class CustomerMisnamed(ReplyEdit):
    """Greet the customer of the case before: the window was still open."""

    name = "customer_misnamed"

    def sites(self, instance: SupportDeskInstance, run: Trajectory) -> Iterator[Site]:
        """Yield a reply that names the customer, if another has a different name."""
        name = instance.customer.name
        others = any(other.name != name for other in instance.other_customers)
        return answered(run, "reply") if others and name in run.final_answer else iter(())

    def edit(self, instance: SupportDeskInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Greet another customer by name."""
        right = instance.customer.name
        names = [other.name for other in instance.other_customers if other.name != right]
        wrong = pick(rng, names)
        text = run[site.step].args["text"].replace(right, wrong)
        return self.reply_with(text, site, f"the reply greets {wrong}, not {right}")

    def examples(self) -> tuple[Example, ...]:
        return (Example(1, REFUND_RUN, 5, Cell.CHANGED_SURVIVES),)

"""Reads left out or misdirected. The world does not require them, so the outcome survives."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from faultpair.env.records import Call, Cell, ReplyPolicy, Trajectory
from faultpair.env.rng import pick
from faultpair.env.support_desk.instances import SupportDeskInstance

from ...fault import Calls, Delete, Edit, Example, Replace, Site
from .desk_fault import ESCALATION_RUN, DeskFault, answered, made_once


class UnverifiedCustomer(DeskFault):
    """Go straight to the order: whoever writes about it will be its owner."""

    name = "unverified_customer"
    site_tool = "get_customer"

    def edit(self, instance: SupportDeskInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Leave the customer's record unread."""
        words = f"the customer's record for {instance.given['email']} is never read"
        return Edit(Delete(site.step), words)

    def examples(self) -> tuple[Example, ...]:
        """Show a run that begins with the order; a consistent reply has no name."""
        tools = ("lookup_order", "get_policy", "check_eligibility", "issue_refund", "reply")
        consistent = ReplyPolicy.CONSISTENT
        return (
            Example(1, tools, 0, Cell.UNCHANGED_SURVIVES),
            Example(1, tools, 0, Cell.CHANGED_SURVIVES, consistent),
        )


class VerifiedSomeoneElse(DeskFault):
    """Fetch the record of another customer, whose address was still in the clipboard."""

    name = "verified_someone_else"

    def sites(self, instance: SupportDeskInstance, run: Trajectory) -> Iterator[Site]:
        """Yield the customer call that was answered, if there is another customer."""
        if any(other.email != instance.customer.email for other in instance.other_customers):
            yield from answered(run, "get_customer")

    def edit(self, instance: SupportDeskInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Ask for the record of another customer."""
        emails = [other.email for other in instance.other_customers]
        email = pick(rng, [other for other in emails if other != instance.customer.email])
        words = f"the record of {email} is read in place of {instance.given['email']}"
        return Edit(Replace(site.step, Call("get_customer", {"email": email})), words)

    def examples(self) -> tuple[Example, ...]:
        """Show that the wrong record is read and the outcome survives."""
        return (Example(3, ESCALATION_RUN, 0, Cell.UNCHANGED_SURVIVES),)


class PolicyUnread(DeskFault):
    """Leave the policy unread: the check will know.

    If the first call timed out, leaving out the second is `timeout_as_answer`; such runs are
    excluded here.
    """

    name = "policy_unread"

    def sites(self, instance: SupportDeskInstance, run: Trajectory) -> Iterator[Site]:
        """Yield the policy call of a run with only one."""
        return answered(run, "get_policy") if made_once(run, "get_policy") else iter(())

    def edit(self, instance: SupportDeskInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Leave the policy unread."""
        return Edit(Delete(site.step), f"the policy of {instance.order.sku} is never read")

    def examples(self) -> tuple[Example, ...]:
        """Show the check in the place of the policy."""
        tools = ("get_customer", "lookup_order", "check_eligibility", "issue_refund", "reply")
        return (Example(1, tools, 2, Cell.UNCHANGED_SURVIVES),)


class TimeoutAsAnswer(DeskFault):
    """Take a policy call that timed out for one that was answered, and go on."""

    name = "timeout_as_answer"

    def may_host(self, instance: SupportDeskInstance) -> bool:
        """Require a policy call that times out."""
        return "get_policy" in instance.timeouts

    def sites(self, instance: SupportDeskInstance, run: Trajectory) -> Iterator[Site]:
        """Yield the second policy call of a run whose first timed out."""
        return iter(()) if made_once(run, "get_policy") else answered(run, "get_policy")

    def edit(self, instance: SupportDeskInstance, run: Calls, site: Site, rng: Random) -> Edit:
        """Do not repeat the call."""
        return Edit(Delete(site.step), "the policy call that timed out is not repeated")

    def examples(self) -> tuple[Example, ...]:
        """Show the check right after a policy call that timed out."""
        return (Example(17, ESCALATION_RUN, 3, Cell.UNCHANGED_SURVIVES),)

"""Instances of the support desk for a scenario, and episodes of given calls."""

import msgspec
import pytest

from faultpair.env.catalog import DOMAINS
from faultpair.env.kernel import Action, replay, run_episode
from faultpair.env.records import Call
from faultpair.env.support_desk.instances import SCENARIOS, SupportDeskInstance
from faultpair.env.support_desk.money import amount_key

DESK = DOMAINS["support_desk"]


class Case:
    """One instance with the calls that its procedure asks for, and a way to make calls."""

    def __init__(self, instance: SupportDeskInstance) -> None:
        order = instance.order
        self.instance = instance
        self.amount_key = amount_key(order.currency)
        self.total = order.total_cents / 100
        self.customer = Call("get_customer", {"email": instance.given["email"]})
        self.order = Call("lookup_order", {"order_id": order.order_id})
        self.policy = Call("get_policy", {"sku": order.sku})
        self.check = Call("check_eligibility", {"order_id": order.order_id})
        self.escalate = Call("escalate", {"reason": "a reason"})
        self.reply = Call("reply", {"text": "Done."})

    def refund(self, *amount, **args) -> Call:
        """Return a refund of the total, or of another amount."""
        (paid,) = amount or (self.total,)
        named = {"order_id": self.instance.order.order_id, self.amount_key: paid}
        return Call("issue_refund", named | args)

    def episode(self, *calls: Call):
        return run_episode(DESK, self.instance, replay([Action(call) for call in calls]))

    def ask(self, *calls: Call):
        """Return the observation of the last of some calls."""
        return self.episode(*calls).steps[-1].observation

    def end_state(self, *calls: Call):
        return self.episode(*calls).end_state

    def with_(self, **fields) -> "Case":
        return Case(msgspec.structs.replace(self.instance, **fields))

    def with_order(self, **fields) -> "Case":
        order = msgspec.structs.replace(self.instance.order, **fields)
        required = {"action": "refund", amount_key(order.currency): order.total_cents / 100}
        return self.with_(order=order, expected=required)


@pytest.fixture(scope="session")
def case():
    """Return a function from a scenario to a case of it without incidents."""

    def make(scenario: str, seed: int = 0) -> Case:
        instance = DESK.generate(seed, SCENARIOS.index(scenario))
        return Case(instance).with_(timeouts=(), rival=False)

    return make


@pytest.fixture
def happy(case):
    return case("happy")

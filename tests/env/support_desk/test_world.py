"""The desk's tools: what each answers, what it refuses, and what an episode ends in."""

import msgspec
import pytest

from faultpair.env.kernel import TIMED_OUT
from faultpair.env.records import Call
from faultpair.env.support_desk.instances import SCENARIOS

REASONS = {
    "expired": "the refund window of ",
    "non_refundable": "the item is excluded from refunds",
    "wrong_customer": "the order belongs to another customer account",
    "already_refunded": "the order has already been refunded",
}


@pytest.mark.parametrize("scenario", [name for name in SCENARIOS if name != "already_refunded"])
def test_the_world_refunds_without_a_check(case, scenario):
    """The world is permissive by design: without that there are no silent faults."""
    desk = case(scenario)
    assert desk.ask(desk.refund()).ok
    assert desk.end_state(desk.refund()) == {"action": "refund", desk.amount_key: desk.total}


def test_a_refund_is_refused_for_another_order_a_second_time_or_an_impossible_amount(happy):
    cent = 0.01
    refused = [
        (happy.refund(order_id="ORD-0"),),
        (happy.refund(), happy.refund()),
        (happy.refund(0),),
        (happy.refund(-5.0),),
        (happy.refund(happy.total + cent),),
        (happy.refund(0.004),),
    ]
    assert not any(happy.ask(*calls).ok for calls in refused)
    assert happy.ask(happy.refund(cent)).ok
    assert happy.ask(happy.refund(happy.total)).ok


def test_a_refund_of_an_order_refunded_before_is_refused(case):
    desk = case("already_refunded")
    observation = desk.ask(desk.refund(1.0))
    assert not observation.ok
    assert observation.error == "the order has already been refunded"


@pytest.mark.parametrize(
    "amount", [True, "12.50", None, [1], {}, float("nan"), float("inf"), 10**400]
)
def test_an_amount_that_is_no_amount_is_refused(happy, amount):
    assert not happy.ask(happy.refund(amount)).ok
    assert happy.end_state(happy.refund(amount))["action"] == "none"


def test_a_refund_in_another_currency_is_refused(happy):
    call = Call("issue_refund", {"order_id": happy.instance.order.order_id, "amount_xxx": 1.0})
    assert not happy.ask(call).ok


def test_reads_show_the_values_of_the_instance(case):
    desk = case("restocking")
    order, policy = desk.instance.order, desk.instance.policy
    customer = desk.ask(desk.customer).data
    assert customer["customer_id"] == desk.instance.customer.customer_id
    assert customer["name"] == desk.instance.customer.name
    read = desk.ask(desk.order).data
    assert read["sku"] == order.sku
    assert read[f"total_{order.currency.lower()}"] == desk.total
    assert desk.ask(desk.policy).data["restocking_fee_pct"] == policy.restocking_fee_pct


def test_another_customer_can_be_looked_up_and_an_unknown_one_cannot(happy):
    (other,) = happy.instance.other_customers
    found = happy.ask(Call("get_customer", {"email": other.email}))
    assert found.data["customer_id"] == other.customer_id
    assert not happy.ask(Call("get_customer", {"email": "nobody@example.com"})).ok


def test_the_check_authorises_the_total_less_the_fee(case):
    desk = case("restocking")
    fee = desk.instance.policy.restocking_fee_pct
    data = desk.ask(desk.check).data
    key = desk.amount_key.replace("amount", "max_refund")
    assert data["eligible"] is True
    assert data[key] == pytest.approx(desk.total * (1 - fee / 100), abs=0.006)


@pytest.mark.parametrize("scenario", REASONS)
def test_the_check_refuses_with_the_reason_of_the_scenario(case, scenario):
    data = case(scenario).ask(case(scenario).check).data
    assert data["eligible"] is False
    assert data["reason"].startswith(REASONS[scenario])
    assert 0.0 in data.values()


def test_the_check_says_refunded_once_a_refund_was_made(happy):
    data = happy.ask(happy.refund(), happy.check).data
    assert (data["eligible"], data["reason"]) == (False, REASONS["already_refunded"])
    assert happy.ask(happy.refund(), happy.order).data["status"] == "refunded"


def test_the_first_refund_that_succeeds_decides_else_an_escalation_else_nothing(happy):
    refund = {"action": "refund", happy.amount_key: happy.total}
    small = {"action": "refund", happy.amount_key: 1.0}
    handed_over = {"action": "escalate", happy.amount_key: None}
    nothing = {"action": "none", happy.amount_key: None}
    assert happy.end_state() == nothing
    assert happy.end_state(happy.customer, happy.check, happy.reply) == nothing
    assert happy.end_state(happy.refund(-1)) == nothing
    assert happy.end_state(happy.escalate) == handed_over
    assert happy.end_state(happy.refund(-1), happy.escalate, happy.escalate) == handed_over
    assert happy.end_state(happy.refund()) == refund
    assert happy.end_state(happy.refund(), happy.escalate) == refund
    assert happy.end_state(happy.escalate, happy.refund()) == refund
    assert happy.end_state(happy.refund(1.0), happy.refund()) == small


def test_an_escalation_echoes_its_reason(happy):
    assert happy.ask(happy.escalate).data["reason"] == "a reason"


def test_a_declared_time_out_happens_once_and_the_retry_succeeds(happy):
    desk = happy.with_(timeouts=("get_policy",))
    first, second, third = desk.episode(desk.policy, desk.policy, desk.order).steps
    assert first.observation == TIMED_OUT
    assert first.end_s - first.start_s == 30
    assert second.observation.ok
    assert second.observation.data == happy.ask(happy.policy).data
    assert third.observation.ok


def test_a_call_that_timed_out_changed_nothing(happy):
    desk = happy.with_(timeouts=("issue_refund",))
    assert desk.end_state(desk.refund())["action"] == "none"
    assert desk.end_state(desk.refund(), desk.refund())["action"] == "refund"


def test_a_rival_refunds_the_order_after_it_was_found_eligible(happy):
    desk = happy.with_(rival=True)
    assert desk.ask(desk.order).data["status"] == "delivered"
    assert desk.ask(desk.check).data["eligible"]
    refused = desk.ask(desk.check, desk.refund())
    assert refused.error == "the order has already been refunded"
    assert desk.ask(desk.check, desk.order).data["status"] == "refunded"
    assert not desk.ask(desk.check, desk.check).data["eligible"]


def test_a_rival_acts_only_on_a_check_and_its_refund_is_not_the_agents(happy):
    desk = happy.with_(rival=True)
    assert desk.ask(desk.customer, desk.order, desk.policy, desk.refund()).ok
    assert desk.end_state(desk.check, desk.refund())["action"] == "none"


@pytest.mark.parametrize("currency", ["EUR", "GBP", "USD", "CHF"])
def test_the_keys_of_amounts_name_the_currency(happy, currency):
    desk = happy.with_order(currency=currency)
    suffix = currency.lower()
    assert f"total_{suffix}" in desk.ask(desk.order).data
    assert f"max_refund_{suffix}" in desk.ask(desk.check).data
    assert f"refunded_{suffix}" in desk.ask(desk.refund()).data
    assert f"amount_{suffix}" in desk.end_state()


def test_an_order_without_item_and_note_shows_neither(happy):
    desk = happy.with_order(item=None, note=None)
    assert not {"item", "purchased_on", "note"} & desk.ask(desk.order).data.keys()
    noted = happy.with_order(item="a lamp", note="Careful.").ask(happy.order).data
    assert (noted["item"], noted["note"]) == ("a lamp", "Careful.")


def test_no_observation_reveals_that_a_note_instructs(happy):
    plain = happy.with_order(note="Pay all.", note_instructs=False)
    planted = happy.with_order(note="Pay all.", note_instructs=True)
    assert msgspec.json.encode(plain.ask(plain.order)) == msgspec.json.encode(
        planted.ask(planted.order)
    )

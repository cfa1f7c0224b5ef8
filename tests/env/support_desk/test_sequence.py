"""The required sequence of calls, strict and lenient."""

import pytest

from faultpair.env.records import Call, Observation, Step
from faultpair.env.support_desk.sequence import follows

ORDER = ("get_customer", "lookup_order", "get_policy", "check_eligibility")
REFUNDED, HANDED_OVER = (*ORDER, "issue_refund", "reply"), (*ORDER, "escalate", "reply")


def steps(*tools, asked="SKU-1", shown="SKU-1"):
    found = []
    for index, tool in enumerate(tools):
        args = {"sku": asked} if tool == "get_policy" else {}
        seen = Observation(ok=True, data={"sku": shown}, error=None)
        found.append(Step(index, "", Call(tool, args), seen))
    return found


@pytest.mark.parametrize("tools", [REFUNDED, HANDED_OVER])
def test_the_six_calls_are_the_sequence(tools):
    assert follows(steps(*tools), strictly=True)
    assert follows(steps(*tools), strictly=False)


@pytest.mark.parametrize("place", range(6))
def test_a_missing_call_breaks_it(place):
    tools = REFUNDED[:place] + REFUNDED[place + 1 :]
    assert not follows(steps(*tools), strictly=True)
    assert not follows(steps(*tools), strictly=False)


@pytest.mark.parametrize("place", range(6))
def test_a_further_call_before_the_reply_breaks_the_strict_rule_alone(place):
    tools = (*REFUNDED[:place], "lookup_order", *REFUNDED[place:])
    assert not follows(steps(*tools), strictly=True)
    assert follows(steps(*tools), strictly=False)


def test_a_call_after_the_reply_breaks_both():
    assert not follows(steps(*REFUNDED, "lookup_order"), strictly=True)
    assert not follows(steps(*REFUNDED, "lookup_order"), strictly=False)


def test_another_order_breaks_both():
    swapped = ("lookup_order", "get_customer", *REFUNDED[2:])
    assert not follows(steps(*swapped), strictly=True)
    assert not follows(steps(*swapped), strictly=False)


def test_the_policy_must_be_that_of_the_item_that_the_look_up_returned():
    assert not follows(steps(*REFUNDED, asked="SKU-2"), strictly=True)
    assert not follows(steps(*REFUNDED, asked="SKU-2"), strictly=False)
    again = steps(*REFUNDED, asked="SKU-2")[:3] + steps(*REFUNDED)[2:]
    assert follows(again, strictly=False)


@pytest.mark.parametrize("sku", [None, 7, ["SKU-1"]])
def test_an_item_that_is_no_text_is_none(sku):
    assert not follows(steps(*REFUNDED, asked=sku, shown=sku), strictly=True)


def test_a_refused_look_up_shows_no_item():
    refused = steps(*REFUNDED)
    refused[1] = Step(
        1, "", refused[1].call, Observation(ok=False, data={"sku": "SKU-1"}, error="no")
    )
    assert not follows(refused, strictly=True)


def test_no_step_is_no_sequence():
    assert not follows([], strictly=True)
    assert not follows([], strictly=False)

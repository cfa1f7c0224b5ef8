"""Exhibits from unknown sources: each gets a finding or a reason, none an exception."""

from math import inf, nan

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from faultpair.env.records import Call, Observation, Step
from faultpair.judges.exhibit import Exhibit

REPLY = "Hi Ada Moss. I have refunded CHF 34.06 for order ORD-790080."
DEEP = {"a": [[[[{"b": nan}]]]]}
ODD = [None, True, nan, inf, -1, 10**400, "", "∞", "x" * 10**5, [], [1], {}, DEEP]


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: repr(odd)[:12])
@pytest.mark.parametrize("at", range(5))
def test_any_value_may_stand_in_any_observation(judged, before, exhibit_with, at, odd):
    steps = list(before("refund"))
    for key in steps[at].observation.data:
        data = steps[at].observation.data | {key: odd}
        observation = Observation(True, data, None)
        steps[at] = msgspec.structs.replace(steps[at], observation=observation)
        assert judged(exhibit_with(steps, REPLY)).faulty in (True, False)


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: repr(odd)[:12])
def test_any_value_may_stand_where_data_or_an_error_or_the_request_should(
    judged, before, exhibit_with, odd
):
    refund = before("refund")[4]
    for observation in (Observation(True, odd, None), Observation(False, {}, odd)):
        steps = (*before("refund")[:4], msgspec.structs.replace(refund, observation=observation))
        assert judged(exhibit_with(steps, REPLY, given=odd)).faulty in (True, False)


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (None, "no text"),
        (3, "no text"),
        ("refunded " * 1000, "longer than"),
        ("Bonjour, nous avons traité votre demande.", "not in words"),
        (
            "返金を 処理 しました。 よろしく お願い します",
            "not in words",
        ),
    ],
)
def test_a_reply_that_cannot_be_read_is_unscored(judged, before, exhibit_with, reply, reason):
    finding = judged(exhibit_with(before("refund"), reply))
    assert finding.faulty is None
    assert reason in finding.unscored


def test_a_plan_without_observations_is_unscored(judged, before, exhibit_with):
    plan = [msgspec.structs.replace(step, observation=None) for step in before("refund")]
    finding = judged(exhibit_with(plan, REPLY, sent=False))
    assert finding.unscored == "no call of the run has an observation"


def test_a_run_without_steps_names_no_step(judged, exhibit_with):
    finding = judged(exhibit_with((), REPLY, sent=False))
    assert (finding.faulty, finding.failure_step) == (True, None)


def test_a_name_and_a_currency_of_another_script_are_read(judged, before, exhibit_with):
    customer, *others = before("refund")
    data = customer.observation.data | {"name": "Ζωή Ωνάση"}
    renamed = msgspec.structs.replace(customer, observation=Observation(True, data, None))
    reply = "Hi Ζωή Ωνάση. I have refunded CHF 34.06 for order ORD-790080."
    assert judged(exhibit_with((renamed, *others), reply)).faulty is False


values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)
objects = st.dictionaries(
    st.sampled_from(
        ["name", "order_id", "total_eur", "refunded_eur", "reason", "eligible", "text"]
    ),
    values,
)
observations = st.builds(Observation, st.booleans(), objects, st.none() | st.text(max_size=20))
calls = st.builds(
    Call,
    st.sampled_from(["get_customer", "lookup_order", "check_eligibility", "issue_refund", "reply"]),
    objects,
)
steps = st.lists(st.builds(Step, st.just(0), st.just(""), calls, st.none() | observations))


@given(steps, st.text(), objects)
def test_no_exhibit_makes_it_raise(judged, run, reply, request_values):
    exhibit = Exhibit("support_desk", "", request_values, tuple(run), reply, None)
    finding = judged(exhibit)
    assert (finding.faulty is None) == (finding.unscored is not None)
    assert finding == judged(exhibit)

"""Whatever a call holds, the desk answers it: no argument makes it raise."""

import json

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faultpair.env.catalog import DOMAINS
from faultpair.env.kernel import Action, replay, run_episode
from faultpair.env.records import Call
from faultpair.env.support_desk.world import TOOLS

DESK = DOMAINS["support_desk"]
NAMES = [tool.name for tool in TOOLS]
ARGUMENTS = ["email", "order_id", "sku", "reason", "text", "amount_eur", "amount_gbp", "amount_usd"]

INSTANCES = [DESK.generate(9, index) for index in range(12)]
KNOWN_VALUES = [
    value
    for instance in INSTANCES
    for value in (*instance.given.values(), instance.order.sku, instance.order.total_cents / 100)
]
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([10**30, -(10**400), 0, -1, 1e308, -0.0, 5e-324])
    | st.floats(allow_nan=True, allow_infinity=True)
    | st.text()
    | st.sampled_from(KNOWN_VALUES)
)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
CALLS = st.builds(
    Call,
    st.sampled_from(NAMES) | st.text(),
    st.dictionaries(st.sampled_from(ARGUMENTS) | st.text(), JSON, max_size=4),
)


def observe(instance, *calls):
    return run_episode(DESK, instance, replay([Action(call) for call in calls]))


def assert_answered(episode):
    for step in episode.steps:
        seen = step.observation
        assert seen.ok == (seen.error is None)
        if not seen.ok:
            assert seen.data == {}
            assert 0 < len(seen.error) < 300
        assert seen.ok <= (step.call.tool in NAMES)
    assert isinstance(episode.final_answer, str)
    assert episode.end_state["action"] in {"refund", "escalate", "none"}


@settings(max_examples=150)
@given(st.sampled_from(INSTANCES), st.lists(CALLS, max_size=5))
def test_any_call_with_any_arguments_is_answered(instance, calls):
    episode = observe(instance, *calls)
    assert len(episode.steps) == len(calls)
    assert_answered(episode)
    json.loads(msgspec.json.encode([step.observation for step in episode.steps]))


@settings(max_examples=200)
@given(st.sampled_from(INSTANCES), st.sampled_from(["order_id", "amount"]), JSON)
def test_a_refund_with_one_argument_replaced_pays_at_most_the_total(instance, replaced, value):
    key = f"amount_{instance.order.currency.lower()}"
    args = {"order_id": instance.order.order_id, key: instance.order.total_cents / 100}
    args[key if replaced == "amount" else "order_id"] = value
    episode = observe(instance, Call("issue_refund", args))
    assert_answered(episode)
    paid = episode.end_state[key]
    assert paid is None or 0 < paid <= instance.order.total_cents / 100


ODD_VALUES = {
    "nothing": None,
    "NaN": float("nan"),
    "infinity": float("inf"),
    "a number": 12.5,
    "yes": True,
    "negative": -3,
    "a huge integer": 10**5000,
    "a list": ["ORD-1"],
    "nested": {"a": [{"b": [[]]}]},
    "empty": "",
    "a megabyte": "x" * 1_000_000,
    "control characters": "\x00\n\x1b[31m",
}
FREE_TEXT = {"escalate", "reply"}


@pytest.mark.parametrize("value", ODD_VALUES.values(), ids=list(ODD_VALUES))
@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_an_odd_value_in_place_of_an_argument_is_refused(tool, value):
    instance = INSTANCES[0]
    currency = instance.order.currency.lower()
    names = [name.replace("<currency>", currency) for name in tool.arguments]
    episode = observe(instance, Call(tool.name, dict.fromkeys(names, value)))
    assert_answered(episode)
    is_free = tool.name in FREE_TEXT and isinstance(value, str)
    assert episode.steps[0].observation.ok == is_free


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_missing_and_surplus_arguments_are_refused_by_name(tool):
    for args in ({}, {"surprise": 1}, {**dict.fromkeys(tool.arguments, "x"), "surprise": 1}):
        (step,) = observe(INSTANCES[0], Call(tool.name, args)).steps
        assert not step.observation.ok
        assert step.observation.error.startswith(f"{tool.name} takes ")


@pytest.mark.parametrize("name", ["", "refund", "ISSUE_REFUND", "x" * 1_000_000, "__class__"])
def test_an_unknown_tool_is_refused_with_the_known_ones(name):
    (step,) = observe(INSTANCES[0], Call(name, {})).steps
    assert not step.observation.ok
    assert all(tool in step.observation.error for tool in NAMES)
    assert len(step.observation.error) < 300


def test_deeply_nested_arguments_are_answered():
    deep = []
    for _ in range(50_000):
        deep = [deep]
    for tool in TOOLS:
        assert_answered(observe(INSTANCES[0], Call(tool.name, {tool.arguments[0]: deep})))
    while deep:  # taken apart by hand: to free it at once would recurse
        deep = deep.pop()

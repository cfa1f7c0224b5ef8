"""The corrections, each on the case that it is there for."""

from faultpair.env.plans.records import ToolSchema
from faultpair.env.records import Call
from faultpair.judges.plan_metrics.corrected import (
    parameters_by_schema,
    renamed,
    sequence_by_dependency,
)

FAN_IN = (("left", "right", "join"), (frozenset(), frozenset(), frozenset({0, 1})))
SCHEMA = ToolSchema("a", "", {"properties": {"x": {}, "y": {}}, "required": ["x"]}, {})


def test_siblings_may_come_in_either_order():
    assert sequence_by_dependency(("right", "left", "join"), *FAN_IN) == 1.0


def test_a_call_before_one_of_its_sources_is_out_of_order():
    assert sequence_by_dependency(("right", "join", "left"), *FAN_IN) == 2 / 3


def test_a_call_whose_source_is_missing_is_out_of_order():
    assert sequence_by_dependency(("left", "join"), *FAN_IN) == 1 / 3


def test_a_call_too_many_costs_nothing_at_any_place():
    assert sequence_by_dependency(("other", "left", "right", "left", "join"), *FAN_IN) == 1.0


def test_an_error_is_not_counted_again_in_its_consequences():
    chain = (("a", "b", "c"), (frozenset(), frozenset({0}), frozenset({1})))
    assert sequence_by_dependency(("b", "c"), *chain) == 1 / 3
    assert sequence_by_dependency(("b", "a", "c"), *chain) == 2 / 3


def test_a_tool_used_twice_is_read_in_the_way_that_suits_the_plan():
    expected = ("x", "t", "t", "u")
    sources = (frozenset(), frozenset({0}), frozenset(), frozenset({2}))
    assert sequence_by_dependency(("t", "u", "x", "t"), expected, sources) == 1.0
    assert sequence_by_dependency(("u", "t", "u", "x", "t"), expected, sources) == 1.0


def test_without_data_flow_the_sequence_is_the_share_of_calls_that_are_there():
    sources = (frozenset(),) * 3
    assert sequence_by_dependency(("b", "a", "a"), ("a", "b", "b"), sources) == 2 / 3


def test_where_nothing_is_expected_only_an_empty_plan_is_in_order():
    assert sequence_by_dependency((), (), ()) == 1.0
    assert sequence_by_dependency(("a",), (), ()) == 0.0


def test_a_tool_decides_which_keys_are_right():
    fits = {
        keys: parameters_by_schema((Call("a", dict.fromkeys(keys, 1)),), {"a": SCHEMA})
        for keys in ("x", "xy", "y", "xyz", "xz")
    }
    assert fits == {"x": 1.0, "xy": 1.0, "y": 0.0, "xyz": 0.5, "xz": 0.5}


def test_a_tool_without_a_schema_is_outside_the_reference():
    assert parameters_by_schema((Call("b", {}),), {"a": SCHEMA}) == 0.0
    assert parameters_by_schema((), {"a": SCHEMA}) == 1.0


def test_tools_that_are_alike_get_one_name():
    canonical = {"assess_limits": "validate_limits"}
    calls = (Call("assess_limits", {"x": 1}), Call("other", {}))
    assert renamed(calls, canonical) == (Call("validate_limits", {"x": 1}), Call("other", {}))

"""References to outputs of earlier calls, and the data flow of a plan."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faultpair.env.plans.dataflow import Reference, data_flow, references_in, uses_of
from faultpair.env.records import Call

NAMES = st.from_regex(r"[a-z_][a-z0-9_]{0,8}", fullmatch=True)


@given(NAMES, st.integers(1, 9999), NAMES)
def test_a_reference_is_read_as_it_was_written(tool, use, field):
    reference = Reference(tool, use, field)
    assert Reference.parse(str(reference)) == reference


@pytest.mark.parametrize(
    "value", ["load", "$load", "$load#0.kw", "a $load.kw", "$load.kw ", 7, None]
)
def test_any_other_value_is_none(value):
    assert Reference.parse(value) is None


def test_references_are_found_in_lists_and_objects():
    value = {"one": "$load.kw", "more": ["$rate.share", {"deep": "$load#2.kw"}], "plain": 3}
    assert list(map(str, references_in(value))) == ["$load.kw", "$rate.share", "$load#2.kw"]


def test_a_call_waits_for_the_use_that_it_names():
    plan = (
        Call("load", {"feeder": "FD-1"}),
        Call("load", {"feeder": "FD-2"}),
        Call("compare", {"one": "$load#2.kw"}),
    )
    flow = data_flow(plan)
    assert flow.sources == (frozenset(), frozenset(), frozenset({1}))
    assert flow.targets == (frozenset(), frozenset({2}), frozenset())


def test_a_reference_without_an_earlier_call_dangles():
    plan = (Call("compare", {"one": "$load.kw", "again": "$load.kw"}), Call("load", {}))
    flow = data_flow(plan)
    assert flow.dangling == ((Reference("load", 1, "kw"),), ())
    assert not any(flow.sources)


def test_the_uses_of_each_tool_are_counted_apart():
    calls = [Call(name, {}) for name in ("load", "rate", "load", "load", "rate")]
    assert [use for _, use in uses_of(calls)] == [1, 1, 2, 3, 2]

"""The world of plans: outputs of calls, refusals, and the end state."""

import math

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from faultpair.env.records import Call
from faultpair.env.workflow.world import WorkflowWorld, covers, delivered_by


@pytest.fixture
def world(record, sectors):
    return WorkflowWorld(record(), sectors)


def count(shelf="SH-101"):
    return Call("count_crates", {"shelf_id": shelf})


def test_a_call_takes_what_earlier_calls_gave(world):
    first, second = world.answer(count()), world.answer(count("SH-202"))
    references = ["$count_crates.crates", "$count_crates#2.crates"]
    total = world.answer(Call("sum_crates", {"counts": references}))
    assert total.data == {"total": first.data["crates"] + second.data["crates"]}
    rated = world.answer(Call("rate_load", {"load": "$sum_crates.total", "limit": 1000}))
    assert rated.data == {"ratio": round(total.data["total"] / 1000, 4), "is_over": False}


def test_one_reference_may_stand_for_a_whole_list_but_not_for_a_part_of_one(world):
    listed = world.answer(Call("list_counts", {"shelf_id": "SH-101"})).data["counts"]
    whole = world.answer(Call("sum_crates", {"counts": "$list_counts.counts"}))
    assert whole.data == {"total": sum(listed)}
    nested = world.answer(Call("sum_crates", {"counts": ["$list_counts.counts"]}))
    assert nested.error == "sum_crates.counts is no array of its kind"
    assert not world.answer(Call("rate_load", {"load": "$list_counts.counts", "limit": 5})).ok


def test_equal_arguments_give_equal_answers_in_each_notation_of_a_number(world):
    assert world.answer(count()) == world.answer(count())
    whole, point = (Call("sum_crates", {"counts": [2], "spare": spare}) for spare in (3, 3.0))
    assert world.answer(whole) == world.answer(point)


def test_an_optional_argument_may_be_left_out(world):
    assert world.answer(Call("sum_crates", {"counts": [2, 5]})).data == {"total": 7}


REFUSED = {
    "an unknown tool": (Call("count_boxes", {}), "no tool of the pool is named 'count_boxes'"),
    "a missing argument": (Call("count_crates", {}), "count_crates needs the argument 'shelf_id'"),
    "an unknown argument": (
        Call("count_crates", {"shelf_id": "SH-101", "deep": 1}),
        "count_crates takes no argument 'deep'",
    ),
    "a number for a text": (count(101), "count_crates.shelf_id is no string of its kind"),
    "a text for a number": (
        Call("rate_load", {"load": "12", "limit": 5}),
        "rate_load.load is no number of its kind",
    ),
    "yes for a number": (
        Call("rate_load", {"load": True, "limit": 5}),
        "rate_load.load is no number of its kind",
    ),
    "no number at all": (
        Call("rate_load", {"load": math.nan, "limit": 5}),
        "rate_load.load is no number of its kind",
    ),
    "one value for a list": (
        Call("sum_crates", {"counts": 5}),
        "sum_crates.counts is no array of its kind",
    ),
    "a list of other things": (
        Call("sum_crates", {"counts": ["five"]}),
        "sum_crates.counts is no array of its kind",
    ),
    "a reference to nothing": (
        Call("rate_load", {"load": "$sum_crates.total", "limit": 5}),
        "rate_load.load takes $sum_crates.total, which no call before it gives",
    ),
    "a reference to nothing in a list": (
        Call("sum_crates", {"counts": [1, "$count_crates#3.crates"]}),
        "sum_crates.counts takes $count_crates#3.crates, which no call before it gives",
    ),
    "values that have no answer": (
        Call("rate_load", {"load": 5, "limit": 0}),
        "rate_load cannot work with these values",
    ),
}


@pytest.mark.parametrize(("call", "problem"), REFUSED.values(), ids=list(REFUSED))
def test_what_does_not_fit_is_refused_in_a_sentence(world, call, problem):
    observation = world.answer(call)
    assert (observation.ok, observation.data, observation.error) == (False, {}, problem)


def test_a_tool_that_is_not_in_the_pool_is_refused(record, sectors):
    others = tuple(tool for tool in sectors["depot"].tools if tool.name != "tally_crates")
    world = WorkflowWorld(record(tools=others), sectors)
    assert not world.answer(Call("tally_crates", {"shelf_id": "SH-101"})).ok


def test_a_call_that_is_refused_counts_as_a_use_all_the_same(world):
    world.answer(Call("count_crates", {}))
    world.answer(count())
    assert not world.answer(Call("sum_crates", {"counts": ["$count_crates.crates"]})).ok
    assert world.answer(Call("sum_crates", {"counts": ["$count_crates#2.crates"]})).ok


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text()
    | st.sampled_from(["SH-101", "$count_crates.crates", "$list_counts.counts", "\ud800", 10**400]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=2),
    max_leaves=5,
)  # fmt: skip
TOOLS = st.sampled_from(
    ["count_crates", "tally_crates", "sum_crates", "list_counts", "rate_load", "\ud800"]
)
NAMES = st.sampled_from(["shelf_id", "counts", "spare", "load", "limit", "other"])
CALLS = st.builds(Call, TOOLS, st.dictionaries(NAMES, VALUES, max_size=3))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(calls=st.lists(CALLS, max_size=5))
def test_no_call_makes_it_raise_and_what_it_gives_can_be_written(record, sectors, calls):
    world = WorkflowWorld(record(), sectors)
    for call in calls:
        assert 2 <= world.duration_s(call.tool, 1) <= 20
        observation = world.answer(call)
        assert observation.ok == (observation.error is None)
        line = msgspec.json.encode(observation.data)
        assert msgspec.json.decode(line) == observation.data
    msgspec.json.encode(world.end_state())


def test_durations_depend_only_on_tool_and_use(record, sectors):
    one, other = WorkflowWorld(record(), sectors), WorkflowWorld(record(count()), sectors)
    one.answer(count())
    durations = [one.duration_s("count_crates", use) for use in range(1, 200)]
    assert durations == [other.duration_s("count_crates", use) for use in range(1, 200)]
    assert {2, 20} <= set(durations) <= set(range(2, 21))


# The end state of an episode.


def test_the_end_state_holds_the_goals_of_the_plan_with_what_they_were_given(record, sectors):
    required = delivered_by(record(), record().plan, sectors)
    ((tool, args),) = required["delivered"]
    assert tool == "rate_load"
    assert set(args) == {"load", "limit"}
    assert isinstance(args["load"], int)


def test_an_optional_argument_more_serves_the_same_goal(record, sectors):
    plain, more = (Call("sum_crates", {"counts": [2, 5], **extra}) for extra in ({}, {"spare": 3}))
    instance = record(plain)
    assert delivered_by(instance, [plain], sectors) == delivered_by(instance, [more], sectors)


def test_an_alternative_tool_serves_the_same_goal(record, sectors):
    instance = record(count())
    required = delivered_by(instance, instance.plan, sectors)
    alike = Call("tally_crates", {"shelf_id": "SH-101"})
    assert delivered_by(instance, [alike], sectors) == required


def test_the_order_of_calls_leaves_no_trace_in_the_end_state(record, sectors):
    instance = record(count(), count("SH-202"), count("SH-303"))
    forth, back = (
        delivered_by(instance, plan, sectors) for plan in (instance.plan, instance.plan[::-1])
    )
    assert forth == back
    assert len(forth["delivered"]) == 3


def test_more_than_is_required_does_no_harm_and_less_does(record, sectors):
    instance = record(count(), count())
    required, once, thrice, other = (
        delivered_by(instance, plan, sectors)
        for plan in ([count()] * 2, [count()], [count()] * 3, [count("SH-202")] * 2)
    )
    assert covers(required, required)
    assert covers(thrice, required)
    assert not covers(once, required)
    assert not covers(other, required)
    assert not covers({}, required)


def test_tools_known_only_by_their_schemas_refuse_every_call_and_require_nothing(record, sectors):
    instance = record(sector="bfcl/simple_python")
    world = WorkflowWorld(instance, sectors)
    observation = world.answer(count())
    assert observation.error == (
        "count_crates has no function here: it is known by its schema alone"
    )
    assert delivered_by(instance, instance.plan, sectors) == {"delivered": []}

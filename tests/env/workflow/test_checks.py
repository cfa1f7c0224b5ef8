"""Both levels of checks: a good record passes, and each problem is named."""

import pytest
from msgspec.structs import replace

from faultpair.env.plans.records import Tier
from faultpair.env.records import Call
from faultpair.env.workflow import Workflow
from faultpair.env.workflow.checks import check

CHAIN = next(
    record
    for record in (Workflow().generate(3, index) for index in range(60))
    if record.difficulty == "linear" and len(record.plan) == 2 and record.plan[0].args
)


def reasons(record):
    return {problem.partition(":")[0] for problem in check(record)}


def with_call(place, **args):
    plan = list(CHAIN.plan)
    plan[place] = Call(plan[place].tool, {**plan[place].args, **args})
    return replace(CHAIN, plan=tuple(plan))


def test_a_good_record_passes():
    assert check(CHAIN) == ()


def test_a_call_outside_the_pool_is_an_unknown_tool():
    record = replace(CHAIN, plan=(*CHAIN.plan, Call("bake_a_cake", {})))
    assert reasons(record) == {"unknown tool"}


def test_a_pool_with_a_tool_twice_or_too_few_tools_is_refused():
    assert "pool" in reasons(replace(CHAIN, tools=(*CHAIN.tools, CHAIN.tools[0])))
    used = {call.tool for call in CHAIN.plan}
    few = tuple(tool for tool in CHAIN.tools if tool.name in used)
    assert "pool" in reasons(replace(CHAIN, tools=few))


def test_a_schema_with_an_unknown_type_is_refused():
    broken = replace(CHAIN.tools[0], returns={"type": "text"})
    assert "schema" in reasons(replace(CHAIN, tools=(broken, *CHAIN.tools[1:])))


def test_a_missing_argument_makes_a_plan_insufficient():
    plan = (Call(CHAIN.plan[0].tool, {}), *CHAIN.plan[1:])
    assert "insufficient" in reasons(replace(CHAIN, plan=plan))


def test_an_argument_that_the_tool_does_not_know_is_named():
    assert "unknown argument" in reasons(with_call(0, colour="red"))


def test_a_value_of_another_type_is_named():
    name = next(iter(CHAIN.plan[0].args))
    assert "value" in reasons(with_call(0, **{name: None}))


def test_a_reference_to_nothing_or_to_another_kind_breaks_the_trace():
    name = next(name for name, value in CHAIN.plan[1].args.items() if str(value).startswith("$"))
    assert "trace" in reasons(with_call(1, **{name: "$bake_a_cake.cake"}))
    assert "trace" in reasons(with_call(1, **{name: f"${CHAIN.plan[0].tool}.cake"}))


def test_a_call_that_occurs_twice_breaks_the_trace():
    assert "trace" in reasons(replace(CHAIN, plan=(*CHAIN.plan, CHAIN.plan[1])))


def test_a_topology_other_than_declared_is_named():
    assert "topology" in reasons(replace(CHAIN, difficulty="diamond"))


def test_a_value_that_the_request_does_not_give_is_ungrounded():
    assert "ungrounded" in reasons(replace(CHAIN, given={}))


@pytest.mark.parametrize("tier", Tier)
def test_a_value_that_a_tier_does_not_state_is_unstated(tier):
    silent = {f"query_{tier}": "Please do what has to be done about all of this."}
    assert "unstated" in reasons(replace(CHAIN, **silent))

"""The pool: the plan's tools among others, in random order."""

from collections import Counter
from statistics import mean

import pytest

from faultpair.env.records import Call
from faultpair.env.rng import stream
from faultpair.env.workflow.plan.tool_pool import LARGEST, SMALLEST, draw_pool
from faultpair.env.workflow.sectors import sector_named

GRID = sector_named("energy_grid")
TWIN = next(tool for tool in GRID.tools if tool.same_as)
PLAN = tuple(
    Call(name, {}) for name in (TWIN.same_as, *[t.name for t in GRID.tools if not t.same_as][-2:])
)


@pytest.fixture(scope="module")
def pools():
    return [draw_pool(GRID, PLAN, stream("pools", draw)) for draw in range(1500)]


def test_a_pool_holds_the_tools_of_its_plan_and_none_twice(pools):
    for pool in pools:
        names = {tool.name for tool in pool}
        assert {call.tool for call in PLAN} <= names
        assert len(names) == len(pool)


def test_a_pool_has_8_to_19_tools(pools):
    sizes = Counter(map(len, pools))
    assert min(sizes) >= SMALLEST == 8
    assert max(sizes) <= LARGEST == 19
    assert 12 < mean(map(len, pools)) < 13


def test_longer_plans_have_larger_pools():
    def mean_size(n_calls):
        plan = PLAN[:1] * n_calls
        return mean(len(draw_pool(GRID, plan, stream("sizes", draw))) for draw in range(300))

    assert mean_size(2) < mean_size(3) < mean_size(4) < mean_size(5)


def test_the_twin_of_a_plan_tool_is_offered_now_and_then(pools):
    assert 0.5 < mean(TWIN in pool for pool in pools) < 0.7


def test_the_place_in_a_pool_is_independent_of_the_plan(pools):
    places = [
        (place + 0.5) / len(pool)
        for pool in pools
        for place, tool in enumerate(pool)
        if tool.name == PLAN[0].tool
    ]
    assert mean(places) == pytest.approx(0.5, abs=0.03)

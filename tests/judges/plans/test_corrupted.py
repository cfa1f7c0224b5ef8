"""Wrong reference plans: every record gets one, of its topology, with other tools."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faultpair.env.errors import UsageError
from faultpair.env.plans.records import Tier
from faultpair.judges.plans.corrupted import swapped_plans

TOOLS = ("alpha", "beta", "gamma", "delta", "epsilon")


def tools_of(plan):
    return sorted(call.tool for call in plan)


def some(bench, n, topology="linear", first=0):
    """Return records that plan with five pairs of tools in turn."""
    return [
        bench.record(first + n_, (TOOLS[n_ % 5], TOOLS[(n_ + 1) % 5]), topology) for n_ in range(n)
    ]


def test_it_is_a_derangement_within_each_topology(bench):
    linear, fan_in = some(bench, 12), some(bench, 10, "fan_in", first=100)
    swapped = swapped_plans([*linear, *fan_in], seed=3)
    for records in (linear, fan_in):
        given_plans = [swapped[record.record_id] for record in records]
        assert sorted(map(str, given_plans)) == sorted(str(record.plan) for record in records)
        for record, plan in zip(records, given_plans, strict=True):
            assert tools_of(plan) != tools_of(record.plan)


@given(st.lists(st.sampled_from(TOOLS), min_size=2, max_size=30), st.integers(0, 50))
def test_without_a_majority_pool_every_record_gets_another_records_tools(bench, names, seed):
    records = [bench.record(number, (name,)) for number, name in enumerate(names)]
    if max(map(names.count, names)) * 2 > len(names):
        with pytest.raises(UsageError, match="cannot be corrupted"):
            swapped_plans(records, seed)
        return
    swapped = swapped_plans(records, seed)
    assert all(tools_of(swapped[one.record_id]) != tools_of(one.plan) for one in records)


def test_the_tiers_of_a_record_get_one_plan(bench):
    records = some(bench, 6)
    hard = [bench.record(n, (TOOLS[n % 5], TOOLS[(n + 1) % 5]), tier=Tier.HARD) for n in range(6)]
    assert swapped_plans([*records, *hard], 1) == swapped_plans(records, 1)


def test_it_depends_on_the_seed_and_not_on_the_order_of_the_set(bench):
    records = some(bench, 20)
    assert swapped_plans(records, 1) == swapped_plans(records[::-1], 1)
    assert swapped_plans(records, 1) != swapped_plans(records, 2)


def test_the_same_tools_in_another_order_or_with_other_values_are_no_other_plan(bench):
    records = [bench.record(1, ("alpha", "beta")), bench.record(2, ("beta", "alpha"))]
    with pytest.raises(UsageError, match="2 of its 2 records plan with the same tools"):
        swapped_plans(records, 1)


def test_a_set_without_records_has_no_plans():
    assert swapped_plans([], 1) == {}

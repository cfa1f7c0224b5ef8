"""The second execution: branches run side by side, and no order changes what comes out."""

from dataclasses import replace

import pytest

from faultpair.env.records import Call
from faultpair.env.workflow.execution import check_orders, execute, orders_of
from faultpair.env.workflow.tools import Sector
from faultpair.env.workflow.world import WorkflowWorld, delivered_by


def test_a_call_starts_when_the_last_of_its_sources_ends(record, sectors):
    first, second, joined, rated = execute(record(), sectors).calls
    assert first.start_s == second.start_s == 0
    assert joined.start_s == max(first.end_s, second.end_s)
    assert rated.start_s == joined.end_s


def test_branches_run_side_by_side(record, sectors):
    execution = execute(record(), sectors)
    one_by_one = sum(call.end_s - call.start_s for call in execution.calls)
    assert max(call.end_s for call in execution.calls) == execution.calls[-1].end_s < one_by_one


def test_it_gives_what_the_calls_give_one_after_the_other(record, sectors):
    instance = record()
    world = WorkflowWorld(instance, sectors)
    execution = execute(instance, sectors)
    assert [call.call for call in execution.calls] == list(instance.plan)
    assert [call.observation for call in execution.calls] == list(map(world.answer, instance.plan))
    assert execution.end_state == delivered_by(instance, instance.plan, sectors)


def test_two_uses_of_a_tool_keep_their_identity_when_the_later_one_is_done_first(record, sectors):
    """The first use waits for a chain and the second for nothing."""
    plan = (
        Call("sum_crates", {"counts": [10, 20]}),
        Call("rate_load", {"load": "$sum_crates.total", "limit": 3}),
        Call("sum_crates", {"counts": [1]}),
        Call("sum_crates", {"counts": ["$sum_crates#2.total", "$rate_load.ratio"]}),
        Call("sum_crates", {"counts": [100], "spare": "$sum_crates#3.total"}),
    )
    outputs = [call.observation.data for call in execute(record(*plan), sectors).calls]
    assert [data.get("total") for data in outputs] == [30, None, 1, 11, 111]
    assert check_orders(record(*plan), sectors) == ()


@pytest.mark.parametrize(
    ("sources", "n_orders"),
    [([], 1), ([set()] * 4, 24), ([set(), {0}, {1}], 1), ([set(), {0}, {0}, {1, 2}], 2)],
)
def test_every_order_that_respects_the_data_flow_comes_once(sources, n_orders):
    orders = list(orders_of([frozenset(needed) for needed in sources]))
    assert len(orders) == len(set(orders)) == n_orders
    for order in orders:
        assert all(
            order.index(source) < order.index(call)
            for call, needed in enumerate(sources)
            for source in needed
        )


def test_a_sound_plan_comes_out_the_same_in_every_order(record, sectors):
    assert check_orders(record(), sectors) == ()


def test_a_tool_whose_answer_depends_on_the_order_is_found(record, sectors):
    """It takes a number from a roll at its first call, and the next one at the next."""
    counting, *others = sectors["depot"].tools
    roll = iter(range(1000))
    moody = replace(counting, run=lambda shelf_id: next(roll))
    problems = check_orders(record(), {"depot": Sector("depot", "a depot", (moody, *others))})
    assert problems[0].startswith("call 1 (count_crates) gives {'crates': ")
    assert any("in the order 2, 1, 3, 4" in problem for problem in problems)


def test_a_plan_whose_calls_do_not_stand_in_the_order_of_its_data_flow_is_refused(record, sectors):
    plan = record().plan[::-1]
    problems = check_orders(record(*plan), sectors)
    assert problems[0] == (
        "call 1 (rate_load) is refused: rate_load.load takes $sum_crates.total, "
        "which no call before it gives"
    )
    assert len(problems) == 2

"""Simulated time: what it depends on, and that it matters."""

from collections import Counter
from datetime import datetime, timedelta

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from faultpair.env.catalog import DOMAINS
from faultpair.env.kernel import Action, Clock, replay, run_episode
from faultpair.env.rng import stream
from faultpair.env.support_desk.world import SupportDeskWorld
from faultpair.oracle.catalog import clean_run

DESK = DOMAINS["support_desk"]


def durations(steps):
    """Return how long each call took, by tool and use."""
    taken, uses = {}, {}
    for step in steps:
        tool = step.call.tool
        uses[tool] = uses.get(tool, 0) + 1
        taken[tool, uses[tool]] = step.end_s - step.start_s
    return taken


@given(st.integers(0, 200), st.data())
def test_a_deleted_call_moves_no_other_calls_duration(index, data):
    instance = DESK.generate(4, index)
    kept = clean_run(DESK, instance).steps
    gone = data.draw(st.integers(0, len(kept) - 1))
    actions = [Action(step.call) for step in kept if step.index != gone]
    before = durations(kept)
    after = durations(run_episode(DESK, instance, replay(actions)).steps)
    assert after.items() <= before.items()
    assert len(after) == len(before) - 1


@given(st.integers(0, 200), st.permutations(range(5)))
def test_the_order_of_calls_changes_no_duration(index, order):
    instance = DESK.generate(4, index)
    calls = [step.call for step in clean_run(DESK, instance).steps]
    shuffled = [Action(calls[place]) for place in order]
    plain = [Action(call) for call in calls[:5]]
    assert durations(run_episode(DESK, instance, replay(shuffled)).steps) == durations(
        run_episode(DESK, instance, replay(plain)).steps
    )


@given(st.integers(0, 2**32 - 1), st.text(), st.integers(1, 50))
def test_a_duration_is_some_seconds_for_any_tool(pace, tool, use):
    assert 1 <= duration_s(pace, tool, use) < 30
    assert duration_s(pace, tool, use) == duration_s(pace, tool, use)


def test_pace_tool_and_use_all_count():
    assert len({duration_s(pace, "get_customer", 1) for pace in range(500)}) == 8
    assert len({duration_s(1, "get_customer", use) for use in range(1, 100)}) == 8
    tools = ("get_customer", "lookup_order", "get_policy", "escalate")
    assert len({tuple(duration_s(pace, tool, 1) for tool in tools) for pace in range(500)}) > 8


def duration_s(pace, tool, use):
    """Ask the desk of an instance of this pace, on which nothing hangs."""
    instance = msgspec.structs.replace(DESK.generate(4, 0), pace=pace, timeouts=())
    return SupportDeskWorld(instance, Clock()).duration_s(tool, use)


def test_the_durations_of_two_tools_are_unrelated():
    pairs = Counter(
        duration_s(stream(0, "pace", n).getrandbits(32), "get_customer", 1)
        - duration_s(stream(0, "pace", n).getrandbits(32), "reply", 1)
        for n in range(400)
    )
    assert len(pairs) > 8
    assert max(pairs.values()) < 100


def closing_in(desk, seconds):
    """Return a case whose refund window closes some seconds after the episode begins."""
    instance = desk.instance
    days = instance.policy.refund_window_days + 1
    bought = datetime.fromisoformat(instance.opened_at) - timedelta(days=days, seconds=-seconds)
    return desk.with_order(purchased_at=bought.isoformat())


def test_a_window_that_closes_in_mid_episode_is_judged_at_the_time_of_the_check(happy):
    desk = closing_in(happy, 60)
    early = desk.ask(desk.check).data
    late = desk.ask(*[desk.order] * 40, desk.check).data
    window = desk.instance.policy.refund_window_days
    assert early["eligible"]
    assert not late["eligible"]
    assert late["reason"] == f"the refund window of {window} days ended before day {window + 1}"


def test_the_age_that_an_order_shows_grows_with_the_clock(happy):
    desk = closing_in(happy, 60)
    window = desk.instance.policy.refund_window_days
    assert desk.ask(desk.order).data["days_since_purchase"] == window
    assert desk.ask(*[desk.customer] * 40, desk.order).data["days_since_purchase"] == window + 1


def test_the_check_counts_to_the_second(happy):
    taken = happy.episode(happy.check).steps[0].end_s
    at_the_edge, past_it = closing_in(happy, taken + 1), closing_in(happy, taken)
    assert at_the_edge.ask(at_the_edge.check).data["eligible"]
    assert not past_it.ask(past_it.check).data["eligible"]

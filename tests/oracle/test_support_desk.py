"""The scripted agent: right on every instance, and why it acts as it does."""

import msgspec
import pytest

from faultpair.env.catalog import DOMAINS
from faultpair.env.kernel import TIMED_OUT
from faultpair.env.support_desk.instances import SCENARIOS
from faultpair.env.support_desk.procedure import READS
from faultpair.oracle.catalog import clean_run

DESK = DOMAINS["support_desk"]
SCRIPT = ["get_customer", "lookup_order", "get_policy", "check_eligibility"]


def run_of(scenario, **changes):
    """Return the clean run of an instance of a scenario, without incidents but those given."""
    instance = DESK.generate(0, SCENARIOS.index(scenario))
    incidents = {"timeouts": (), "rival": False, **changes}
    return clean_run(DESK, msgspec.structs.replace(instance, **incidents))


def tools(run):
    return [step.call.tool for step in run.steps]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_it_makes_six_calls_with_one_branch(scenario):
    action = "issue_refund" if scenario in {"happy", "restocking"} else "escalate"
    assert tools(run_of(scenario)) == [*SCRIPT, action, "reply"]


@pytest.mark.parametrize("tool", READS)
def test_a_call_that_times_out_is_made_again_at_once(tool):
    run = run_of("happy", timeouts=(tool,))
    place = tools(run).index(tool)
    first, second = run.steps[place : place + 2]
    assert first.observation == TIMED_OUT
    assert second.call == first.call
    assert second.observation.ok
    assert len(run.steps) == 7
    assert run.label.outcome_correct


def test_several_time_outs_are_all_repeated():
    run = run_of("restocking", timeouts=READS)
    assert tools(run) == [tool for tool in SCRIPT for _ in (1, 2)] + ["issue_refund", "reply"]
    assert run.label.outcome_correct


def test_a_refund_that_a_rival_made_impossible_ends_in_an_escalation():
    refused = run_of("happy", rival=True)
    assert tools(refused) == [*SCRIPT, "issue_refund", "escalate", "reply"]
    refund, escalation = refused.steps[4:6]
    assert not refund.observation.ok
    assert escalation.call.args == {"reason": refund.observation.error}
    assert refused.end_state["action"] == "escalate"


def test_the_required_end_state_of_a_generated_rival_is_the_escalation():
    rivals = [
        instance for instance in (DESK.generate(1, index) for index in range(300)) if instance.rival
    ]
    assert len(rivals) > 3
    for instance in rivals:
        run = clean_run(DESK, instance)
        assert run.label.outcome_correct
        assert instance.expected["action"] == run.end_state["action"] == "escalate"


def test_it_pays_what_was_authorised_and_says_so():
    run = run_of("restocking")
    check, refund = run.steps[3:5]
    (authorised,) = (value for key, value in check.observation.data.items() if "max" in key)
    (paid,) = (value for key, value in refund.call.args.items() if key.startswith("amount"))
    assert paid == authorised
    assert f"{paid:.2f}" in run.final_answer


def test_it_goes_by_the_answer_of_the_check_and_not_by_the_scenario():
    """A window that closes between the opening and the check makes the order too old."""
    instance = DESK.generate(0, 0)
    days = instance.policy.refund_window_days + 1
    order = msgspec.structs.replace(instance.order, purchased_at="2026-01-01T00:00:05")
    opened = f"2026-01-{1 + days:02d}" if days < 31 else f"2026-02-{days - 30:02d}"
    late = msgspec.structs.replace(
        instance, order=order, opened_at=f"{opened}T00:00:00", timeouts=(), rival=False
    )
    run = clean_run(DESK, late)
    assert tools(run)[4] == "escalate"
    assert "window" in run.steps[4].call.args["reason"]


def test_it_makes_the_same_run_twice():
    instance = DESK.generate(0, 1)
    assert clean_run(DESK, instance) == clean_run(DESK, instance)

"""The scripted planner makes the calls of the record's plan, at every tier."""

from faultpair.env.catalog import DOMAINS
from faultpair.env.plans.records import Tier
from faultpair.env.workflow.instances import at_tier
from faultpair.oracle.catalog import clean_run

WORKFLOW = DOMAINS["workflow"]


def test_its_run_is_the_plan_of_the_record_and_is_never_observed():
    for index in range(30):
        record = WORKFLOW.generate(3, index)
        run = clean_run(WORKFLOW, record)
        assert tuple(step.call for step in run.steps) == record.plan
        assert {(step.thought, step.observation) for step in run.steps} == {("", None)}
        assert run.final_answer == ""
        assert run.end_state == WORKFLOW.required(record)
        assert run.label.outcome_correct


def test_the_tiers_of_a_record_differ_only_in_the_request():
    record = WORKFLOW.generate(3, 0)
    runs = [clean_run(WORKFLOW, at_tier(record, tier)) for tier in Tier]
    assert [run.trajectory_id for run in runs] == [
        f"{record.record_id}-{tier}-clean" for tier in ("easy", "medium", "hard")
    ]
    assert [run.goal for run in runs] == [
        record.query_easy, record.query_medium, record.query_hard,
    ]  # fmt: skip
    assert all(run.steps == runs[0].steps for run in runs)
